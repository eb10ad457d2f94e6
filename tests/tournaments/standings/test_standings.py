"""Standings of eliminations: who left in which round."""

from __future__ import annotations

import pytest

from tournaments.standings import knock_out


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
