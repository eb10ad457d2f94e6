"""Every tie-break value of the cases from outside: FIDE's exercise, gacrux under both rule versions, Magic's rules."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.standings.crosstable import Cell, past_of, shown, values_of
from tournaments.standings.history import history
from tournaments.standings.opposition import match_win_share
from tournaments.standings.performance import _expected_percent, _tournament_performance
from tournaments.standings.points import ByResult, bye_outcome, match_outcome
from tournaments.standings.ranking import standings
from tournaments.standings.results import POINT, Entrant, Kind, Outcome
from tournaments.standings.tie_break import Rules
from tournaments.standings.tie_breaks import tie_breaks

DATA = Path(__file__).parents[2] / "data"
CASES = DATA / "tournaments" / "tiebreaks"
CROSSTABLES = sorted(CASES.glob("rtg_*.json"))


def load(name: str) -> Any:
    return json.loads((CASES / name).read_text())


def check(past: Any, rules: Rules, expected: Mapping[str, Mapping[str, float]]) -> int:
    """Compare every value; return how many there were."""
    checked = 0
    for code in next(iter(expected.values())):
        ours = values_of(past, code, rules)
        for entrant, theirs in expected.items():
            value = shown(ours[int(entrant)])
            # gacrux writes nothing as minus zero.
            wanted = None if code in ("ARO/C1", "AOB") and str(theirs[code]) == "-0.0" else theirs[code]
            assert value == wanted, (code, entrant)
            checked += 1
    return checked


@pytest.mark.parametrize("path", CROSSTABLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("rules", [Rules.FIDE_2024, Rules.FIDE_2026])
def test_crosstables(path: Path, rules: Rules) -> None:
    case = json.loads(path.read_text())
    lines: dict[int, Sequence[Cell]] = {one["id"]: [tuple(cell) for cell in one["rounds"]] for one in case["players"]}
    past = past_of(lines, {one["id"]: one["rating"] for one in case["players"]})
    assert check(past, rules, case[f"rules{rules}"]) == 16 * len(lines)


def test_there_are_outside_cases() -> None:
    assert len(CROSSTABLES) == 10


@pytest.mark.parametrize(("version", "rules"), [("2023", Rules.FIDE_2024), ("2026", Rules.FIDE_2026)])
def test_the_published_exercise(version: str, rules: Rules) -> None:
    case = load("tec_swiss.json")
    lines: dict[int, Sequence[Cell]] = {
        int(number): [(game["opponent"], game["colour"], game["result"]) for game in one["games"]]
        for number, one in case["players"].items()
    }
    past = past_of(lines, {int(number): one["rating"] for number, one in case["players"].items()})
    assert check(past, rules, case["expected"][version]) >= 16 * 22


def read(cells: Sequence[str]) -> list[Cell]:
    """Read ``+W4``, ``-F12`` (a forfeit), ``=BYE``, ``--`` (not there)."""
    found: list[Cell] = []
    for cell in cells:
        matched = re.fullmatch(r"([+=-])(?:([WBF])(\d+)|(BYE)|-)", cell)
        assert matched, cell
        sign, side, opponent, bye = matched.groups()
        if opponent is None:
            found.append((None, None, {"+": "U", "=": "H", "-": "Z"}[sign] if bye else "Z"))
        else:
            played = {"+": "1", "=": "=", "-": "0"}[sign]
            found.append((int(opponent), side.lower(), sign if side == "F" else played))
    return found


def test_direct_encounter_in_a_swiss() -> None:
    case = load("tec_rr_and_de.json")["swiss9"]
    lines = {int(number): read(cells) for number, cells in case["crosstable"].items()}
    # The exercise does not say who had which seat in a forfeit; no tie-break here asks.
    for number, cells in lines.items():
        lines[number] = [
            (opponent, "w" if number < opponent else "b", result)
            if side == "f" and opponent
            else (opponent, side, result)
            for opponent, side, result in cells
        ]
    assert check(past_of(lines), Rules.FIDE_2024, case["expected_gacrux_2024rules"]) == 16 * 6


def test_a_round_robin_with_a_forfeit() -> None:
    case = load("tec_rr_and_de.json")["rr6"]
    lines = {int(number): read(cells.split()) for number, cells in case["results"].items()}
    # Franck (5) lost to Helene (6) by forfeit.
    lines = {
        number: [
            (opponent, side, {"1": "+", "0": "-"}[result]) if {number, opponent} == {5, 6} else (opponent, side, result)
            for opponent, side, result in cells
        ]
        for number, cells in lines.items()
    }
    past = past_of(lines, predetermined=True)
    assert check(past, Rules.FIDE_2024, case["expected_gacrux"]) == 6 * 7
    printed = values_of(past, "SB", Rules.FIDE_2024)
    assert {str(number): shown(value) for number, value in printed.items()} == case["expected_printed"]["SB"]


def test_direct_encounter_in_a_round_robin_with_forfeits() -> None:
    case = load("axicon_rr10_de.json")
    lines: dict[int, Sequence[Cell]] = {
        int(number): [tuple(game) for game in one["games"]] for number, one in case["players"].items()
    }
    past = past_of(lines, predetermined=True)
    expected = case["expected_gacrux"]
    assert check(past, Rules.FIDE_2024, expected) == 10 * 5
    # The page says: Alex and Beth stay tied, Carl is last of the six on 4.0.
    rows = standings(past, tie_breaks(["DE"], Rules.FIDE_2024)).rows
    assert [(row.place, row.entrant) for row in rows[:2]] == [(1, 1), (1, 2)]
    assert [row.entrant for row in rows if row.points == 4 * POINT][-1] == 3


MAGIC = ByResult(win=3 * POINT, draw=POINT, allocated=3 * POINT)


def season(won: int, lost: int, drawn: int, byes: int = 0) -> Any:
    """Entrant 1 meets somebody new each round; the first wins are byes."""
    places = [(1, 2)] * (won - byes) + [(2, 1)] * lost + [(1, 1)] * drawn
    outcomes: list[Outcome] = [
        bye_outcome(MAGIC, round=number, entrant=1, kind=Kind.BYE_ALLOCATED) for number in range(1, byes + 1)
    ]
    outcomes += [
        match_outcome(MAGIC, round=number, places={1: mine, number + 1: theirs})
        for number, (mine, theirs) in enumerate(places, start=byes + 1)
    ]
    rounds = won + lost + drawn
    # A round more than was played: who withdraws has a zero bye in it.
    return history(
        [Entrant(number, number) for number in range(1, rounds + 2)], outcomes, rounds=rounds + 1, win=MAGIC.win
    )


def test_match_win_percentages() -> None:
    case = load("mtg_appendix_c.json")
    checked = 0
    for one in [*case["match_win_pct"], *case["playerlink"]]:
        record = [int(number) for number in re.match(r"(\d)-(\d)(?:-(\d))?", one["record"]).groups(default="0")]  # type: ignore[union-attr]
        byes = 2 if "two byes" in one["record"] else 1 if "first-round bye" in one["record"] else 0
        past = season(*record, byes=byes)
        share = match_win_share(past, 1, byes="excluded" not in one["record"])
        assert abs(share - Fraction(str(one["mwp"]))) < Fraction(1, 1000), one
        checked += 1
    assert checked == 6
    for one in case["match_points"]:
        record = [int(number) for number in one["record"].split("-")]
        assert season(*record).points[1] == one["points"] * POINT
    for one in case["game_points"]:
        won, lost, drawn = [int(number) for number in one["match"].split("-")]
        games = [MAGIC.award(places) for places in ([[1, 2]] * won + [[2, 1]] * lost + [[1, 1]] * drawn)]
        mine, theirs = (sum(points) for points in zip(*games, strict=True))
        match = match_outcome(MAGIC, round=1, places={1: 1, 2: 2}, game_points={1: mine, 2: theirs})
        past = history([Entrant(1, 1), Entrant(2, 2)], [match], win=MAGIC.win)
        assert values_of(past, "GP", Rules.FIDE_2026) == {1: one["winner"], 2: one["loser"]}


def test_the_rating_tables_are_fides() -> None:
    tables = json.loads((DATA / "ratings" / "fide_b02_tables.json").read_text())
    differences = tables["table_8_1_1_p_percent_to_dp"]
    assert [_tournament_performance(percent * POINT, [0] * 100) for percent in range(101)] == differences
    bounds = tables["table_8_1_2_D_upper_to_PD_higher"]
    smallest = 0
    for largest, expected in bounds:
        for difference in {smallest, largest or 4000}:
            assert _expected_percent(difference) == round(100 * expected)
            assert _expected_percent(-difference) == 100 - round(100 * expected)
        smallest = (largest or 0) + 1
    assert len(bounds) == 51


def test_opponents_match_wins_leave_byes_out() -> None:
    outcomes = [
        bye_outcome(MAGIC, round=1, entrant=1, kind=Kind.BYE_ALLOCATED),
        match_outcome(MAGIC, round=1, places={2: 1, 3: 2}),
        match_outcome(MAGIC, round=2, places={1: 2, 2: 1}),
        bye_outcome(MAGIC, round=2, entrant=3, kind=Kind.BYE_ALLOCATED),
    ]
    past = history([Entrant(number, number) for number in (1, 2, 3)], outcomes, win=MAGIC.win)
    # 1 lost its only match: the floor; 2 won both of its matches.
    assert values_of(past, "OMW", Rules.FIDE_2026) == {1: 1, 2: Fraction(33, 100), 3: 1}
    assert values_of(past, "MWP", Rules.FIDE_2026) == {1: Fraction(1, 2), 2: 1, 3: Fraction(1, 2)}
