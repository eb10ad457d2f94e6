"""Brackets of 3 to 64 entrants as brackets-manager 1.11.1 made and played them: the same matches, the same standings.

Where its conventions differ from ours:

- it stores matches against nobody and a second final that may never come; here there are neither, so an empty round of
  the losers' part has no number here, and the rounds of all parts are numbered through in the order of play;
- its ranks are dense (1, 2, 3, 3, 4), ours count people (1, 2, 3, 3, 5);
- its round robin goes by the circle method, ours by FIDE's Berger tables: the same meetings in another order.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.pairing.playing import better_seed, lasts, play_out
from tournaments.pairing.bracket import Bracket, Part
from tournaments.pairing.double_elimination import double_elimination
from tournaments.pairing.round_robin import round_robin
from tournaments.pairing.single_elimination import single_elimination
from tournaments.standings import knock_out
from tournaments.standings.history import history
from tournaments.standings.points import ByResult, match_outcome
from tournaments.standings.ranking import standings
from tournaments.standings.results import Entrant
from tournaments.standings.tie_break import Rules
from tournaments.standings.tie_breaks import tie_breaks

DATA = Path(__file__).parents[2] / "data" / "tournaments" / "brackets"
SINGLE, DOUBLE, ROBIN = (
    sorted(DATA.glob(f"{kind}_*.json")) for kind in ("single_elimination", "double_elimination", "round_robin")
)


def test_there_are_outside_cases() -> None:
    assert (len(SINGLE), len(DOUBLE), len(ROBIN)) == (15, 15, 4)


def seed(name: str) -> int:
    return int(name.removeprefix("S"))


def rounds_of(played: list[dict[str, Any]], group: int) -> list[list[tuple[int, int]]]:
    """Return their matches of a part, round by round, each as its two slots."""
    ordered = sorted((m for m in played if m["group"] == group), key=lambda m: (m["round"], m["number"]))
    return [
        [(seed(m["opp1"]), seed(m["opp2"])) for m in matches]
        for _, matches in groupby(ordered, key=lambda m: m["round"])
    ]


def ours_of(bracket: Bracket, results: dict[int, list[int]], part: Part) -> list[list[tuple[int | None, ...]]]:
    """Return our matches of a part in the same form."""
    sitting = bracket.sitting(results)
    mine = [(match.round, sitting[index]) for index, match in enumerate(bracket.matches) if match.part == part]
    return [[seeds for _, seeds in matches] for _, matches in groupby(mine, key=lambda pair: pair[0])]


def check_standings(bracket: Bracket, results: dict[int, list[int]], theirs: list[dict[str, Any]]) -> None:
    """Compare the final standings: who shares a place with whom, and who is ahead."""
    names = bracket.names()
    exits = []
    winner = results[len(bracket.matches) - 1][0]
    for number, (match, place) in sorted(lasts(bracket, results).items()):
        left = None if number == winner else match.round
        there = place if match.part == Part.THIRD_PLACE else 0
        exits.append(knock_out.Exit(number, left, names[match.round - 1], place=there))
    ours: dict[int, int | None] = {row.entrant: row.place for row in knock_out.standings(exits, finished=True)}
    size = Counter(row["rank"] for row in theirs)
    expected = {
        seed(row["name"]): 1 + sum(people for rank, people in size.items() if rank < row["rank"]) for row in theirs
    }
    assert ours == expected


@pytest.mark.parametrize("path", SINGLE, ids=lambda path: path.stem)
def test_single_elimination(path: Path) -> None:
    case = json.loads(path.read_text())
    bracket, results = play_out(single_elimination(case["n"], third_place=True), better_seed)
    assert isinstance(case["standings"], list) == (case["n"] > 3)
    assert ours_of(bracket, results, Part.MAIN) == rounds_of(case["played"], 1)
    assert ours_of(bracket, results, Part.THIRD_PLACE) == rounds_of(case["played"], 2)
    if case["n"] > 3:  # of three, brackets-manager cannot tell the standings
        check_standings(bracket, results, case["standings"])


@pytest.mark.parametrize("path", DOUBLE, ids=lambda path: path.stem)
def test_double_elimination(path: Path) -> None:
    case = json.loads(path.read_text())
    bracket, results = play_out(double_elimination(case["n"]), better_seed)
    assert ours_of(bracket, results, Part.MAIN) == rounds_of(case["played"], 1)
    assert ours_of(bracket, results, Part.LOSERS) == rounds_of(case["played"], 2)
    assert ours_of(bracket, results, Part.FINAL) == rounds_of(case["played"], 3)
    check_standings(bracket, results, case["standings"])


@pytest.mark.parametrize("path", [*SINGLE, *DOUBLE], ids=lambda path: path.stem)
def test_the_first_matches_to_be_played(path: Path) -> None:
    case = json.loads(path.read_text())
    bracket = single_elimination(case["n"]) if case["type"] == "single_elimination" else double_elimination(case["n"])
    ready = 2
    theirs = [(seed(m["opp1"]), seed(m["opp2"])) for m in case["matches_initial"] if m["status"] == ready]
    sitting = bracket.sitting({})
    assert [sitting[index] for index in bracket.ready({})] == theirs


@pytest.mark.parametrize("path", ROBIN, ids=lambda path: path.stem)
def test_round_robin(path: Path) -> None:
    case = json.loads(path.read_text())
    theirs = [(seed(m["opp1"]), seed(m["opp2"])) for m in case["played"]]
    double = case["settings"]["roundRobinMode"] == "double"
    once = Counter(frozenset(pair) for number in round_robin(case["n"]) for pair in number)
    assert Counter(map(frozenset, theirs)) == Counter(dict.fromkeys(once, 2 if double else 1))

    assert {seed(m["winner"]) - min(pair) for m, pair in zip(case["played"], theirs, strict=True)} == {0}
    outcomes = [
        match_outcome(ByResult(), round=m["round"], places={one: 1 + (one != min(pair)) for one in pair})
        for m, pair in zip(case["played"], theirs, strict=True)
    ]
    entrants = [Entrant(number, number) for number in range(1, case["n"] + 1)]
    rows = standings(history(entrants, outcomes, predetermined=True), tie_breaks(["DE"], Rules.FIDE_2026)).rows
    # The better seed won every match; brackets-manager gives no standings of a round robin.
    assert [(row.entrant, row.place) for row in rows] == [(number, number) for number in range(1, case["n"] + 1)]
