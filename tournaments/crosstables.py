"""A round robin as the pages show it: who met whom with what result, beside the standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from players.models import Player
from tournaments.models import Entrant, Match, MatchStatus
from tournaments.results import TWO_SEATS, match_result
from tournaments.standings.ranking import Standings
from tournaments.standings.results import Outcome
from tournaments.standings.tie_break import Value


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
    """The lines by standings, the tie-break columns (key, name), and what comes before the points, if any."""

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


def crosstable(
    entrants: Sequence[Entrant], matches: Sequence[Match], standings: Standings, viewer: Player | None
) -> Crosstable:
    """Return the crosstable of ``entrants`` and the loaded ``matches`` of a round-robin stage with these ``standings``.

    Where two meet twice the cell shows both results, once the second match has begun, and leads to that one.
    """
    by_id = {entrant.pk: entrant for entrant in entrants}
    cells: dict[tuple[int, int], Cell] = {}
    played = dict.fromkeys(by_id, 0)
    for match in matches:
        ids = [slot.entrant_id for slot in match.slots.all() if slot.entrant_id in by_id]
        if len(ids) != 2:
            continue
        outcome = match_result(match)
        for own, other in (ids, ids[::-1]):
            played[own or 0] += outcome is not None
            where = own or 0, other or 0
            if match.status != MatchStatus.WAITING or where not in cells:
                cell = _cell(match, outcome, by_id[own or 0], by_id[other or 0])
                cells[where] = _both(cells[where], cell) if where in cells else cell
    first = standings.columns.index(next(column for column in standings.columns if column.code == "PTS"))
    columns = standings.columns[first + 1 :]
    order = [row.entrant for row in standings.rows]
    return Crosstable(
        lines=tuple(
            Line(
                place=row.place,
                entrant=by_id[row.entrant],
                points=column_text(row.values[first]),
                played=played[row.entrant],
                metrics=tuple(
                    (column.code, column.name, column_text(value))
                    for column, value in zip(columns, row.values[first + 1 :], strict=True)
                ),
                cells=tuple(
                    Cell(own=True) if other == row.entrant else cells.get((row.entrant, other), Cell())
                    for other in order
                ),
                lead=column_text(row.values[0]) if first else "",
                mine=viewer is not None and by_id[row.entrant].player_id == viewer.pk,
            )
            for row in standings.rows
        ),
        metrics=tuple((column.code, column.name) for column in columns),
        lead=standings.columns[0].name if first else "",
    )


def column_text(value: Value) -> str:
    """Return a value of the standings for people; a dash where there was nothing to count."""
    return "–" if value is None else shown(value.numerator, value.denominator)


def _both(earlier: Cell, later: Cell) -> Cell:
    """Return the cell of two that have met twice."""
    text = f"{earlier.text} {later.text}".strip()
    return Cell(text, f"{earlier.words}; then {later.words}", later.match_id, live=later.live)


def _cell(match: Match, outcome: Outcome | None, own: Entrant, other: Entrant) -> Cell:
    against = f"{own.player.name} against {other.player.name}"
    if outcome is None:
        playing = match.status == MatchStatus.PLAYING
        text = "▸" if playing else ""
        return Cell(text, f"{against}: {'in play' if playing else 'to come'}", match.pk, live=playing)
    points = next(share.points for share in outcome.shares if share.entrant == own.pk)
    text, words = {
        TWO_SEATS.win: ("1", "won"),
        TWO_SEATS.draw: ("½", "drew"),
        TWO_SEATS.loss: ("0", "lost"),
    }[points]
    return Cell(text, f"{against}: {words}", match.pk)
