"""Works out the chart of a rating over time, in parts of a thousand of its width and height, for a server-drawn SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, floor
from typing import NamedTuple

SIZE = 1000
MOST_POINTS = 300
MOST_MARKS = 60
STEPS = (50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000)
"""Distances of grid lines, in tenths of a point."""


class Point(NamedTuple):
    """A rating (tenths of a point) from a moment on; ``provisional`` if the game that made it was."""

    at: datetime
    value: int
    provisional: bool


class Mark(NamedTuple):
    """A point where it stands in the chart: per cent from the left and from the top."""

    left: float
    top: float
    point: Point


class GridLine(NamedTuple):
    """A level line, per cent from the top, and its rating in tenths of a point."""

    top: float
    value: int


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything the template draws. ``provisional`` and ``established`` are point lists of SVG polylines."""

    provisional: str
    established: str
    area: str
    grid: list[GridLine]
    marks: list[Mark]
    last: Mark
    lowest: int
    highest: int
    first_at: datetime
    last_at: datetime
    days: bool


def thinned(points: Sequence[Point]) -> list[Point]:
    """Return at most :data:`MOST_POINTS` of ``points``, evenly chosen, with the first and the last."""
    if len(points) <= MOST_POINTS:
        return list(points)
    step = (len(points) - 1) / (MOST_POINTS - 1)
    return [points[round(number * step)] for number in range(MOST_POINTS)]


def draw(points: Sequence[Point]) -> Chart | None:
    """Return the chart of ``points`` (oldest first), or None if there are fewer than two."""
    if len(points) < 2:
        return None
    low, high = min(point.value for point in points), max(point.value for point in points)
    span = max(high - low, STEPS[0])
    step = next((step for step in STEPS if span / step <= 4), STEPS[-1])
    bottom, top = floor((low - 1) / step) * step, ceil((high + 1) / step) * step
    shown = thinned(points)
    start, end = shown[0].at, shown[-1].at
    seconds = (end - start).total_seconds()

    def place(number: int, point: Point) -> Mark:
        # Games that all ended at one moment are drawn side by side.
        part = (point.at - start).total_seconds() / seconds if seconds else number / (len(shown) - 1)
        return Mark(round(100 * part, 2), round(100 * (top - point.value) / (top - bottom), 2), point)

    marks = [place(number, point) for number, point in enumerate(shown)]
    settled = next((number for number, mark in enumerate(marks) if not mark.point.provisional), len(marks))
    return Chart(
        provisional=_line(marks[: settled + 1]) if settled else "",
        established=_line(marks[max(settled - 1, 0) :]) if settled < len(marks) else "",
        area=f"0,{SIZE} {_line(marks)} {SIZE},{SIZE}",
        grid=[
            GridLine(round(100 * (top - value) / (top - bottom), 2), value) for value in range(bottom + step, top, step)
        ],
        marks=marks[1:-1] if len(marks) <= MOST_MARKS else [],
        last=marks[-1],
        lowest=low,
        highest=high,
        first_at=start,
        last_at=end,
        days=start.date() != end.date(),
    )


def _line(marks: Sequence[Mark]) -> str:
    return " ".join(f"{mark.left * SIZE / 100:g},{mark.top * SIZE / 100:g}" for mark in marks)
