"""The standings of a stage as far as it has been played, from what is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import Exists, OuterRef, Q

from tournaments.fields import IN_STAGE
from tournaments.models import (
    POINTS_KINDS,
    Bye,
    Entrant,
    Format,
    Match,
    MatchPart,
    MatchStatus,
    PointsRule,
    Slot,
    Stage,
    StageEntrant,
)
from tournaments.results import points_rule, stage_outcomes
from tournaments.same_cards import lead_of
from tournaments.standings import knock_out, ranking, results
from tournaments.standings.counts import GamePoints
from tournaments.standings.history import history
from tournaments.standings.ranking import Standings
from tournaments.standings.tie_break import Rules
from tournaments.standings.tie_breaks import tie_breaks

type Row = ranking.Row | knock_out.Row

ABSENT = 9
"""Behind every place of a match, which has eight at most."""


def stage_ranking(stage: Stage) -> tuple[Row, ...]:
    """Return a row per entrant, best first; ``row.entrant`` is the entrant's id, ``row.place`` None while open.

    Of groups the rows are one group after the other, the place that in the group. The number of queries does not depend
    on the size of the stage.
    """
    if stage.format not in POINTS_KINDS:
        return knock_out_ranking(stage)
    return tuple(row for rows in group_rankings(stage).values() for row in rows)


def group_rankings(stage: Stage) -> dict[int | None, tuple[ranking.Row, ...]]:
    """Return the rows of a stage with points by the number of the group, in order; without groups all by None."""
    members = list(stage.stage_entrants.filter(status__in=IN_STAGE).select_related("entrant").order_by("seed"))
    byes = list(Bye.objects.filter(round__stage=stage).select_related("round"))
    return {
        number: points_standings(stage, [each.entrant for each in group], own, byes, seeds_of(group)).rows
        for number, group, own in grouped(members, decided_matches(stage))
    }


def decided_matches(stage: Stage) -> list[Match]:
    """Return the decided matches of a stage, loaded as far as its standings look at them."""
    matches = Match.objects.filter(round__stage=stage, status=MatchStatus.DECIDED).select_related("round")
    if _looks_at_games(stage):
        return list(matches.prefetch_related("slots__entrant", "match_games__game__seat_set"))
    return list(matches.prefetch_related("slots"))


def _looks_at_games(stage: Stage) -> bool:
    return stage.points_rule == PointsRule.SAME_CARDS or GamePoints().code in stage.tie_breaks


def grouped(
    members: Sequence[StageEntrant], matches: Sequence[Match]
) -> list[tuple[int | None, list[StageEntrant], list[Match]]]:
    """Return number, members and matches (slots loaded) of each group, in order; without groups one, without number."""
    groups: dict[int | None, list[StageEntrant]] = {}
    for each in members:
        groups.setdefault(each.group, []).append(each)
    if len(groups) <= 1:
        return [(number, own, list(matches)) for number, own in groups.items()]
    group_of = {each.entrant_id: each.group for each in members}
    own_matches: dict[int | None, list[Match]] = {}
    for match in matches:
        entrant = next((slot.entrant_id for slot in match.slots.all() if slot.entrant_id is not None), None)
        own_matches.setdefault(group_of.get(entrant or 0), []).append(match)
    return [
        (number, groups[number], own_matches.get(number, [])) for number in sorted(groups, key=lambda key: key or 0)
    ]


def seeds_of(members: Sequence[StageEntrant]) -> dict[int, int]:
    """Return the seeds in the stage, by entrant."""
    return {each.entrant_id: each.seed for each in members}


def points_standings(
    stage: Stage,
    entrants: Sequence[Entrant],
    matches: Sequence[Match],
    byes: Sequence[Bye] = (),
    seeds: Mapping[int, int] | None = None,
) -> Standings:
    """Return the standings of a stage with points: the same cards if they decide, points, the stage's tie-breaks.

    ``matches`` come with round and slots loaded (and with entrants, games and seats if those matter:
    :func:`decided_matches`), ``byes`` with their round. ``seeds`` are those in the stage, by entrant; left out,
    those in the tournament.
    """
    order = tie_breaks(stage.tie_breaks, Rules(stage.tie_break_rules))
    lead = lead_of(stage, [entrant.pk for entrant in entrants], matches)
    rule = points_rule(stage)
    past = history(
        [
            results.Entrant(
                entrant.pk,
                (entrant.seed or 0) if seeds is None else seeds[entrant.pk],
                None if entrant.rating is None else entrant.rating // 10,
            )
            for entrant in entrants
        ],
        stage_outcomes(stage, matches, byes, game_points=_looks_at_games(stage)),
        win=rule.win,
        draw=rule.draw,
        predetermined=stage.format in (Format.ROUND_ROBIN, Format.GROUPS),
    )
    return ranking.standings(past, order if lead is None else (lead, *order))


def knock_out_ranking(stage: Stage) -> tuple[knock_out.Row, ...]:
    """Return who went out in which round of an elimination."""
    slots = Slot.objects.filter(match__round__stage=stage, entrant__isnull=False).annotate(
        last_table=~Exists(Slot.objects.filter(source=OuterRef("match"))) & Q(match__round__stage__table_size__gt=2)
    )
    # The last round in which somebody has a slot is the one that says how it ended.
    latest: dict[int, Slot] = {}
    for slot in slots.select_related("match__round", "entrant").order_by("entrant__seed", "match__round__number"):
        latest[slot.entrant_id or 0] = slot
    finished = not Match.objects.filter(round__stage=stage).exclude(status=MatchStatus.DECIDED).exists()
    return knock_out.standings([_exit(entrant, slot) for entrant, slot in latest.items()], finished=finished)


def _exit(entrant: int, slot: Slot) -> knock_out.Exit:
    match = slot.match
    third_place = match.part == MatchPart.THIRD_PLACE
    # Who wins the match for third place goes on to nothing.
    goes_on = slot.place is not None and slot.place <= match.advance and not third_place
    if match.status != MatchStatus.DECIDED or goes_on:
        return knock_out.Exit(entrant, None)
    gives_places = third_place or slot.last_table  # type: ignore[attr-defined]
    place = 0
    if gives_places:
        # Who did not come stands behind everybody who did.
        place = ABSENT if slot.walkover or slot.place is None else slot.place
    return knock_out.Exit(entrant, match.round.number, match.round.name, slot.walkover, place)
