"""The clock as a pure value."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games.clock import Clock


def clock(*, untimed: tuple[int, ...] = ()) -> Clock:
    return Clock(seats=3, bank_ms=10_000, increment_ms=2_000, untimed=untimed)


def test_only_the_waited_for_seats_time_runs() -> None:
    one = clock()
    one.wait_for([1])
    assert one.left(4_000) == [10_000, 6_000, 10_000]
    one.record(4_000, 1, [2])
    assert one.banks == [10_000, 8_000, 10_000]
    assert one.due() == 14_000


def test_time_is_up_at_the_deadline_and_not_before() -> None:
    one = clock()
    one.wait_for([0])
    assert one.due() == 10_000
    assert one.overdue(9_999) is None
    assert one.overdue(10_000) == 0


def test_of_several_the_smallest_bank_is_first() -> None:
    one = clock()
    one.wait_for([1])
    one.record(3_000, 1, [0, 1, 2])
    assert one.banks == [10_000, 9_000, 10_000]
    assert one.due() == 12_000
    assert one.overdue(13_500) == 1


def test_bots_are_untimed() -> None:
    one = clock(untimed=(1,))
    one.wait_for([1])
    assert one.due() is None
    assert one.overdue(10**9) is None
    one.record(60_000, 1, [2])
    assert one.banks == [10_000, 10_000, 10_000]


def test_a_record_of_the_table_adds_nothing() -> None:
    one = clock()
    one.wait_for([0])
    one.record(1_000, None, [1])
    assert one.banks == [9_000, 10_000, 10_000]


@given(st.lists(st.tuples(st.integers(0, 5_000), st.integers(0, 2)), max_size=30))
def test_banks_are_what_was_given_less_what_was_spent(moves: list[tuple[int, int]]) -> None:
    one, at, spent, acted = clock(), 0, [0, 0, 0], [0, 0, 0]
    waiting = 0
    one.wait_for([waiting])
    for pause, following in moves:
        if one.overdue(at + pause) is not None:
            break
        at += pause
        spent[waiting] += pause
        acted[waiting] += 1
        one.record(at, waiting, [following])
        waiting = following
    assert one.banks == [10_000 - spent[seat] + 2_000 * acted[seat] for seat in range(3)]
