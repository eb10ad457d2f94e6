"""How a running tournament moves: everything is worked out again from the games, under the tournament's lock.

What is stored decides what happens next, so it does not matter who calls, how often, or whether an earlier call was
lost. The unique constraints (game number in a match, one match for a game) are the last word between two workers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch
from django.utils import timezone

from games.disclosure import ended_for_all_at
from games.models import PLAYED, Game, Seat
from tournaments.models import (
    Entrant,
    EntrantStatus,
    Match,
    MatchGame,
    MatchPart,
    MatchStatus,
    Round,
    Slot,
    Stage,
    StageEntrant,
    StageStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.pairing.match import Decided, NextGame, match_course
from tournaments.services.deals import deal_for, open_finished_deals
from tournaments.services.locking import lock_tournament, touch
from tournaments.services.log import log_write
from tournaments.services.stages import lead_on, overall_places, stage_places
from tournaments.services.table_games import Beginning, begin_games
from tournaments.services.wanting import draws_rounds, next_round_wanted


@transaction.atomic
def stage_advance(*, tournament_id: int) -> Tournament:
    """Take ended games into their matches, decide matches, fill the slots they feed, make the next games, finish.

    Safe to run at any time, any number of times, by several workers at once. Raises NotFound.
    """
    tournament = lock_tournament(tournament_id)
    if advance_locked(tournament):
        touch(tournament)
    return tournament


def advance_locked(tournament: Tournament) -> bool:
    """Do what :func:`stage_advance` does to a tournament that the caller has locked; return whether it changed."""
    if tournament.status != TournamentStatus.RUNNING:
        return False
    gone = set(tournament.entrants.filter(status=EntrantStatus.WITHDRAWN).values_list("pk", flat=True))
    undecided, busy = _in_play(tournament)
    matches = _to_look_at(tournament)
    undecided.update(match.pk for match in matches)
    beginnings: list[Beginning] = []
    changed = False
    # Matches come in order of their rounds, so that one pass carries a decision on as far as it reaches.
    for match in matches:
        slots = list(match.slots.all())
        if _is_spare(match, slots, undecided):
            match.status = MatchStatus.DECIDED
            match.decided_at = timezone.now()
            match.save(update_fields=["status", "decided_at"])
            undecided.discard(match.pk)
            changed = True
            continue
        changed |= _fill(slots, undecided)
        present = [slot.entrant_id for slot in slots if slot.entrant_id is not None]
        ready = all(slot.source_id not in undecided for slot in slots)
        # Nobody is called to a match of a later round before the earlier one is decided.
        if ready and (match.status == MatchStatus.PLAYING or busy.isdisjoint(present)):
            changed |= _proceed(tournament, match, slots, gone, beginnings)
        if match.status == MatchStatus.DECIDED:
            undecided.discard(match.pk)
        else:
            busy.update(present)
    begin_games(tournament, beginnings)
    changed |= _see_to_stages(tournament)
    return open_finished_deals(tournament) or changed


def _in_play(tournament: Tournament) -> tuple[set[int], set[int]]:
    """Return the matches with an open game, for which there is nothing to do, and the entrants who sit in them."""
    open_games = MatchGame.objects.filter(match=OuterRef("match"), game__status__in=["seating", "running"])
    slots = Slot.objects.filter(
        Exists(open_games), match__round__stage__tournament=tournament, match__status=MatchStatus.PLAYING
    )
    pairs = list(slots.values_list("match_id", "entrant_id"))
    return {match for match, _ in pairs}, {entrant for _, entrant in pairs if entrant is not None}


def _to_look_at(tournament: Tournament) -> list[Match]:
    """Return the undecided matches without an open game, in order of play, with their slots, games and seats."""
    slots = Slot.objects.select_related("entrant__player").order_by("number")
    games = (
        MatchGame.objects.select_related("game")
        .defer("game__server_seed", "game__rules")
        .order_by("number")
        .prefetch_related(Prefetch("game__seat_set", Seat.objects.order_by("number")))
    )
    open_games = MatchGame.objects.filter(match=OuterRef("pk"), game__status__in=["seating", "running"])
    return list(
        Match.objects.filter(~Exists(open_games), round__stage__tournament=tournament)
        .exclude(status=MatchStatus.DECIDED)
        .select_related("round")
        .order_by("round__stage__number", "round__number", "table")
        .prefetch_related(Prefetch("slots", slots), Prefetch("match_games", games))
    )


def _see_to_stages(tournament: Tournament) -> bool:
    """Do what follows where all matches of a running stage are decided; return whether anything changed.

    That is the second final, the next round, or the end of the stage, from which the next stage takes its players; with
    the last stage the tournament ends.
    """
    changed = False
    open_matches = Match.objects.filter(round__stage=OuterRef("pk")).exclude(status=MatchStatus.DECIDED)
    running = tournament.stages.filter(status=StageStatus.RUNNING)
    for stage in running.filter(~Exists(open_matches)).select_related("tournament").order_by("number"):
        if _add_second_final(stage):
            return advance_locked(tournament) or True
        if draws_rounds(stage) and next_round_wanted(stage):
            continue
        stage_finish(stage)
        changed = True
    led = lead_on(tournament)
    if led.begun:
        return advance_locked(tournament) or True
    changed |= led.changed
    if not tournament.stages.exclude(status=StageStatus.FINISHED).exists():
        _finish(tournament)
        changed = True
    return changed


def _add_second_final(stage: Stage) -> bool:
    """Store the second final of a double elimination if the unbeaten one has lost the first; return whether it was.

    One that was stored before a ruling undid the first is filled again, never stored twice.
    """
    finals = list(Match.objects.filter(round__stage=stage, part=MatchPart.FINAL).select_related("round"))
    if len(finals) != 1 or not _unbeaten_lost(finals[0].pk):
        return False
    first = finals[0]
    Round.objects.filter(pk=first.round_id).update(name="First final")
    last = Round.objects.create(stage=stage, number=first.round.number + 1, name="Final")
    second = Match.objects.create(
        round=last, table=1, part=MatchPart.FINAL, best_of=first.best_of, play_all=first.play_all
    )
    Slot.objects.bulk_create(
        Slot(match=second, number=number, source=first, source_place=place) for number, place in enumerate((2, 1))
    )
    Entrant.objects.filter(slots__match=first, slots__number=0, status=EntrantStatus.OUT).update(
        status=EntrantStatus.PLAYING
    )
    return True


def _unbeaten_lost(final: int) -> bool:
    """Return whether the first final (its id) was lost by who came from the main part, who has its first slot."""
    unbeaten = Slot.objects.get(match=final, number=0)
    winner = Slot.objects.filter(match=final, place=1).first()
    return unbeaten.entrant_id is not None and winner is not None and winner.number != 0


def _is_spare(match: Match, slots: Sequence[Slot], undecided: Collection[int]) -> bool:
    """Return whether ``match`` is a second final for which a ruling on the first has left no need."""
    if match.part != MatchPart.FINAL:
        return False
    first = Match.objects.filter(feeds__in=slots, part=MatchPart.FINAL).first()
    return first is not None and first.pk not in undecided and not _unbeaten_lost(first.pk)


def _fill(slots: Sequence[Slot], undecided: Collection[int]) -> bool:
    """Seat in each empty slot whoever took the place that it waits for; it stays empty if nobody could go on there."""
    changed = False
    for slot in slots:
        if slot.entrant_id is not None or slot.source_id is None or slot.source_id in undecided:
            continue
        source = (
            Slot.objects.select_related("entrant__player")
            .filter(match_id=slot.source_id, place=slot.source_place)
            .first()
        )
        if source is not None and source.entrant is not None:
            slot.entrant = source.entrant
            slot.save(update_fields=["entrant"])
            changed = True
    return changed


def _proceed(
    tournament: Tournament,
    match: Match,
    slots: Sequence[Slot],
    gone: Collection[int],
    beginnings: list[Beginning],
) -> bool:
    """Take the results of ``match`` as far as they go: to its decision, or to its next game, put in ``beginnings``."""
    match_games = list(match.match_games.all())
    changed = _count(match_games)
    if any(not match_game.game.is_over for match_game in match_games):
        return changed
    entrants = [slot.entrant for slot in slots if slot.entrant is not None]
    if match.advance > 0:
        entrants.sort(key=lambda entrant: entrant.seed or 0)
    by_player = {entrant.player_id: entrant.pk for entrant in entrants}
    results = [_result(match_game.game, by_player) for match_game in match_games if match_game.game.status in PLAYED]
    course = match_course(
        [entrant.pk for entrant in entrants],
        advance=match.advance,
        best_of=match.best_of,
        play_all=match.play_all,
        results=results,
        gone=gone,
        first_seat=match.round.number + match.table - 2 if match.advance > 0 else 0,
    )
    if isinstance(course, NextGame):
        by_id = {entrant.pk: entrant for entrant in entrants}
        seated = [by_id[entrant_id] for entrant_id in course.seats]
        deal = deal_for(tournament, match, counted=len(results), seats=len(seated))
        beginnings.append(Beginning(match, seated, match_games, deal))
    elif (public_at := decision_public_at(match_games)) is not None and public_at > timezone.now():
        return changed
    else:
        _decide(
            tournament, match, slots, course, played={entrant for result in results for entrant in result}, gone=gone
        )
    return True


def decision_public_at(match_games: Sequence[MatchGame]) -> datetime | None:
    """Return when everybody may know the results of ``match_games``, all over; None if there are none.

    A decision would tell how the last game ended, so it waits for the delay with which spectators see that game. The
    sweep finds the match again.
    """
    return max((at for each in match_games if (at := ended_for_all_at(each.game)) is not None), default=None)


def _count(match_games: Sequence[MatchGame]) -> bool:
    """Note that ended games have been taken into the match."""
    fresh = [each for each in match_games if each.counted_at is None and each.game.status in PLAYED]
    for match_game in fresh:
        match_game.counted_at = timezone.now()
        match_game.save(update_fields=["counted_at"])
    return bool(fresh)


def _result(game: Game, entrants: Mapping[int, int]) -> dict[int, int]:
    """Return the place of each entrant (by its id; ``entrants`` has them by player) in a game that was played."""
    assert game.places is not None, "the database holds places for every played game"
    return {entrants[seat.player_id or 0]: game.places[seat.number] for seat in game.seat_set.all()}


def _decide(
    tournament: Tournament,
    match: Match,
    slots: Sequence[Slot],
    course: Decided,
    *,
    played: Collection[int],
    gone: Collection[int],
) -> None:
    """Store the decision of ``match``: places, walkovers, who is out."""
    match.status = MatchStatus.DECIDED
    match.decided_at = timezone.now()
    match.save(update_fields=["status", "decided_at"])
    leads_on = set(match.feeds.values_list("source_place", flat=True))
    goes_on = leads_on or ({1} if match.part != MatchPart.THIRD_PLACE else set())
    out = []
    for slot in slots:
        if slot.entrant_id is None:
            continue
        slot.place = course.places[slot.entrant_id]
        slot.walkover = slot.entrant_id in gone and slot.entrant_id not in played
        slot.save(update_fields=["place", "walkover"])
        if match.advance > 0 and slot.place not in goes_on:
            out.append(slot.entrant_id)
    Entrant.objects.filter(pk__in=out, status=EntrantStatus.PLAYING).update(status=EntrantStatus.OUT)
    names = {slot.entrant_id: str(slot.entrant) for slot in slots if slot.entrant is not None}
    log_write(
        tournament=tournament,
        action="match.decided",
        text=f"{match.round.name}, table {match.table}: {_outcome(match, course, names)}",
        data={"match": match.pk, "places": {str(entrant): place for entrant, place in course.places.items()}},
    )


def _outcome(match: Match, course: Decided, names: dict[int | None, str]) -> str:
    """Return the decision of a match in words."""
    if match.advance == 0:
        winners = [names[entrant] for entrant, place in course.places.items() if place == 1]
        if not winners:
            return "not played."
        if len(winners) == len(course.places):
            return "drawn."
        return f"{' and '.join(winners)} {'shared first place' if len(winners) > 1 else 'won'}."
    if not course.through:
        return "nobody goes on."
    through = [names[entrant] for entrant in course.through]
    listed = through[0] if len(through) == 1 else f"{', '.join(through[:-1])} and {through[-1]}"
    verb = "goes on" if len(through) == 1 else "go on"
    if match.part == MatchPart.THIRD_PLACE:
        verb = "takes third place"
    elif not match.feeds.exists():
        verb = "wins"
    reason = ", as the better seed after three draws" if course.by_seed else ""
    return f"{listed} {verb}{reason}."


def stage_finish(stage: Stage) -> None:
    """Give every entrant of ``stage``, all of whose matches are decided, a place in it, and end it."""
    place = stage_places(stage)
    rows = list(stage.stage_entrants.filter(entrant__in=place))
    for row in rows:
        row.place = place[row.entrant_id]
    StageEntrant.objects.bulk_update(rows, ["place"])
    stage.status = StageStatus.FINISHED
    stage.save(update_fields=["status"])


def _finish(tournament: Tournament) -> None:
    """Give every entrant a final place and end the tournament."""
    places: dict[int, dict[int, int | None]] = {}
    for row in StageEntrant.objects.filter(stage__tournament=tournament):
        places.setdefault(row.stage_id, {})[row.entrant_id] = row.place
    final = overall_places(list(tournament.stages.all()), places)
    Entrant.objects.bulk_update([Entrant(pk=entrant, place=place) for entrant, place in final.items()], ["place"])
    tournament.status = TournamentStatus.FINISHED
    tournament.finished_at = timezone.now()
    tournament.save(update_fields=["status", "finished_at"])
    winners = [str(entrant) for entrant in tournament.entrants.filter(place=1).select_related("player")]
    text = f"{' and '.join(winners)} won the tournament." if winners else "The tournament ended without a winner."
    log_write(tournament=tournament, action="tournament.finished", text=text)
