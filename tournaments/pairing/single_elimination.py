"""Single elimination for two: the standard bracket, in which the two best can meet in the final only.

The order of slots is the usual one (inner-outer: 1-8, 4-5, 2-7, 3-6), as brackets-manager and most federations draw it.
Byes fill the field up to a power of two and fall to the top seeds.
"""

from __future__ import annotations

from tournaments.pairing.bracket import Bracket, Feed, Place, PlannedMatch


def seed_order(size: int) -> list[int]:
    """Return the seeds of a full bracket of ``size`` (a power of two) from top to bottom."""
    order = [1]
    while len(order) < size:
        field = 2 * len(order)
        order = [seed for upper in order for seed in (upper, field + 1 - upper)]
    return order


def single_elimination(entrants: int) -> Bracket:
    """Return the bracket for seeds 1 to ``entrants``. Raises ValueError below two."""
    if entrants < 2:
        raise ValueError("A bracket needs two entrants.")
    size = 1 << (entrants - 1).bit_length()
    matches: list[PlannedMatch] = []
    feeds: list[Feed | None] = [seed if seed <= entrants else None for seed in seed_order(size)]
    number = 0
    while len(feeds) > 1:
        number += 1
        table = 0
        following: list[Feed | None] = []
        for upper, lower in zip(feeds[::2], feeds[1::2], strict=True):
            if upper is None or lower is None:
                following.append(upper or lower)
                continue
            table += 1
            following.append(Place(match=len(matches), place=1))
            matches.append(PlannedMatch(round=number, table=table, feeds=(upper, lower), advance=1))
        feeds = following
    return Bracket(tuple(matches))
