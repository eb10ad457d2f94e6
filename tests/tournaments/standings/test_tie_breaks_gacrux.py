"""Random crosstables: every FIDE tie-break equals gacrux's, under both rule versions.

``CROSSTABLES=3000`` in the environment checks more of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

from tests.tournaments.standings.crosstable import Cell, past_of, shown
from tournaments.pairing.round_robin import round_robin
from tournaments.standings.ranking import standings
from tournaments.standings.tie_break import Rules, Value
from tournaments.standings.tie_breaks import tie_breaks

EVENTS = int(os.environ.get("CROSSTABLES", "40"))
# FB stands last: computing it changes what gacrux 1.11 has for the others after it (it keeps "there until the last
# round", which is right for FB alone).
CODES = (
    *("DE", "BH", "BH/C1", "BH/C2", "BH/M1", "BH/M2", "AOB", "SB", "SB/C1", "SB/C2", "PS", "PS/C2", "WIN", "WON"),
    *("BPG", "BWG", "REP", "ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO", "FB", "FB/C1"),
)
ROBIN_CODES = ("DE", "SB", "SB/C1", "KS", "WIN", "WON", "PS", "BPG")
RESULTS = ("10", "10", "01", "01", "==", "==", "+-", "-+", "--")


def random_crosstable(chance: Random, entrants: int, rounds: int) -> dict[int, list[Cell]]:
    """Return a crosstable with byes of every kind, forfeits, withdrawals and late entries; people may meet again."""
    lines: dict[int, list[Cell]] = {number: [] for number in range(1, entrants + 1)}
    there = {
        number: (chance.choice([1, 1, 1, 1, 2]), chance.choice([rounds, rounds, rounds, rounds - 1, rounds - 2]))
        for number in lines
    }
    for number in range(1, rounds + 1):
        order = list(lines)
        chance.shuffle(order)
        waiting: list[int] = []
        for entrant in order:
            first, last = there[entrant]
            if not first <= number <= last:
                lines[entrant].append((None, None, "Z"))
            elif chance.random() < 0.08:
                lines[entrant].append((None, None, chance.choice("HZF")))
            else:
                waiting.append(entrant)
        if len(waiting) % 2:
            lines[waiting.pop()].append((None, None, "U"))
        for white, black in zip(waiting[::2], waiting[1::2], strict=True):
            played = chance.random() < 0.85
            mine, theirs = chance.choice(RESULTS[:6] if played else RESULTS[6:])
            lines[white].append((black, "w", mine))
            lines[black].append((white, "b", theirs))
    return lines


def random_round_robin(chance: Random, entrants: int) -> dict[int, list[Cell]]:
    """Return a round robin with forfeits; with an odd number everybody rests once."""
    lines: dict[int, list[Cell]] = {number: [] for number in range(1, entrants + 1)}
    for meetings in round_robin(entrants):
        for cells in lines.values():
            cells.append((None, None, "Z"))
        for white, black in meetings:
            mine, theirs = chance.choice(RESULTS)
            lines[white][-1], lines[black][-1] = (black, "w", mine), (white, "b", theirs)
    return lines


def report(lines: dict[int, list[Cell]], ratings: dict[int, int], rules: Rules) -> list[str]:
    """Return the crosstable as the lines of FIDE's report file."""
    worth = {"1": 2, "+": 2, "=": 1, "0": 0, "-": 0, "U": 2, "F": 2, "H": 1, "Z": 0}
    rounds = len(lines[1])
    date = "2025/01/01" if rules == Rules.FIDE_2024 else "2026/06/01"
    found = ["012 Random", f"042 {date}", "092 Individual: Swiss-System", f"142 {rounds}"]
    for number, cells in lines.items():
        points = sum(worth[result] for _, _, result in cells) / 2
        games = "".join(f"  {opponent or 0:04d} {colour or '-'} {result}" for opponent, colour, result in cells)
        found.append(
            f"001 {number:4d}      {f'Player {number}':33s} {ratings[number]:4d}{'':28s}{points:4.1f} {number:4d}"
            + games
        )
    return found


def theirs_of(lines: list[str], codes: Sequence[str], *, robin: bool = False) -> dict[int, list[Any]]:
    """Return gacrux's rank and values of each entrant."""
    reader = trf2json()
    reader.parse_file("\n".join(lines), 0)
    assert reader.get_status() == 0, reader.chessjson["status"]
    tournament = reader.get_tournament(1)
    parameters = {"pre_determined" if robin else "swiss": True, "tiebreak": ["PTS", *codes], "check": False}
    result = tiebreak(tournament, -1, parameters).compute_tiebreaks(tournament, parameters)
    return {one["cid"]: [one["rank"], *one["tiebreakScore"]] for one in result["competitors"]}


def plain(value: Any) -> float | None:
    return None if value is None else float(value)


@pytest.mark.parametrize("number", range(EVENTS))
@pytest.mark.parametrize("rules", [Rules.FIDE_2024, Rules.FIDE_2026])
def test_every_value_equals_gacrux(number: int, rules: Rules) -> None:
    chance = Random(number)
    entrants, rounds = chance.randint(3, 24), chance.randint(1, 8)
    lines = random_crosstable(chance, entrants, rounds)
    ratings = {entrant: chance.randint(1000, 2800) for entrant in lines}
    ours = standings(past_of(lines, ratings), tie_breaks(CODES, rules))
    theirs = theirs_of(report(lines, ratings, rules), CODES)
    assert len(ours.rows) == len(theirs) == entrants
    for row in ours.rows:
        values: list[Value] = list(row.values)
        for column, value, their in zip(ours.columns, values, theirs[row.entrant][1:], strict=True):
            assert shown(value) == plain(their), (column.code, row.entrant)
    # The rank as well, by points and the tie-breaks that gacrux does not round.
    order = ("DE", "BH/C1", "SB", "WIN")
    places = {row.entrant: row.place for row in standings(past_of(lines, ratings), tie_breaks(order, rules)).rows}
    ranks = {entrant: line[0] for entrant, line in theirs_of(report(lines, ratings, rules), order).items()}
    assert places == ranks
    assert all(isinstance(value, Fraction | None) for row in ours.rows for value in row.values)


@pytest.mark.parametrize("number", range(EVENTS))
def test_every_value_of_a_round_robin_equals_gacrux(number: int) -> None:
    chance = Random(number)
    lines = random_round_robin(chance, chance.randint(3, 14))
    ratings = dict.fromkeys(lines, 1500)
    ours = standings(past_of(lines, predetermined=True), tie_breaks(ROBIN_CODES, Rules.FIDE_2026))
    theirs = theirs_of(report(lines, ratings, Rules.FIDE_2026), ROBIN_CODES, robin=True)
    for row in ours.rows:
        assert row.place == theirs[row.entrant][0]
        for column, value, their in zip(ours.columns, row.values, theirs[row.entrant][1:], strict=True):
            assert shown(value) == plain(their), (column.code, row.entrant)
