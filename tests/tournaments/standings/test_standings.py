"""Standings: worked out by hand, and what must hold for any results."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings import knock_out
from tournaments.standings.table import DRAW, LOSS, METRICS, POINT, WIN, Meeting, standings

AWARDS = [(WIN, LOSS), (DRAW, DRAW), (LOSS, WIN)]


def test_by_hand() -> None:
    # 1 beats 2 and 3, 2 beats 3 and 4, 4 beats 1, 3 and 4 draw.
    rows = standings(
        [1, 2, 3, 4],
        [
            Meeting(1, 2, WIN, LOSS),
            Meeting(1, 3, WIN, LOSS),
            Meeting(2, 3, WIN, LOSS),
            Meeting(2, 4, WIN, LOSS),
            Meeting(4, 1, WIN, LOSS),
            Meeting(3, 4, DRAW, DRAW),
        ],
    )
    assert [(row.place, row.entrant, row.points / POINT) for row in rows] == [
        (1, 1, 2.0),
        (2, 2, 2.0),
        (3, 4, 1.5),
        (4, 3, 0.5),
    ]
    by_entrant = {row.entrant: {m.key: v / m.unit for m, v in row.values()} for row in rows}
    # Direct encounter: 1 beat 2. Sonneborn-Berger of 1: 2.0 + 0.5; of 4: 2.0 + half of 0.5.
    assert by_entrant[1] == {"DE": 1.0, "SB": 2.5, "WIN": 2}
    assert by_entrant[2] == {"DE": 0.0, "SB": 2.0, "WIN": 2}
    assert by_entrant[4] == {"DE": 0.0, "SB": 2.25, "WIN": 1}


def test_direct_encounter_needs_all_to_have_met() -> None:
    rows = standings([1, 2, 3], [Meeting(1, 2, DRAW, DRAW)])
    assert [row.metrics["DE"] for row in rows] == [DRAW, DRAW, 0]
    level = standings([1, 2, 3, 4], [Meeting(2, 1, WIN, LOSS), Meeting(1, 3, WIN, LOSS)])
    assert {row.entrant: row.metrics["DE"] for row in level} == {2: WIN, 1: LOSS, 3: 0, 4: 0}
    apart = standings([1, 2, 3], [Meeting(1, 3, WIN, LOSS), Meeting(2, 3, WIN, LOSS)])
    assert {row.entrant: row.metrics["DE"] for row in apart}[1] == 0


def test_all_equal_shares_the_place_in_order_of_seed() -> None:
    rows = standings([7, 5, 6], [Meeting(7, 5, WIN, LOSS), Meeting(5, 6, WIN, LOSS), Meeting(6, 7, WIN, LOSS)])
    assert [(row.place, row.entrant) for row in rows] == [(1, 7), (1, 5), (1, 6)]


def test_a_double_walkover_gives_nobody_a_point() -> None:
    rows = standings([1, 2, 3], [Meeting(1, 2, LOSS, LOSS), Meeting(1, 3, DRAW, DRAW)])
    assert [(row.place, row.entrant, row.points) for row in rows] == [(1, 1, DRAW), (1, 3, DRAW), (3, 2, 0)]
    assert sum(row.points for row in rows) == POINT


@pytest.mark.parametrize("meeting", [Meeting(1, 1, WIN, LOSS), Meeting(1, 9, WIN, LOSS)])
def test_a_meeting_of_strangers_is_refused(meeting: Meeting) -> None:
    with pytest.raises(ValueError, match="two entrants"):
        standings([1, 2], [meeting])


@given(
    st.integers(2, 9).flatmap(
        lambda n: st.tuples(st.just(n), st.lists(st.sampled_from(AWARDS), min_size=36, max_size=36))
    )
)
def test_points_are_conserved_and_places_are_ranks(case: tuple[int, list[tuple[int, int]]]) -> None:
    entrants, awards = case
    pairs = [(a, b) for a in range(entrants) for b in range(a)]
    meetings = [Meeting(a, b, *award) for (a, b), award in zip(pairs, awards, strict=False)]
    rows = standings(range(entrants), meetings)
    assert sum(row.points for row in rows) == POINT * len(pairs)
    assert sorted(row.entrant for row in rows) == list(range(entrants))
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    for index, row in enumerate(rows):
        key = (row.points, *(row.metrics[metric.key] for metric in METRICS))
        better = [other for other in rows if (other.points, *(other.metrics[m.key] for m in METRICS)) > key]
        assert row.place == 1 + len(better)
        assert all(rows[number].points >= row.points for number in range(index))
    # Sonneborn-Berger counts the same products from both sides of a draw, and the order of meetings does not matter.
    assert rows == standings(range(entrants), list(reversed(meetings)))


def test_knock_out_places() -> None:
    exits = [
        knock_out.Exit(1, None),
        knock_out.Exit(2, 3, "Final"),
        knock_out.Exit(3, 2, "Semi-finals"),
        knock_out.Exit(4, 2, "Semi-finals", walkover=True),
        knock_out.Exit(5, 1, "Round 1"),
    ]
    rows = knock_out.standings(exits, finished=True)
    assert [(row.place, row.entrant, row.reason) for row in rows] == [
        (1, 1, "Winner"),
        (2, 2, "Knocked out in the final"),
        (3, 3, "Knocked out in “Semi-finals”"),
        (3, 4, "Left before “Semi-finals” was played"),
        (5, 5, "Knocked out in “Round 1”"),
    ]
    running = knock_out.standings([knock_out.Exit(1, None), *exits[2:]], finished=False)
    assert [row.place for row in running] == [None, 2, 2, 4]


def test_when_all_have_left_nobody_is_first() -> None:
    rows = knock_out.standings(
        [knock_out.Exit(1, 1, "Final", True), knock_out.Exit(2, 1, "Final", True)], finished=True
    )
    assert [row.place for row in rows] == [2, 2]


def test_an_elimination_has_one_winner() -> None:
    with pytest.raises(ValueError, match="one winner"):
        knock_out.standings([knock_out.Exit(1, None), knock_out.Exit(2, None)], finished=True)
