"""Standings: entrants ordered by a list of columns, places shared where all of them are equal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.standings.history import History
from tournaments.standings.tie_break import TieBreak, Value


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the standings by its code, with a name for people."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line: ``place`` is 1 for the best, ties share; ``values`` in the order of the columns.

    ``decided_by`` is the code of the column that puts this row behind the one above it; None at the top, and for a
    row that shares its place.
    """

    place: int
    entrant: int
    points: int
    values: tuple[Value, ...]
    decided_by: str | None


@dataclass(frozen=True, slots=True)
class Standings:
    """Columns and rows, best first."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def standings(history: History, order: Sequence[TieBreak]) -> Standings:
    """Return the standings by the columns of ``order``, as a rule points first (:func:`tie_breaks` puts them there).

    Who shares a place is listed by seed. Raises ValueError for an empty order, and for a tie-break that has no meaning
    at the tables of this stage.
    """
    if not order:
        raise ValueError("Standings go by one column at least.")
    if not history.two_seats and (odd := [column.code for column in order if column.two_seats_only]):
        raise ValueError(f"{', '.join(odd)} is for matches of two; this stage has larger tables.")
    level = [list(history.entrants)] if history.entrants else []
    found = []
    for column in order:
        values = column.values(history, level)
        found.append(values)
        parts = []
        for group in level:
            parts += _split(group, [_key(values[entrant], lower=column.lower_is_better) for entrant in group])
        level = parts
    rows: list[Row] = []
    for number, group in enumerate(level):
        place = len(rows) + 1
        above = level[number - 1][0] if number else group[0]
        differing = [
            column.code for column, values in zip(order, found, strict=True) if values[group[0]] != values[above]
        ]
        rows += [
            Row(
                place,
                entrant,
                history.points[entrant],
                tuple(values[entrant] for values in found),
                differing[0] if differing and entrant == group[0] else None,
            )
            for entrant in group
        ]
    return Standings(tuple(Column(column.code, column.name) for column in order), tuple(rows))


def _key(value: Value, *, lower: bool) -> tuple[bool, Fraction]:
    """Return what sorts the better value higher; nothing to count is behind everything."""
    if value is None:
        return (False, Fraction())
    return (True, -value if lower else value)


def _split(group: Sequence[int], keys: Sequence[tuple[bool, Fraction]]) -> list[list[int]]:
    """Return a group in parts of equal keys, best first, the order within a part unchanged."""
    parts: dict[tuple[bool, Fraction], list[int]] = {}
    for entrant, key in zip(group, keys, strict=True):
        parts.setdefault(key, []).append(entrant)
    return [parts[key] for key in sorted(parts, reverse=True)]
