"""Swiss at tables: sizes, byes, strict priorities, short tables, seats, explanations, the same draw everywhere."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tests.tournaments.pairing.table_events import after
from tournaments.pairing.field import POINT, BadField, Kind, Past, Person
from tournaments.pairing.lots import shuffled, words
from tournaments.pairing.seat_order import seat_order
from tournaments.pairing.table_sizes import TableSizes, Uneven
from tournaments.pairing.table_swiss import check_tables, table_swiss

FOURS = TableSizes(4, 4, 4)
DOWN_TO_THREE = TableSizes(4, 3, 4)


def people(*points: int) -> list[Person]:
    return [Person(100 + seed, seed, held * POINT) for seed, held in enumerate(points, start=1)]


@pytest.mark.parametrize(
    ("sizes", "field", "tables", "byes"),
    [
        (DOWN_TO_THREE, 16, (4, 4, 4, 4), 0),
        (DOWN_TO_THREE, 15, (4, 4, 4, 3), 0),
        (DOWN_TO_THREE, 13, (4, 3, 3, 3), 0),
        (DOWN_TO_THREE, 6, (3, 3), 0),
        (DOWN_TO_THREE, 5, (4,), 1),
        (DOWN_TO_THREE, 2, (), 2),
        (DOWN_TO_THREE, 0, (), 0),
        (TableSizes(4, 3, 5), 13, (5, 4, 4), 0),
        (TableSizes(4, 3, 5), 5, (5,), 0),
        (TableSizes(4, 3, 4, Uneven.HIGH), 14, (3, 3, 4, 4), 0),
        (TableSizes(4, 3, 4, Uneven.BYES), 15, (4, 4, 4), 3),
        (TableSizes(4, 3, 4, Uneven.BYES), 3, (3,), 0),
        (TableSizes(8, 6, 8), 20, (7, 7, 6), 0),
        (TableSizes(3, 3, 3), 8, (3, 3), 2),
    ],
)
def test_split(sizes: TableSizes, field: int, tables: tuple[int, ...], byes: int) -> None:
    split = sizes.split(field)
    assert (split.sizes, split.byes) == (tables, byes)


@pytest.mark.parametrize("sizes", [(2, 2, 4), (4, 5, 6), (4, 3, 9), (6, 3, 5)])
def test_sizes_that_cannot_be(sizes: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="3 to 8"):
        TableSizes(*sizes)


def test_lots_are_the_standards() -> None:
    """SHAKE128 of the empty message begins 7f9c2ba4e88f827d616045507605853e, as FIPS 202's example values say."""
    assert list(words("", 2)) == [(0xA42B9C7F, 0x7D828FE8), (0x50456061, 0x3E850576)]
    assert sorted(shuffled(range(50), "a")) == list(range(50))
    assert shuffled(range(50), "a") != shuffled(range(50), "b")


def test_who_meets_again_matters_more_than_points() -> None:
    """Eight who have sat 1-4 and 5-8, in this order of points too."""
    chance = Random(1)
    start = people(0, 0, 0, 0, 0, 0, 0, 0)
    field = after(start, table_swiss(start, sizes=FOURS, seed=1), chance)
    pairing = table_swiss(field, sizes=FOURS, seed=1)
    met = {person.id: person.meetings() for person in field}
    for table in pairing.tables:
        assert sum(other in met[one] for one, other in combinations(table.seats, 2)) == 2
    assert pairing.cost["repeat"] == 4
    assert [note.code for note in pairing.warnings] == ["repeat"] * 4
    assert "once" in pairing.warnings[0].text


def test_points_decide_where_nobody_has_met() -> None:
    pairing = table_swiss(people(*range(16)), sizes=FOURS, seed=9)
    by_points = [[100 + seed for seed in range(first, first + 4)] for first in (13, 9, 5, 1)]
    assert [sorted(table.seats) for table in pairing.tables] == by_points
    assert pairing.proven[:3] == ("repeat", "apart", "spread")
    assert pairing.cost["spread"] == pairing.bound["spread"] == 12 * POINT


def test_kept_apart_matters_more_than_points_but_less_than_meetings() -> None:
    field = [replace(one, apart=frozenset({"home"})) if one.seed < 3 else one for one in people(9, 9, 9, 9, 0, 0, 0, 0)]
    pairing = table_swiss(field, sizes=FOURS, seed=9)
    assert all(not {101, 102} <= set(table.seats) for table in pairing.tables)
    assert pairing.explanation is not None
    assert "kept_apart" in {note.code for note in pairing.explanation[101]}
    too_many = [replace(one, apart=frozenset({"home"})) for one in people(1, 1, 1, 1)]
    pairing = table_swiss(too_many, sizes=FOURS, seed=9)
    assert pairing.cost["apart"] == 6
    assert {note.code for note in pairing.warnings} == {"apart"}


@pytest.mark.parametrize(("uneven", "expected"), [(Uneven.LOW, {1, 2, 3}), (Uneven.HIGH, {11, 10, 9})])
def test_smaller_tables_stand_at_their_end(uneven: Uneven, expected: set[int]) -> None:
    pairing = table_swiss(people(*range(1, 12)), sizes=TableSizes(4, 3, 4, uneven), seed=1)
    (short,) = [table for table in pairing.tables if len(table.seats) == 3]
    assert {one - 100 for one in short.seats} == expected
    assert short.number == (3 if uneven is Uneven.LOW else 1)
    assert pairing.explanation is not None
    assert all("short_table" in {note.code for note in pairing.explanation[one]} for one in short.seats)


