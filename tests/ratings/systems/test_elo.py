"""The policy bearena-elo: outside cases, and what must hold for every game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import BEARENA_ELO, PARTS, BearenaElo, Contestant, whole_tenths
from ratings.systems.pairs import by_places, winner_only

DATA = Path(__file__).parents[2] / "data" / "ratings"
MULTIELO = json.loads((DATA / "multielo.json").read_text())
FIDE = json.loads((DATA / "fide_b02_tables.json").read_text())
# With a base other than 1 multielo weighs places; with two seats every base is the same.
MULTIELO_CASES = [case for case in MULTIELO["cases"] if case["base"] == 1.0 or len(case["new"]) == 2]

established = st.builds(Contestant, st.integers(0, 30_000), st.integers(20, 2_000), st.just(0))
provisional = st.builds(Contestant, st.integers(0, 30_000), st.integers(0, 19), st.just(0))
anybody = st.builds(Contestant, st.integers(0, 30_000), st.integers(0, 200), st.just(0))


@st.composite
def tables(draw: st.DrawFn, contestant: st.SearchStrategy[Contestant]) -> tuple[list[Contestant], list[int], set[int]]:
    """A table of two to eight, its places as in a winner-only game, and who is out."""
    seats = draw(st.integers(2, 8))
    contestants = [draw(contestant)._replace(key=seat) for seat in range(seats)]
    order = draw(st.permutations(range(seats)))
    out = set(order[draw(st.integers(1, seats)) :])
    drawn = draw(st.booleans())
    places = [1 if drawn else 2] * seats
    places[order[0]] = 1
    for rank, seat in enumerate(order[seats - len(out) :]):
        places[seat] = seats - len(out) + 1 + rank
    return contestants, places, out


def flat(k: float, scale: float = 400.0) -> BearenaElo:
    """The policy with one K for everybody."""
    return BearenaElo(scale=scale, k_start=k, k_established=k, k_settled=k, provisional_games=0)


def settled(*ratings: int) -> list[Contestant]:
    return [Contestant(rating * 10, 500, key) for key, rating in enumerate(ratings)]


def unrounded(policy: BearenaElo, contestants: list[Contestant], places: list[int]) -> list[float]:
    """New ratings in points, before rounding."""
    moves = policy.moves(contestants, by_places(places))
    return [(one.rating + move.parts / PARTS) / 10 for one, move in zip(contestants, moves, strict=True)]


@pytest.mark.parametrize("case", MULTIELO_CASES)
def test_multielo_at_the_equivalent_factor(case: dict[str, Any]) -> None:
    contestants = settled(*case["ratings_in_finish_order"])
    seats = len(contestants)
    policy = flat(case["K"] * 2 * (seats - 1) / seats, case["D"])
    places = list(range(1, seats + 1))
    assert unrounded(policy, contestants, places) == pytest.approx(case["new"], abs=1e-6)
    rounded = [change.after / 10 for change in policy.rate(contestants, by_places(places))]
    assert rounded == pytest.approx(case["new"], abs=0.1)


@pytest.mark.parametrize("case", MULTIELO["ties"])
def test_multielo_ties_at_the_equivalent_factor(case: dict[str, Any]) -> None:
    contestants = settled(*case["ratings"])
    seats = len(contestants)
    policy = flat(case["K"] * 2 * (seats - 1) / seats)
    assert unrounded(policy, contestants, case["place"]) == pytest.approx(case["new"], abs=1e-6)


def test_expected_scores_are_close_to_fides_table() -> None:
    # FIDE's table is the normal curve and ours the logistic one; they differ by at most 0.021, at large differences.
    below = 0
    for upper, expected in FIDE["table_8_1_2_D_upper_to_PD_higher"]:
        middle = (below + (upper or 800)) / 2
        assert BEARENA_ELO.expected(round(middle * 10)) == pytest.approx(expected, abs=0.021)
        below = (upper or 0) + 1


@given(st.integers(-30_000, 30_000))
def test_expected_scores_of_both_sides_add_up_to_one(difference: int) -> None:
    total = BEARENA_ELO.expected(difference) + BEARENA_ELO.expected(-difference)
    assert total == pytest.approx(1.0, abs=1e-12)


def test_a_duel_between_equals() -> None:
    win, loss = BEARENA_ELO.rate([Contestant(15_000, 50, 1), Contestant(15_000, 50, 2)], by_places([1, 2]))
    assert (win.after, loss.after) == (15_160, 14_840)
    assert (win.score, win.expected, win.k, win.games_before) == (1.0, 0.5, 32.0, 50)


def test_four_equals_share_the_loss_and_the_odd_tenth_goes_to_the_smallest_key() -> None:
    table = [Contestant(15_000, 50, key) for key in (9, 3, 5, 7)]
    changes = [one.after - one.before for one in BEARENA_ELO.rate(table, winner_only([1, 2, 2, 2], ()))]
    assert changes == [160, -53, -53, -54]


def test_the_smaller_k_counts_between_established_players() -> None:
    old, young = BEARENA_ELO.rate([Contestant(15_000, 100, 1), Contestant(15_000, 99, 2)], by_places([1, 2]))
    assert (old.after - old.before, young.after - young.before) == (100, -100)


def test_provisional_players_move_more_and_move_others_less() -> None:
    new, old = BEARENA_ELO.rate([Contestant(15_000, 10, 1), Contestant(15_000, 50, 2)], by_places([1, 2]))
    assert (new.after - new.before, old.after - old.before) == (240, -80)


def test_the_smaller_k_counts_between_provisional_players_too() -> None:
    new, newer = BEARENA_ELO.rate([Contestant(15_000, 10, 1), Contestant(15_000, 0, 2)], by_places([1, 2]))
    assert (new.after - new.before, newer.after - newer.before) == (240, -240)


def test_k_falls_evenly_and_then_in_steps() -> None:
    assert [BEARENA_ELO.own_k(games) for games in (0, 5, 19, 20, 99, 100)] == [64, 56, 33.6, 32, 32, 20]


def test_a_win_over_somebodys_first_game_is_worth_nothing() -> None:
    rating = 15_000
    for friend in range(500):
        change, _ = BEARENA_ELO.rate([Contestant(rating, 20 + friend, 0), Contestant(15_000, 0, 1)], by_places([1, 2]))
        rating = change.after
    assert rating == 15_000


def test_three_friends_cannot_make_points() -> None:
    ratings = [15_000, 15_000, 15_000]
    for turn in range(900):
        loser = 1 + turn % 2
        pair = [Contestant(ratings[0], 20 + turn, 0), Contestant(ratings[loser], 20 + turn // 2, loser)]
        ratings[0], ratings[loser] = (one.after for one in BEARENA_ELO.rate(pair, by_places([1, 2])))
    assert sum(ratings) == 45_000
    # Each further win is worth less: 900 games given away lift one of them by less than 600 points.
    assert ratings == [20_839, 12_073, 12_088]


def test_a_fresh_account_that_is_let_win_brings_in_a_bounded_amount() -> None:
    fresh, friend = 15_000, 15_000
    for game in range(20):
        pair = [Contestant(fresh, game, 1), Contestant(friend, 200 + game, 2)]
        fresh, friend = (one.after for one in BEARENA_ELO.rate(pair, by_places([1, 2])))
    # From then on the two only pass points to and fro.
    assert (fresh + friend - 30_000) / 10 == 237.3


@pytest.mark.parametrize("seats", [1, 9])
def test_a_table_of_another_size_is_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="two to eight"):
        BEARENA_ELO.rate([Contestant(15_000, 0, key) for key in range(seats)], ())


def test_one_player_in_two_seats_is_refused() -> None:
    with pytest.raises(ValueError, match="different player"):
        BEARENA_ELO.rate([Contestant(15_000, 0, 1), Contestant(15_000, 0, 1)], by_places([1, 2]))


@given(st.one_of(tables(established), tables(provisional)))
def test_a_game_among_established_or_among_provisional_players_sums_to_zero(
    table: tuple[list[Contestant], list[int], set[int]],
) -> None:
    contestants, places, out = table
    for pairs in (winner_only(places, out), by_places(places)):
        assert sum(change.after - change.before for change in BEARENA_ELO.rate(contestants, pairs)) == 0


@given(tables(anybody), st.randoms(use_true_random=False))
def test_the_order_of_seats_changes_nothing(table: tuple[list[Contestant], list[int], set[int]], random: Any) -> None:
    contestants, places, out = table
    order = list(range(len(places)))
    random.shuffle(order)
    here = BEARENA_ELO.rate(contestants, winner_only(places, out))
    there = BEARENA_ELO.rate(
        [contestants[seat] for seat in order],
        winner_only([places[seat] for seat in order], {order.index(seat) for seat in out}),
    )
    for mine, moved in zip(there, (here[seat] for seat in order), strict=True):
        assert mine[:4] == moved[:4]
        assert mine[4:] == pytest.approx(moved[4:], abs=1e-9)


@given(tables(anybody))
def test_winners_never_lose_losers_never_win_and_nobody_moves_by_more_than_k(
    table: tuple[list[Contestant], list[int], set[int]],
) -> None:
    contestants, places, out = table
    changes = BEARENA_ELO.rate(contestants, winner_only(places, out))
    for contestant, change, place in zip(contestants, changes, places, strict=True):
        moved = change.after - change.before
        assert abs(moved) <= (640 if contestant.games < 20 else 320)
        assert moved >= 0 or place > 1 or places.count(1) > 1
        assert moved <= 0 or change.score > 0


@given(tables(established), st.data())
def test_a_better_place_is_worth_more(table: tuple[list[Contestant], list[int], set[int]], data: st.DataObject) -> None:
    contestants, _, _ = table
    order = data.draw(st.permutations(range(len(contestants))))
    places = [order.index(seat) + 1 for seat in range(len(contestants))]
    seat = order[data.draw(st.integers(1, len(contestants) - 1))]
    overtaken = order[places[seat] - 2]
    better = list(places)
    better[seat], better[overtaken] = places[overtaken], places[seat]
    assert unrounded(BEARENA_ELO, contestants, better)[seat] > unrounded(BEARENA_ELO, contestants, places)[seat]


@given(st.lists(st.integers(-700 * PARTS, 700 * PARTS), min_size=2, max_size=8))
def test_rounding_keeps_the_sum_and_no_change_moves_by_a_whole_tenth(changes: list[int]) -> None:
    rounded = whole_tenths(changes, range(len(changes)))
    assert abs(sum(rounded) * PARTS - sum(changes)) <= PARTS // 2
    for whole, change in zip(rounded, changes, strict=True):
        assert abs(whole * PARTS - change) < PARTS
        assert whole * change >= 0
