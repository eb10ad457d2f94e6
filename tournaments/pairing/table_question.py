"""What a search for tables is asked, and how an answer is scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

type Tables = tuple[tuple[int, ...], ...]


class Score(NamedTuple):
    """How good a set of tables is; less is better, and an earlier part outweighs all later ones."""

    repeats: int
    """For each two at a table the square of how often they have met before: growing faster than the number."""
    together: int
    """Pairs at a table that are to be kept apart."""
    spread: int
    """The sum over the tables of most less fewest points (1/840), counted from its end of the field if it has one."""
    short: int
    """For each seat at a short table the number of times that entrant had one before."""


@dataclass(frozen=True, slots=True)
class TableKind:
    """What the search knows of a table: its size, whether it is a short one, and to which end of the field it belongs.

    ``end`` is -1 for the low end, 1 for the high end, 0 for neither.
    """

    size: int
    short: bool = False
    end: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """A field to be seated: entrants are the numbers 0 to n - 1.

    ``met`` and ``apart`` hold a set of entrants, as bits, for each entrant: ``met[0]`` those met at least once,
    ``met[1]`` at least twice, and so on. ``tables`` name the seats, as many as there are entrants.
    """

    points: tuple[int, ...]
    met: tuple[tuple[int, ...], ...]
    apart: tuple[int, ...]
    short_before: tuple[int, ...]
    tables: tuple[TableKind, ...]

    def edges(self) -> tuple[int, int]:
        """Return the fewest and the most points in the field."""
        return min(self.points, default=0), max(self.points, default=0)

    def span(self, kind: TableKind, table: Sequence[int]) -> int:
        """Return the points spread of a table, reckoned from its end of the field."""
        held = [self.points[entrant] for entrant in table]
        low, high = self.edges()
        return (high if kind.end > 0 else max(held)) - (low if kind.end < 0 else min(held))

    def score(self, tables: Sequence[Sequence[int]]) -> Score:
        """Return the score of ``tables``, which come in the order of ``self.tables``."""
        repeats = together = spread = short = 0
        for kind, table in zip(self.tables, tables, strict=True):
            members = sum(1 << entrant for entrant in table)
            for level, layer in enumerate(self.met):
                repeats += (2 * level + 1) * sum((layer[entrant] & members).bit_count() for entrant in table)
            together += sum((self.apart[entrant] & members).bit_count() for entrant in table)
            spread += self.span(kind, table)
            short += sum(self.short_before[entrant] for entrant in table) if kind.short else 0
        return Score(repeats // 2, together // 2, spread, short)
