"""What makes one two-seat pairing better than another: strict priorities, the first that differs decides.

The cost of a round at a priority is the sum over its tables (and its allocated bye); less is better:

1. ``rematch``: two who have met; a second time again costs four, a third nine.
2. ``second bye``: an allocated bye for who had one, or had the points of a win without play otherwise.
3. ``apart``: two whom the organizer keeps apart.
4. ``bye``: the allocated bye goes to the fewest byes of any kind, then to the lowest points.
5. ``score``: the square of the difference in points, so that two small steps are better than a big one.
6. ``float``: down, or up, as in the round before (four), or as in the one before that (one).
7. ``seat``: both are due the same seat; the more the one owes it that does not get it, the dearer.
8. ``order``: within a score group its upper half meets its lower half in order; who floats down is the last of its
   group and meets the first of the next (of two the better meets the better); the bye goes to the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from tournaments.pairing.field import Kind, Person
from tournaments.pairing.seats import Due, seat_due

PRIORITIES = ("rematch", "second bye", "apart", "bye", "score", "float", "seat", "order")
REMATCH, SECOND_BYE, APART, BYE, SCORE, FLOAT, SEAT, ORDER = range(len(PRIORITIES))

type Cost = tuple[int, ...]
"""One table's (or the bye's) cost at each priority."""

_DENIED = (0, 4, 5, 12)
"""What it costs to deny a seat that is due not at all, mildly, strongly, absolutely."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant as the priorities see it: its score group (0 is the highest) and its place in it from 0.

    ``floats`` are those of the last two rounds, the latest first: -1 down, 1 up, 0 neither.
    """

    person: Person
    group: int
    place: int
    floats: tuple[int, int]
    due: Due
    met: dict[int, int]
    unearned: int
    byes: int


class Ranking:
    """The entrants who are paired this round, highest points and then best seed first, in score groups.

    Positions in that order (from 0) name entrants here; ``None`` as an opponent is the allocated bye.
    """

    def __init__(self, present: Sequence[Person], everybody: Sequence[Person]) -> None:
        order = sorted(present, key=lambda person: (-person.points, person.seed))
        floats = floats_of(everybody)
        self.standings: list[Standing] = []
        self.groups: list[range] = []
        first = 0
        for position, person in enumerate(order):
            if person.points != order[first].points:
                self.groups.append(range(first, position))
                first = position
            self.standings.append(
                Standing(
                    person=person,
                    group=len(self.groups),
                    place=position - first,
                    floats=floats[person.id],
                    due=seat_due(person.seats_played()),
                    met=person.meetings(),
                    unearned=sum(past.kind.is_unearned for past in person.past),
                    byes=sum(past.kind.is_bye or past.kind is Kind.WALKOVER_WON for past in person.past),
                )
            )
        if order:
            self.groups.append(range(first, len(order)))
        self.unit = gcd(*(person.points - order[0].points for person in order)) or 1
        keys = sorted({self._bye_key(one) for one in self.standings})
        self._bye_rank = {key: rank for rank, key in enumerate(keys)}

    def __len__(self) -> int:
        return len(self.standings)

    def is_legal(self, upper: int, lower: int | None) -> bool:
        """Return whether a table costs nothing at the priorities that nobody would call a wish."""
        one = self.standings[upper]
        if lower is None:
            return not one.unearned
        other = self.standings[lower]
        return other.person.id not in one.met and not one.person.apart & other.person.apart

    def bye_rank(self, position: int) -> int:
        """Return how many kinds of entrants come before this one for the allocated bye."""
        return self._bye_rank[self._bye_key(self.standings[position])]

    def cost(self, upper: int, lower: int | None) -> Cost:
        """Return what it costs that these two meet (``upper`` comes first in the order), or of a bye."""
        one = self.standings[upper]
        size = len(self.groups[one.group])
        if lower is None:
            return (0, one.unearned**2, 0, self.bye_rank(upper), 0, 0, 0, (size - 1 - one.place) ** 2)
        other = self.standings[lower]
        difference = (one.person.points - other.person.points) // self.unit
        floating = 0
        if difference:
            floating = 4 * (one.floats[0] < 0) + (one.floats[1] < 0) + 4 * (other.floats[0] > 0) + (other.floats[1] > 0)
            order = (size - 1 - one.place + other.place) ** 2
        else:
            order = (other.place - one.place - size // 2) ** 2
        return (
            one.met.get(other.person.id, 0) ** 2,
            0,
            int(not one.person.apart.isdisjoint(other.person.apart)),
            0,
            difference * difference,
            floating,
            _DENIED[min(one.due.strength, other.due.strength)] if one.due.seat == other.due.seat else 0,
            order,
        )

    def least_bye(self) -> int:
        """Return the cost at ``bye`` below which no legal bye can be."""
        return min((self.bye_rank(at) for at, one in enumerate(self.standings) if not one.unearned), default=0)

    def _bye_key(self, one: Standing) -> tuple[int, int]:
        return one.byes, one.person.points


def floats_of(everybody: Sequence[Person]) -> dict[int, tuple[int, int]]:
    """Return each entrant's floats of the last two rounds, the latest first: -1 down, 1 up, 0 neither.

    Down is who met somebody with fewer points, or got points without playing; up is who met somebody with more.
    """
    before = {(past.round, person.id): past.before for person in everybody for past in person.past}
    last = max((number for number, _ in before), default=0)
    floats = {}
    for person in everybody:
        recent = {last: 0, last - 1: 0}
        for past in person.past[-2:]:
            if past.round not in recent:
                continue
            if past.kind is Kind.PLAYED:
                others = sum(before[past.round, other] for other in past.seats if other != person.id)
                own = past.before * (len(past.seats) - 1)
                recent[past.round] = (others > own) - (others < own)
            elif past.kind.is_unearned or past.kind is Kind.HALF:
                recent[past.round] = -1
        floats[person.id] = (recent[last], recent[last - 1])
    return floats
