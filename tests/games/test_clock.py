"""The clock as a pure value."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from games.clock import Clock, ClockEvent, ThinkingTime

TERMS = ThinkingTime(bank_ms=10_000, increment_ms=2_000)


def clock(**changes: Any) -> Clock:
    return Clock(seats=3, terms=dataclasses.replace(TERMS, **changes))


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


def test_by_turns_every_action_has_its_own_time() -> None:
    one = clock(per_turn=True, increment_ms=0)
    one.wait_for([0])
    one.record(7_000, 0, [0])
    assert one.due() == 17_000, "who is to act again has a new turn"
    one.record(9_000, 0, [1, 2])
    one.record(12_000, 1, [2])
    assert one.due() == 19_000, "who was waited for already goes on with the same turn"
    one.record(13_000, None, [2])
    assert one.due() == 19_000, "what the table does begins no turn of a seat"
    one.record(14_000, 2, [0])
    assert one.left(20_000) == [4_000, 7_000, 5_000]


def test_a_game_without_a_clock_allows_a_week_for_each_action() -> None:
    terms = ThinkingTime.stored(
        time_control="untimed",
        bank_ms=1_000,
        increment_ms=1_000,
        disconnect_ms=0,
        absence="wait",
        absence_ms=0,
        untimed=(),
    )
    one = Clock(seats=2, terms=terms)
    one.wait_for([0])
    assert one.due() == 7 * 24 * 3_600_000
    one.record(5_000, 0, [1])
    assert one.due() == 5_000 + 7 * 24 * 3_600_000


def test_a_pause_stops_every_clock_until_it_is_resumed() -> None:
    one = clock()
    one.wait_for([0])
    one.note(ClockEvent(3_000, "pause"))
    assert one.due() is None
    assert one.overdue(10**9) is None
    assert one.left(10**9) == [7_000, 10_000, 10_000]
    assert one.is_paused(10**9)
    one.note(ClockEvent(60_000, "resume", until=70_000))
    assert one.is_paused(69_999)
    assert not one.is_paused(70_000)
    assert one.left(70_000) == [7_000, 10_000, 10_000]
    assert one.due() == 77_000


def test_an_adjournment_ends_by_itself() -> None:
    one = clock()
    one.wait_for([0])
    one.note(ClockEvent(1_000, "pause", until=500_000))
    assert one.is_paused(499_999)
    assert one.due() == 509_000


def test_an_outage_takes_out_the_time_since_it_began_and_refuses_nothing() -> None:
    one = clock()
    one.wait_for([0])
    one.note(ClockEvent(2_000, "outage", until=100_000))
    assert not one.is_paused(50_000)
    assert one.left(100_000) == [8_000, 10_000, 10_000]
    assert one.due() == 108_000


def test_an_outage_never_ends_a_pause() -> None:
    one = clock()
    one.wait_for([0])
    one.note(ClockEvent(1_000, "pause"))
    one.note(ClockEvent(2_000, "outage", until=9_000))
    assert one.is_paused(10_000)
    one.note(ClockEvent(10_000, "resume", until=20_000))
    one.note(ClockEvent(10_500, "outage", until=15_000))
    assert one.is_paused(19_000)


def test_an_outage_gives_nothing_back_from_before_the_last_record() -> None:
    one = clock()
    one.wait_for([0])
    one.record(5_000, 0, [1])
    one.note(ClockEvent(1_000, "outage", until=6_000))
    assert one.banks == [7_000, 10_000, 10_000]
    assert one.due() == 16_000


def test_the_disconnect_bank_is_used_before_the_own_time_and_only_while_away() -> None:
    one = clock(spare_ms=4_000)
    one.wait_for([0])
    one.note(ClockEvent(1_000, "away", 0))
    assert one.due() == 14_000
    assert (one.left(4_000), one.spare(4_000)) == ([9_000, 10_000, 10_000], [1_000, 4_000, 4_000])
    one.note(ClockEvent(4_000, "back", 0))
    assert one.due() == 13_000
    one.note(ClockEvent(5_000, "away", 0))
    assert one.due() == 14_000
    one.record(8_000, 0, [1])
    assert (one.banks[0], one.spares[0]) == (8_000, 0), "8 s left, 2 s of them used, 2 s added"
    one.record(9_000, 1, [2])
    assert one.spares[1] == 4_000, "who is there uses none"


def test_absence_counts_from_the_turn_or_from_going_whichever_is_later() -> None:
    one = clock(absence="forfeit", absence_ms=3_000)
    one.wait_for([0])
    one.note(ClockEvent(500, "away", 1))
    assert one.next_due() == 10_000, "who is not to act may be away"
    one.record(2_000, 0, [1])
    assert one.absence_due() == one.next_due() == 5_000
    assert one.absent(4_999) is None
    assert one.absent(5_000) == 1
    one.note(ClockEvent(4_000, "pause"))
    assert one.absent(10**9) is None
    one.note(ClockEvent(50_000, "resume", until=60_000))
    assert one.absent(62_999) is None
    assert one.absent(63_000) == 1
    one.note(ClockEvent(61_000, "back", 1))
    assert one.absence_due() is None


def test_the_house_plays_on_no_time_until_the_seat_is_back() -> None:
    one = clock(absence="house", absence_ms=3_000)
    one.wait_for([0])
    one.note(ClockEvent(0, "away", 0))
    one.note(ClockEvent(3_000, "house", 0))
    assert one.running == ()
    assert one.next_due() is None
    one.record(9_000, 0, [1])
    assert one.banks[0] == 7_000, "the house gains no time"
    one.record(10_000, 1, [0])
    assert one.running == ()
    one.note(ClockEvent(12_000, "back", 0))
    assert one.running == (0,)
    assert one.due() == 19_000


def test_the_house_plays_a_single_turn() -> None:
    one = clock(absence="turn", absence_ms=3_000)
    one.wait_for([0])
    one.note(ClockEvent(0, "away", 0))
    one.note(ClockEvent(3_000, "house", 0))
    one.record(4_000, 0, [1])
    assert one.house == frozenset()
    one.record(5_000, 1, [0])
    assert one.absence_due() == 8_000


# Any course of records and events

type Step = tuple[int, str, int]
steps = st.lists(
    st.tuples(
        st.integers(0, 4_000),
        st.sampled_from(["record", "record", "away", "back", "house", "pause", "adjourn", "resume", "outage"]),
        st.integers(0, 2),
    ),
    max_size=40,
)
terms = st.builds(
    ThinkingTime,
    bank_ms=st.integers(1, 20_000),
    increment_ms=st.integers(0, 3_000),
    per_turn=st.booleans(),
    spare_ms=st.integers(0, 5_000),
    absence=st.sampled_from(["wait", "turn", "house", "forfeit"]),
    absence_ms=st.integers(0, 5_000),
    untimed=st.sampled_from([(), (1,)]),
)


def step(one: Clock, at: int, kind: str, seat: int) -> None:
    match kind:
        case "record":
            one.record(at, seat, [(seat + 1) % 3])
        case "adjourn":
            one.note(ClockEvent(at, "pause", until=at + 2_500))
        case "pause":
            one.note(ClockEvent(at, "pause"))
        case "resume":
            one.note(ClockEvent(at, "resume", until=at + 700))
        case "outage":
            one.note(ClockEvent(max(0, at - 900), "outage", until=at + 300))
        case _:
            one.note(ClockEvent(at, kind, seat))  # type: ignore[arg-type]


def played(terms: ThinkingTime, course: list[Step]) -> tuple[Clock, int]:
    one, at = Clock(seats=3, terms=terms), 0
    one.wait_for([0])
    for pause, kind, seat in course:
        at += pause
        step(one, at, kind, seat)
    return one, at


@given(terms, steps, st.integers(0, 10**7))
def test_no_time_is_ever_negative_or_due_in_the_past_of_the_fold(
    terms: ThinkingTime, course: list[Step], later: int
) -> None:
    one, at = played(terms, course)
    assert min(one.left(at + later) + one.spare(at + later)) >= 0
    due = one.due()
    assert due is None or due >= one.at
    if due is not None:
        assert one.overdue(due - 1) is None
        loser = one.overdue(due)
        assert loser is not None
        assert one.left(due)[loser] == 0


@given(terms, steps, st.integers(0, 40))
def test_the_same_numbers_after_a_reload_at_any_point(terms: ThinkingTime, course: list[Step], cut: int) -> None:
    going, at = played(terms, course[:cut])
    reloaded = going.copy()
    for pause, kind, seat in course[cut:]:
        at += pause
        going.left(at)  # looking changes nothing
        step(reloaded, at, kind, seat)
    whole, _ = played(terms, course)
    assert vars(reloaded) == vars(whole)
    assert vars(going) == vars(played(terms, course[:cut])[0])


@given(terms, steps, st.integers(0, 40), st.integers(1, 10**6))
def test_a_pause_of_any_length_changes_nothing(terms: ThinkingTime, course: list[Step], cut: int, length: int) -> None:
    """The course with a pause in it is the course without it, later by the pause."""
    course = [one for one in course if one[1] not in {"pause", "adjourn", "resume", "outage"}]
    plain, end = played(terms, course)
    one, at = played(terms, course[:cut])
    one.note(ClockEvent(at, "pause"))
    one.note(ClockEvent(at + length // 2, "resume", until=at + length))
    at += length
    for pause, kind, seat in course[cut:]:
        at += pause
        step(one, at, kind, seat)
    assert at == end + length
    for ahead in (0, 1_000, 10**6):
        assert one.left(at + ahead) == plain.left(end + ahead)
        assert one.spare(at + ahead) == plain.spare(end + ahead)
    due, later = plain.due(), one.due()
    assert later == (None if due is None else due + length)


@given(st.lists(st.tuples(st.integers(0, 3_000), st.booleans()), max_size=30))
def test_what_is_used_is_what_passed(moves: list[tuple[int, bool]]) -> None:
    """Used of bank and disconnect bank together is the time that passed at turn, less what stood."""
    one, at, passed = clock(bank_ms=10**6, increment_ms=0, spare_ms=5_000), 0, [0, 0, 0]
    waiting = 0
    one.wait_for([waiting])
    for pause, paused in moves:
        if paused:
            one.note(ClockEvent(at, "pause"))
            one.note(ClockEvent(at + pause, "resume", until=at + pause))
            at += pause
            one.note(ClockEvent(at, "away", waiting))
        else:
            at += pause
            passed[waiting] += pause
            waiting = (waiting + 1) % 3
            one.record(at, (waiting - 1) % 3, [waiting])
    used = [10**6 + 5_000 - bank - spare for bank, spare in zip(one.banks, one.spares, strict=True)]
    assert used == passed
