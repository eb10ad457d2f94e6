"""A simulated table of Pick-a-Polar-Bear: who acts next and when, by a clock that the simulation makes up.

Every seat has a plan, made from its view at some moment and due some reaction time later. The earliest plan comes
next, of two at the same millisecond that of the lower seat. A plan to grab a card that somebody else has taken since
is made anew. The table itself says go, ends a round in which nothing is grabbed, and closes questions; a solo seat has
no time limit. All follows from the bots' names and the chance that is passed in.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from .bots import Plan, plan
from .frame import Action, Seat
from .pick_a_polar_bear import Position
from .replay import Refereed

GO_AFTER = 3_000
IDLE_LIMIT = 15_000
QUESTION_TIME = 20_000
"""Milliseconds until the table says go, ends an idle round, closes a question."""


class Sent(NamedTuple):
    """An action, when it came (milliseconds since the first view) and who sent it."""

    at: int
    seat: Seat
    action: Action


class RealTimeTable:
    """The plans of all seats and the time, for one game after the other records of it."""

    def __init__(self, sitting: Sequence[str], rng: Random) -> None:
        """Seat the bots called ``sitting``, a name per seat."""
        self._now = 0
        self._sitting = sitting
        self._rng = rng
        self._plans: dict[int, tuple[int, Plan]] = {}
        self._stage: tuple[int, str, str | None] | None = None
        self._since = 0

    def next(self, refereed: Refereed) -> Sent:
        """Return the next action of a game that is not over; the time moves on to it."""
        position: Position = refereed.position
        setting = position.setting
        stage = (setting.round, setting.phase, setting.question)
        if stage != self._stage:
            self._stage, self._since, self._plans = stage, self._now, {}
        if setting.phase == "ready":
            self._now += GO_AFTER
            return Sent(self._now, None, {"type": "go"})
        acting = refereed.game.to_act(position)
        while True:
            for seat in acting:
                if seat not in self._plans:
                    self._plan(refereed, seat)
            seat = min(acting, key=lambda seat: (self._plans[seat][0], seat))
            due, planned = self._plans[seat]
            limit = IDLE_LIMIT if setting.phase == "grab" else QUESTION_TIME
            if position.seats > 1 and self._since + limit < due:
                self._now = self._since + limit
                return Sent(self._now, None, {"type": "idle" if setting.phase == "grab" else "close"})
            self._now = due
            del self._plans[seat]
            action = planned.action
            if action is None:
                continue
            if action["type"] == "grab":
                if position.grid[action["place"]] is None:
                    continue
                self._since = due
            return Sent(due, seat, action)

    def moment(self, refereed: Refereed) -> int:
        """Return the time now, at which a seat may leave."""
        return self._now

    def _plan(self, refereed: Refereed, seat: int) -> None:
        made = plan(self._sitting[seat], refereed.game, refereed.game.view(refereed.position, seat), self._rng)
        self._plans[seat] = self._now + max(1, made.after), made
