"""Where the matches of a two-seat bracket stand when it is drawn: columns of cells that share their rows.

A match stands beside the two it is fed by, or beside the one where its other entrant comes from another part. Every
cell is as many rows high as there are matches to draw before it, always a power of two, so that the lines meet in the
middle of the next cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.cards import Card, Chair


class Line(StrEnum):
    """The line that leaves a cell to the right."""

    NONE = ""
    DOWN = "down"
    UP = "up"
    STRAIGHT = "straight"


@dataclass(frozen=True, slots=True)
class Cell:
    """``span`` rows of a column: a card, an entrant who skips the round (``bye``), a line that passes, or nothing."""

    span: int
    card: Card | None = None
    bye: Chair | None = None
    line: Line = Line.NONE
    entered: bool = False
    """Whether a line comes in from the left."""

    @property
    def is_empty(self) -> bool:
        """True if nothing stands here."""
        return self.card is None and self.bye is None


def tree(columns: Sequence[Sequence[Card]]) -> list[list[Cell]]:
    """Return the cells of each column from top to bottom, for the matches of one part, round by round.

    Matches whose winner goes to no other one of these stand below each other.
    """
    return _Drawing(columns).cells()


class _Drawing:
    """The cells placed so far: per column, by their first row."""

    def __init__(self, columns: Sequence[Sequence[Card]]) -> None:
        self.column_of: dict[int, int] = {}
        self.cards: dict[int, Card] = {}
        for column, cards in enumerate(columns):
            for card in cards:
                self.column_of[card.match.pk] = column
                self.cards[card.match.pk] = card
        self.placed: list[dict[int, Cell]] = [{} for _ in columns]
        self.before = {pk: self._before(card) for pk, card in self.cards.items()}

    def _before(self, card: Card) -> list[int | Chair]:
        """Return what is drawn to the left of a match: the matches that feed it, and who skipped the round."""
        found: list[int | Chair] = []
        for slot, chair in zip(card.match.slots.all(), card.chairs, strict=True):
            if slot.source_id in self.cards:
                found.append(slot.source_id)
            elif slot.source_id is None and self.column_of[card.match.pk] > 0:
                found.append(chair)
        # Both entrants of a second final come from the first one.
        return list(dict.fromkeys(found))

    def cells(self) -> list[list[Cell]]:
        fed = {each for before in self.before.values() for each in before}
        rows = 0
        for pk in self.cards:
            if pk not in fed:
                span = self._needed(pk)
                self._place(pk, rows, span, Line.NONE)
                rows += span
        return [list(_filled(cells, rows)) for cells in self.placed]

    def _needed(self, pk: int) -> int:
        before = self.before[pk]
        if not before:
            return 1
        return len(before) * max(self._needed(each) if isinstance(each, int) else 1 for each in before)

    def _place(self, pk: int, start: int, span: int, line: Line) -> None:
        before, column = self.before[pk], self.column_of[pk]
        self.placed[column][start] = Cell(span, self.cards[pk], line=line, entered=bool(before))
        half = span // max(len(before), 1)
        for position, each in enumerate(before):
            own = Line.STRAIGHT if len(before) == 1 else (Line.DOWN, Line.UP)[position]
            at = start + position * half
            if not isinstance(each, int):
                self.placed[column - 1][at] = Cell(half, bye=each, line=own)
                continue
            for passing in range(self.column_of[each] + 1, column):
                last = passing == column - 1
                self.placed[passing][at] = Cell(half, line=own if last else Line.STRAIGHT, entered=True)
            first = own if self.column_of[each] == column - 1 else Line.STRAIGHT
            self._place(each, at, half, first)


def _filled(cells: dict[int, Cell], rows: int) -> Iterator[Cell]:
    """Yield the cells of a column with empty ones between them, each a power of two high."""
    row = 0
    for start in [*sorted(cells), rows]:
        while row < start:
            span = 1 << ((start - row).bit_length() - 1)
            yield Cell(span)
            row += span
        if start in cells:
            yield cells[start]
            row += cells[start].span
