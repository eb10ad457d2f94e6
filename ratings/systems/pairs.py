"""Who is compared with whom when a game is rated, and with what score.

A policy rates pairs of seats. Which pairs a game yields depends on what its places mean, so each game names one of
these functions; a policy never looks at places itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import NamedTuple


class Pair(NamedTuple):
    """Two seats that are compared; ``score`` is the first one's: 1 a win, 0.5 a draw, 0 a loss."""

    first: int
    second: int
    score: float


def winner_only(places: Sequence[int], out: Collection[int]) -> tuple[Pair, ...]:
    """Return the pairs of a game that has one winner, or is a draw, and does not rank the others (Hold my Bear).

    The winner is compared with each other seat; the losers among themselves are not. In a draw every two seats that
    are still in share a point. A seat that is out (it resigned or was forfeited) lost to every seat that is in, and
    is not compared with another that is out.

    ``places`` are competition ranks by seat, ``out`` the seats that are out. Raises ValueError if nobody is first or
    a seat that is out is.
    """
    leaders = {seat for seat, place in enumerate(places) if place == 1}
    if not leaders:
        raise ValueError("A game that is rated has a seat in first place.")
    if leaders & set(out):
        raise ValueError("A seat that is out cannot be in first place.")
    pairs = []
    for first, second in combinations(range(len(places)), 2):
        if first in leaders and second in leaders:
            pairs.append(Pair(first, second, 0.5))
        elif first in leaders or (second in out and first not in out):
            pairs.append(Pair(first, second, 1.0))
        elif second in leaders or (first in out and second not in out):
            pairs.append(Pair(first, second, 0.0))
    return tuple(pairs)


def by_places(places: Sequence[int], out: Collection[int] = ()) -> tuple[Pair, ...]:
    """Return every pair of seats; the better place wins, equal places draw (Pick-a-Polar-Bear).

    ``out`` changes nothing: these places already put a seat that is out below all who are in.
    """
    del out
    return tuple(
        Pair(first, second, 0.5 if places[first] == places[second] else float(places[first] < places[second]))
        for first, second in combinations(range(len(places)), 2)
    )
