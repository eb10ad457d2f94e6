"""The cut of a stage: never more than there are places."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.cut import Cut, LastPlace, Needed, cut
from tournaments.standings.ranking import Row
from tournaments.standings.results import POINT


def rows_of(*lines: tuple[int, int, int]) -> list[Row]:
    """Return rows from place, entrant and points."""
    return [
        Row(place, entrant, points * POINT, (Fraction(points), Fraction(-place)), None)
        for place, entrant, points in lines
    ]


# 13 and 14 are level on points; 15 and 16 on everything.
ROWS = rows_of((1, 11, 9), (2, 12, 8), (3, 13, 7), (4, 14, 7), (5, 15, 6), (5, 16, 6), (7, 17, 6), (8, 18, 1))


def test_without_a_tie() -> None:
    for rule in LastPlace:
        assert cut(ROWS, 2, rule) == Cut((11, 12), (13, 14, 15, 16, 17, 18))
    assert cut(ROWS, 8, LastPlace.PLAY_OFF) == Cut((11, 12, 13, 14, 15, 16, 17, 18), ())
    assert cut(ROWS, 20, LastPlace.PLAY_OFF).through == (11, 12, 13, 14, 15, 16, 17, 18)


def test_tie_breaks_decide() -> None:
    assert cut(ROWS, 3, LastPlace.TIE_BREAKS).through == (11, 12, 13)
    assert cut(ROWS, 6, LastPlace.TIE_BREAKS) == Cut((11, 12, 13, 14, 15, 16), (17, 18))


def test_what_tie_breaks_leave_open_is_the_organizers() -> None:
    assert cut(ROWS, 5, LastPlace.TIE_BREAKS) == Cut((11, 12, 13, 14), (17, 18), (15, 16), 1, Needed.ORGANIZER)
    settled = cut(ROWS, 5, LastPlace.TIE_BREAKS, decided=[16, 15])
    assert settled == Cut((11, 12, 13, 14, 16), (15, 17, 18))


def test_a_play_off_is_between_those_level_on_points() -> None:
    assert cut(ROWS, 3, LastPlace.PLAY_OFF) == Cut((11, 12), (15, 16, 17, 18), (13, 14), 1, Needed.PLAY_OFF)
    assert cut(ROWS, 5, LastPlace.PLAY_OFF) == Cut((11, 12, 13, 14), (18,), (15, 16, 17), 1, Needed.PLAY_OFF)
    settled = cut(ROWS, 5, LastPlace.PLAY_OFF, decided=[17, 15, 16])
    assert settled == Cut((11, 12, 13, 14, 17), (15, 16, 18))


def test_the_organizer_decides() -> None:
    assert cut(ROWS, 6, LastPlace.ORGANIZER) == Cut((11, 12, 13, 14), (18,), (15, 16, 17), 2, Needed.ORGANIZER)


def test_who_is_unavailable_is_passed_over() -> None:
    assert cut(ROWS, 2, LastPlace.TIE_BREAKS, unavailable={11}) == Cut((12, 13), (14, 15, 16, 17, 18))
    assert cut(ROWS, 3, LastPlace.PLAY_OFF, unavailable={14}).through == (11, 12, 13)
    # "The rest" of a stage, and "3 and 4 of each group", are the cut of who is left.
    first = cut(ROWS, 2, LastPlace.TIE_BREAKS).through
    assert cut(ROWS, 2, LastPlace.TIE_BREAKS, unavailable=first).through == (13, 14)


@pytest.mark.parametrize("decided", [[15], [15, 15], [15, 17], [15, 16, 17]])
def test_a_decision_names_those_who_are_level(decided: list[int]) -> None:
    with pytest.raises(ValueError, match="exactly those"):
        cut(ROWS, 5, LastPlace.TIE_BREAKS, decided=decided)


def test_a_decision_without_a_tie_is_refused() -> None:
    for places in (2, 8):
        with pytest.raises(ValueError, match="nothing to decide"):
            cut(ROWS, places, LastPlace.TIE_BREAKS, decided=[11])
    with pytest.raises(ValueError, match="One entrant"):
        cut(ROWS, 0, LastPlace.TIE_BREAKS)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=40), st.integers(1, 16),
       st.sampled_from(LastPlace), st.integers(0, 10**6))  # fmt: skip
def test_never_nine_in_a_top_eight(scores: list[tuple[int, int]], places: int, rule: LastPlace, seed: int) -> None:
    order = sorted(scores, reverse=True)
    rows = [
        Row(1 + order.index(score), number, score[0] * POINT, (Fraction(score[0]), Fraction(score[1])), None)
        for number, score in enumerate(order)
    ]
    chance = Random(seed)
    gone = {row.entrant for row in rows if chance.random() < 0.1}
    first = cut(rows, places, rule, unavailable=gone)
    eligible = {row.entrant for row in rows} - gone
    assert sorted([*first.through, *first.substitutes, *first.level]) == sorted(eligible)
    assert len(first.through) + first.open == min(places, len(eligible))
    assert (first.needed is None) == (first.open == 0) == (not first.level)
    if first.needed is None:
        final = first
    else:
        assert 0 < first.open < len(first.level)
        decision = chance.sample(first.level, len(first.level))
        final = cut(rows, places, rule, decided=decision, unavailable=gone)
        assert final.through == (*first.through, *decision[: first.open])
        assert final.substitutes == (*decision[first.open :], *first.substitutes)
    assert len(final.through) == min(places, len(eligible))
    assert (final.level, final.open, final.needed) == ((), 0, None)
    points = {row.entrant: row.points for row in rows}
    if final.through and final.substitutes:
        assert min(points[one] for one in final.through) >= max(points[one] for one in final.substitutes)
