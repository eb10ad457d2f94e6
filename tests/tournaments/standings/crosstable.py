"""Crosstables as FIDE's report files write them, as outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tournaments.standings.history import History, history
from tournaments.standings.points import ByResult, bye_outcome
from tournaments.standings.results import POINT, Entrant, Kind, Outcome, Share
from tournaments.standings.tie_break import Rules, Value
from tournaments.standings.tie_breaks import tie_break, tie_breaks

type Cell = tuple[int | None, str | None, str]
"""Opponent, colour (w or b) and result: 1, =, 0 played, + and - by forfeit, U F H Z for byes."""

BYES = {"U": Kind.BYE_ALLOCATED, "F": Kind.BYE_FULL, "H": Kind.BYE_HALF, "Z": Kind.BYE_ZERO}
POINTS = {"1": POINT, "+": POINT, "=": POINT // 2, "0": 0, "-": 0}


def outcomes_of(lines: Mapping[int, Sequence[Cell]]) -> list[Outcome]:
    """Return the outcomes of a crosstable: each match once, as White sees it."""
    found = []
    for entrant, cells in lines.items():
        for number, (opponent, colour, result) in enumerate(cells, start=1):
            if opponent is None:
                found.append(bye_outcome(ByResult(), round=number, entrant=entrant, kind=BYES[result]))
            elif colour == "w":
                back, _, theirs = lines[opponent][number - 1]
                assert back == entrant
                found.append(_match(number, (entrant, result), (opponent, theirs)))
    return found


def _match(number: int, *sides: tuple[int, str]) -> Outcome:
    points = [POINTS[result] for _, result in sides]
    came = [result != "-" for _, result in sides]
    kind = {2: Kind.PLAYED, 1: Kind.WALKOVER, 0: Kind.DOUBLE_WALKOVER}[
        sum(came) if "+" in dict(sides).values() or not all(came) else 2
    ]
    return Outcome(
        number,
        kind,
        tuple(
            Share(entrant, got, 1 + sum(other > got for other in points), came=there)
            for (entrant, _), got, there in zip(sides, points, came, strict=True)
        ),
    )


def values_of(past: History, code: str, rules: Rules) -> dict[int, Value]:
    """Return the column of ``code``; the direct encounter directly after the points, as the cases have it."""
    points = tie_breaks([], rules)[0].values(past, [])
    groups = [
        [entrant for entrant in past.entrants if points[entrant] == value]
        for value in sorted({*points.values()}, key=lambda value: value or Fraction(), reverse=True)
    ]
    return dict(tie_break(code, rules).values(past, groups))


def past_of(
    lines: Mapping[int, Sequence[Cell]], ratings: Mapping[int, int] | None = None, *, predetermined: bool = False
) -> History:
    """Return the history of a crosstable whose ids are the seeds."""
    entrants = [Entrant(number, number, (ratings or {}).get(number)) for number in lines]
    return history(entrants, outcomes_of(lines), predetermined=predetermined)


def shown(value: Value, digits: int = 2) -> float | None:
    """Return a value rounded as people read it, halves up."""
    if value is None:
        return None
    return float(Fraction((value * 10**digits + Fraction(1, 2)).__floor__(), 10**digits))
