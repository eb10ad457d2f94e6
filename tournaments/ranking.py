"""The standings of a stage as far as it has been played, from what is stored."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q

from tournaments.models import Entrant, Format, Match, MatchPart, MatchStatus, Slot, Stage
from tournaments.results import TWO_SEATS, stage_results
from tournaments.same_cards import lead_of
from tournaments.standings import knock_out, ranking, results
from tournaments.standings.history import history
from tournaments.standings.ranking import Standings
from tournaments.standings.tie_break import Rules
from tournaments.standings.tie_breaks import tie_breaks

type Row = ranking.Row | knock_out.Row

ABSENT = 9
"""Behind every place of a match, which has eight at most."""


def stage_ranking(stage: Stage) -> tuple[Row, ...]:
    """Return a row per entrant, best first; ``row.entrant`` is the entrant's id, ``row.place`` None while open."""
    if stage.format != Format.ROUND_ROBIN:
        return knock_out_ranking(stage)
    matches = Match.objects.filter(round__stage=stage, status=MatchStatus.DECIDED).select_related("round")
    loaded = list(matches.prefetch_related("slots__entrant", "match_games__game__seat_set"))
    return points_standings(stage, list(stage.tournament.entrants.exclude(seed=None)), loaded).rows


def points_standings(stage: Stage, entrants: Sequence[Entrant], matches: Sequence[Match]) -> Standings:
    """Return the standings of a stage with points: the same cards if they decide, points, the stage's tie-breaks.

    ``entrants`` are seeded; ``matches`` come with round, slots, entrants, games and seats loaded.
    """
    order = tie_breaks(stage.tie_breaks, Rules(stage.tie_break_rules))
    lead = lead_of(stage, [entrant.pk for entrant in entrants], matches)
    past = history(
        [
            results.Entrant(entrant.pk, entrant.seed or 0, None if entrant.rating is None else entrant.rating // 10)
            for entrant in entrants
        ],
        stage_results(matches),
        win=TWO_SEATS.win,
        draw=TWO_SEATS.draw,
        predetermined=stage.format == Format.ROUND_ROBIN,
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
