"""Clocks as forms offer them."""

from __future__ import annotations

from typing import Any

TIME_CONTROLS: dict[str, tuple[str, int, int]] = {
    "quick": ("bank", 120_000, 3_000),
    "normal": ("bank", 300_000, 5_000),
    "slow": ("bank", 900_000, 10_000),
    "turn-30": ("turn", 30_000, 0),
    "turn-60": ("turn", 60_000, 0),
    "turn-2h": ("turn", 7_200_000, 0),
    "untimed": ("untimed", 300_000, 0),
}
"""Kind of clock, bank (or time a turn) and increment in milliseconds, by the key that forms send."""
TIME_CHOICES = [
    ("quick", "quick: 2 min + 3 s a move"),
    ("normal", "normal: 5 min + 5 s a move"),
    ("slow", "slow: 15 min + 10 s a move"),
    ("turn-30", "30 s for each move"),
    ("turn-60", "1 min for each move"),
    ("turn-2h", "2 h for each move"),
]
TABLE_TIME_CHOICES = [*TIME_CHOICES, ("untimed", "no clock (not rated)")]
DISCONNECT_CHOICES = [(0, "none"), (30, "30 seconds"), (60, "1 minute"), (120, "2 minutes"), (300, "5 minutes")]
ABSENCE_SECONDS_CHOICES = [(30, "30 seconds"), (60, "1 minute"), (120, "2 minutes"), (300, "5 minutes")]


def clock_fields(key: str) -> dict[str, Any]:
    """Return the fields of a game that the choice ``key`` of a clock means."""
    kind, bank_ms, increment_ms = TIME_CONTROLS[key]
    return {"time_control": kind, "bank_ms": bank_ms, "increment_ms": increment_ms}
