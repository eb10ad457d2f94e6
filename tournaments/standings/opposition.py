"""Tie-breaks for tables of any size that look at whom one sat with, as means, so that short tables are no handicap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tournaments.standings.history import History
from tournaments.standings.results import BYES, POINT, Kind
from tournaments.standings.tie_break import Groups, Value

FLOOR = Fraction(33, 100)
"""The least that an opponent counts for in match-win percentages (Magic Tournament Rules, appendix C)."""


@dataclass(frozen=True, slots=True)
class OpponentsAverage:
    """OA: the mean final points of all opponents, each as often as they were met."""

    code: str = "OA"
    name: str = "Opponents' average"
    lower_is_better: bool = False
    two_seats_only: bool = False

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the means; nothing for who has met nobody."""
        means: dict[int, Value] = {}
        for entrant, turns in history.turns.items():
            met = [history.points[opponent] for turn in turns if turn.played for opponent in turn.opponents]
            means[entrant] = Fraction(sum(met), POINT * len(met)) if met else None
        return means


@dataclass(frozen=True, slots=True)
class TableStrength:
    """TS: the points that the others at the table had when it sat down: their mean, summed over the rounds."""

    code: str = "TS"
    name: str = "Table strength"
    lower_is_better: bool = False
    two_seats_only: bool = False

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the sums."""
        before = {
            entrant: [sum(turn.points for turn in turns[:played]) for played in range(len(turns))]
            for entrant, turns in history.turns.items()
        }
        sums: dict[int, Value] = {}
        for entrant, turns in history.turns.items():
            strength = Fraction()
            for turn in turns:
                if turn.played:
                    had = [before[opponent][turn.round - 1] for opponent in turn.opponents]
                    strength += Fraction(sum(had), POINT * len(had))
            sums[entrant] = strength
        return sums


def match_win_share(history: History, entrant: int, *, byes: bool = True) -> Fraction:
    """Return the points as a share of those a winner would have from the same rounds, at least :data:`FLOOR`.

    Rounds before a late entry and after a withdrawal do not count, nor do byes unless ``byes``.
    """
    points = rounds = 0
    for turn in history.turns[entrant]:
        if turn.kind in (Kind.BYE_ZERO, Kind.VOID) or (turn.kind in BYES and not byes):
            continue
        points, rounds = points + turn.points, rounds + 1
    return max(Fraction(points, history.win * rounds), FLOOR) if rounds else FLOOR


@dataclass(frozen=True, slots=True)
class MatchWins:
    """MWP: an entrant's own match-win percentage, byes included."""

    code: str = "MWP"
    name: str = "Match-win percentage"
    lower_is_better: bool = False
    two_seats_only: bool = False

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the shares, 0 to 1."""
        return {entrant: match_win_share(history, entrant) for entrant in history.entrants}


@dataclass(frozen=True, slots=True)
class OpponentsMatchWins:
    """OMW: the mean match-win percentage of all opponents, their byes left out."""

    code: str = "OMW"
    name: str = "Opponents' match-win percentage"
    lower_is_better: bool = False
    two_seats_only: bool = False

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the means, 0 to 1; nothing for who has met nobody."""
        shares = {entrant: match_win_share(history, entrant, byes=False) for entrant in history.entrants}
        means: dict[int, Value] = {}
        for entrant, turns in history.turns.items():
            met = [shares[opponent] for turn in turns if turn.played for opponent in turn.opponents]
            means[entrant] = sum(met, Fraction()) / len(met) if met else None
        return means
