"""Who has the first seat at a table of two: what each is due, and who gets it when both are due the same.

As FIDE deals out colours (Handbook C.04.3, articles 1.7 and 5): the seat one has had less often, or did not have last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.pairing.field import Person

ABSOLUTE, STRONG, MILD, NONE = 3, 2, 1, 0


@dataclass(frozen=True, slots=True)
class Due:
    """The seat that is due to an entrant (0 is the first, None either) and how strongly.

    ABSOLUTE: it had the other seat twice more, or twice in a row; STRONG: once more; MILD: it had the other one last.
    ``balance`` is how often more it sat first.
    """

    seat: int | None
    strength: int
    balance: int


def seat_due(seats: Sequence[int]) -> Due:
    """Return what is due to who has had ``seats`` (0 the first, 1 the second) in the matches it played, in order."""
    if not seats:
        return Due(None, NONE, 0)
    balance = len(seats) - 2 * sum(seats)
    if abs(balance) > 1:
        return Due(int(balance > 0), ABSOLUTE, balance)
    if len(seats) > 1 and seats[-1] == seats[-2]:
        return Due(1 - seats[-1], ABSOLUTE, balance)
    if balance:
        return Due(int(balance > 0), STRONG, balance)
    return Due(1 - seats[-1], MILD, balance)


def seated(upper: Person, lower: Person, *, odd_seeds_first: bool) -> tuple[Person, Person]:
    """Return two who meet in the order of their seats; ``upper`` is the one with more points or the better seed.

    Each gets what is due. If both are due the same: who is due it more strongly, then who had it less often, then
    who did not have it when they last had different seats, then ``upper``. If nothing is due to either: an odd seed
    of ``upper`` has the first seat if ``odd_seeds_first`` (which is drawn), an even seed the other one.
    """
    histories = upper.seats_played(), lower.seats_played()
    ours, theirs = (seat_due(history) for history in histories)
    if ours.seat is None and theirs.seat is None:
        upper_seat = int((upper.seed % 2 == 1) != odd_seeds_first)
    elif ours.seat is None or (theirs.seat is not None and ours.seat == theirs.seat and _stronger(theirs, ours)):
        assert theirs.seat is not None
        upper_seat = 1 - theirs.seat
    elif ours.seat != theirs.seat or _stronger(ours, theirs):
        upper_seat = ours.seat
    else:
        pairs = zip(reversed(histories[0]), reversed(histories[1]), strict=False)
        upper_seat = next((1 - mine for mine, other in pairs if mine != other), ours.seat)
    return (upper, lower) if upper_seat == 0 else (lower, upper)


def _stronger(one: Due, other: Due) -> bool:
    return (one.strength, abs(one.balance)) > (other.strength, abs(other.balance))
