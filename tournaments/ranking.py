"""The standings of a stage as far as it has been played, from what is stored."""

from __future__ import annotations

from tournaments.crosstables import awarded
from tournaments.models import Format, Match, MatchStatus, Slot, Stage
from tournaments.same_cards import lead_of
from tournaments.standings import knock_out, table

type Row = table.Row | knock_out.Row


def stage_ranking(stage: Stage) -> tuple[Row, ...]:
    """Return a row per entrant, best first; ``row.entrant`` is the entrant's id, ``row.place`` None while open."""
    if stage.format == Format.ROUND_ROBIN:
        return round_robin_ranking(stage)
    return knock_out_ranking(stage)


def round_robin_ranking(stage: Stage) -> tuple[table.Row, ...]:
    """Return the table of a round robin."""
    entrants = stage.tournament.entrants.exclude(seed=None).order_by("seed").values_list("pk", flat=True)
    decided = Match.objects.filter(round__stage=stage, status=MatchStatus.DECIDED)
    matches = list(decided.prefetch_related("slots__entrant", "match_games__game__seat_set"))
    meetings = [meeting for match in matches if (meeting := awarded(match)) is not None]
    return table.standings(list(entrants), meetings, lead_of(stage, list(entrants), matches))


def knock_out_ranking(stage: Stage) -> tuple[knock_out.Row, ...]:
    """Return who went out in which round of an elimination."""
    slots = Slot.objects.filter(match__round__stage=stage, entrant__isnull=False)
    # The last round in which somebody has a slot is the one that says how it ended.
    latest: dict[int, Slot] = {}
    for slot in slots.select_related("match__round", "entrant").order_by("entrant__seed", "match__round__number"):
        latest[slot.entrant_id or 0] = slot
    finished = not Match.objects.filter(round__stage=stage).exclude(status=MatchStatus.DECIDED).exists()
    return knock_out.standings([_exit(entrant, slot) for entrant, slot in latest.items()], finished=finished)


def _exit(entrant: int, slot: Slot) -> knock_out.Exit:
    match = slot.match
    goes_on = slot.place is not None and slot.place <= match.advance
    if match.status != MatchStatus.DECIDED or goes_on:
        return knock_out.Exit(entrant, None)
    return knock_out.Exit(entrant, match.round.number, match.round.name, slot.walkover)
