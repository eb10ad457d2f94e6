"""The course of a match: every rule of the page for organizers, and what must hold for any results."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tournaments.pairing.match import Course, Decided, NextGame, match_course

A, B, C, D, E = 10, 20, 30, 40, 50


def won(winner: int, *others: int) -> dict[int, int]:
    return {winner: 1, **dict.fromkeys(others, 2)}


def drawn(*players: int) -> dict[int, int]:
    return dict.fromkeys(players, 1)


def test_a_duel_is_one_game() -> None:
    assert match_course([A, B], advance=1) == NextGame((A, B))
    assert match_course([A, B], advance=1, results=[won(B, A)]) == Decided((B,), {B: 1, A: 2})


def test_a_draw_is_replayed_twice_then_the_better_seed_goes_on() -> None:
    results = [drawn(A, B)]
    assert match_course([A, B], advance=1, results=results) == NextGame((B, A))
    assert match_course([A, B], advance=1, results=results * 2) == NextGame((A, B))
    assert match_course([A, B], advance=1, results=results * 3) == Decided((A,), {A: 1, B: 2}, by_seed=True)
    assert match_course([A, B], advance=1, results=[*results, won(B, A)]) == Decided((B,), {B: 1, A: 2})


def test_best_of_three() -> None:
    course = [[won(A, B)], [won(A, B), won(B, A)], [won(A, B), won(B, A), won(B, A)]]
    assert match_course([A, B], advance=1, best_of=3, results=course[0]) == NextGame((B, A))
    assert match_course([A, B], advance=1, best_of=3, results=course[1]) == NextGame((A, B))
    assert match_course([A, B], advance=1, best_of=3, results=course[2]) == Decided((B,), {B: 1, A: 2})
    assert match_course([A, B], advance=1, best_of=3, results=[won(A, B)] * 2) == Decided((A,), {A: 1, B: 2})


def test_three_draws_in_a_row_give_one_game_of_a_series_to_the_better_seed() -> None:
    draws = [drawn(A, B)] * 3
    assert isinstance(match_course([A, B], advance=1, best_of=3, results=draws), NextGame)
    assert match_course([A, B], advance=1, best_of=3, results=[*draws, won(A, B)]).through == (A,)  # type: ignore[union-attr]
    # A won game between them starts the count again.
    mixed = [drawn(A, B), drawn(A, B), won(B, A), drawn(A, B), drawn(A, B)]
    assert isinstance(match_course([A, B], advance=1, best_of=3, results=mixed), NextGame)


def test_at_a_table_the_others_play_on_until_enough_are_through() -> None:
    table = [A, B, C, D]
    assert match_course(table, advance=2) == NextGame((A, B, C, D))
    first = won(C, A, B, D)
    assert match_course(table, advance=2, results=[first]) == NextGame((B, D, A))
    assert match_course(table, advance=2, results=[first, won(D, A, B)]) == Decided((C, D), {C: 1, D: 2, A: 3, B: 3})
    third = match_course(table, advance=3, results=[first, won(D, A, B)])
    assert third == NextGame((A, B))
    done = match_course(table, advance=3, results=[first, won(D, A, B), won(B, A)])
    assert done == Decided((C, D, B), {C: 1, D: 2, B: 3, A: 4})


def test_whoever_was_put_out_lost_to_those_still_in() -> None:
    # D is out of the game that C wins: A and B are ahead of D, and one place is left for the two of them.
    out = {C: 1, A: 2, B: 2, D: 4}
    assert match_course([A, B, C, D], advance=2, results=[out]) == NextGame((B, A))
    # With two places left both go on without another game; with three left D does too, but last.
    assert match_course([A, B, C, D], advance=3, results=[out]) == Decided((C, A, B), {C: 1, A: 2, B: 3, D: 4})
    # Two are out: the one still in goes on, and they play for what is left.
    two_out = {A: 1, B: 2, C: 3, D: 4}
    assert match_course([A, B, C, D], advance=2, results=[two_out]) == Decided((A, B), {A: 1, B: 2, C: 3, D: 4})


def test_a_draw_of_those_still_in_puts_the_others_behind() -> None:
    result = {A: 1, B: 1, C: 3, D: 4}
    assert match_course([A, B, C, D], advance=1, results=[result]) == NextGame((B, A))
    assert match_course([A, B, C, D], advance=2, results=[result]) == Decided((A, B), {A: 1, B: 2, C: 3, D: 4})
    # Draws in a row count on when the group gets smaller.
    three = [result, drawn(A, B), drawn(A, B)]
    assert match_course([A, B, C, D], advance=1, results=three) == Decided((A,), {A: 1, B: 2, C: 3, D: 4}, by_seed=True)


def test_three_draws_at_a_table_let_the_better_seed_through_and_the_others_play_on() -> None:
    course = match_course([A, B, C], advance=2, results=[drawn(A, B, C)] * 3)
    assert course == NextGame((C, B))
    done = match_course([A, B, C], advance=2, results=[*[drawn(A, B, C)] * 3, won(C, B)])
    assert done == Decided((A, C), {A: 1, C: 2, B: 3}, by_seed=True)


def test_who_has_left_never_goes_on() -> None:
    assert match_course([A, B], advance=1, gone=[A]) == Decided((B,), {B: 1, A: 2})
    assert match_course([A, B], advance=1, best_of=3, results=[won(A, B)], gone=[A]) == Decided((B,), {B: 1, A: 2})
    assert match_course([A, B], advance=1, gone=[A, B]) == Decided((), {A: 2, B: 2})
    assert match_course([A, B], advance=1, best_of=3, gone=[A, B]) == Decided((), {A: 2, B: 2})
    assert match_course([A, B], advance=0, gone=[A, B]) == Decided((), {A: 2, B: 2})
    assert match_course([A, B, C, D], advance=2, gone=[A, B, D]) == Decided((C,), {C: 1, A: 3, B: 3, D: 3})
    assert match_course([A, B, C], advance=2, gone=[B]) == Decided((A, C), {A: 1, C: 2, B: 3})
    # The winner of a game that was not the last leaves: the place is played for again, and that was no draw.
    course = match_course([A, B, C, D], advance=1, results=[won(A, B, C, D)], gone=[A])
    assert course == NextGame((C, D, B))
    assert match_course([A, B, C, D], advance=1, results=[won(A, B, C, D), won(B, C, D)], gone=[A]) == Decided(
        (B,), {B: 1, C: 2, D: 2, A: 4}
    )


def test_who_leaves_later_still_counts_in_the_games_before() -> None:
    # The better seed of the third draw goes through and leaves; the others have played on meanwhile.
    draws = [drawn(A, B, C, D)] * 3
    results = [*draws, won(B, C, D)]
    assert match_course([A, B, C, D], advance=2, results=results).through == (A, B)  # type: ignore[union-attr]
    assert match_course([A, B, C, D], advance=2, results=results, gone=[A]) == NextGame((C, D))
    done = match_course([A, B, C, D], advance=2, results=[*results, won(D, C)], gone=[A])
    assert done == Decided((B, D), {B: 1, D: 2, C: 3, A: 4}, by_seed=True)
    # C had left before the second game, and was not asked to play it.
    second = [won(A, B, C, D), won(D, B)]
    assert match_course([A, B, C, D], advance=2, results=second, gone=[C]) == Decided((A, D), {A: 1, D: 2, B: 3, C: 4})


def test_a_match_with_enough_room_needs_no_game() -> None:
    assert match_course([A], advance=1) == Decided((A,), {A: 1})
    assert match_course([], advance=2) == Decided((), {})
    assert match_course([A, B], advance=2) == Decided((A, B), {A: 1, B: 2})


def test_in_a_round_robin_a_draw_is_a_result() -> None:
    assert match_course([B, A], advance=0) == NextGame((B, A))
    assert match_course([A, B], advance=0, results=[drawn(A, B)]) == Decided((), {A: 1, B: 1})
    assert match_course([A, B], advance=0, results=[won(B, A)]) == Decided((), {B: 1, A: 2})
    assert match_course([A, B], advance=0, best_of=3, results=[won(B, A), drawn(A, B)]) == NextGame((A, B))
    assert match_course([A, B], advance=0, best_of=3, results=[won(B, A), drawn(A, B), won(A, B)]).places == {
        A: 1,
        B: 1,
    }  # type: ignore[union-attr]
    assert match_course([A, B], advance=0, gone=[A]) == Decided((), {B: 1, A: 2})


def test_results_of_others_are_refused() -> None:
    with pytest.raises(ValueError, match="played by others"):
        match_course([A, B, C], advance=1, results=[won(A, B)])
    with pytest.raises(ValueError, match="lacks an entrant"):
        match_course([A, B], advance=1, best_of=3, results=[won(A, C)])
    with pytest.raises(ValueError, match="named twice"):
        match_course([A, A], advance=1)


def test_the_first_seat_goes_round() -> None:
    seats = [match_course([A, B], advance=1, best_of=9, results=r, first_seat=1) for r in
             ([], [won(A, B)], [won(A, B), won(B, A)])]  # fmt: skip
    assert seats == [NextGame((B, A)), NextGame((A, B)), NextGame((B, A))]


@st.composite
def matches(draw: st.DrawFn) -> tuple[int, int, int, int]:
    entrants = draw(st.integers(2, 8))
    return (
        entrants,
        draw(st.integers(0 if entrants == 2 else 1, entrants - 1)),
        draw(st.sampled_from([1, 3, 5]) if entrants == 2 else st.just(1)),
        draw(st.integers(0, 10_000)),
    )


@given(matches(), st.sampled_from([0.0, 0.3, 1.0]), st.sampled_from([0.0, 0.2]))
@example((7, 3, 1, 133), 1.0, 0.2)
def test_every_match_ends_with_as_many_through_as_it_says(
    match: tuple[int, int, int, int], draws: float, leaving: float
) -> None:
    entrants, advance, best_of, seed = match
    chance = random.Random(seed)
    ids = [100 + number for number in range(entrants)]
    results: list[dict[int, int]] = []
    gone: set[int] = set()
    for _ in range(200):
        course: Course = match_course(ids, advance=advance, best_of=best_of, results=results, gone=gone)
        if isinstance(course, Decided):
            break
        assert len(course.seats) == len(set(course.seats)) >= 2
        assert not gone & set(course.seats)
        order = list(course.seats)
        chance.shuffle(order)
        out = order[: chance.randint(0, len(order) - 2)] if chance.random() < 0.3 else []
        still = [entrant for entrant in order if entrant not in out]
        places = dict.fromkeys(still, 1) if chance.random() < draws else won(*still)
        places.update({entrant: len(order) - number for number, entrant in enumerate(out)})
        results.append(places)
        if chance.random() < leaving:
            gone.add(chance.choice(ids))
    else:
        pytest.fail("the match goes on for ever")
    staying = [entrant for entrant in ids if entrant not in gone]
    assert len(course.through) == min(advance, len(staying))
    assert not set(course.through) & gone
    assert set(course.places) == set(ids)
    for entrant, place in course.places.items():
        better = sum(other < place for other in course.places.values())
        # Only a place that goes on may be nobody's.
        assert place == better + 1 or (better < place and entrant in gone)
        assert advance == 0 or (place <= advance) == (entrant in course.through)
    assert [course.places[entrant] for entrant in course.through] == list(range(1, len(course.through) + 1))


@pytest.mark.parametrize("size", range(2, 9))
def test_the_seats_are_balanced_in_the_williams_order(size: int) -> None:
    group = list(range(size))
    games = size if size % 2 == 0 else 2 * size
    rows = []
    for number in range(games):
        course = match_course(group, advance=1, best_of=9, play_all=True, results=[], first_seat=number)
        assert isinstance(course, NextGame)
        rows.append(course.seats)
    assert rows[0] == tuple(group)
    for seat in range(size):
        assert sorted(row[seat] for row in rows) == sorted(group * (games // size)), "each seat equally often"
        assert sorted(row[seat] for row in rows[:size]) == group, "each seat once in as many games as there are seats"
    neighbours = [pair for row in rows for pair in itertools.pairwise(row)]
    assert {neighbours.count(pair) for pair in neighbours} == {games // size if size % 2 == 0 else 2}
    assert len(set(neighbours)) == size * (size - 1), "everybody comes directly after everybody else"


def test_all_games_are_played_and_the_sum_decides() -> None:
    table = [A, B, C, D]
    first, second = {A: 1, B: 2, C: 2, D: 4}, {A: 3, B: 1, C: 1, D: 4}
    settings = {"advance": 2, "best_of": 2, "play_all": True}
    assert match_course(table, **settings) == NextGame((A, B, C, D))  # type: ignore[arg-type]
    assert match_course(table, **settings, results=[first]) == NextGame((B, D, A, C))  # type: ignore[arg-type]
    # A 3 + 1, B and C 1½ + 2½, D nothing: all three are level for two places and play on.
    again = match_course(table, **settings, results=[first, second])  # type: ignore[arg-type]
    assert isinstance(again, NextGame)
    assert set(again.seats) == {A, B, C}
    done = match_course(table, **settings, results=[first, second, {A: 2, B: 1, C: 2}])  # type: ignore[arg-type]
    assert isinstance(done, NextGame), "one place is left for two"
    done = match_course(table, **settings, results=[first, second, {A: 2, B: 1, C: 2}, won(C, A)])  # type: ignore[arg-type]
    assert done == Decided((B, C), {B: 1, C: 2, A: 3, D: 4})


def test_an_even_number_of_games_between_two_is_played_on_when_level() -> None:
    settings = {"advance": 1, "best_of": 2, "play_all": True}
    assert match_course([A, B], **settings, results=[won(A, B)]) == NextGame((B, A))  # type: ignore[arg-type]
    level = [won(A, B), won(B, A)]
    assert match_course([A, B], **settings, results=level) == NextGame((A, B))  # type: ignore[arg-type]
    assert match_course([A, B], **settings, results=[*level, won(B, A)]) == Decided((B,), {B: 1, A: 2})  # type: ignore[arg-type]
    drawn_out = [*level, *[drawn(A, B)] * 3]
    assert match_course([A, B], **settings, results=drawn_out) == Decided((A,), {A: 1, B: 2}, by_seed=True)  # type: ignore[arg-type]


def test_in_a_round_robin_all_games_are_played_even_when_decided() -> None:
    settings = {"advance": 0, "best_of": 4, "play_all": True}
    won_already = [won(A, B)] * 3
    assert match_course([A, B], **settings, results=won_already) == NextGame((B, A))  # type: ignore[arg-type]
    assert match_course([A, B], **settings, results=[*won_already, won(B, A)]) == Decided((), {A: 1, B: 2})  # type: ignore[arg-type]
    halves = [won(A, B), won(B, A)] * 2
    assert match_course([A, B], **settings, results=halves) == Decided((), {A: 1, B: 1})  # type: ignore[arg-type]


def test_who_leaves_during_all_games_is_behind_and_the_others_go_on() -> None:
    settings = {"advance": 1, "best_of": 3, "play_all": True}
    first = {A: 1, B: 2, C: 2}
    course = match_course([A, B, C], **settings, results=[first], gone=[A])  # type: ignore[arg-type]
    assert course == NextGame((C, B))
    results = [first, {B: 1, C: 2}, {B: 1, C: 2}]
    assert match_course([A, B, C], **settings, results=results, gone=[A]) == Decided((B,), {B: 1, C: 2, A: 3})  # type: ignore[arg-type]


def test_at_a_table_where_nobody_is_knocked_out_one_game_gives_the_places() -> None:
    assert match_course([D, A, C, B], advance=0) == NextGame((D, A, C, B))
    places = {A: 1, B: 2, C: 2, D: 4}
    assert match_course([D, A, C, B], advance=0, results=[places]) == Decided((), places)


def test_who_left_before_the_game_at_such_a_table_is_last_and_the_others_play() -> None:
    assert match_course([D, A, C, B], advance=0, gone=[A]) == NextGame((D, C, B))
    assert match_course([D, A, C, B], advance=0, gone=[A], results=[{D: 2, C: 1, B: 3}]) == Decided(
        (), {C: 1, D: 2, B: 3, A: 4}
    )
    assert match_course([A, B, C], advance=0, gone=[A, B]) == Decided((), {C: 1, A: 2, B: 2})
    assert match_course([A, B, C], advance=0, gone=[A, B, C]) == Decided((), {A: 2, B: 2, C: 2})


def test_who_left_after_the_game_at_such_a_table_keeps_the_place() -> None:
    places = {A: 1, B: 2, C: 3}
    assert match_course([A, B, C], advance=0, gone=[A], results=[places]) == Decided((), places)
    assert match_course([A, B], advance=0, gone=[A], results=[won(A, B)]) == Decided((), {A: 1, B: 2})


def test_several_games_at_such_a_table_add_up() -> None:
    games = [{A: 1, B: 2, C: 3}, {A: 3, B: 1, C: 2}]
    assert match_course([A, B, C], advance=0, best_of=3, play_all=True) == NextGame((A, B, C))
    second = match_course([A, B, C], advance=0, best_of=3, play_all=True, results=games[:1])
    assert isinstance(second, NextGame)
    assert second.seats != (A, B, C)
    assert sorted(second.seats) == sorted((A, B, C))
    assert match_course([A, B, C], advance=0, best_of=2, play_all=True, results=games) == Decided(
        (), {B: 1, A: 2, C: 3}
    )
