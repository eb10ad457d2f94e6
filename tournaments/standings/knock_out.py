"""Standings of an elimination: by the round that was reached; those who went out in the same round share a place.

With a losers' part it is the round of the second loss. Where a match itself gives places (the match for the third
place, a final at a table) these tell apart who left with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Exit:
    """Somebody's way out of an elimination: ``round`` is None for who is still in.

    ``place`` is the place in the last match, if that match gives places; else 0, and all who left in its round share.
    """

    entrant: int
    round: int | None
    round_name: str = ""
    walkover: bool = False
    place: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One line: ``place`` is None while it is open; ``reason`` says in words why it is this place."""

    place: int | None
    entrant: int
    reason: str


def standings(exits: Iterable[Exit], *, finished: bool) -> tuple[Row, ...]:
    """Return the standings; ``exits`` in order of seed, which orders rows that share a place.

    Once ``finished``, the one who is still in is the winner; should nobody be (all left), nobody has the first place.
    """
    everybody = list(exits)
    still_in = [one for one in everybody if one.round is None]
    if finished and len(still_in) > 1:
        raise ValueError("An elimination has one winner.")
    rows = [Row(1 if finished else None, one.entrant, "Winner" if finished else "Still in") for one in still_in]
    better = len(still_in)
    ways = {(one.round, one.place) for one in everybody if one.round is not None}
    for number, place_there in sorted(ways, key=lambda way: (-way[0], way[1])):
        leaving = [one for one in everybody if (one.round, one.place) == (number, place_there)]
        place = max(better, 1) + 1
        rows += [Row(place, one.entrant, _reason(one)) for one in leaving]
        better += len(leaving)
    return tuple(rows)


def _reason(out: Exit) -> str:
    where = "the final" if out.round_name == "Final" else f"“{out.round_name}”"
    if out.walkover:
        return f"Left before {where} was played"
    if out.place:
        return f"{_ordinal(out.place)} in {where}"
    return f"Knocked out in {where}"


def _ordinal(place: int) -> str:
    return {1: "First", 2: "Second", 3: "Third"}.get(place, f"{place}th")
