"""Brackets: outside cases, and what must hold for every size."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.pairing.bracket import Bracket, Place
from tournaments.pairing.round_robin import round_robin
from tournaments.pairing.single_elimination import seed_order, single_elimination
from tournaments.pairing.table_elimination import seating, table_elimination

DATA = Path(__file__).parents[2] / "data" / "tournaments"
CASES = sorted((DATA / "brackets").glob("single_elimination_*.json"))

table_rules = st.integers(3, 8).flatmap(lambda size: st.tuples(st.just(size), st.integers(1, size - 1)))


def chalk(bracket: Bracket) -> list[tuple[int, ...]]:
    """Play a bracket with the better seed always ahead; return who sat at each match."""
    order: list[list[int]] = []
    for match in bracket.matches:
        sitting = [feed if isinstance(feed, int) else order[feed.match][feed.place - 1] for feed in match.feeds]
        order.append(sorted(sitting))
    return [tuple(sitting) for sitting in order]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_single_elimination_equals_brackets_manager(path: Path) -> None:
    case = json.loads(path.read_text())
    theirs = [match for match in case["played"] if match["group"] == 1]
    expected = [(m["round"], tuple(sorted((int(m["opp1"][1:]), int(m["opp2"][1:]))))) for m in theirs]
    bracket = single_elimination(case["n"])
    ours = [(match.round, sitting) for match, sitting in zip(bracket.matches, chalk(bracket), strict=True)]
    assert ours == expected

    first = [m for m in case["matches_initial"] if m["group"] == 1 and m["round"] == 1]
    slots = [int(m[side][1:]) if m[side] != "BYE" else None for m in first for side in ("opp1", "opp2")]
    assert slots == [seed if seed <= case["n"] else None for seed in seed_order(len(slots))]


def test_there_are_outside_cases() -> None:
    assert len(CASES) == 15


def check_tree(bracket: Bracket, entrants: int) -> None:
    """What holds for every knock-out: each seed enters once, each advancing place feeds one later slot, one winner."""
    entered = [feed for match in bracket.matches for feed in match.feeds if isinstance(feed, int)]
    assert sorted(entered) == list(range(1, entrants + 1))
    fed = [feed for match in bracket.matches for feed in match.feeds if isinstance(feed, Place)]
    advancing = [
        Place(index, place) for index, match in enumerate(bracket.matches[:-1]) for place in range(1, match.advance + 1)
    ]
    assert sorted(fed, key=repr) == sorted(advancing, key=repr)
    assert bracket.matches[-1].advance == 1
    for index, match in enumerate(bracket.matches):
        assert all(feed.match < index and bracket.matches[feed.match].round < match.round
                   for feed in match.feeds if isinstance(feed, Place))  # fmt: skip
    for number, matches in enumerate(bracket.rounds, start=1):
        assert [match.table for match in matches] == list(range(1, len(matches) + 1))
        assert {match.round for match in matches} == {number}


@given(st.integers(2, 300))
def test_single_elimination_is_a_tree(entrants: int) -> None:
    bracket = single_elimination(entrants)
    check_tree(bracket, entrants)
    assert len(bracket.matches) == entrants - 1
    byes = (1 << (entrants - 1).bit_length()) - entrants
    first = {feed for match in bracket.rounds[0] for feed in match.feeds}
    assert set(range(1, entrants + 1)) - first == set(range(1, byes + 1))


@given(st.integers(2, 200), table_rules)
def test_table_elimination_is_a_tree(entrants: int, rules: tuple[int, int]) -> None:
    table_size, advance = rules
    bracket = table_elimination(entrants, table_size, advance)
    check_tree(bracket, entrants)
    field = entrants
    for matches in bracket.rounds:
        sizes = [len(match.feeds) for match in matches]
        final = matches[0] is bracket.matches[-1]
        assert max(sizes) <= table_size
        assert max(sizes) - min(sizes) <= 1
        assert min(sizes) >= (2 if final else max(3, advance + 1))
        remaining = field - sum(sizes) + sum(match.advance for match in matches)
        assert remaining < field
        field = remaining
    assert field == 1


@given(st.integers(2, 200), table_rules)
def test_tables_keep_the_chalk_order_and_snake_in_the_first_round(entrants: int, rules: tuple[int, int]) -> None:
    bracket = table_elimination(entrants, *rules)
    seated = chalk(bracket)
    first = bracket.rounds[0]
    plan = seating(entrants, *rules)
    assert sorted((len(m.feeds) for m in first), reverse=True) == list(plan.sizes)
    # Byes are the top seeds; every row of the snake gives each table one seed.
    seeds = sorted(seed for sitting in seated[: len(first)] for seed in sitting)
    assert seeds == list(range(plan.byes + 1, entrants + 1))
    for row in range(max(plan.sizes)):
        got = {sitting[row] for sitting in seated[: len(first)] if row < len(sitting)}
        start = plan.byes + 1 + row * len(first)
        assert got == set(range(start, start + len(got)))
    assert seated[-1][0] == 1


@given(st.integers(2, 200), table_rules)
def test_those_of_one_table_are_kept_apart_as_far_as_possible(entrants: int, rules: tuple[int, int]) -> None:
    bracket = table_elimination(entrants, *rules)
    for before, after in pairwise(bracket.rounds):
        indexes = {bracket.matches.index(match): match.advance for match in before}
        for match in after:
            together = Counter(feed.match for feed in match.feeds if isinstance(feed, Place))
            for index, count in together.items():
                if index in indexes:
                    assert count <= -(-indexes[index] // len(after))


@given(st.integers(2, 400), table_rules)
def test_byes_are_the_fewest(field: int, rules: tuple[int, int]) -> None:
    table_size, advance = rules
    smallest = max(3, advance + 1)

    def fits(seated: int) -> bool:
        return any(tables * smallest <= seated <= tables * table_size for tables in range(1, seated + 1))

    plan = seating(field, table_size, advance)
    assert plan.byes + sum(plan.sizes) == field
    if field > table_size:
        assert plan.byes == next(byes for byes in range(field) if fits(field - byes))


def test_a_bracket_by_hand() -> None:
    bracket = table_elimination(5, 3, 2)
    assert [match.feeds for match in bracket.matches] == [
        (3, 4, 5),
        (2, Place(0, 1), Place(0, 2)),
        (1, Place(1, 1), Place(1, 2)),
    ]
    assert bracket.names() == ("Round 1", "Round 2", "Final")
    assert single_elimination(16).names() == ("Round 1", "Quarter-finals", "Semi-finals", "Final")


@pytest.mark.parametrize(("entrants", "size", "advance"), [(1, 3, 1), (8, 2, 1), (8, 9, 2), (8, 4, 4), (8, 4, 0)])
def test_numbers_that_make_no_bracket_are_refused(entrants: int, size: int, advance: int) -> None:
    with pytest.raises(ValueError, match=r"\."):
        table_elimination(entrants, size, advance)


def test_too_few_are_refused() -> None:
    with pytest.raises(ValueError, match="two entrants"):
        single_elimination(1)
    with pytest.raises(ValueError, match="two entrants"):
        round_robin(1)


def test_round_robin_equals_the_berger_tables() -> None:
    tables = json.loads((DATA / "round-robin" / "berger_tables.json").read_text())["tables"]
    assert len(tables) == 6
    for entrants, rounds in tables.items():
        assert [[list(meeting) for meeting in number] for number in round_robin(int(entrants))] == rounds
        # With one fewer the highest number is whoever rests.
        assert [[list(m) for m in number] for number in round_robin(int(entrants) - 1)] == [
            [m for m in number if int(entrants) not in m] for number in rounds
        ]


@given(st.integers(2, 60))
def test_round_robin_meets_everybody_once(entrants: int) -> None:
    rounds = round_robin(entrants)
    assert len(rounds) == entrants - 1 + entrants % 2
    met = Counter(frozenset(meeting) for number in rounds for meeting in number)
    assert len(met) == entrants * (entrants - 1) // 2
    assert set(met.values()) == {1}
    for number in rounds:
        playing = [seed for meeting in number for seed in meeting]
        assert len(playing) == len(set(playing)) == entrants - entrants % 2
    firsts = Counter(meeting[0] for number in rounds for meeting in number)
    assert max(firsts.values()) - min(firsts[seed] for seed in range(1, entrants + 1)) <= 1
