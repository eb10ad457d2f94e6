"""Rules for points: by result for two, by place for tables; ties share exactly, byes are worth what the rule says.

The third rule, by comparison with others who held the same cards, is :mod:`tournaments.standings.comparison`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tournaments.standings.results import POINT, Kind, Outcome, Share

LARGEST_TABLE = 8


class PointsRule(Protocol):
    """What a stage awards, in 1/840 point."""

    @property
    def win(self) -> int:
        """What the most successful result is worth: a win, the first place of the largest table."""

    @property
    def draw(self) -> int:
        """What an unplayed round counts for where tie-breaks take it as a draw."""

    def award(self, places: Sequence[int]) -> tuple[int, ...]:
        """Return the points for the places of one match, in their order."""

    def bye(self, kind: Kind) -> int:
        """Return what a bye of this kind is worth."""


@dataclass(frozen=True, slots=True)
class ByResult:
    """Two seats: points for a win, a draw, a loss; ``allocated`` is what a bye for want of an opponent is worth."""

    win: int = POINT
    draw: int = POINT // 2
    loss: int = 0
    allocated: int = POINT

    def award(self, places: Sequence[int]) -> tuple[int, ...]:
        """Return the points for the two places. Raises ValueError for more or fewer than two."""
        if len(places) != 2:
            raise ValueError("Points by result are for matches of two.")
        mine, theirs = places
        if mine == theirs:
            return (self.draw, self.draw)
        return (self.win, self.loss) if mine < theirs else (self.loss, self.win)

    def bye(self, kind: Kind) -> int:
        """Return what a bye of this kind is worth. Raises ValueError for what is no bye."""
        return _bye(kind, self.allocated, self.win, self.draw)


@dataclass(frozen=True, slots=True)
class ByPlace:
    """Points for each place, for each number of people at a table (2 to 8), first to last.

    Who shares places has the mean of what they bring. ``allocated`` is what a bye for want of a table is worth.
    Raises ValueError for a table size without its points, or for points that rise with the place.
    """

    by_size: Mapping[int, tuple[int, ...]]
    allocated: int
    win: int = field(init=False)
    draw: int = field(init=False)

    def __post_init__(self) -> None:
        """Refuse what cannot be, and work out what a win and a middling result are worth."""
        if not self.by_size:
            raise ValueError("There are no points for any table.")
        for size, points in self.by_size.items():
            if not 2 <= size <= LARGEST_TABLE or len(points) != size:
                raise ValueError(f"A table of {size} needs points for {size} places; tables have 2 to 8.")
            if list(points) != sorted(points, reverse=True):
                raise ValueError("A better place cannot bring fewer points.")
            if any(value % POINT for value in points):
                raise ValueError("The points of a place are whole points, so that shares are exact.")
        largest = self.by_size[max(self.by_size)]
        object.__setattr__(self, "win", largest[0])
        object.__setattr__(self, "draw", sum(largest) // len(largest))

    def award(self, places: Sequence[int]) -> tuple[int, ...]:
        """Return the points for the places of one table. Raises ValueError for a size without points."""
        points = self.by_size.get(len(places))
        if points is None:
            raise ValueError(f"There are no points for a table of {len(places)}.")
        worth = {}
        for place in set(places):
            better, level = sum(other < place for other in places), sum(other == place for other in places)
            worth[place] = sum(points[better : better + level]) // level
        return tuple(worth[place] for place in places)

    def bye(self, kind: Kind) -> int:
        """Return what a bye of this kind is worth. Raises ValueError for what is no bye."""
        return _bye(kind, self.allocated, self.win, self.draw)


def _bye(kind: Kind, allocated: int, full: int, half: int) -> int:
    worth = {Kind.BYE_ALLOCATED: allocated, Kind.BYE_FULL: full, Kind.BYE_HALF: half, Kind.BYE_ZERO: 0}
    if kind not in worth:
        raise ValueError(f"{kind} is no bye.")
    return worth[kind]


def usual_places(smallest: int, largest: int) -> dict[int, tuple[int, ...]]:
    """Return the usual points (whole ones) for the places of tables of ``smallest`` to ``largest``, 3 to 8.

    The first place brings the same at every table; at four it is 5, 3, 2, 1 (doubled where there are larger tables).
    """
    known = _FEW_SEATS if largest <= max(_FEW_SEATS) else _MANY_SEATS
    return {size: known[size] for size in range(smallest, largest + 1)}


_FEW_SEATS = {3: (5, 3, 1), 4: (5, 3, 2, 1)}
_MANY_SEATS = {
    3: (10, 6, 2),
    4: (10, 6, 4, 2),
    5: (10, 7, 5, 3, 1),
    6: (10, 7, 5, 4, 2, 1),
    7: (10, 8, 6, 4, 3, 2, 1),
    8: (10, 8, 6, 5, 4, 3, 2, 1),
}


def match_outcome(
    rule: PointsRule,
    *,
    round: int,  # noqa: A002 - the word of the domain
    places: Mapping[int, int],
    absent: Collection[int] = (),
    game_points: Mapping[int, int] | None = None,
) -> Outcome:
    """Return the outcome of a match: ``places`` by entrant in seat order, those who did not come in ``absent``.

    Those who came have the points of the table that was due: the absent take its last places, and nothing for them.
    Raises ValueError as the rule's ``award`` does.
    """
    came = [place for entrant, place in places.items() if entrant not in absent]
    kind = {0: Kind.DOUBLE_WALKOVER, 1: Kind.WALKOVER}.get(len(came), Kind.PLAYED)
    ranked = {
        entrant: 1 + (len(came) if entrant in absent else sum(other < place for other in came))
        for entrant, place in places.items()
    }
    awarded = dict(zip(ranked, rule.award([*ranked.values()]), strict=True))
    return Outcome(
        round,
        kind,
        tuple(
            Share(
                entrant,
                0 if entrant in absent else awarded[entrant],
                place,
                (game_points or {}).get(entrant, 0),
                came=entrant not in absent,
            )
            for entrant, place in ranked.items()
        ),
    )


def bye_outcome(rule: PointsRule, *, round: int, entrant: int, kind: Kind) -> Outcome:  # noqa: A002
    """Return the outcome of a bye. Raises ValueError for what is no bye."""
    return Outcome(round, kind, (Share(entrant, rule.bye(kind)),))
