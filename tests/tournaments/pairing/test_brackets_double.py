"""Double elimination, the match for the third place and drawn seeds: what must hold for every size and every result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.pairing.playing import better_seed, lasts, play_out
from tournaments.pairing import double_elimination as module
from tournaments.pairing.bracket import Bracket, Feed, Part, Place
from tournaments.pairing.double_elimination import DropOrder, double_elimination, dropped, second_final
from tournaments.pairing.single_elimination import SeedOrder, first_slots, seed_order, single_elimination
from tournaments.standings import knock_out


def by_chance(seed: int):  # type: ignore[no-untyped-def]
    chance = Random(seed)

    def rule(seeds: Sequence[int]) -> list[int]:
        return chance.sample(list(seeds), len(seeds))

    return rule


@given(st.integers(2, 130), st.integers(0, 10**6))
def test_it_ends_only_when_all_but_one_have_lost_twice(entrants: int, seed: int) -> None:
    planned = double_elimination(entrants)
    bracket, results = play_out(planned, by_chance(seed))
    losses = Counter(order[1] for order in results.values())
    winner = results[len(bracket.matches) - 1][0]
    assert {one: losses[one] for one in range(1, entrants + 1) if one != winner} == dict.fromkeys(
        set(range(1, entrants + 1)) - {winner}, 2
    )
    assert losses[winner] == len(bracket.matches) - len(planned.matches) <= 1
    assert len(planned.matches) == 2 * entrants - 2
    # A second final is played if and only if the winner of the losers' part won the first.
    final = len(planned.matches) - 1
    unbeaten = bracket.sitting(results)[final][0]
    assert (len(bracket.matches) > len(planned.matches)) == (results[final][0] != unbeaten)
    # Nobody plays on after the second loss, and nobody meets anybody a third time but in a second final.
    seen: Counter[int] = Counter()
    for index in sorted(results, key=lambda index: bracket.matches[index].round):
        assert all(seen[one] < 2 for one in results[index])
        seen[results[index][1]] += 1
    met = Counter(frozenset(order) for index, order in results.items() if bracket.matches[index].part != Part.FINAL)
    assert max(met.values(), default=1) <= 2


@given(st.integers(2, 300))
def test_its_plan(entrants: int) -> None:
    bracket = double_elimination(entrants)
    entered = [feed for match in bracket.matches for feed in match.feeds if isinstance(feed, int)]
    assert sorted(entered) == list(range(1, entrants + 1))
    fed = Counter(feed for match in bracket.matches for feed in match.feeds if isinstance(feed, Place))
    wanted = {
        Place(index, place)
        for index, match in enumerate(bracket.matches)
        for place in (1, 2)
        if match.part == Part.MAIN or (match.part == Part.LOSERS and place == 1)
    }
    assert fed == Counter(wanted)
    for place, (index, slot) in bracket.leads_to().items():
        assert bracket.matches[index].feeds[slot] == place
        assert bracket.matches[place.match].round < bracket.matches[index].round
    for number, matches in enumerate(bracket.rounds, start=1):
        assert [match.table for match in matches] == list(range(1, len(matches) + 1))
        assert {(match.round, match.part) for match in matches} == {(number, matches[0].part)}
    assert len(set(bracket.names())) == len(bracket.rounds)
    main = [match for match in bracket.matches if match.part == Part.MAIN]
    assert [match.feeds for match in single_elimination(entrants).matches] == [
        tuple(
            feed if isinstance(feed, int) else Place(main.index(bracket.matches[feed.match]), 1) for feed in match.feeds
        )
        for match in main
    ]


def possible_rematches(bracket: Bracket) -> list[int]:
    """Return for each round of the losers' part how many pairs of main matches could bring people who have met."""
    under: dict[int, set[int]] = {}
    dropped_from: dict[int, set[int]] = {}
    found: Counter[int] = Counter()

    def origins(feed: Feed) -> set[int]:
        assert isinstance(feed, Place)
        return {feed.match} if bracket.matches[feed.match].part == Part.MAIN else dropped_from[feed.match]

    for index, match in enumerate(bracket.matches):
        if match.part == Part.MAIN:
            under[index] = {index}.union(*(under[feed.match] for feed in match.feeds if isinstance(feed, Place)))
        elif match.part == Part.LOSERS:
            first, second = (origins(feed) for feed in match.feeds)
            dropped_from[index] = first | second
            found[match.round] += sum(a in under[b] or b in under[a] for a in first for b in second)
    return [found[number] for number in sorted(found)]


