"""The tie-breaks that look at the opponents' ratings (FIDE Handbook C.07, 10), by the tables of B.02, 8.1.

They say nothing as long as somebody in the stage is unrated. Ratings are whole numbers; halves are rounded up.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.standings.history import History
from tournaments.standings.results import POINT
from tournaments.standings.tie_break import Groups, Value

MOST = 800
"""The largest difference of ratings that a score can stand for, and that counts in an expected score."""

_DIFFERENCE_FOR_SCORE = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184),
    *(193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501),
    *(538, 589, 677, 800),
)
"""B.02, 8.1.1 (a): the difference of ratings for a score of 50 %, 51 %, ... 100 %."""

_LARGEST_FOR_EXPECTED = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188),
    *(197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517),
    *(559, 619, 735),
)
"""B.02, 8.1.2 (b): the largest difference of ratings for which 50 %, 51 %, ... 99 % are expected."""


def _half_up(value: Fraction) -> int:
    return (value + Fraction(1, 2)).__floor__()


def _expected_percent(difference: int) -> int:
    """Return the percentage expected of somebody who is rated ``difference`` higher."""
    better = 50 + bisect_left(_LARGEST_FOR_EXPECTED, min(abs(difference), MOST))
    return better if difference >= 0 else 100 - better


def _average(ratings: Sequence[int]) -> int | None:
    return _half_up(Fraction(sum(ratings), len(ratings))) if ratings else None


def _tournament_performance(score: int, ratings: Sequence[int]) -> int | None:
    """Return the mean rating plus the difference for the score (10.2); ``score`` in 1/840 point."""
    average = _average(ratings)
    if average is None:
        return None
    percent = _half_up(Fraction(100 * score, POINT * len(ratings)))
    difference = _DIFFERENCE_FOR_SCORE[abs(percent - 50)]
    return average + difference if percent >= 50 else average - difference


def _perfect_performance(score: int, ratings: Sequence[int]) -> int | None:
    """Return the lowest rating that is expected to score at least ``score`` (10.3)."""
    if not ratings:
        return None
    if score == 0:
        return min(ratings) - MOST
    low, high = min(ratings) - MOST, max(ratings) + MOST
    while high - low > 1:
        middle = (low + high) // 2
        if sum(_expected_percent(middle - rating) for rating in ratings) * POINT >= 100 * score:
            high = middle
        else:
            low = middle
    return high


def _games(history: History, entrant: int) -> tuple[int, list[int]]:
    """Return the score by result alone, in 1/840 point, and the ratings of the opponents in games that were played."""
    score, ratings = 0, []
    for turn in history.turns[entrant]:
        if turn.played:
            score += sum(turn.against)
            ratings += [history.entrants[opponent].rating or 0 for opponent in turn.opponents]
    return score, ratings


def _rated(history: History) -> bool:
    return all(entrant.rating is not None for entrant in history.entrants.values())


def _values(history: History, found: Mapping[int, int | None]) -> dict[int, Value]:
    rated = _rated(history)
    return {entrant: Fraction(value) if rated and value is not None else None for entrant, value in found.items()}


@dataclass(frozen=True, slots=True)
class AverageRating:
    """ARO: the mean rating of the opponents, without the ``lowest`` ones (10.1)."""

    lowest: int = 0
    lower_is_better: bool = False
    two_seats_only: bool = True

    @property
    def code(self) -> str:
        """``ARO``, with its cut."""
        return f"ARO/C{self.lowest}" if self.lowest else "ARO"

    @property
    def name(self) -> str:
        """The name, with its cut."""
        return "Average rating of opponents" + (f", cut {self.lowest}" if self.lowest else "")

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the means."""
        found = {one: _average(sorted(_games(history, one)[1])[self.lowest :]) for one in history.entrants}
        return _values(history, found)


@dataclass(frozen=True, slots=True)
class Performance:
    """TPR (10.2) or, with ``perfect``, PTP (10.3)."""

    perfect: bool = False
    lower_is_better: bool = False
    two_seats_only: bool = True

    @property
    def code(self) -> str:
        """``TPR`` or ``PTP``."""
        return "PTP" if self.perfect else "TPR"

    @property
    def name(self) -> str:
        """The name for people."""
        return "Perfect tournament performance" if self.perfect else "Tournament performance rating"

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the ratings."""
        performance = _perfect_performance if self.perfect else _tournament_performance
        return _values(history, {entrant: performance(*_games(history, entrant)) for entrant in history.entrants})


@dataclass(frozen=True, slots=True)
class AveragePerformance:
    """APRO (10.4) or, with ``perfect``, APPO (10.5): the mean of the opponents' performances."""

    perfect: bool = False
    lower_is_better: bool = False
    two_seats_only: bool = True

    @property
    def code(self) -> str:
        """``APRO`` or ``APPO``."""
        return "APPO" if self.perfect else "APRO"

    @property
    def name(self) -> str:
        """The name for people."""
        return f"Average {'perfect ' if self.perfect else ''}performance of opponents"

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the means."""
        own = Performance(self.perfect).values(history, level)
        means: dict[int, Value] = {}
        for entrant, turns in history.turns.items():
            met = [own[opponent] for turn in turns if turn.played for opponent in turn.opponents]
            known = [value for value in met if value is not None]
            means[entrant] = Fraction(_half_up(sum(known, Fraction()) / len(known))) if known else None
        return means
