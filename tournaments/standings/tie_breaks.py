"""All tie-breaks by their codes, and the usual orders of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from tournaments.standings.buchholz import AverageOfBuchholz, Buchholz, ForeBuchholz, SonnebornBerger
from tournaments.standings.counts import (
    GAMES_WON,
    ROUNDS_ELECTED,
    SECOND_SEAT_WINS,
    SECOND_SEATS,
    WINS,
    GamePoints,
    Koya,
    PlaceCount,
    Points,
    ProgressiveScore,
)
from tournaments.standings.direct_encounter import DirectEncounter
from tournaments.standings.opposition import MatchWins, OpponentsAverage, OpponentsMatchWins, TableStrength
from tournaments.standings.performance import AveragePerformance, AverageRating, Performance
from tournaments.standings.tie_break import Rules, TieBreak

SWISS = ("BH/C1", "BH", "SB", "DE", "WIN")
ROUND_ROBIN = ("DE", "WIN", "SB", "KS")
TABLES = ("PL/1", "PL/2", "OA", "TS", "HH", "GP")
"""What decides after the points unless the organizer says otherwise."""

_PLAIN: Mapping[str, Callable[[Rules], TieBreak]] = {
    "PTS": lambda _: Points(),
    "WIN": lambda _: WINS,
    "WON": lambda _: GAMES_WON,
    "BPG": lambda _: SECOND_SEATS,
    "BWG": lambda _: SECOND_SEAT_WINS,
    "REP": lambda _: ROUNDS_ELECTED,
    "GP": lambda _: GamePoints(),
    "KS": lambda _: Koya(),
    "DE": lambda _: DirectEncounter(),
    "HH": lambda _: DirectEncounter("HH", "Head to head", by_place=True),
    "AOB": AverageOfBuchholz,
    "TPR": lambda _: Performance(),
    "PTP": lambda _: Performance(perfect=True),
    "APRO": lambda _: AveragePerformance(),
    "APPO": lambda _: AveragePerformance(perfect=True),
    "OA": lambda _: OpponentsAverage(),
    "TS": lambda _: TableStrength(),
    "MWP": lambda _: MatchWins(),
    "OMW": lambda _: OpponentsMatchWins(),
}

_WITH_CUTS: Mapping[str, Callable[[Rules, int, int], TieBreak]] = {
    "BH": Buchholz,
    "FB": ForeBuchholz,
    "SB": SonnebornBerger,
}

_CUT_LOWEST: Mapping[str, Callable[[int], TieBreak]] = {"PS": ProgressiveScore, "ARO": AverageRating}

MOST_CUTS = 9
MODIFIERS: Mapping[str, str] = {**dict.fromkeys(_WITH_CUTS, "CM"), **dict.fromkeys(_CUT_LOWEST, "C")}
"""The codes that can be followed by ``/C1`` or, with an M, by ``/M1``."""
CODES = (*_PLAIN, *MODIFIERS, "PL/1")


class UnknownTieBreak(ValueError):
    """There is no tie-break of this code."""


def tie_break(code: str, rules: Rules) -> TieBreak:
    """Return the tie-break of a code: one of ``CODES``, with ``/Cn`` or ``/Mn`` where it can be cut, or ``PL/n``.

    Raises UnknownTieBreak.
    """
    plain = _PLAIN.get(code)
    if plain is not None:
        return plain(rules)
    base, _, modifier = code.partition("/")
    if base == "PL" and re.fullmatch("[1-8]", modifier):
        return PlaceCount(int(modifier))
    if base in MODIFIERS:
        parsed = re.fullmatch(f"([{MODIFIERS[base]}])([1-{MOST_CUTS}])", modifier)
        if parsed is not None or "/" not in code:
            number = int(parsed[2]) if parsed else 0
            if base in _WITH_CUTS:
                return _WITH_CUTS[base](rules, number, number if parsed and parsed[1] == "M" else 0)
            return _CUT_LOWEST[base](number)
    raise UnknownTieBreak(f"There is no tie-break {code}.")


def tie_breaks(codes: Iterable[str], rules: Rules) -> tuple[TieBreak, ...]:
    """Return the points, then the tie-breaks of ``codes`` in order. Raises UnknownTieBreak, also for a repeated one."""
    found = [tie_break("PTS", rules)]
    for code in codes:
        one = tie_break(code, rules)
        if any(one.code == other.code for other in found):
            raise UnknownTieBreak(f"{code} is named twice.")
        found.append(one)
    return tuple(found)
