"""Comparison with who held the same cards: worked by hand, and what must hold for any results."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.comparison import Appearance, Held, compared, scores
from tournaments.standings.history import history
from tournaments.standings.points import ByResult, match_outcome
from tournaments.standings.ranking import standings
from tournaments.standings.results import Entrant
from tournaments.standings.tie_break import Given, Rules
from tournaments.standings.tie_breaks import tie_breaks


def test_two_points_for_each_who_did_worse_with_the_same_cards_one_for_each_who_did_equally_well() -> None:
    # Board 1 at four tables: seat 0 was held by 1, 3, 5, 7 with places 1, 2, 2, 4.
    hands = [Held(1, "a", 0, 1), Held(3, "a", 0, 2), Held(5, "a", 0, 2), Held(7, "a", 0, 4), Held(2, "a", 1, 4)]
    best, second, third, last, alone = compared(hands)
    assert [each.points for each in (best, second, third, last)] == [6, 3, 3, 0]
    assert [each.share for each in (best, second, third, last)] == [1, Fraction(1, 2), Fraction(1, 2), 0]
    assert (alone.others, alone.share) == (0, None)


def test_a_match_is_the_mean_of_its_games_and_at_most_one_point() -> None:
    hands = [Held(1, "a", 0, 1), Held(2, "a", 0, 2), Held(3, "a", 0, 3), Held(1, "b", 1, 2), Held(2, "b", 1, 1)]
    games = compared(hands)
    one = Appearance(1, [games[0], games[3]])
    two = Appearance(2, [games[1], games[4]])
    three = Appearance(3, [games[2]])
    found = scores([1, 2, 3], [one, two, three])
    points = {entrant: Fraction(value, found.unit) for entrant, value in found.by_entrant.items()}
    assert points == {1: Fraction(1, 2), 2: Fraction(3, 4), 3: 0}


def test_what_cannot_be_compared_is_half_a_point_and_nothing_for_who_had_left() -> None:
    [alone] = compared([Held(1, "a", 0, 1)])
    found = scores([1, 2, 3, 4], [Appearance(1, [alone]), Appearance(2, []), Appearance(3, [], left=True)])
    assert {entrant: Fraction(value, found.unit) for entrant, value in found.by_entrant.items()} == {
        1: Fraction(1, 2),
        2: Fraction(1, 2),
        3: 0,
        4: 0,
    }


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(1, 8)), max_size=60))
def test_each_pair_of_holders_shares_exactly_two_points(rows: list[tuple[int, int, int]]) -> None:
    hands = [Held(number, deal, seat, place) for number, (deal, seat, place) in enumerate(rows)]
    found = compared(hands)
    pairs = sum(
        one.deal == other.deal and one.seat == other.seat for at, one in enumerate(hands) for other in hands[:at]
    )
    assert sum(each.points for each in found) == 2 * pairs
    assert all(each.share is None or 0 <= each.share <= 1 for each in found)
    total = scores(range(len(hands)), [Appearance(each.held.entrant, [each]) for each in found])
    assert sum(total.by_entrant.values()) * 2 == len(hands) * total.unit, "all cards together are worth half"


def test_the_comparison_decides_before_the_points() -> None:
    won = [match_outcome(ByResult(), round=1, places={best: 1, other: 2}) for best, other in ((1, 2), (3, 4))]
    past = history([Entrant(number, number) for number in range(1, 5)], won)
    order = tie_breaks(["DE"], Rules.FIDE_2026)
    assert [row.entrant for row in standings(past, order).rows] == [1, 3, 2, 4]
    same_cards = Given(
        "CMP", "Same cards", {1: Fraction(1, 3), 2: Fraction(2, 3), 3: Fraction(2, 3), 4: Fraction(1, 3)}
    )
    rows = standings(past, (same_cards, *order)).rows
    assert [(row.place, row.entrant) for row in rows] == [(1, 3), (2, 2), (3, 1), (4, 4)]
