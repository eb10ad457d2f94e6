"""How long a message of one socket is under way, measured by the server alone. Pure.

The server sends probes, each with a name that nobody can guess, and the client sends them back at once. Half of the
way there and back is the one-way delay. No time of the client is ever read: a client can only answer late, which
makes it look slower than it is, by at most the cap, and the records show with what every grab was judged.
"""

from __future__ import annotations

import secrets
from collections import deque
from statistics import median

from games.engine.pick_a_polar_bear.actions import LARGEST_LAG

SAMPLES = 7
"""So many of the last measurements count."""
FEW = 3
"""With fewer measurements the smallest counts, because a median of two is one spike away from nonsense."""
UNANSWERED = 8
"""So many probes may be under way; the oldest is given up for a new one."""
FIRST_INTERVAL = 0.25
INTERVAL = 1.0
"""Seconds between two probes, until there are enough measurements and afterwards."""


class Latency:
    """The delay of one socket. Times are seconds of any clock that only goes forward."""

    def __init__(self) -> None:
        self._under_way: dict[str, float] = {}
        self._there_and_back: deque[float] = deque(maxlen=SAMPLES)

    def probe(self, now: float) -> str:
        """Return the name of a probe that is sent now."""
        if len(self._under_way) >= UNANSWERED:
            del self._under_way[next(iter(self._under_way))]
        name = secrets.token_urlsafe(9)
        self._under_way[name] = now
        return name

    def answered(self, name: str, now: float) -> bool:
        """Take in the answer to a probe; False for one that was not sent, or was answered before."""
        sent = self._under_way.pop(name, None)
        if sent is None:
            return False
        self._there_and_back.append(max(0.0, now - sent))
        return True

    @property
    def interval(self) -> float:
        """Seconds until the next probe."""
        return FIRST_INTERVAL if len(self._there_and_back) < SAMPLES else INTERVAL

    def one_way_ms(self) -> int:
        """Return the one-way delay in whole milliseconds, from 0 (as long as nothing is measured) to LARGEST_LAG.

        The median of the last measurements: one spike, or one answer that came suspiciously fast, changes little.
        """
        measured = self._there_and_back
        if not measured:
            return 0
        there_and_back = median(measured) if len(measured) >= FEW else min(measured)
        return min(LARGEST_LAG, round(there_and_back * 1000 / 2))
