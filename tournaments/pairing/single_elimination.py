"""Single elimination for two: the standard bracket, in which the two best can meet in the final only.

Byes fill the field up to a power of two and fall to the top seeds. A match for the third place is its own round, before
the final.
"""

from __future__ import annotations

from enum import StrEnum

from tournaments.pairing.bracket import Bracket, Feed, Part, Place, PlannedMatch
from tournaments.pairing.lots import shuffled


class SeedOrder(StrEnum):
    """How the seeds stand in the first round, from top to bottom.

    1 can always meet 2 in the final only, 3 and 4 can meet 1 and 2 in the semi-finals at the earliest, and so on.
    """

    STANDARD = "standard"
    """The usual one (inner-outer: 1-8, 4-5, 2-7, 3-6), as most federations and programs draw it."""
    DRAWN = "drawn"
    """1 and 2 as usual; 3 and 4, 5 to 8, 9 to 16 and so on by lot among themselves, as in tennis."""


def seed_order(size: int) -> list[int]:
    """Return the seeds of a full bracket of ``size`` (a power of two) from top to bottom in the standard order."""
    order = [1]
    while len(order) < size:
        field = 2 * len(order)
        order = [seed for upper in order for seed in (upper, field + 1 - upper)]
    return order


def first_slots(entrants: int, order: SeedOrder = SeedOrder.STANDARD, lots: str = "") -> list[int | None]:
    """Return the seeds 1 to ``entrants`` on the slots of the first round, None for nobody.

    Raises ValueError below two, and for a draw without ``lots`` to draw by.
    """
    if entrants < 2:
        raise ValueError("A bracket needs two entrants.")
    size = 1 << (entrants - 1).bit_length()
    standing = {seed: seed for seed in range(1, entrants + 1)}
    if order == SeedOrder.DRAWN:
        if not lots:
            raise ValueError("Lots are drawn from a seed; none was given.")
        for group in _groups(entrants, size):
            standing.update(zip(group, shuffled(group, f"{lots} {group[0]}"), strict=True))
    return [standing.get(seed) for seed in seed_order(size)]


def _groups(entrants: int, size: int) -> list[list[int]]:
    """Return the seeds that lots are drawn among: equals of the standard order, those with a bye apart."""
    byes = size - entrants
    groups, first = [], 3
    while first <= entrants:
        last = min(2 * (first - 1), entrants)
        tier = range(first, last + 1)
        groups += [group for group in ([s for s in tier if s <= byes], [s for s in tier if s > byes]) if len(group) > 1]
        first = 2 * (first - 1) + 1
    return groups


def single_elimination(
    entrants: int, *, third_place: bool = False, order: SeedOrder = SeedOrder.STANDARD, lots: str = ""
) -> Bracket:
    """Return the bracket for seeds 1 to ``entrants``.

    With fewer than four there is no match for the third place: one semi-final has no loser. Raises ValueError as
    :func:`first_slots` does.
    """
    matches: list[PlannedMatch] = []
    feeds: list[Feed | None] = list(first_slots(entrants, order, lots))
    number = 0
    while len(feeds) > 1:
        number += 1
        semi_finals = [feed for feed in feeds if isinstance(feed, Place)] if len(feeds) == 2 else []
        if third_place and len(semi_finals) == 2:
            losers = tuple(Place(feed.match, 2) for feed in semi_finals)
            matches.append(PlannedMatch(number, 1, losers, advance=1, part=Part.THIRD_PLACE))
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
