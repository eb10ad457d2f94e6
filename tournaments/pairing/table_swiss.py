"""One round of Swiss at tables of 3 to 8: split, seated, scored beside a lower bound, and explained.

The priorities are strict, in this order:

1. ``repeat``: two who have met; the square of how often they have;
2. ``apart``: two whom the organizer keeps apart;
3. ``spread``: at each table the most points less the fewest (1/840 point). A smaller table counts from its end of the
   field, which keeps the smaller tables there;
4. ``short``: a seat at a smaller table for who had one, as often as that was;
5. ``seat``: a seat that an entrant had before, as often as that was.

Byes come first: if not all can be seated, the fewest who cannot are those with the fewest unearned points, then the
lowest points, then the last seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tournaments.pairing.field import Bye, Difference, Kind, Pairing, Person, Table, check_field, differences
from tournaments.pairing.lots import shuffled
from tournaments.pairing.seat_order import seat_order
from tournaments.pairing.seated_field import SeatedField
from tournaments.pairing.table_explanation import explained, warnings
from tournaments.pairing.table_search import seat_tables
from tournaments.pairing.table_sizes import TableSizes

PRIORITIES = ("repeat", "apart", "spread", "short", "seat")


def table_swiss(people: Sequence[Person], *, sizes: TableSizes, seed: int, effort: int = 100) -> Pairing:
    """Return the pairing of the next round; ``people`` is everybody in the stage, those who left it among them.

    Works for every number of entrants and every set of requested byes: what cannot be avoided is in the pairing, and a
    warning says so. ``seed`` is the stage's: it draws what is equal otherwise, anew each round. The same people (in any
    order), sizes, seed and effort give the same pairing. ``effort`` is in per cent of the usual search. Raises BadField
    for a field that contradicts itself.
    """
    check_field(people)
    everybody = sorted(people, key=lambda person: person.seed)
    number = 1 + max((past.round for person in people for past in person.past), default=0)
    present = [person for person in everybody if not person.withdrawn and person.bye is None]
    split = sizes.split(len(present))
    waiting = _byes(present, split.byes)
    without = {person.id for person in waiting}
    drawn = shuffled([person for person in present if person.id not in without], f"{seed}:{number}:order")
    standing = sorted(drawn, key=lambda person: -person.points)
    field = SeatedField.of(standing, split.sizes, sizes)
    answer = seat_tables(field.question, range(len(standing)), f"{seed}:{number}:search", effort=effort)
    before = {person.id: person.seats_played() for person in standing}
    tables = [seat_order([standing[place].id for place in sorted(table)], before) for table in answer.tables]
    seat_cost = sum(before[one].count(seat) for table in tables for seat, one in enumerate(table))
    least_seat = sum(min(before[one].count(seat) for seat in range(len(table))) for table in tables for one in table)
    numbered = _numbered(tables, standing)
    byes = [Bye(person.id, person.bye) for person in everybody if person.bye is not None and not person.withdrawn]
    byes += [Bye(person.id, Kind.ALLOCATED) for person in waiting]
    cost = dict(zip(PRIORITIES, (*answer.score, seat_cost), strict=True))
    bound = dict(zip(PRIORITIES, (*answer.bound, 0), strict=True))
    if len(tables) == 1:
        bound["seat"] = least_seat
    proven = []
    for priority in PRIORITIES:
        if cost[priority] > bound[priority]:
            break
        proven.append(priority)
    return Pairing(
        tables=numbered,
        byes=tuple(byes),
        warnings=warnings(field, numbered, waiting, sizes, proven),
        explanation=explained(field, numbered, byes, sizes, proven),
        proven=tuple(proven),
        cost=cost,
        bound=bound,
    )


def check_tables(
    people: Sequence[Person], rounds: Iterable[int], *, sizes: TableSizes, seed: int, effort: int = 100
) -> tuple[Difference, ...]:
    """Pair every round of a finished stage again, and return what differs. Raises BadField as :func:`table_swiss`."""
    return differences(people, rounds, lambda field, _number: table_swiss(field, sizes=sizes, seed=seed, effort=effort))


def _byes(present: Sequence[Person], count: int) -> list[Person]:
    """Return who has no table: fewest byes and other unearned points, then lowest points, then last seed."""

    def key(person: Person) -> tuple[int, int, int]:
        unearned = sum(past.kind.is_unearned for past in person.past)
        return unearned, person.points, -person.seed

    return sorted(sorted(present, key=key)[:count], key=lambda person: person.seed)


def _numbered(tables: Iterable[tuple[int, ...]], standing: Sequence[Person]) -> tuple[Table, ...]:
    """Return the tables with their numbers: the most points a head first, then whoever comes first in the standing."""
    place = {person.id: at for at, person in enumerate(standing)}
    points = {person.id: person.points for person in standing}

    def key(table: tuple[int, ...]) -> tuple[int, int]:
        # A mean in whole numbers: 840 can be divided by every table size.
        return -sum(points[one] for one in table) * (840 // len(table)), min(place[one] for one in table)

    return tuple(Table(number, table) for number, table in enumerate(sorted(tables, key=key), start=1))
