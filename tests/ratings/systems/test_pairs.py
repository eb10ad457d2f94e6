"""Which seats of a game are compared, and with what score."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.pairs import Pair, by_places, winner_only


def scores(pairs: tuple[Pair, ...]) -> dict[tuple[int, int], float]:
    return {(pair.first, pair.second): pair.score for pair in pairs}


def test_the_winner_is_compared_with_each_loser_and_losers_with_nobody_else() -> None:
    assert scores(winner_only([2, 1, 2, 2], ())) == {(0, 1): 0.0, (1, 2): 1.0, (1, 3): 1.0}


def test_a_draw_is_a_half_between_every_two_seats_still_in() -> None:
    assert scores(winner_only([1, 1, 1], ())) == {(0, 1): 0.5, (0, 2): 0.5, (1, 2): 0.5}


def test_who_is_out_of_a_draw_lost_to_everybody_still_in() -> None:
    assert scores(winner_only([1, 3, 1, 4], {1, 3})) == {
        (0, 1): 1.0,
        (0, 2): 0.5,
        (0, 3): 1.0,
        (1, 2): 0.0,
        (2, 3): 1.0,
    }


def test_who_is_out_lost_to_the_winner_and_to_the_losers_still_in() -> None:
    assert scores(winner_only([4, 1, 2, 2], {0})) == {(0, 1): 0.0, (0, 2): 0.0, (0, 3): 0.0, (1, 2): 1.0, (1, 3): 1.0}


def test_two_that_are_out_are_not_compared_though_their_places_differ() -> None:
    assert scores(winner_only([1, 3, 2], {1, 2})) == {(0, 1): 1.0, (0, 2): 1.0}


def test_a_second_place_that_is_in_beat_a_third_that_is_out() -> None:
    assert scores(winner_only([1, 3, 2], {1})) == {(0, 1): 1.0, (0, 2): 1.0, (1, 2): 0.0}


def test_nobody_first_is_refused() -> None:
    with pytest.raises(ValueError, match="first place"):
        winner_only([2, 2], ())


def test_a_first_place_that_is_out_is_refused() -> None:
    with pytest.raises(ValueError, match="out cannot"):
        winner_only([1, 2], {0})


def test_points_compare_every_two_seats() -> None:
    assert scores(by_places([2, 1, 2])) == {(0, 1): 0.0, (0, 2): 0.5, (1, 2): 1.0}


@given(st.lists(st.booleans(), min_size=2, max_size=8), st.data())
def test_seats_in_a_different_order_are_compared_alike(still_in: list[bool], data: st.DataObject) -> None:
    still_in[0] = True
    drawn = data.draw(st.booleans())
    out = [seat for seat, is_in in enumerate(still_in) if not is_in]
    in_ = [seat for seat, is_in in enumerate(still_in) if is_in]
    places = [0] * len(still_in)
    for seat in in_:
        places[seat] = 1 if drawn or seat == 0 else 2
    for rank, seat in enumerate(out):
        places[seat] = len(in_) + 1 + rank
    order = data.draw(st.permutations(range(len(places))))

    def by_name(pairs: tuple[Pair, ...], names: list[int]) -> set[tuple[int, int, float]]:
        both = [(names[a], names[b], score) for a, b, score in pairs]
        return {*both, *((b, a, 1.0 - score) for a, b, score in both)}

    there = winner_only(places, set(out))
    here = winner_only([places[seat] for seat in order], {order.index(seat) for seat in out})
    assert by_name(there, list(range(len(places)))) == by_name(here, order)
