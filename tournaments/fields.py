"""The field of a stage before its next round: what is stored, as the pairing functions want it."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Prefetch

from tournaments.drawing import Question
from tournaments.models import (
    SWISS_KINDS,
    Bye,
    ByeKind,
    KeepApart,
    Match,
    MatchStatus,
    ShortTables,
    Slot,
    Stage,
    StageEntrant,
    StageEntrantStatus,
)
from tournaments.pairing.field import Kind, Past, Person
from tournaments.pairing.table_sizes import TableSizes, Uneven
from tournaments.results import stage_outcomes
from tournaments.standings import results

KINDS = {
    ByeKind.ALLOCATED: Kind.ALLOCATED,
    ByeKind.FULL: Kind.FULL,
    ByeKind.HALF: Kind.HALF,
    ByeKind.ZERO: Kind.ZERO,
}
BYE_KINDS = {kind: stored for stored, kind in KINDS.items()}
"""The byes of a pairing as they are stored."""
UNEVEN = {ShortTables.LOW: Uneven.LOW, ShortTables.HIGH: Uneven.HIGH, ShortTables.BYES: Uneven.BYES}
IN_STAGE = (StageEntrantStatus.IN, StageEntrantStatus.WITHDRAWN)


def question(stage: Stage, number: int, lot: int) -> Question:
    """Return what round ``number`` of ``stage`` is drawn from, with the lots that were drawn as ``lot``-th (from 0).

    The number of queries does not depend on the size of the field.
    """
    assert stage.round_count is not None, "a stage that draws rounds knows how many"
    sizes = None
    if stage.smallest_table is not None and stage.largest_table is not None:
        uneven = UNEVEN[ShortTables(stage.short_tables)]
        sizes = TableSizes(stage.table_size, stage.smallest_table, stage.largest_table, uneven)
    return Question(
        format=stage.format,
        number=number,
        rounds=stage.round_count,
        people=stage_field(stage, number),
        seed=int(stage.draw_seed) + lot,
        sizes=sizes,
    )


def stage_field(stage: Stage, number: int) -> tuple[Person, ...]:
    """Return everybody in ``stage``, those who left it among them, as they are before round ``number``.

    Every earlier match is taken to be decided; one that is not has no part in it.
    """
    entrants = list(StageEntrant.objects.filter(stage=stage, status__in=IN_STAGE).order_by("seed"))
    past = _past(stage, number)
    wishes = dict(stage.bye_requests.filter(round_number=number).values_list("entrant_id", "kind"))
    apart: dict[int, set[str]] = {}
    for pk, *pair in KeepApart.objects.filter(tournament=stage.tournament_id).values_list("pk", "one_id", "other_id"):
        for entrant in pair:
            apart.setdefault(entrant, set()).add(str(pk))
    people = []
    for each in entrants:
        own, points = past.get(each.entrant_id, ((), 0))
        withdrawn = each.status == StageEntrantStatus.WITHDRAWN
        wish = wishes.get(each.entrant_id)
        people.append(
            Person(
                id=each.entrant_id,
                seed=each.seed,
                points=points,
                past=own,
                bye=None if wish is None or withdrawn else KINDS[ByeKind(wish)],
                withdrawn=withdrawn,
                apart=frozenset(apart.get(each.entrant_id, ())),
            )
        )
    return tuple(people)


def _past(stage: Stage, number: int) -> dict[int, tuple[tuple[Past, ...], int]]:
    """Return the rounds of each entrant before round ``number``, and the points from them."""
    if stage.format not in SWISS_KINDS:
        return {}
    matches = Match.objects.filter(
        round__stage=stage, round__number__lt=number, status=MatchStatus.DECIDED
    ).select_related("round")
    matches = matches.prefetch_related(Prefetch("slots", Slot.objects.order_by("number")))
    byes = Bye.objects.filter(round__stage=stage, round__number__lt=number).select_related("round")
    return pasts(stage_outcomes(stage, matches, byes, game_points=False))


def pasts(outcomes: Iterable[results.Outcome]) -> dict[int, tuple[tuple[Past, ...], int]]:
    """Return, by entrant, its rounds in order and the points from them all."""
    found: dict[int, tuple[tuple[Past, ...], int]] = {}
    for outcome in sorted(outcomes, key=lambda outcome: outcome.round):
        seats = () if outcome.kind in results.BYES else tuple(share.entrant for share in outcome.shares)
        for share in outcome.shares:
            before, points = found.get(share.entrant, ((), 0))
            this = Past(outcome.round, _kind(outcome, share), points, seats)
            found[share.entrant] = (*before, this), points + share.points
    return found


def _kind(outcome: results.Outcome, share: results.Share) -> Kind:
    if outcome.kind in results.BYES:
        return KINDS[ByeKind(outcome.kind)]
    if not share.came:
        return Kind.WALKOVER_LOST
    return Kind.PLAYED if outcome.kind == results.Kind.PLAYED else Kind.WALKOVER_WON
