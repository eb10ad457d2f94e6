"""The chart of a rating."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.chart import MOST_POINTS, Point, draw
from tests.ratings.conftest import NOON


def points(*values: int, minutes: float = 1, provisional: int = 0) -> list[Point]:
    return [
        Point(NOON + timedelta(minutes=minutes * number), value, number < provisional)
        for number, value in enumerate(values)
    ]


@pytest.mark.parametrize("few", [[], points(15_000)])
def test_nothing_is_drawn_of_less_than_two_points(few: list[Point]) -> None:
    assert draw(few) is None


def test_higher_ratings_stand_higher_and_later_ones_to_the_right() -> None:
    chart = draw(points(15_000, 15_160, 14_900))
    assert chart is not None
    assert chart.established == "0,500 500,100 1000,750"
    assert [(line.value, line.top) for line in chart.grid] == [(14_900, 75.0), (15_000, 50.0), (15_100, 25.0)]
    assert (chart.lowest, chart.highest) == (14_900, 15_160)


def test_the_provisional_part_meets_the_established_one() -> None:
    chart = draw(points(15_000, 15_100, 15_200, 15_300, provisional=2))
    assert chart is not None
    assert chart.provisional.split()[-1] == chart.established.split()[1]


def test_games_that_ended_at_one_moment_are_drawn_side_by_side() -> None:
    chart = draw(points(15_000, 15_100, 15_200, minutes=0))
    assert chart is not None
    assert [pair.split(",")[0] for pair in chart.established.split()] == ["0", "500", "1000"]
    assert chart.days is False


@given(st.lists(st.integers(-1_000, 40_000), min_size=2, max_size=30))
def test_every_point_is_inside(values: list[int]) -> None:
    chart = draw(points(*values))
    assert chart is not None
    drawn = [tuple(map(float, pair.split(","))) for pair in chart.established.split()]
    assert len(drawn) == len(values)
    assert all(0 <= x <= 1000 and 0 <= y <= 1000 for x, y in drawn)
    assert 0 <= len(chart.grid) <= 6
    assert all(0 < line.top < 100 for line in chart.grid)


def test_a_long_course_is_thinned_and_keeps_its_ends() -> None:
    chart = draw(points(*range(15_000, 15_700)))
    assert chart is not None
    assert len(chart.established.split()) == MOST_POINTS
    assert chart.last.point.value == 15_699
    assert chart.marks == []
