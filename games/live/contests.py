"""Who was first, where several seats act at once: actions in the order of their arrival, corrected for delay. Pure.

An action was *placed* when it arrived less the one-way delay of its seat. Actions are decided in the order in which
they were placed (ties: arrival, then seat), so each waits until nothing that was placed before it can still be on its
way: the longest delay among the others, less its own, never longer than the cap. A seat with the longest delay never
waits. A stop is in the same order, so that it does not overtake a grab that was placed before it.

All times are milliseconds since the game's start, by the server's clock.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.engine.pick_a_polar_bear.actions import LARGEST_LAG


@dataclass(slots=True)
class Arrival[T]:
    """An action ``what`` of ``seat`` that arrived and waits to be decided; ``place`` is the place that it grabs."""

    seat: int
    arrived: int
    lag: int
    place: int | None
    what: T
    release: int = field(init=False, default=0)
    """When nothing that was placed before it can still come."""

    @property
    def placed(self) -> int:
        """When it was made, as far as can be measured."""
        return self.arrived - self.lag

    @property
    def order(self) -> tuple[int, int, int]:
        """Where it stands among the others."""
        return self.placed, self.arrived, self.seat


@dataclass(frozen=True, slots=True)
class Decided[T]:
    """An action whose turn has come at ``at``, and the later-placed grabs of the same place that were there by then."""

    arrival: Arrival[T]
    at: int
    beat: tuple[Arrival[T], ...]

    def times(self) -> dict[str, Any]:
        """Return what the transcript says of a grab besides its place."""
        times: dict[str, Any] = {"arrived": self.arrival.arrived, "lag": self.arrival.lag}
        if self.beat:
            times["beat"] = [{"seat": one.seat, "arrived": one.arrived, "lag": one.lag} for one in self.beat]
        return times


class Contests[T]:
    """The actions of one game that wait to be decided, in order."""

    def __init__(self) -> None:
        self._waiting: list[Arrival[T]] = []
        self._placed: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def waiting(self) -> list[T]:
        """Return what waits."""
        return [one.what for one in self._waiting]

    def add(self, seat: int, arrived: int, lags: Mapping[int, int], place: int | None, what: T) -> None:
        """Take in an action that arrived now; what was due by then must have been taken out before.

        ``lags`` holds the one-way delays of all seats that play and are connected; who is missing there has none.
        """
        # The actions of one seat stay in the order in which they came, however its delay is measured meanwhile.
        lag = min(lags.get(seat, 0), max(0, arrived - self._placed.get(seat, 0)))
        arrival = Arrival(seat, arrived, lag, place, what)
        others = max((other for number, other in lags.items() if number != seat), default=0)
        arrival.release = arrived + min(LARGEST_LAG, max(0, others - lag))
        self._placed[seat] = arrival.placed
        insort(self._waiting, arrival, key=lambda one: one.order)

    def due(self) -> int | None:
        """Return when the next action can be decided, or None."""
        return min((one.release for one in self._waiting), default=None)

    def take(self, now: int) -> list[Decided[T]]:
        """Take out what can be decided by ``now``, in order.

        If nothing placed before an action can come any more, then all that was placed before it is here: it is decided
        at the same moment, even if it could have waited longer by itself.
        """
        waiting = self._waiting
        count = max((place + 1 for place, one in enumerate(waiting) if one.release <= now), default=0)
        at = [0] * count
        earliest = now
        for place in reversed(range(count)):
            earliest = min(earliest, waiting[place].release)
            at[place] = earliest
        decided = [
            Decided(arrival, at[place], _beaten(arrival, waiting[place + 1 :]))
            for place, arrival in enumerate(waiting[:count])
        ]
        del waiting[:count]
        return decided


def _beaten[T](arrival: Arrival[T], later: list[Arrival[T]]) -> tuple[Arrival[T], ...]:
    """Return the first grab of each other seat among ``later`` that wants the same place."""
    if arrival.place is None:
        return ()
    beaten: dict[int, Arrival[T]] = {}
    for one in later:
        if one.place == arrival.place and one.seat != arrival.seat:
            beaten.setdefault(one.seat, one)
    return tuple(beaten.values())
