"""How a field is split into tables: as many as possible of the preferred size, and what happens to the rest."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Uneven(StrEnum):
    """What is done when the field does not fill tables of the preferred size."""

    LOW = "smaller tables at the low end"
    HIGH = "smaller tables at the high end"
    BYES = "byes"


@dataclass(frozen=True, slots=True)
class Split:
    """The sizes of the tables, from the high end of the field to the low end, and how many have no table."""

    sizes: tuple[int, ...]
    byes: int


@dataclass(frozen=True, slots=True)
class TableSizes:
    """The sizes that a table may have. Raises ValueError unless 3 <= smallest <= preferred <= largest <= 8."""

    preferred: int = 4
    smallest: int = 3
    largest: int = 4
    uneven: Uneven = Uneven.LOW

    def __post_init__(self) -> None:
        if not 3 <= self.smallest <= self.preferred <= self.largest <= 8:
            raise ValueError(
                "A table has 3 to 8 seats, and the preferred size lies between the smallest and the largest."
            )

    def split(self, field: int) -> Split:
        """Return the tables for ``field`` entrants.

        Of all ways to seat most of them the one whose tables differ least from the preferred size, seat by seat; among
        those the one with fewer seats above it, then the more even one. With :attr:`Uneven.BYES` all tables have the
        preferred size, unless there is not even one such table.
        """
        if self.uneven is Uneven.BYES and field >= self.preferred:
            return Split((self.preferred,) * (field // self.preferred), field % self.preferred)
        # For each number of seats: what the best tables for it differ by, and their sizes.
        best: list[tuple[int, int, int, tuple[int, ...]] | None] = [(0, 0, 0, ())]
        for seated in range(1, field + 1):
            ways = []
            for size in range(self.smallest, min(self.largest, seated) + 1):
                rest = best[seated - size]
                if rest is not None:
                    off = size - self.preferred
                    sizes = tuple(sorted((size, *rest[3]), reverse=True))
                    ways.append((rest[0] + abs(off), rest[1] + max(0, off), rest[2] + off * off, sizes))
            best.append(min(ways, default=None))
        seated, found = max((seated, way) for seated, way in enumerate(best) if way is not None)
        return Split(tuple(sorted(found[3], reverse=self.uneven is not Uneven.HIGH)), field - seated)
