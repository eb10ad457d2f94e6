"""The start of a tournament and of its stages: seeds, and the rounds that are known by then."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from players.errors import Conflict, Invalid
from players.models import User
from ratings.models import Rating
from ratings.systems.elo import BEARENA_ELO
from tournaments.models import (
    Entrant,
    EntrantStatus,
    Format,
    Match,
    Round,
    Slot,
    Stage,
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


@transaction.atomic
def tournament_start(*, tournament_id: int, seen_version: int, by: User | None) -> Tournament:
    """Seed by rating, build every round and match, and begin the first games. A second start raises Conflict.

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
    if stage.format == Format.ROUND_ROBIN:
        _build_round_robin(stage, entrants)
    elif stage.format == Format.SINGLE_ELIMINATION:
        _build_bracket(stage, single_elimination(len(entrants), third_place=stage.third_place), entrants)
    elif stage.format == Format.DOUBLE_ELIMINATION:
        _build_bracket(stage, double_elimination(len(entrants)), entrants)
    else:
        _build_bracket(stage, table_elimination(len(entrants), stage.table_size, stage.advance), entrants)
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


def _seed(tournament: Tournament) -> list[Entrant]:
    """Give every entrant rating and seed: the better rating first, then who registered first; return them so."""
    entrants = list(tournament.entrants.select_related("player").order_by("registered_at", "pk"))
    ratings = dict(
        Rating.objects.filter(
            pool__game=tournament.game, pool__kind="online", player__in=[entrant.player_id for entrant in entrants]
        ).values_list("player_id", "value")
    )
    for entrant in entrants:
        entrant.rating = ratings.get(entrant.player_id, BEARENA_ELO.start)
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
