"""The one live copy of a game in a web process: its sockets, what they are shown, its time, and how it heals.

Actions come in by :mod:`games.live.acting`. Nothing is shown before it is stored. Whenever the copy may be behind its
records it reads them again; the database is the truth, this is a cache that heals.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import structlog

from games.course import Course, StoredEvent
from games.engine import game as engine_game
from games.engine.frame import EngineError
from games.engine.transcript import next_hash
from games.live import messages, showing
from games.live.acting import Acting
from games.live.connection import Connection
from games.live.database import DatabaseAwayError
from games.live.loading import Head, StoredRecord, read_head, read_news
from games.live.real_time import RealTime
from games.live.spectators import Gallery

if TYPE_CHECKING:
    from games.live.hub import Hub

log = structlog.get_logger(__name__)

RETRY_SECONDS = 0.5
NO_SUCH_GAME = 4404


class Table:
    """A game with its sockets. Every method but the coroutines takes effect at once and never waits."""

    def __init__(self, hub: Hub, head: Head) -> None:
        self.hub = hub
        self.head = head
        self.course: Course | None = None
        self.connections: dict[Connection, None] = {}
        self.used_at = hub.loop.time()
        self.is_broken = False
        """True if the stored records do not fit together; then nothing is accepted."""
        self.elsewhere: dict[str, tuple[frozenset[int], float]] = {}
        """Seats with sockets at other processes, by process, and until when that is believed."""
        self.gallery = Gallery(self)
        self.acting = Acting(self)
        self._recoveries = 0
        self._reading = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._wakes_at = datetime.max.replace(tzinfo=UTC)
        """When the timer goes off, if there is one."""
        self._present: list[bool] = []
        self.real_time = RealTime(self) if engine_game(head.game).real_time else None
        """What a game without turns needs besides."""

    @property
    def game_id(self) -> str:
        """The game's id as text."""
        return str(self.head.game_id)

    @property
    def number(self) -> int:
        """The number of the last record."""
        return self.course.number if self.course is not None else 0

    @property
    def clock_number(self) -> int:
        """The number of the last clock event."""
        return self.course.clock_number if self.course is not None else 0

    # Sockets

    def join(self, connection: Connection) -> None:
        """Take ``connection`` in; it gets nothing before it says hello."""
        connection.caught_up = self._catch_up
        self.connections[connection] = None
        self.used_at = self.hub.loop.time()
        self._tell_presence()

    def leave(self, connection: Connection) -> None:
        """Let ``connection`` go."""
        self.connections.pop(connection, None)
        if self.real_time is not None:
            self.real_time.leave(connection)
        self.used_at = self.hub.loop.time()
        self._tell_presence()

    def hello(self, connection: Connection, message: messages.Hello) -> None:
        """Answer hello: everything ``connection`` may know."""
        connection.greeted = True
        connection.plays = message.plays
        self._show_all(connection, message.seen)
        if self.real_time is not None:
            self.real_time.watch(connection)

    def probed(self, connection: Connection, message: messages.Probe) -> None:
        """Take in the answer to a probe, which only a game without turns sends."""
        if self.real_time is not None:
            self.real_time.probed(connection, message.id)

    def seat_of(self, connection: Connection) -> int | None:
        """Return the seat that ``connection`` speaks for; None for a spectator."""
        return self.head.seat_of(connection.identity.player_id)

    # Presence

    def present(self) -> list[bool]:
        """Return which seats have a socket open somewhere; bots always."""
        here = self.seats_here()
        now = self.hub.loop.time()
        there = {seat for seats, until in self.elsewhere.values() if until > now for seat in seats}
        return [bool(seat.bot) or seat.number in here or seat.number in there for seat in self.head.seats]

    def seats_here(self) -> set[int]:
        """Return the seats that have a socket at this process."""
        seats = {self.seat_of(connection) for connection in self.connections}
        return {seat for seat in seats if seat is not None}

    def hear_presence(self, process: str, seats: frozenset[int], until: float) -> None:
        """Note which seats have a socket at another process."""
        self.elsewhere[process] = (seats, until)
        self._tell_presence()

    def _tell_presence(self) -> None:
        present = self.present()
        if present == self._present:
            return
        self._present = present
        self.hub.absences.consider(self)
        text = messages.write({"type": "presence", "present": present})
        for connection in list(self.connections):
            if connection.greeted:
                connection.answer(text)
        self.hub.bus.tell_present(self.head.game_id, tuple(sorted(self.seats_here())))
        if self.real_time is not None:
            self.real_time.moved()

    def number_for(self, connection: Connection) -> int:
        """Return the number of the last record that ``connection`` may know of."""
        if self._is_apart(connection):
            return 0 if self.gallery.closed_to(connection) is not None else self.gallery.number
        return self.number

    # Showing

    def show_update(self) -> None:
        """Show every socket what it has not seen."""
        if self.course is None:
            return
        updates = showing.Updates(showing.stand_of(self, self.course), self.head.names)
        number, is_apart = self.number, self.gallery.is_apart
        for connection in list(self.connections):
            seat = self.seat_of(connection)
            if not connection.greeted or connection.shown >= number or (is_apart and seat is None):
                continue
            if connection.is_paused:
                connection.behind = True
                continue
            text = updates.text(seat, connection.shown, plays=connection.plays)
            connection.shown = number
            connection.answer(text)
        if is_apart:
            self.gallery.show()

    def show_clock(self) -> None:
        """Show every socket the clock: something has stopped it, let it go on, or set it."""
        if self.course is None:
            return
        clock = showing.clock(self, self.course, self.hub.now())
        text = messages.write({"type": "clock", "n": self.number, "clock": clock})
        for connection in list(self.connections):
            if connection.greeted and not self._is_apart(connection):
                connection.answer(text)
        if self.gallery.is_apart:
            self.gallery.show_clock()

    def _show_state(self) -> None:
        """Show every socket everything: who sits where, or the status, has changed."""
        for connection in list(self.connections):
            if connection.greeted:
                self._catch_up(connection)

    def _catch_up(self, connection: Connection) -> None:
        if connection.is_paused:
            connection.behind = True
            return
        self._show_all(connection, connection.shown)

    def _show_all(self, connection: Connection, seen: int | None) -> None:
        if self._is_apart(connection):
            self.gallery.state(connection, seen)
            return
        connection.shown = self.number
        stand = None if self.course is None else showing.stand_of(self, self.course)
        connection.answer(showing.state(self, stand, self.seat_of(connection), seen, plays=connection.plays))

    def _is_apart(self, connection: Connection) -> bool:
        return self.gallery.is_apart and self.seat_of(connection) is None

    # Time

    def moved(self) -> None:
        """Wind the clock and let the bots look, after whatever changed the position."""
        self._wind()
        self.gallery.move()
        self.hub.bots.consider(self)
        if self.real_time is not None:
            self.real_time.moved()

    def _deadline(self) -> datetime | None:
        """Return when the table has to act; None where nothing will be due by time alone."""
        if self.course is None or self.is_broken or not self.head.is_running:
            return None
        return self.course.deadline()

    def _wind(self) -> None:
        """Wake up at the deadline. A timer that wakes earlier stays: deadlines mostly move to later."""
        deadline = self._deadline()
        if deadline is not None and (self._timer is None or deadline < self._wakes_at):
            self._wake_at(deadline)

    def _wake_at(self, moment: datetime) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._wakes_at = moment
        seconds = (moment - self.hub.now()).total_seconds()
        self._timer = self.hub.loop.call_later(max(0.0, seconds), self._time_up)

    def _time_up(self) -> None:
        self._timer = None
        deadline, now = self._deadline(), self.hub.now()
        if deadline is None:
            return
        if deadline > now:
            self._wake_at(deadline)
        elif not self.is_healing and not (self.real_time is not None and self.real_time.held()):
            self.recover(self.do_due())
        else:
            self._wake_at(now + timedelta(seconds=RETRY_SECONDS))

    async def do_due(self) -> None:
        """Do what is due, and read what came of it."""
        await self.hub.do_due(self.head.game_id)
        await self.reread()

    # Healing

    def recover(self, work: Coroutine[Any, Any, None]) -> None:
        """Run the coroutine ``work`` until it gets through, with no action considered meanwhile."""
        self._recoveries += 1
        self.hub.spawn(self._recovered(work))

    async def _recovered(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            self._recoveries -= 1
            self.moved()
            self.acting.go_on()

    async def reread(self) -> None:
        """Read what is stored until the database answers."""
        while True:
            try:
                await self.refresh()
            except DatabaseAwayError:
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return

    async def refresh(self) -> None:
        """Bring this copy up to what is stored, and show what is new. Raises DatabaseAwayError."""
        async with self._reading:
            head = await read_head(self.hub.reader, self.head.game_id)
            if head is None:  # deleted, which nothing of Bearena does to a game that was dealt
                self._vanish()
                return
            records, events = await read_news(self.hub.reader, head, self.number, self.clock_number)
        self._take_in(head, records, events)

    def _take_in(self, head: Head, records: list[StoredRecord], events: list[StoredEvent]) -> None:
        before, number, clock_number = self.head, self.number, self.clock_number
        if self.course is None and head.started_at is not None:
            self.course = head.course()
            self.gallery.note()
        self._follow_all(records, events)
        if head.is_running and self.course is not None and self.course.outcome.is_over:
            # The head was read just before the record that ended the game.
            head = replace(head, status=self.course.outcome.status)
        self.head = head
        is_set = self.course is not None and self.course.keep_deadline(head.deadline)
        same_seats = (before.seats, before.started_at, before.is_sealed) == (
            self.head.seats,
            self.head.started_at,
            self.head.is_sealed,
        )
        if not same_seats or (self.number == number and before.status != self.head.status):
            self._show_state()
            self._tell_presence()
        elif self.number > number:
            self.show_update()
        if self.clock_number > clock_number or is_set:
            self.show_clock()
        if self.number > number or self.head != before:
            self.moved()

    def _follow_all(self, records: list[StoredRecord], events: list[StoredEvent]) -> None:
        """Take in what is new of records and clock events, in order."""
        if self.course is None:
            return
        for stored in records:
            if stored.record.n > self.number and not self.is_broken:
                self.course.note_events(events, before=stored.record.n)
                self._follow(stored)
        self.course.note_events(events)

    def _follow(self, stored: StoredRecord) -> None:
        course, record = self.course, stored.record
        assert course is not None
        digest = next_hash(course.refereed.last_hash, record.n, record.at, record.seat, record.action)
        fault = None if digest.hex() == record.hash else "the hash does not follow from the records before"
        if fault is None:
            try:
                course.follow(record)
            except (EngineError, ValueError) as error:
                fault = str(error)
        if fault is not None:
            self.is_broken = True
            log.error("records-broken", game=self.game_id, number=record.n, fault=fault)
            return
        self.gallery.note()
        if stored.message_id is not None:
            self.acting.note(record.seat, stored.message_id, record.n)

    @classmethod
    async def load(cls, hub: Hub, head: Head) -> Table:
        """Return the live copy of a stored game. Raises DatabaseAwayError."""
        table = cls(hub, head)
        if head.started_at is not None:
            table.course = head.course()
            table.gallery.note()
            table._follow_all(*await read_news(hub.reader, head, 0, 0))
            table.course.keep_deadline(head.deadline)
        table.moved()
        return table

    def _vanish(self) -> None:
        self.is_broken = True
        for connection in list(self.connections):
            connection.close(NO_SUCH_GAME)

    def drop(self) -> None:
        """Stop the clocks of a copy that is not needed any more, and let go of what it knows."""
        self.course = None
        self.gallery.drop()
        if self.real_time is not None:
            self.real_time.drop()
        if self._timer is not None:
            self._timer.cancel()

    @property
    def is_healing(self) -> bool:
        """True while no action is considered, because the records are read or something due is done."""
        return self._recoveries > 0

    @property
    def is_idle(self) -> bool:
        """True if nothing is under way here."""
        return not self.connections and not self.acting.is_busy and not self.is_healing
