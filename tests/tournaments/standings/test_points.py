"""Points by result and by place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.points import ByPlace, ByResult, bye_outcome, match_outcome
from tournaments.standings.results import POINT, Kind


def test_by_result() -> None:
    rule = ByResult(win=3 * POINT, draw=POINT, allocated=3 * POINT)
    assert rule.award([1, 2]) == (3 * POINT, 0)
    assert rule.award([2, 1]) == (0, 3 * POINT)
    assert rule.award([1, 1]) == (POINT, POINT)
    assert [rule.bye(kind) for kind in (Kind.BYE_ALLOCATED, Kind.BYE_FULL, Kind.BYE_HALF, Kind.BYE_ZERO)] == [
        3 * POINT, 3 * POINT, POINT, 0,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="matches of two"):
        rule.award([1, 2, 3])
    with pytest.raises(ValueError, match="no bye"):
        rule.bye(Kind.PLAYED)


FOUR = ByPlace({4: (5 * POINT, 3 * POINT, 2 * POINT, POINT), 3: (5 * POINT, 3 * POINT, POINT)}, allocated=2 * POINT)


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ([1, 2, 3, 4], [5, 3, 2, 1]),
        ([4, 1, 3, 2], [1, 5, 2, 3]),
        ([1, 1, 3, 4], [4, 4, 2, 1]),
        ([1, 2, 2, 2], [5, 2, 2, 2]),
        ([1, 1, 1, 1], [2.75] * 4),
        ([1, 2, 3], [5, 3, 1]),
        ([1, 1, 1], [3, 3, 3]),
    ],
)
def test_by_place(places: list[int], points: list[float]) -> None:
    assert [value / POINT for value in FOUR.award(places)] == points


@given(st.lists(st.integers(1, 4), min_size=2, max_size=8), st.data())
def test_ties_share_exactly(scores: list[int], data: st.DataObject) -> None:
    size = len(scores)
    points = sorted(data.draw(st.lists(st.integers(0, 20), min_size=size, max_size=size)), reverse=True)
    rule = ByPlace({size: tuple(POINT * value for value in points)}, allocated=0)
    places = [1 + sum(other < score for other in scores) for score in scores]
    awarded = rule.award(places)
    assert sum(awarded) == POINT * sum(points)
    by_place = dict(zip(places, awarded, strict=True))
    assert [by_place[place] for place in places] == list(awarded)
    assert [by_place[place] for place in sorted(by_place)] == sorted(by_place.values(), reverse=True)


def test_unfit_points_are_refused() -> None:
    for by_size, words in (
        ({}, "any table"),
        ({3: (POINT, 0)}, "3 places"),
        ({9: (0,) * 9}, "2 to 8"),
        ({2: (0, POINT)}, "fewer points"),
        ({2: (1, 0)}, "whole points"),
    ):
        with pytest.raises(ValueError, match=words):
            ByPlace(by_size, allocated=0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no points for a table of 2"):
        FOUR.award([1, 2])


def test_outcomes() -> None:
    outcome = match_outcome(FOUR, round=3, places={7: 2, 8: 1, 9: 3, 4: 4}, absent=[4], game_points={8: 12})
    assert outcome.kind == Kind.PLAYED
    assert [(one.entrant, one.points // POINT, one.game_points, one.came) for one in outcome.shares] == [
        (7, 3, 0, True), (8, 5, 12, True), (9, 2, 0, True), (4, 0, 0, False),
    ]  # fmt: skip
    alone = match_outcome(FOUR, round=1, places={1: 1, 2: 2, 3: 2}, absent=[2, 3])
    assert (alone.kind, [one.points // POINT for one in alone.shares]) == (Kind.WALKOVER, [5, 0, 0])
    nobody = match_outcome(FOUR, round=1, places={1: 1, 2: 1, 3: 1}, absent=[1, 2, 3])
    assert (nobody.kind, [one.points for one in nobody.shares]) == (Kind.DOUBLE_WALKOVER, [0, 0, 0])
    bye = bye_outcome(FOUR, round=2, entrant=5, kind=Kind.BYE_ALLOCATED)
    assert [(one.entrant, one.points) for one in bye.shares] == [(5, 2 * POINT)]
    with pytest.raises(ValueError, match="no bye"):
        bye_outcome(FOUR, round=2, entrant=5, kind=Kind.WALKOVER)
