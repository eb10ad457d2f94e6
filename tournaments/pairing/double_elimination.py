"""Double elimination for two: who has lost once plays on in the losers' part, who has lost twice is out.

Everybody begins in the main part, the bracket of a single elimination. The losers of its first round meet each other,
then in turns: those left against those who have just dropped, and those left among themselves. The orders in which they
drop are those of brackets-manager: they keep apart for some rounds who has met in the main part (with 8 or 16 slots for
two rounds of the losers' part, with 32 for four, with 64 for five, with 128 for six).
Byes of the main part are byes of the losers' part too: nobody is paired with nobody.

The winner of the main part has not lost yet when the final comes. If it loses there, both have lost once and a second
final follows: that is derived from the first (:func:`second_final`), never planned ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import count

from tournaments.pairing.bracket import Bracket, Feed, Part, Place, PlannedMatch, Results
from tournaments.pairing.single_elimination import SeedOrder, first_slots


class DropOrder(StrEnum):
    """Which slots the losers of a round drop to, by the order of their matches (1 2 3 4 5 6 7 8)."""

    NATURAL = "natural"
    """1 2 3 4 5 6 7 8"""
    REVERSE = "reverse"
    """8 7 6 5 4 3 2 1"""
    HALF_SHIFT = "half-shift"
    """5 6 7 8 1 2 3 4"""
    REVERSE_HALVES = "reverse-halves"
    """4 3 2 1 8 7 6 5"""
    FLIPPED_PAIRS = "flipped-pairs"
    """2 1 4 3 6 5 8 7"""


def drop_orders(size: int) -> tuple[DropOrder, ...]:
    """Return the orders for the rounds of a main part of ``size`` slots (a power of two), the first round first."""
    rounds = size.bit_length() - 1
    if rounds == 1:
        return (DropOrder.NATURAL,)
    first: tuple[DropOrder, ...] = (DropOrder.NATURAL, DropOrder.REVERSE)
    if size == 16:
        first = (DropOrder.NATURAL, DropOrder.REVERSE_HALVES, DropOrder.REVERSE)
    elif size == 32:
        first += (DropOrder.HALF_SHIFT, DropOrder.NATURAL)
    elif size == 64:
        first += (DropOrder.HALF_SHIFT, DropOrder.REVERSE, DropOrder.NATURAL)
    elif size > 64:
        first += (DropOrder.HALF_SHIFT, *(DropOrder.FLIPPED_PAIRS,) * (rounds - 4))
    # A lone match can drop to one slot only.
    return (*first[: rounds - 1], DropOrder.NATURAL)


def dropped[Thing](losers: Sequence[Thing], order: DropOrder) -> list[Thing]:
    """Return ``losers`` (of a round, in the order of its matches) in the order of the slots they drop to."""
    half = len(losers) // 2
    match order:
        case DropOrder.NATURAL:
            return list(losers)
        case DropOrder.REVERSE:
            return list(reversed(losers))
        case DropOrder.HALF_SHIFT:
            return [*losers[half:], *losers[:half]]
        case DropOrder.REVERSE_HALVES:
            return [*reversed(losers[:half]), *reversed(losers[half:])]
        case DropOrder.FLIPPED_PAIRS:
            return [losers[place ^ 1] for place in range(len(losers))]


class _Plan:
    """The matches so far; a round without a match takes no number."""

    def __init__(self) -> None:
        self.matches: list[PlannedMatch] = []
        self._numbers = count(1)

    def round(self, feeds: Sequence[Feed | None], part: Part) -> tuple[list[Feed | None], list[Feed | None]]:
        """Play neighbouring ``feeds`` against each other; return the winners and the losers in order.

        Who has no opponent wins without a match, and nobody loses.
        """
        winners: list[Feed | None] = []
        losers: list[Feed | None] = []
        number, table = None, 0
        for upper, lower in zip(feeds[::2], feeds[1::2], strict=True):
            if upper is None or lower is None:
                winners.append(upper or lower)
                losers.append(None)
                continue
            number, table = number or next(self._numbers), table + 1
            index = len(self.matches)
            self.matches.append(PlannedMatch(number, table, (upper, lower), advance=1, part=part))
            winners.append(Place(index, 1))
            losers.append(Place(index, 2))
        return winners, losers


def double_elimination(entrants: int, *, order: SeedOrder = SeedOrder.STANDARD, lots: str = "") -> Bracket:
    """Return the bracket for seeds 1 to ``entrants``; its last match is the (first) final.

    The final's first slot is for the winner of the main part. Raises ValueError as
    :func:`~tournaments.pairing.single_elimination.first_slots` does.
    """
    plan = _Plan()
    feeds: list[Feed | None] = list(first_slots(entrants, order, lots))
    orders = drop_orders(len(feeds))
    main, losers = plan.round(feeds, Part.MAIN)
    left = dropped(losers, orders[0])
    for drop in orders[1:]:
        main, losers = plan.round(main, Part.MAIN)
        left, _ = plan.round(left, Part.LOSERS)
        dropping = dropped(losers, drop)
        meeting = [feed for pair in zip(dropping, left, strict=True) for feed in pair]
        left, _ = plan.round(meeting, Part.LOSERS)
    plan.round([main[0], left[0]], Part.FINAL)
    return Bracket(tuple(plan.matches))


def second_final(bracket: Bracket, results: Results) -> PlannedMatch | None:
    """Return the second final, if the first has been won by the one who had lost before; its slots are the same ones'.

    None while the first is undecided, if it settled everything, for a bracket that has its second final already, and
    for one that ends with one loss. Raises ValueError for results that do not fit the bracket.
    """
    finals = [index for index, match in enumerate(bracket.matches) if match.part == Part.FINAL]
    if len(finals) != 1 or finals[0] not in results:
        return None
    index, order = finals[0], results[finals[0]]
    unbeaten, _ = bracket.sitting(results)[index]
    if unbeaten is None or unbeaten not in order or order[0] == unbeaten:
        return None
    return PlannedMatch(
        bracket.matches[index].round + 1, 1, (Place(index, 2), Place(index, 1)), advance=1, part=Part.FINAL
    )
