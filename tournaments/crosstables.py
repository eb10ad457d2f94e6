"""A round robin as the pages show it: who met whom with what result, beside the standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from players.models import Player
from tournaments.models import Entrant, Match, MatchStatus
from tournaments.standings import table


@dataclass(frozen=True, slots=True)
class Cell:
    """The result of a row against a column: ``text`` is 1, ½, 0, empty before the match, ``words`` says it in full."""

    text: str = ""
    words: str = ""
    match_id: int | None = None
    own: bool = False
    live: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant: place, points, tie-breaks, and a cell for every entrant."""

    place: int
    entrant: Entrant
    points: str
    played: int
    metrics: tuple[tuple[str, str, str], ...]
    cells: tuple[Cell, ...]
    mine: bool
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The lines in order of the standings, the tie-break columns (key, name), and the name of what leads the points."""

    lines: tuple[Line, ...]
    metrics: tuple[tuple[str, str], ...]
    lead: str = ""


def shown(value: int, unit: int) -> str:
    """Return ``value / unit`` with the usual fractions: 3, 2½, ¾ as decimals otherwise."""
    whole, rest = divmod(value, unit)
    if rest == 0:
        return str(whole)
    if rest * 2 == unit:
        return f"{whole or ''}½"
    return f"{value / unit:.2f}"


def awarded(match: Match) -> table.Meeting | None:
    """Return the points of a decided match of two, from the places of its slots; None before, or with nobody to award.

    Two who have both left (a place behind nobody) get nothing.
    """
    slots = [slot for slot in match.slots.all() if slot.entrant_id is not None]
    if match.status != MatchStatus.DECIDED or len(slots) != 2:
        return None
    first, second = slots
    if first.place == second.place != 1:
        points = (table.LOSS, table.LOSS)
    elif first.place == second.place:
        points = (table.DRAW, table.DRAW)
    elif (first.place or 0) < (second.place or 0):
        points = (table.WIN, table.LOSS)
    else:
        points = (table.LOSS, table.WIN)
    return table.Meeting(first.entrant_id or 0, second.entrant_id or 0, *points)


def crosstable(
    entrants: Sequence[Entrant], matches: Sequence[Match], viewer: Player | None, lead: table.Lead | None = None
) -> Crosstable:
    """Return the crosstable of ``entrants`` (by seed) and the loaded ``matches`` of a round-robin stage.

    A ``lead`` decides before the points.
    """
    by_id = {entrant.pk: entrant for entrant in entrants}
    cells: dict[tuple[int, int], Cell] = {}
    meetings = []
    for match in matches:
        ids = [slot.entrant_id for slot in match.slots.all() if slot.entrant_id in by_id]
        if len(ids) != 2:
            continue
        meeting = awarded(match)
        if meeting is not None:
            meetings.append(meeting)
        for own, other in (ids, ids[::-1]):
            cells[own, other] = _cell(match, meeting, by_id[own], by_id[other])
    rows = table.standings([entrant.pk for entrant in entrants], meetings, lead)
    order = [row.entrant for row in rows]
    return Crosstable(
        lines=tuple(
            Line(
                place=row.place,
                entrant=by_id[row.entrant],
                points=shown(row.points, table.POINT),
                played=row.played,
                metrics=tuple((metric.key, metric.name, shown(value, metric.unit)) for metric, value in row.values()),
                cells=tuple(
                    Cell(own=True) if other == row.entrant else cells.get((row.entrant, other), Cell())
                    for other in order
                ),
                lead="" if lead is None else shown(row.lead or 0, lead.metric.unit),
                mine=viewer is not None and by_id[row.entrant].player_id == viewer.pk,
            )
            for row in rows
        ),
        metrics=tuple((metric.key, metric.name) for metric in table.METRICS),
        lead="" if lead is None else lead.metric.name,
    )


def _cell(match: Match, meeting: table.Meeting | None, own: Entrant, other: Entrant) -> Cell:
    against = f"{own.player.name} against {other.player.name}"
    if meeting is None:
        playing = match.status == MatchStatus.PLAYING
        text = "▸" if playing else ""
        return Cell(text, f"{against}: {'in play' if playing else 'to come'}", match.pk, live=playing)
    points = meeting.first_points if meeting.first == own.pk else meeting.second_points
    text = {table.WIN: "1", table.DRAW: "½", table.LOSS: "0"}[points]
    words = {table.WIN: "won", table.DRAW: "drew", table.LOSS: "lost"}[points]
    return Cell(text, f"{against}: {words}", match.pk)
