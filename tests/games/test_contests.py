"""Who was first: decided by when an action was placed, within the cap, as the engine verifies it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.pick_a_polar_bear.actions import LARGEST_LAG, read_times, timing_fault
from games.live.contests import Contests, Decided

type Plan = list[tuple[int, int, int]]
"""When each action leaves its seat, whose it is, and the place that it grabs (negative: a stop)."""


def played(plan: Plan, delays: list[int], lags: dict[int, int], *, look_every: int = 1) -> list[Decided[int]]:
    """Return what was decided, with each action's index as what it is, where messages take as long as ``delays``.

    The table looks when something arrives and every ``look_every`` milliseconds.
    """
    arrivals: dict[int, list[int]] = {}
    last: dict[int, int] = {}
    for index, (left, seat, _) in enumerate(plan):
        arrived = last[seat] = max(left + delays[seat], last.get(seat, 0))  # one connection keeps the order
        arrivals.setdefault(arrived, []).append(index)
    contests: Contests[int] = Contests()
    decided: list[Decided[int]] = []
    for now in range(max(arrivals, default=0) + 2 * LARGEST_LAG + look_every):
        if now % look_every == 0:
            decided += contests.take(now)
        for index in arrivals.get(now, []):
            decided += contests.take(now)
            _, seat, place = plan[index]
            contests.add(seat, now, lags, None if place < 0 else place, index)
        decided += contests.take(now) if now in arrivals else []
    assert len(contests) == 0
    return decided


@pytest.mark.parametrize("slow", [10, 20, 50, 80, 100, 150])
@pytest.mark.parametrize("ahead", [1, 5, 30])
def test_who_placed_first_wins_although_the_other_arrived_first(slow: int, ahead: int) -> None:
    plan = [(1000, 0, 4), (1000 + ahead, 1, 4)]
    lags = {0: min(LARGEST_LAG, slow), 1: 5}
    first, second = played(plan, [slow, 5], lags)
    wins = 0 if slow - min(LARGEST_LAG, slow) < ahead else 1
    assert (first.arrival.seat, second.arrival.seat) == (wins, 1 - wins)
    for one in (first, second):
        assert one.arrival.arrived <= one.at <= one.arrival.arrived + LARGEST_LAG


def test_the_wait_is_the_difference_of_the_delays_and_no_longer() -> None:
    [only] = played([(1000, 1, 4)], [80, 30, 50], {0: 80, 1: 30, 2: 50})
    assert only.at - only.arrival.arrived == 50
    assert only.times() == {"arrived": 1030, "lag": 30}


def test_who_has_the_longest_way_never_waits() -> None:
    [only] = played([(1000, 0, 4)], [80, 30], {0: 80, 1: 30})
    assert only.at == only.arrival.arrived == 1080


def test_nobody_waits_where_nobody_is_slower() -> None:
    assert [one.at for one in played([(1001, 0, 4), (1007, 1, 5)], [0, 0], {0: 20, 1: 20})] == [1001, 1007]


def test_a_seat_without_a_socket_is_not_waited_for() -> None:
    [only] = played([(1000, 1, 4)], [80, 30], {1: 30})
    assert only.at == only.arrival.arrived


def test_a_stop_does_not_overtake_a_grab_that_was_placed_before_it() -> None:
    decided = played([(1000, 0, 4), (1010, 1, -1)], [90, 5], {0: 90, 1: 5})
    assert [one.arrival.seat for one in decided] == [0, 1]


def test_a_later_grab_does_not_come_before_a_stop() -> None:
    decided = played([(1000, 1, -1), (1001, 0, 4)], [90, 5], {0: 90, 1: 5})
    assert [one.arrival.place for one in decided] == [None, 4]


def test_actions_of_one_seat_stay_in_order_however_its_delay_is_measured() -> None:
    contests: Contests[str] = Contests()
    contests.add(0, 1000, {0: 10, 1: 90}, 1, "first")
    contests.add(0, 1005, {0: 80, 1: 90}, 2, "second")
    decided = contests.take(2000)
    assert [one.arrival.what for one in decided] == ["first", "second"]
    assert decided[1].arrival.lag == 15


def test_ties_go_by_arrival_then_seat() -> None:
    contests: Contests[str] = Contests()
    lags = {0: 10, 1: 20, 2: 20, 3: 90}
    contests.add(2, 1020, lags, 4, "c")
    contests.add(1, 1020, lags, 4, "b")
    contests.add(0, 1010, lags, 4, "a")
    assert [one.arrival.what for one in contests.take(1100)] == ["a", "b", "c"]


def test_the_winner_names_the_others_that_were_there_once_each() -> None:
    contests: Contests[str] = Contests()
    lags = {0: 80, 1: 10, 2: 0}
    contests.add(1, 1012, lags, 4, "slower")
    contests.add(1, 1014, lags, 4, "again")
    contests.add(2, 1016, lags, 5, "elsewhere")
    contests.add(0, 1050, lags, 4, "winner")
    winner, slower, *_ = contests.take(1082)
    assert winner.arrival.what == "winner"
    assert winner.times() == {"arrived": 1050, "lag": 80, "beat": [{"seat": 1, "arrived": 1012, "lag": 10}]}
    assert slower.beat == ()


plans = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), st.integers(-1, 3)), max_size=14).map(sorted)
delays = st.lists(st.integers(0, 150), min_size=4, max_size=4)


@given(plan=plans, delays=delays, look_every=st.sampled_from([1, 7, 60]))
def test_everything_is_decided_once_within_the_cap_and_verifies(plan: Plan, delays: list[int], look_every: int) -> None:
    lags = {seat: min(LARGEST_LAG, delay) for seat, delay in enumerate(delays)}
    decided = played(plan, delays, lags, look_every=look_every)
    assert sorted(one.arrival.what for one in decided) == list(range(len(plan)))
    assert [one.at for one in decided] == sorted(one.at for one in decided)
    for one in decided:
        arrival = one.arrival
        assert arrival.arrived <= one.at <= arrival.arrived + LARGEST_LAG
        if arrival.place is not None:
            action = {"type": "grab", "place": arrival.place, **one.times()}
            assert read_times(action, arrival.seat, 4) == one.times()
            assert timing_fault(one.at, action) is None


@given(plan=plans, delays=st.lists(st.integers(0, LARGEST_LAG), min_size=4, max_size=4))
def test_with_delays_up_to_the_cap_the_order_is_that_of_leaving(plan: Plan, delays: list[int]) -> None:
    decided = played(plan, delays, dict(enumerate(delays)))
    left = [plan[one.arrival.what][0] for one in decided]
    assert left == sorted(left)
