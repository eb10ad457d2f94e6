"""Fixed schedules for tables: constructions without a repeat, the search beside its bound, short tables and byes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tournaments.pairing.constructions import constructions
from tournaments.pairing.schedules import Schedule, fixed_schedule, repeats_of
from tournaments.pairing.table_sizes import TableSizes, Uneven

FOURS = TableSizes(4, 4, 4)


def meetings(schedule: Schedule) -> Counter[tuple[int, int]]:
    return Counter(
        pair for each in schedule.rounds for table in each.tables for pair in combinations(sorted(table.seats), 2)
    )


def check(schedule: Schedule, players: int, rounds: int, sizes: TableSizes) -> None:
    """Everybody sits or waits once a round, the tables have their sizes, and the repeats are as told."""
    assert len(schedule.rounds) == rounds
    split = sizes.split(players)
    for each in schedule.rounds:
        seated = [player for table in each.tables for player in table.seats]
        assert sorted([*seated, *each.byes]) == list(range(1, players + 1))
        assert sorted(len(table.seats) for table in each.tables) == sorted(split.sizes)
        assert [table.number for table in each.tables] == list(range(1, len(each.tables) + 1))
    assert schedule.repeats == sum(times - 1 for times in meetings(schedule).values()) == repeats_of(schedule.rounds)
    assert schedule.repeats >= schedule.bound


@pytest.mark.parametrize(("players", "rounds"), [(16, 5), (20, 5), (24, 7), (28, 9), (32, 10)])
def test_known_fields_play_without_a_repeat(players: int, rounds: int) -> None:
    schedule = fixed_schedule(players, rounds, sizes=FOURS, seed=3)
    check(schedule, players, rounds, FOURS)
    assert schedule.repeats == 0
    assert schedule.construction is not None


@pytest.mark.parametrize("size", range(3, 9))
def test_every_construction_is_a_schedule_without_a_repeat(size: int) -> None:
    found = 0
    for tables in range(2, 34):
        for known in constructions(tables, size):
            found += 1
            pairs = Counter()
            for each in known.rounds:
                assert sorted(player for table in each for player in table) == list(range(tables * size)), known.name
                assert {len(table) for table in each} == {size}
                pairs.update(pair for table in each for pair in combinations(sorted(table), 2))
            assert set(pairs.values()) == {1}, (known.name, size, tables)
    assert found >= 11


@pytest.mark.parametrize(
    ("players", "size", "rounds"), [(9, 3, 4), (27, 3, 13), (16, 4, 5), (64, 4, 21), (25, 5, 6), (49, 7, 8), (64, 8, 9)]
)
def test_planes_reach_the_most_rounds_that_can_be(players: int, size: int, rounds: int) -> None:
    """Everybody has met everybody once."""
    sizes = TableSizes(size, size, size)
    schedule = fixed_schedule(players, rounds, sizes=sizes, seed=1)
    assert set(meetings(schedule).values()) == {1}
    assert len(meetings(schedule)) == players * (players - 1) // 2


def test_a_construction_with_empty_seats() -> None:
    sizes = TableSizes(4, 3, 4)
    for players in (17, 18, 19):
        schedule = fixed_schedule(players, 5, sizes=sizes, seed=1)
        check(schedule, players, 5, sizes)
        assert (schedule.repeats, schedule.construction) == (0, "lines of a plane over 5 elements")


@pytest.mark.parametrize(
    ("players", "rounds", "sizes", "most"),
    [
        (18, 6, TableSizes(3, 3, 3), 0),
        (40, 7, FOURS, 0),
        (12, 3, FOURS, 9),
        (29, 4, TableSizes(5, 4, 5), 0),
        (10, 5, TableSizes(4, 3, 4), 16),
        (13, 6, TableSizes(4, 4, 4, Uneven.BYES), 34),
        (30, 4, TableSizes(8, 7, 8), 80),
        (3, 2, TableSizes(4, 3, 5), 3),
    ],
)
def test_other_fields_are_searched(players: int, rounds: int, sizes: TableSizes, most: int) -> None:
    schedule = fixed_schedule(players, rounds, sizes=sizes, seed=1)
    check(schedule, players, rounds, sizes)
    assert schedule.construction is None
    assert schedule.repeats <= most


def test_byes_go_round() -> None:
    schedule = fixed_schedule(14, 7, sizes=TableSizes(4, 4, 4, Uneven.BYES), seed=5)
    assert Counter(player for each in schedule.rounds for player in each.byes) == dict.fromkeys(range(1, 15), 1)


def test_short_tables_go_round() -> None:
    schedule = fixed_schedule(29, 4, sizes=TableSizes(5, 4, 5), seed=5)
    short = Counter(player for each in schedule.rounds for t in each.tables if len(t.seats) == 4 for player in t.seats)
    assert schedule.construction is None
    assert set(short.values()) == {1}
    assert len(short) == 16


def test_seats_are_shared_out() -> None:
    schedule = fixed_schedule(16, 4, sizes=FOURS, seed=2)
    seats = Counter((player, at) for each in schedule.rounds for t in each.tables for at, player in enumerate(t.seats))
    assert max(seats.values()) <= 2
    assert sum(times == 1 for times in seats.values()) >= 48


def test_the_lot_decides_who_is_who_and_can_be_repeated() -> None:
    one = fixed_schedule(16, 5, sizes=FOURS, seed=1)
    assert one == fixed_schedule(16, 5, sizes=FOURS, seed=1)
    assert one != fixed_schedule(16, 5, sizes=FOURS, seed=2)


def test_what_cannot_be_scheduled_is_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        fixed_schedule(2, 3, sizes=FOURS, seed=1)
    with pytest.raises(ValueError, match="one round"):
        fixed_schedule(8, 0, sizes=FOURS, seed=1)
