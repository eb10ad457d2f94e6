"""Standings of a stage in which everybody meets: points, then tie-breaks in order, places shared where all is equal.

Points are integers of 1/840 point, which 1 to 8 divide, so that shared points stay exact. Tie-breaks carry the FIDE
codes (Handbook C.07) and are worked out from the same results; adding one is adding an entry to ``METRICS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

POINT = 840
WIN, DRAW, LOSS = POINT, POINT // 2, 0


@dataclass(frozen=True, slots=True)
class Meeting:
    """A decided match of two: who, and what each was awarded, in 1/840 point. Walkovers count as awarded."""

    first: int
    second: int
    first_points: int
    second_points: int


@dataclass(frozen=True, slots=True)
class Metric:
    """A column of the standings: ``value / unit`` is what people read."""

    key: str
    name: str
    unit: int


POINTS = Metric("PTS", "Points", POINT)
DIRECT_ENCOUNTER = Metric("DE", "Direct encounter", POINT)
SONNEBORN_BERGER = Metric("SB", "Sonneborn-Berger", POINT * POINT)
WINS = Metric("WIN", "Wins", 1)
METRICS = (DIRECT_ENCOUNTER, SONNEBORN_BERGER, WINS)
"""The tie-breaks in the order in which they decide."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A column that decides before the points, with its value for each entrant."""

    metric: Metric
    values: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """One line: the place (1 is best, ties share), points, and the value of each metric by its key."""

    place: int
    entrant: int
    points: int
    played: int
    metrics: Mapping[str, int]
    lead: int | None = None
    """The value of the column that decides before the points, if there is one."""

    def values(self) -> list[tuple[Metric, int]]:
        """Return every tie-break with its value, in the order in which they decide."""
        return [(metric, self.metrics[metric.key]) for metric in METRICS]


def standings(entrants: Sequence[int], meetings: Iterable[Meeting], lead: Lead | None = None) -> tuple[Row, ...]:
    """Return the standings; ``entrants`` are ids, the best seed first, which orders rows that share a place.

    With a ``lead`` that decides first, then the points, then the tie-breaks. Raises ValueError for a meeting of
    somebody who is not in the stage, or of one entrant with itself.
    """
    awarded: dict[int, list[tuple[int, int]]] = {entrant: [] for entrant in entrants}
    for meeting in meetings:
        if meeting.first == meeting.second or not {meeting.first, meeting.second} <= awarded.keys():
            raise ValueError("A meeting needs two entrants of the stage.")
        awarded[meeting.first].append((meeting.second, meeting.first_points))
        awarded[meeting.second].append((meeting.first, meeting.second_points))
    points = {entrant: sum(won for _, won in games) for entrant, games in awarded.items()}
    columns = {metric.key: _COLUMNS[metric.key](awarded, points) for metric in METRICS}
    leads = dict.fromkeys(entrants, 0) if lead is None else lead.values
    keys = {
        entrant: (leads[entrant], points[entrant], *(columns[metric.key][entrant] for metric in METRICS))
        for entrant in entrants
    }
    ranked = sorted(entrants, key=lambda entrant: keys[entrant], reverse=True)
    # sorted() with reverse keeps equal elements in their given order: by seed.
    return tuple(
        Row(
            place=1 + sum(keys[other] > keys[entrant] for other in entrants),
            entrant=entrant,
            points=points[entrant],
            played=len(awarded[entrant]),
            metrics={metric.key: columns[metric.key][entrant] for metric in METRICS},
            lead=None if lead is None else lead.values[entrant],
        )
        for entrant in ranked
    )


type _Awarded = Mapping[int, Sequence[tuple[int, int]]]
type _Column = Callable[[_Awarded, Mapping[int, int]], dict[int, int]]


def _direct_encounter(awarded: _Awarded, points: Mapping[int, int]) -> dict[int, int]:
    """Points from the meetings of those who are level on points; nothing unless all of them have met."""
    column = {}
    for entrant in awarded:
        level = {other for other in awarded if points[other] == points[entrant]}
        met = all({opponent for opponent, _ in awarded[one]} >= level - {one} for one in level)
        column[entrant] = sum(won for opponent, won in awarded[entrant] if opponent in level) if met else 0
    return column


def _sonneborn_berger(awarded: _Awarded, points: Mapping[int, int]) -> dict[int, int]:
    """Each opponent's points times what was won against that opponent, in 1/840 of 1/840 point."""
    return {entrant: sum(points[opponent] * won for opponent, won in games) for entrant, games in awarded.items()}


def _wins(awarded: _Awarded, points: Mapping[int, int]) -> dict[int, int]:
    """Matches won, walkovers among them."""
    return {entrant: sum(won == WIN for _, won in games) for entrant, games in awarded.items()}


_COLUMNS: Mapping[str, _Column] = {
    DIRECT_ENCOUNTER.key: _direct_encounter,
    SONNEBORN_BERGER.key: _sonneborn_berger,
    WINS.key: _wins,
}
