"""Random events at tables, played round by round: byes, withdrawals, late entries, people who do not come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from tournaments.pairing.field import POINT, REQUESTED, Kind, Pairing, Past, Person

type Pair = Callable[[Sequence[Person]], Pairing]


def places_worth(size: int) -> list[int]:
    """Return the points for the places of a table, in 1/840."""
    return [2 * POINT * (size - 1 - at) for at in range(size)]


def after(people: Sequence[Person], pairing: Pairing, chance: Random, no_show: float = 0.0) -> list[Person]:
    """Return the field after a round in which everybody is as good as anybody."""
    number = 1 + max((past.round for person in people for past in person.past), default=0)
    field = {person.id: person for person in people}

    def add(one: int, kind: Kind, points: int, seats: tuple[int, ...] = ()) -> None:
        me = field[one]
        past = Past(number, kind, me.points, seats)
        field[one] = replace(me, points=me.points + points, past=(*me.past, past), bye=None)

    for table in pairing.tables:
        absent = {one for one in table.seats if chance.random() < no_show}
        came = [one for one in table.seats if one not in absent]
        chance.shuffle(came)
        for one, worth in zip(came, places_worth(len(table.seats)), strict=False):
            add(one, Kind.PLAYED if len(came) > 1 else Kind.WALKOVER_WON, worth, table.seats)
        for one in absent:
            add(one, Kind.WALKOVER_LOST, 0, table.seats)
    for bye in pairing.byes:
        add(bye.entrant, bye.kind, {Kind.ALLOCATED: 6, Kind.FULL: 6, Kind.HALF: 3}.get(bye.kind, 0) * POINT)
    return list(field.values())


def eventful(people: Sequence[Person], chance: Random) -> list[Person]:
    """Return the field with some who leave, some who ask for a bye, and perhaps a late entry."""
    field = []
    for person in people:
        if chance.random() < 0.03:
            person = replace(person, withdrawn=True)
        elif not person.withdrawn and chance.random() < 0.05:
            person = replace(person, bye=chance.choice(REQUESTED))
        field.append(person)
    if chance.random() < 0.3:
        field.append(Person(max(one.id for one in field) + 7, len(field) + 1))
    return field


def newcomers(count: int, chance: Random) -> list[Person]:
    """Return a field before its first round; ids are in no order, and some are kept apart."""
    ids = chance.sample(range(1, 10 * count + 10), count)
    return [
        Person(one, seed, apart=frozenset({f"club {seed % 9}"}) if seed % 9 < 2 else frozenset())
        for seed, one in enumerate(ids, start=1)
    ]