def test_short_tables_go_to_those_who_had_none() -> None:
    chance = Random(4)
    field = people(*[0] * 15)
    had: Counter[int] = Counter()
    for _ in range(3):
        pairing = table_swiss(field, sizes=DOWN_TO_THREE, seed=4, effort=30)
        had.update(one for table in pairing.tables if len(table.seats) == 3 for one in table.seats)
        # All have the same points again, so that only the short tables are left to tell them apart.
        field = [
            replace(one, points=0, past=tuple(replace(p, before=0) for p in one.past))
            for one in after(field, pairing, chance)
        ]
    assert had == dict.fromkeys(had, 1)
    assert len(had) == 9


def test_byes_go_to_who_had_none_then_to_the_lowest() -> None:
    field = people(5, 4, 3, 2, 1, 0)
    had = Past(1, Kind.ALLOCATED, 0)
    field[5] = replace(field[5], past=(had,))
    pairing = table_swiss(field, sizes=FOURS, seed=1)
    assert [bye.entrant for bye in pairing.byes] == [104, 105]
    everybody = [replace(one, past=(had,)) for one in field]
    pairing = table_swiss(everybody, sizes=FOURS, seed=1)
    assert [bye.entrant for bye in pairing.byes] == [105, 106]
    assert [note.code for note in pairing.warnings] == ["second_bye", "second_bye"]


def test_too_few_for_a_table() -> None:
    pairing = table_swiss(people(1, 0), sizes=DOWN_TO_THREE, seed=1)
    assert pairing.tables == ()
    assert {bye.kind for bye in pairing.byes} == {Kind.ALLOCATED}
    assert [note.code for note in pairing.warnings] == ["too_few"]
    assert table_swiss([], sizes=DOWN_TO_THREE, seed=1).tables == ()


def test_who_did_not_come_was_not_met() -> None:
    seats = (101, 102, 103)
    kinds = [Kind.PLAYED, Kind.PLAYED, Kind.WALKOVER_LOST]
    field = [replace(one, past=(Past(1, kind, 0, seats),)) for one, kind in zip(people(0, 0, 0), kinds, strict=True)]
    assert table_swiss(field, sizes=DOWN_TO_THREE, seed=1).cost["repeat"] == 1


def test_seats_are_as_new_as_can_be() -> None:
    assert seat_order([1, 2, 3], {}) == (1, 2, 3)
    assert seat_order([1, 2, 3], {1: [0], 2: [1], 3: [2]}) in {(2, 3, 1), (3, 1, 2)}
    order = seat_order([1, 2, 3, 4], {1: [0, 1, 2], 2: [0, 1, 3], 3: [0, 2, 3], 4: [1, 2, 3]})
    assert order == (4, 3, 2, 1)


def test_the_same_draw_on_every_machine() -> None:
    """The digest is of what this drew when it was written; the order in which people are named does not matter."""
    chance = Random(7)
    field = people(*[0] * 19)
    drawn = []
    for _ in range(4):
        pairing = table_swiss(field, sizes=DOWN_TO_THREE, effort=10, seed=11)
        chance.shuffle(field)
        assert table_swiss(field, sizes=DOWN_TO_THREE, effort=10, seed=11) == pairing
        drawn.append([table.seats for table in pairing.tables])
        worth = {one: (one * 31 % 7) * POINT for table in pairing.tables for one in table.seats}
        number = len(drawn)
        at = {one: table.seats for table in pairing.tables for one in table.seats}
        field = [
            replace(p, points=p.points + worth[p.id], past=(*p.past, Past(number, Kind.PLAYED, p.points, at[p.id])))
            for p in sorted(field, key=lambda one: one.seed)
        ]
    assert hashlib.sha256(repr(drawn).encode()).hexdigest()[:16] == "806354911845a6ee"
    assert table_swiss(field, sizes=DOWN_TO_THREE, effort=10, seed=12) != table_swiss(
        field, sizes=DOWN_TO_THREE, effort=10, seed=13
    )


def test_the_checker_names_what_was_changed_by_hand() -> None:
    chance = Random(3)
    field = people(*[0] * 8)
    first = table_swiss(field, sizes=FOURS, seed=1)
    one, other = first.tables[0].seats[0], first.tables[1].seats[0]
    swapped = {one: other, other: one}
    tables = tuple(replace(t, seats=tuple(swapped.get(s, s) for s in t.seats)) for t in first.tables)
    field = after(field, replace(first, tables=tables), chance)
    found = check_tables(field, [1], sizes=FOURS, seed=1)
    assert {difference.made for difference in found if difference.made} == {table.seats for table in tables}
    assert {difference.drawn for difference in found if difference.drawn} == {table.seats for table in first.tables}
    assert check_tables(after(people(*[0] * 8), first, chance), [1], sizes=FOURS, seed=1) == ()


def test_a_field_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(BadField, match="twice"):
        table_swiss([Person(1, 1), Person(1, 2)], sizes=FOURS, seed=1)
