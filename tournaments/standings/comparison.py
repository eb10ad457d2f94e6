"""Scores against others who held the same cards: the same seat of the same deal at another table.

As in bridge, whoever did better than another holder of the same cards has 2 points from that comparison, who did
equally well 1. A game is worth the share of the points that its comparisons could bring, a match the mean of its
games: at most one point, however many games it had and however many tables there were. Everything is exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

BETTER, EQUAL = 2, 1
"""What a comparison brings."""


@dataclass(frozen=True, slots=True)
class Held:
    """An entrant played one hand: the cards are those of ``seat`` in ``deal``; ``place`` is 1 for the best."""

    entrant: int
    deal: Hashable
    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """``held`` beside the ``others`` with these cards: better than ``better`` of them, as good as ``level``."""

    held: Held
    better: int
    level: int
    others: int

    @property
    def points(self) -> int:
        """The points of the comparisons."""
        return BETTER * self.better + EQUAL * self.level

    @property
    def most(self) -> int:
        """The points that could be had."""
        return BETTER * self.others

    @property
    def share(self) -> Fraction | None:
        """The part of the points that could be had; None where nobody else held these cards."""
        return Fraction(self.points, BETTER * self.others) if self.others else None


@dataclass(frozen=True, slots=True)
class Appearance:
    """An entrant's part in one decided match: the games that can be compared, and whether it had left by then."""

    entrant: int
    games: Sequence[Comparison]
    left: bool = False


@dataclass(frozen=True, slots=True)
class Scores:
    """``by_entrant[e] / unit`` is what entrant e has, in points; a match is worth one point at most."""

    unit: int
    by_entrant: dict[int, int]


def compared(played: Iterable[Held]) -> list[Comparison]:
    """Return each of ``played`` compared with all others of the same deal and seat, in the given order."""
    hands = list(played)
    places: dict[tuple[Hashable, int], list[int]] = defaultdict(list)
    for held in hands:
        places[held.deal, held.seat].append(held.place)
    found = []
    for held in hands:
        same = places[held.deal, held.seat]
        worse = sum(place > held.place for place in same)
        found.append(Comparison(held, worse, same.count(held.place) - 1, len(same) - 1))
    return found


def scores(entrants: Iterable[int], appearances: Iterable[Appearance]) -> Scores:
    """Return the sum of each entrant's matches.

    A match in which nothing can be compared (a walkover, a table that was dealt afresh after a void game) is half a
    point for who was there and nothing for who had left.
    """
    totals = dict.fromkeys(entrants, Fraction())
    for appearance in appearances:
        shares = [share for game in appearance.games if (share := game.share) is not None]
        if shares:
            totals[appearance.entrant] += sum(shares, Fraction()) / len(shares)
        elif not appearance.left:
            totals[appearance.entrant] += Fraction(1, 2)
    unit = lcm(*(total.denominator for total in totals.values()))
    return Scores(unit, {entrant: int(total * unit) for entrant, total in totals.items()})
