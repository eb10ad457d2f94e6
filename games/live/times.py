"""What a socket sees of the clocks (docs/protocol.md, ``clock``). The same for everybody."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from games.clock import FOREVER, WEEK_MS, ThinkingTime
from games.course import Course


def clock_of(course: Course, now: datetime, *, runs: bool) -> dict[str, Any]:
    """Return the clock of a dealt game as of ``now``; ``runs`` is False once it is over."""
    clock = course.clock
    at = course.at(now) if runs else clock.at
    stands = runs and at < clock.stands_until
    shown = {
        **clock_before(clock.terms, len(clock.banks)),
        "bank": clock.left(at),
        "running": list(clock.running) if runs else [],
        "spare": clock.spare(at),
        "away": sorted(clock.away) if runs else [],
        "house": sorted(clock.house) if runs else [],
    }
    if stands and course.stopped_by is not None:
        until = None if clock.stands_until == FOREVER else clock.stands_until - at
        stop = course.stopped_by
        shown["stands"] = {"kind": stop.kind, "who": stop.who, "reason": stop.reason, "in": until}
    due = clock.absence_due() if runs else None
    if due is not None:
        shown["absence"] = {"seat": clock.absent(due), "then": clock.terms.absence, "in": max(0, due - at)}
    return shown


def clock_before(terms: ThinkingTime, seats: int) -> dict[str, Any]:
    """Return the clock of a game that has not been dealt."""
    untimed = terms.per_turn and terms.bank_ms == WEEK_MS
    return {
        "control": "untimed" if untimed else "turn" if terms.per_turn else "bank",
        "bank": [terms.bank_ms] * seats,
        "running": [],
        "increment": terms.increment_ms,
        "spare": [terms.spare_ms] * seats,
        "away": [],
        "house": [],
        "stands": None,
        "absence": None,
    }
