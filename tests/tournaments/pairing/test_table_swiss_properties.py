"""What holds in every round of every event at tables: random events, and all seatings of small fields.

``TABLE_EVENTS=2000 pytest tests/tournaments/pairing/test_table_swiss_properties.py`` plays more events.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest

from tests.tournaments.pairing.table_events import after, eventful, newcomers
from tournaments.pairing.field import Kind, Pairing, Person
from tournaments.pairing.table_sizes import TableSizes, Uneven
from tournaments.pairing.table_swiss import PRIORITIES, check_tables, table_swiss

EVENTS = int(os.environ.get("TABLE_EVENTS", "25"))
SIZES = [
    TableSizes(4, 3, 4),
    TableSizes(4, 3, 5, Uneven.HIGH),
    TableSizes(4, 4, 4),
    TableSizes(3, 3, 4),
    TableSizes(5, 4, 6),
    TableSizes(6, 3, 8, Uneven.BYES),
    TableSizes(8, 6, 8),
]


def check(people: Sequence[Person], pairing: Pairing, sizes: TableSizes) -> None:
    """Nobody twice, byes with a kind and to whom they are due, sizes by the rule, costs that are what they say."""
    by_id = {person.id: person for person in people}
    seated = [one for table in pairing.tables for one in table.seats]
    byes = {bye.entrant: bye.kind for bye in pairing.byes}
    here = {person.id for person in people if not person.withdrawn}
    assert sorted([*seated, *byes]) == sorted(here)
    asked = {person.id: person.bye for person in people if person.bye is not None and not person.withdrawn}
    assert {one: kind for one, kind in byes.items() if kind is not Kind.ALLOCATED} == asked
    allocated = [one for one, kind in byes.items() if kind is Kind.ALLOCATED]
    split = sizes.split(len(here) - len(asked))
    assert len(allocated) == split.byes
    assert sorted(len(table.seats) for table in pairing.tables) == sorted(split.sizes)
    if allocated and seated:
        had = {one: sum(past.kind.is_unearned for past in by_id[one].past) for one in here}
        assert max(had[one] for one in allocated) <= min(had[one] for one in seated)
    met = {one: by_id[one].meetings() for one in seated}
    repeats = together = spread = 0
    for table in pairing.tables:
        points = [by_id[one].points for one in table.seats]
        spread += max(points) - min(points)
        for one, other in combinations(table.seats, 2):
            repeats += min(met[one].get(other, 0), met[other].get(one, 0)) ** 2
            together += bool(by_id[one].apart & by_id[other].apart)
    assert pairing.cost["repeat"] == repeats
    assert pairing.cost["apart"] == together
    assert pairing.cost["spread"] >= spread
    if len(set(split.sizes)) < 2 or sizes.uneven is Uneven.BYES:
        assert pairing.cost["spread"] == spread
    for number, priority in enumerate(PRIORITIES):
        if all(pairing.cost[earlier] == pairing.bound[earlier] for earlier in PRIORITIES[:number]):
            assert pairing.cost[priority] >= pairing.bound[priority]
    assert {note.code for note in pairing.warnings if note.code in ("repeat", "apart")} == {
        code for code, cost in (("repeat", repeats), ("apart", together)) if cost
    }
    names = {person.id: f"N{person.id}" for person in people}
    assert pairing.explanation is not None
    assert set(pairing.explanation) == here
    for note in [note for notes in pairing.explanation.values() for note in notes] + list(pairing.warnings):
        assert "{" not in note.sentence(names)


@pytest.mark.parametrize("number", range(EVENTS))
def test_random_events(number: int) -> None:
    chance = Random(number)
    sizes = SIZES[number % len(SIZES)]
    people = newcomers(chance.choice([*range(3, 40), 60, 100, 200]), chance)
    rounds = 3 if len(people) > 50 else 6
    for _ in range(rounds):
        people = eventful(people, chance)
        pairing = table_swiss(people, sizes=sizes, seed=number, effort=4)
        check(people, pairing, sizes)
        people = after(people, pairing, chance, no_show=0.03)
    assert check_tables(people, range(1, rounds + 1), sizes=sizes, seed=number, effort=4) == ()


def seatings(people: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield every way to seat ``people`` at tables of one size."""
    if not people:
        yield []
        return
    first, *rest = people
    for others in combinations(rest, sizes[0] - 1):
        left = [one for one in rest if one not in others]
        for more in seatings(left, sizes[1:]):
            yield [(first, *others), *more]


@pytest.mark.parametrize("number", range(8))
def test_small_fields_have_the_best_seating_there_is(number: int) -> None:
    """Brute force over all seatings of nine at tables of three, and of eight at tables of four."""
    chance = Random(number)
    size, count = ((3, 9), (4, 8))[number % 2]
    sizes = TableSizes(size, size, size)
    people = newcomers(count, chance)
    for _ in range(5):
        pairing = table_swiss(people, sizes=sizes, seed=number, effort=10)
        by_id = {person.id: person for person in people}
        met = {one: by_id[one].meetings() for one in by_id}

        def cost(tables: Sequence[Sequence[int]]) -> tuple[int, int, int]:
            pairs = [pair for table in tables for pair in combinations(table, 2)]
            points = [[by_id[one].points for one in table] for table in tables]  # noqa: B023
            return (
                sum(met[one].get(other, 0) ** 2 for one, other in pairs),  # noqa: B023
                sum(bool(by_id[one].apart & by_id[other].apart) for one, other in pairs),  # noqa: B023
                sum(max(held) - min(held) for held in points),
            )

        best = min(cost(tables) for tables in seatings(sorted(by_id), [size] * (count // size)))
        assert cost([table.seats for table in pairing.tables]) == best
        assert all(pairing.bound[part] <= value for part, value in zip(PRIORITIES[:1], best, strict=False))
        people = after(people, pairing, chance)
