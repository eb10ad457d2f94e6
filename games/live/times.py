"""What a socket sees of the clocks (docs/protocol.md, ``clock``). The same for everybody."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from games.clock import FOREVER, WEEK_MS, ThinkingTime
from games.course import Course

NO_PACE: dict[str, Any] = {"go": None, "idle": None, "question": None, "missing": [], "stands": None}
"""The clock of a game without turns that has not been dealt."""


def clock_of(course: Course, now: datetime, *, runs: bool, missing: Sequence[int] = ()) -> dict[str, Any]:
    """Return the clock of a dealt game as of ``now``; ``runs`` is False once it is over.

    In a game without turns it says what the table will do by itself, and for whom the opening waits (``missing``).
    """
    clock = course.clock
    at = course.at(now) if runs else clock.at
    stands = runs and at < clock.stands_until
    if course.pace is not None:
        left = course.pace.left(at) if runs and clock.stands_until != FOREVER else {}
        return {**NO_PACE, **left, "missing": list(missing), "stands": _stop(course, at) if stands else None}
    banks, spares = clock.both_left(at)
    shown = {
        "control": _control(clock.terms),
        "increment": clock.terms.increment_ms,
        "stands": None,
        "absence": None,
        "bank": banks,
        "running": list(clock.running) if runs else [],
        "spare": spares,
        "away": sorted(clock.away) if runs else [],
        "house": sorted(clock.house) if runs else [],
    }
    if stands:
        shown["stands"] = _stop(course, at)
    due = clock.absence_due() if runs else None
    if due is not None:
        shown["absence"] = {"seat": clock.absent(due), "then": clock.terms.absence, "in": max(0, due - at)}
    return shown


def _stop(course: Course, at: int) -> dict[str, Any] | None:
    """Return what has stopped every clock, and in how many milliseconds they go on (None: not known)."""
    stop, until = course.stopped_by, course.clock.stands_until
    if stop is None:
        return None
    return {"kind": stop.kind, "who": stop.who, "reason": stop.reason, "in": None if until == FOREVER else until - at}


def clock_before(terms: ThinkingTime, seats: int) -> dict[str, Any]:
    """Return the clock of a game that has not been dealt."""
    return {
        "control": _control(terms),
        "bank": [terms.bank_ms] * seats,
        "running": [],
        "increment": terms.increment_ms,
        "spare": [terms.spare_ms] * seats,
        "away": [],
        "house": [],
        "stands": None,
        "absence": None,
    }


def _control(terms: ThinkingTime) -> str:
    if not terms.per_turn:
        return "bank"
    return "untimed" if terms.bank_ms == WEEK_MS else "turn"
