"""What a table of a game without turns has besides: everybody acts at once, and messages take their time.

It measures the delay of each seat's sockets, holds grabs and stops back until it is clear who was first
(:mod:`games.live.contests`), and begins the countdown of the opening once everybody is there.
"""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING

import psycopg
import structlog
from django.db import InterfaceError, OperationalError

from games.course import Course
from games.engine.pick_a_polar_bear.game import PHASE_OF, WHY_NOT_NOW
from games.live import messages
from games.live.actions import Attempt
from games.live.connection import Connection
from games.live.contests import Contests
from games.live.database import DatabaseAwayError, in_thread
from games.live.latency import Latency
from games.models import Game
from games.pace import Pace
from games.services.ending import game_all_here

if TYPE_CHECKING:
    from games.live.table import Table

log = structlog.get_logger(__name__)

RETRY_SECONDS = 0.5
OWN_KEYS = {"grab": {"type", "place"}, "stop": {"type"}, "answer": {"type", "count"}, "resign": {"type"}}
"""What a seat may say in its actions; of times it says nothing, they are the server's."""


class RealTime:
    """Belongs to one live table whose game has no turns."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._contests: Contests[Attempt] = Contests()
        self._latencies: dict[Connection, Latency] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._is_calling = False
        self._missing: list[int] = []

    # Delays

    def watch(self, connection: Connection) -> None:
        """Begin to measure the delay of a socket, if a seat plays there; again changes nothing."""
        table = self._table
        if connection in self._latencies or not connection.greeted or not table.head.is_running:
            return
        if self._table.seat_of(connection) is not None:
            self._latencies[connection] = Latency()
            self._probe(connection)

    def _probe(self, connection: Connection) -> None:
        latency = self._latencies.get(connection)
        if latency is None or connection.closed or not self._table.head.is_running:
            self._latencies.pop(connection, None)
            return
        if not connection.is_paused:
            name = latency.probe(self._table.hub.loop.time())
            connection.answer(messages.write({"type": "probe", "id": name}))
        self._table.hub.loop.call_later(latency.interval, self._probe, connection)

    def probed(self, connection: Connection, name: str) -> None:
        """Take in the answer to a probe. One that was never sent is passed over."""
        latency = self._latencies.get(connection)
        if latency is not None:
            latency.answered(name, self._table.hub.loop.time())

    def leave(self, connection: Connection) -> None:
        """Measure a socket no more."""
        self._latencies.pop(connection, None)

    def _lags(self, pace: Pace, attempt: Attempt) -> dict[int, int]:
        """Return the delays of the seats that play and are connected; of the sender that of the socket it used."""
        lags: dict[int, int] = {}
        for connection, latency in self._latencies.items():
            seat = self._table.seat_of(connection)
            if seat is not None and seat in pace.staying:
                lags[seat] = max(lags.get(seat, 0), latency.one_way_ms())
        if attempt.answer_to and attempt.answer_to[0] in self._latencies:
            lags[attempt.seat] = self._latencies[attempt.answer_to[0]].one_way_ms()
        return lags

    # Contests

    def held(self) -> list[Attempt]:
        """Return what waits to be decided."""
        return self._contests.waiting()

    def hold(self, attempt: Attempt) -> bool:
        """Keep ``attempt`` until it is decided; False where there is nothing to wait for.

        What is decided goes on to the table, in order.
        """
        course = self._table.course
        if course is None or course.pace is None or not self._table.head.is_running or course.waiting == ():
            return False
        if course.refereed.position.setting.phase != "grab":
            return False
        self._decide()
        now = self._table.hub.now()
        attempt.arrived = now
        place = attempt.action.get("place") if attempt.action.get("type") == "grab" else None
        self._contests.add(
            attempt.seat,
            course.at(now),
            self._lags(course.pace, attempt),
            place if type(place) is int else None,
            attempt,
        )
        self._decide()
        return True

    def _decide(self) -> None:
        table, course = self._table, self._table.course
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if course is None or not len(self._contests):
            return
        now = table.hub.now()
        for decided in self._contests.take(course.at(now)):
            attempt = decided.arrival.what
            attempt.decided_at = decided.at
            if decided.arrival.place is not None:
                attempt.action = {**attempt.action, **decided.times()}
            table.acting.queue(attempt)
        due = self._contests.due()
        if due is not None:
            self._timer = table.hub.loop.call_later(max(1, due - course.at(now)) / 1000, self._decide)

    def refusal(self, attempt: Attempt) -> tuple[str, str] | None:
        """Return why ``attempt`` cannot be, as code and sentence, where the engine would only say that it cannot."""
        action, course = attempt.action, self._table.course
        kind = action.get("type")
        if course is None or not self._table.head.is_running or not isinstance(kind, str) or kind not in OWN_KEYS:
            return None
        position = course.refereed.position
        if attempt.decided_at is None and not OWN_KEYS[kind].issuperset(action):
            return "illegal-action", f"A {kind} has no more to say: what was measured is added by the server."
        phase = position.setting.phase
        if kind in PHASE_OF and phase != PHASE_OF[kind]:
            return "not-now", WHY_NOT_NOW[phase]
        place = action.get("place")
        if kind == "grab" and type(place) is int and 0 <= place < len(position.grid) and position.grid[place] is None:
            return "place-empty", self._who_was_faster(course, place, attempt.seat)
        return None

    def _who_was_faster(self, course: Course, place: int, seat: int) -> str:
        taker = None if course.pace is None else course.pace.takers.get(place)
        if taker is None:
            return "No card lies there."
        return "You have taken this card already." if taker == seat else f"{self._table.head.names[taker]} was faster."

    # The opening

    def missing(self) -> list[int]:
        """Return the seats that the opening waits for."""
        course = self._table.course
        if course is None or course.pace is None or not course.pace.is_opening or not self._table.head.is_running:
            return []
        present = self._table.present()
        return [seat for seat in sorted(course.pace.staying) if not present[seat]]

    def moved(self) -> None:
        """Look again after whatever changed the position, the sockets, or who is there."""
        for connection in self._table.connections:
            self.watch(connection)
        missing, course = self.missing(), self._table.course
        if missing != self._missing:
            self._missing = missing
            self._table.show_clock()
        if course is None or self._is_calling or not self._table.head.is_running or self._table.is_broken:
            return
        if course.all_here(self._table.hub.now()) is not None and not missing:
            self._is_calling = True
            self._table.hub.spawn(self._call_all_here())

    async def _call_all_here(self) -> None:
        """Begin the countdown, by the service that everybody uses, once the database answers."""
        try:
            while True:
                try:
                    await in_thread(functools.partial(game_all_here, game=Game(pk=self._table.head.game_id)))
                    await self._table.refresh()
                except (OperationalError, InterfaceError, psycopg.OperationalError, DatabaseAwayError):
                    await asyncio.sleep(RETRY_SECONDS)
                else:
                    return
        finally:
            self._is_calling = False

    def drop(self) -> None:
        """Stop the clock of a table that is not needed any more."""
        if self._timer is not None:
            self._timer.cancel()