@pytest.mark.parametrize(("size", "rounds"), [(8, 2), (16, 2), (32, 4), (64, 5), (128, 6), (256, 6)])
def test_no_rematch_soon_after_a_drop(size: int, rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    possible = possible_rematches(double_elimination(size))
    assert not any(possible[:rounds])
    assert possible[rounds]
    monkeypatch.setattr(module, "drop_orders", lambda size: (DropOrder.NATURAL,) * (size.bit_length() - 1))
    assert possible_rematches(double_elimination(size))[1]


def test_drop_orders() -> None:
    eight = {order: "".join(dropped("12345678", order)) for order in DropOrder}
    assert eight == {
        DropOrder.NATURAL: "12345678",
        DropOrder.REVERSE: "87654321",
        DropOrder.HALF_SHIFT: "56781234",
        DropOrder.REVERSE_HALVES: "43218765",
        DropOrder.FLIPPED_PAIRS: "21436587",
    }


def test_the_second_final_by_hand() -> None:
    bracket = double_elimination(3)
    assert [(match.part, match.feeds) for match in bracket.matches] == [
        (Part.MAIN, (2, 3)),
        (Part.MAIN, (1, Place(0, 1))),
        (Part.LOSERS, (Place(1, 2), Place(0, 2))),
        (Part.FINAL, (Place(1, 1), Place(2, 1))),
    ]
    assert bracket.names() == ("Winners’ round 1", "Winners’ final", "Losers’ final", "Final")
    before = {0: [2, 3], 1: [1, 2], 2: [2, 3]}
    assert bracket.ready({}) == (0,)
    assert bracket.ready(before) == (3,)
    assert second_final(bracket, before) is None
    assert second_final(bracket, before | {3: [1, 2]}) is None
    again = second_final(bracket, before | {3: [2, 1]})
    assert again is not None
    assert (again.round, again.feeds) == (5, (Place(3, 2), Place(3, 1)))
    longer = Bracket((*bracket.matches, again))
    assert longer.sitting(before | {3: [2, 1]})[4] == (1, 2)
    assert longer.names()[-2:] == ("First final", "Final")
    assert second_final(longer, before | {3: [2, 1], 4: [2, 1]}) is None
    assert second_final(single_elimination(4), {2: [1, 2]}) is None


def test_the_unbeaten_one_who_has_left_is_owed_no_second_final() -> None:
    bracket = double_elimination(2)
    assert second_final(bracket, {0: [1, 2], 1: [2, None]}) is None


def test_a_result_of_a_stranger_is_refused() -> None:
    with pytest.raises(ValueError, match="does not sit there"):
        single_elimination(4).sitting({0: [1, 3]})


def test_a_place_that_nobody_took_stays_empty() -> None:
    bracket = single_elimination(4)
    assert bracket.sitting({0: [], 1: [2, 3]})[2] == (None, 2)
    assert bracket.ready({0: [], 1: [2, 3]}) == (2,)


def test_third_place() -> None:
    bracket = single_elimination(5, third_place=True)
    assert bracket.names() == ("Quarter-finals", "Semi-finals", "Match for third place", "Final")
    assert bracket.matches[-2].feeds == (Place(1, 2), Place(2, 2))
    assert bracket.matches[-1].feeds == (Place(1, 1), Place(2, 1))
    for entrants in (2, 3):
        assert single_elimination(entrants, third_place=True) == single_elimination(entrants)


@given(st.integers(2, 64), st.booleans(), st.integers(0, 10**6))
def test_final_standings_of_any_knock_out(entrants: int, double: bool, seed: int) -> None:
    planned = double_elimination(entrants) if double else single_elimination(entrants, third_place=True)
    bracket, results = play_out(planned, by_chance(seed))
    names = bracket.names()
    last = len(bracket.matches) - 1
    winner = results[last][0]
    exits = [
        knock_out.Exit(
            one,
            None if one == winner else match.round,
            names[match.round - 1],
            place=place if match.part == Part.THIRD_PLACE else 0,
        )
        for one, (match, place) in sorted(lasts(bracket, results).items())
    ]
    rows = knock_out.standings(exits, finished=True)
    assert rows == knock_out.standings(exits, finished=True)
    assert [row.entrant for row in rows[:2]] == results[last]
    assert [row.place for row in rows[:2]] == [1, 2]
    assert sorted(row.entrant for row in rows) == list(range(1, entrants + 1))
    places = [row.place or 0 for row in rows]
    assert all(place == 1 + sum(other < place for other in places) for place in places)
    if entrants > 3:
        assert places[2:4] == [3, 4]


@given(st.integers(2, 200), st.integers(0, 10**6))
def test_drawn_seeds(entrants: int, lots: int) -> None:
    slots = first_slots(entrants, SeedOrder.DRAWN, str(lots))
    assert slots == first_slots(entrants, SeedOrder.DRAWN, str(lots))
    size = len(slots)
    assert sorted(seed for seed in slots if seed) == list(range(1, entrants + 1))
    # The byes are the top seeds'; nobody is paired with nobody.
    alone = [upper or lower for upper, lower in zip(slots[::2], slots[1::2], strict=True) if not (upper and lower)]
    assert sorted(seed or 0 for seed in alone) == list(range(1, size - entrants + 1))
    # The best 2, 4, 8 ... are spread over the halves, quarters, eighths ...
    parts = 2
    while parts <= size:
        width = size // parts
        best = [sum(1 for seed in slots[start : start + width] if seed and seed <= parts)
                for start in range(0, size, width)]  # fmt: skip
        assert best == [1] * parts or parts > entrants
        parts *= 2


def test_lots_are_drawn() -> None:
    drawn = {tuple(first_slots(16, SeedOrder.DRAWN, str(number))) for number in range(20)}
    assert len(drawn) > 10
    assert all(slots[0] == 1 and slots[8] == 2 for slots in drawn)
    assert first_slots(8) == seed_order(8)
    with pytest.raises(ValueError, match="seed"):
        first_slots(8, SeedOrder.DRAWN)
    # The same on every machine: the draw of one seed, written down.
    assert first_slots(8, SeedOrder.DRAWN, "winter") == [1, 8, 3, 5, 2, 6, 4, 7]
    assert play_out(double_elimination(8, order=SeedOrder.DRAWN, lots="winter"), better_seed)[1][13] == [1, 2]
