"""The start of a tournament and of its stages: seeds, and the rounds that are known by then."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from players.errors import Conflict, Invalid
from players.models import User
from tournaments.models import (
    Entrant,
    EntrantStatus,
    Format,
    Match,
    Round,
    Slot,
    Stage,
    StageEntrant,
    StageEntrantStatus,
    StageStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.pairing.bracket import Bracket
from tournaments.pairing.double_elimination import double_elimination
from tournaments.pairing.round_robin import round_robin
from tournaments.pairing.single_elimination import single_elimination
from tournaments.pairing.table_elimination import table_elimination
from tournaments.services.locking import lock_tournament, must_be_open, must_have_seen, touch
from tournaments.services.log import log_write
from tournaments.services.permissions import acting_player, must_manage
from tournaments.services.rounds import advance_locked
from tournaments.services.seeds import ratings_now
from tournaments.services.wanting import draws_rounds


@transaction.atomic
def tournament_start(*, tournament_id: int, seen_version: int, by: User | None) -> Tournament:
    """Seed by rating, build every round that is known, and begin the first games. A second start raises Conflict.

    Raises Conflict (code ``started-already``, or ``conflict`` when it changed since ``seen_version``), Invalid (fewer
    than two entrants), NotAllowed, NotFound.
    """
    tournament = lock_tournament(tournament_id)
    must_manage(by, tournament)
    if tournament.status == TournamentStatus.RUNNING:
        raise Conflict("The tournament has been started already.", code="started-already")
    must_be_open(tournament)
    must_have_seen(tournament, seen_version)
    entrants = _seed(tournament)
    if len(entrants) < 2:
        raise Invalid("A tournament needs at least two players.", code="too-few")
    tournament.status = TournamentStatus.RUNNING
    tournament.started_at = timezone.now()
    tournament.save(update_fields=["status", "started_at"])
    stage = tournament.stages.get(number=1)
    StageEntrant.objects.bulk_create(
        StageEntrant(stage=stage, entrant=entrant, seed=entrant.seed or 0) for entrant in entrants
    )
    stage_begin(stage=stage)
    actor = acting_player(by)
    log_write(
        tournament=tournament,
        action="tournament.started",
        text=f"The tournament began with {len(entrants)} players, seeded by rating.",
        actor=actor,
        data={"seeds": [entrant.player_id for entrant in entrants]},
    )
    advance_locked(tournament)
    touch(tournament)
    return tournament


def stage_begin(*, stage: Stage) -> None:
    """Begin a waiting stage of a tournament that the caller has locked, with the entrants that are stored as in it.

    Builds what is known by now; a format that draws its rounds is given the number that all its lots follow.
    ``advance_locked`` does the rest. Raises Invalid for fewer than two entrants.
    """
    members = stage.stage_entrants.filter(status=StageEntrantStatus.IN).select_related("entrant__player")
    entrants = [each.entrant for each in members.order_by("seed")]
    if len(entrants) < 2:
        raise Invalid("A stage needs at least two players.", code="too-few")
    stage.status = StageStatus.RUNNING
    if not stage.draw_seed:
        stage.draw_seed = str(secrets.randbits(48))
    stage.save(update_fields=["status", "draw_seed"])
    if stage.format == Format.ROUND_ROBIN:
        _build_round_robin(stage, entrants)
    elif stage.format == Format.SINGLE_ELIMINATION:
        _build_bracket(stage, single_elimination(len(entrants), third_place=stage.third_place), entrants)
    elif stage.format == Format.DOUBLE_ELIMINATION:
        _build_bracket(stage, double_elimination(len(entrants)), entrants)
    elif stage.format == Format.TABLE_ELIMINATION:
        _build_bracket(stage, table_elimination(len(entrants), stage.table_size, stage.advance), entrants)
    else:
        assert draws_rounds(stage), f"nobody builds the rounds of {stage.format}"


def _seed(tournament: Tournament) -> list[Entrant]:
    """Give every entrant rating and seed: the better rating first, then who registered first; return them so."""
    entrants = list(tournament.entrants.select_related("player").order_by("registered_at", "pk"))
    ratings = ratings_now(tournament, [entrant.player_id for entrant in entrants])
    for entrant in entrants:
        entrant.rating = ratings[entrant.player_id]
        entrant.status = EntrantStatus.PLAYING
    entrants.sort(key=lambda entrant: -(entrant.rating or 0))
    for seed, entrant in enumerate(entrants, start=1):
        entrant.seed = seed
    Entrant.objects.bulk_update(entrants, ["seed", "rating", "status"])
    return entrants


def _build_bracket(stage: Stage, bracket: Bracket, entrants: list[Entrant]) -> None:
    """Store a bracket: its rounds, matches, and slots with the entrant or the place that they wait for."""
    rounds = _build_rounds(stage, bracket.names())
    matches = Match.objects.bulk_create(
        Match(
            round=rounds[plan.round - 1],
            table=plan.table,
            part=plan.part,
            advance=plan.advance,
            best_of=stage.best_of,
            play_all=stage.play_all,
        )
        for plan in bracket.matches
    )
    slots = []
    for match, plan in zip(matches, bracket.matches, strict=True):
        for number, feed in enumerate(plan.feeds):
            if isinstance(feed, int):
                slots.append(Slot(match=match, number=number, entrant=entrants[feed - 1]))
            else:
                slots.append(Slot(match=match, number=number, source=matches[feed.match], source_place=feed.place))
    Slot.objects.bulk_create(slots)


def _build_round_robin(stage: Stage, entrants: list[Entrant]) -> None:
    """Store every meeting; slot 0 has the first seat."""
    meetings = round_robin(len(entrants), double=stage.twice)
    rounds = _build_rounds(stage, [f"Round {number}" for number in range(1, len(meetings) + 1)])
    matches, slots = [], []
    for round_, pairs in zip(rounds, meetings, strict=True):
        for table, pair in enumerate(pairs, start=1):
            match = Match(round=round_, table=table, advance=0, best_of=stage.best_of, play_all=stage.play_all)
            matches.append(match)
            slots += [Slot(match=match, number=number, entrant=entrants[seed - 1]) for number, seed in enumerate(pair)]
    Match.objects.bulk_create(matches)
    Slot.objects.bulk_create(slots)


def _build_rounds(stage: Stage, names: Iterable[str]) -> list[Round]:
    return Round.objects.bulk_create(
        Round(stage=stage, number=number, name=name) for number, name in enumerate(names, start=1)
    )
