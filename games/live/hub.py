"""Everything live of one web process: its tables, sockets, log writer, bus, clock and bots."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Coroutine, Iterable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError

from games.announcing import Notice, session_mark
from games.live import sessions
from games.live.absence import Absences
from games.live.acting import SESSION_ENDED
from games.live.bots import Bots
from games.live.bus import Bus
from games.live.connection import Connection
from games.live.database import DatabaseAwayError, Reader, in_thread
from games.live.keeper import Keeper
from games.live.limits import Room
from games.live.loading import read_head
from games.live.log import LogWriter
from games.live.spectators import find_own_games
from games.live.table import Table
from games.live.watching import Watchers
from games.models import Game, Spectating
from games.services.ending import game_do_due
from games.services.rows import send_finished
from players.errors import Conflict

log = structlog.get_logger(__name__)

POLL_SECONDS = 3.0
"""How often loaded games are compared with the database, in case news of them were lost."""
KEEP_SECONDS = 30.0
"""How long a game stays loaded after its last socket has gone."""
PRESENCE_SECONDS = 3 * POLL_SECONDS
SESSION_POLLS = 5
"""Sockets' sessions are looked at in every so many polls."""
RETRY_SECONDS = 0.5

_CHANGED = """
SELECT g.id
FROM json_to_recordset(%s::json) AS known (id uuid, records int, clocks int, status text, sealed bool, seats jsonb)
JOIN games_game g ON g.id = known.id
WHERE g.record_count > known.records OR g.clock_count > known.clocks OR g.status <> known.status
OR known.sealed <> EXISTS (
    SELECT FROM games_dealgroup d WHERE d.id = g.deal_group_id AND d.opened_at IS NULL
) OR known.seats <> (
    SELECT jsonb_agg(jsonb_build_array(coalesce(s.player_id, 0), s.ready) ORDER BY s.number)
    FROM games_seat s WHERE s.game_id = g.id
)
"""
"""Those of the games known here that are not as they are known."""


class Hub:
    """Made and used in one event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.reader = Reader()
        self.writer = LogWriter(settings.LOG_BACKLOG)
        self.bus = Bus(self._hear, self._missed)
        self.bots = Bots(self)
        self.absences = Absences(self)
        self.keeper = Keeper(self)
        self.watchers = Watchers(self.loop)
        self.room = Room()
        self.tables: dict[UUID, Table] = {}
        self._loading: dict[UUID, asyncio.Lock] = {}
        self._sockets: dict[Connection, None] = {}
        self._to_refresh: set[UUID] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._poll_task: asyncio.Task[None] | None = None

    @staticmethod
    def now() -> datetime:
        """Return the time of day by this server's clock."""
        return datetime.now(UTC)

    def start(self) -> None:
        """Begin to serve."""
        self.writer.start()
        self.bus.start()
        self.keeper.start()
        self._poll_task = asyncio.create_task(self._poll(), name="poll")

    async def stop(self) -> None:
        """Store what waits, and end."""
        await self.keeper.stop()
        await self.bots.close()
        if self._poll_task is not None:
            self._poll_task.cancel()
            await asyncio.gather(self._poll_task, return_exceptions=True)
        await self.writer.stop()
        for table in self.tables.values():
            table.drop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.bus.stop()
        await self.reader.close()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run ``work`` beside; what it raises is logged."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("live-task-failed", exc_info=error)

    # Tables and sockets

    async def table(self, game_id: UUID) -> Table | None:
        """Return the live copy of a game, loaded if need be; None if there is no such game.

        Raises DatabaseAwayError.
        """
        table = self.tables.get(game_id)
        if table is not None:
            table.used_at = self.loop.time()
            return table
        lock = self._loading.setdefault(game_id, asyncio.Lock())
        async with lock:
            table = self.tables.get(game_id)
            if table is None:
                head = await read_head(self.reader, game_id)
                if head is not None:
                    table = await Table.load(self, head)
                    self.tables[game_id] = table
            self._loading.pop(game_id, None)
        return table

    def join(self, connection: Connection) -> None:
        """Note an open socket."""
        self._sockets[connection] = None

    def leave(self, connection: Connection) -> None:
        """Note that a socket has gone."""
        connection.gone()
        self._sockets.pop(connection, None)

    def game_ended(self, game_id: UUID) -> None:
        """Tell everybody that a game ended by a record that this process has just stored."""
        self.spawn(in_thread(send_finished, game_id))
        self.bus.tell_topics(f"game.{game_id}", "lobby")

    async def do_due(self, game_id: UUID) -> None:
        """Do what is due in a game, by the service that everybody uses, once the database answers.

        After an outage it waits until the clocks have been set right.
        """
        while True:
            try:
                await in_thread(functools.partial(game_do_due, game=Game(pk=game_id)))
            except (OperationalError, InterfaceError, psycopg.OperationalError):
                await asyncio.sleep(RETRY_SECONDS)
            except Conflict as conflict:
                if conflict.code != "outage":
                    raise
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return

    # News

    def _hear(self, notice: Notice) -> None:
        for topic in notice.topics:
            self.watchers.tell(topic)
            if topic.startswith("game."):
                self._refresh_soon(UUID(topic.removeprefix("game.")))
                self.keeper.wake()
        for name, number in notice.games.items():
            table = self.tables.get(UUID(name))
            if table is not None and table.number < number:
                self._refresh_soon(table.head.game_id)
        until = self.loop.time() + PRESENCE_SECONDS
        for name, seats in notice.present.items():
            table = self.tables.get(UUID(name))
            if table is not None:
                table.hear_presence(notice.sender, frozenset(seats), until)
        if notice.ended_session:
            for connection in list(self._sockets):
                right = connection.identity.entitlement
                if right and right.session_key and session_mark(right.session_key) == notice.ended_session:
                    connection.close(SESSION_ENDED)
        if notice.arrived:
            self._tell_presence()

    def _missed(self) -> None:
        self.watchers.tell_all()
        for game_id in self.tables:
            self._refresh_soon(game_id)
        self.keeper.wake()

    def _refresh_soon(self, game_id: UUID) -> None:
        if game_id in self.tables and game_id not in self._to_refresh:
            self._to_refresh.add(game_id)
            self.spawn(self._refresh(game_id))

    async def _refresh(self, game_id: UUID) -> None:
        self._to_refresh.discard(game_id)
        table = self.tables.get(game_id)
        if table is not None:
            try:
                await table.refresh()
            except DatabaseAwayError:
                log.warning("game-not-read", game=str(game_id))

    def _tell_presence(self) -> None:
        if not self.bus.others:
            return
        for table in self.tables.values():
            if table.connections:
                self.bus.tell_present(table.head.game_id, tuple(sorted(table.seats_here())))

    # The slow look at everything, which makes up for whatever news were lost

    async def _poll(self) -> None:
        polls = 0
        while True:
            await asyncio.sleep(POLL_SECONDS)
            polls += 1
            self._drop_idle()
            self._tell_presence()
            try:
                await self._compare()
                await self.look_for_own_games(self.tables.values())
                if polls % SESSION_POLLS == 0:
                    await self._close_ended_sessions()
            except DatabaseAwayError as error:
                log.warning("poll-failed", error=str(error))

    def _drop_idle(self) -> None:
        limit = self.loop.time() - KEEP_SECONDS
        for game_id, table in list(self.tables.items()):
            if table.is_idle and table.used_at < limit and game_id not in self.keeper.games:
                table.drop()
                del self.tables[game_id]

    async def _compare(self) -> None:
        known = [
            {
                "id": game_id,
                "records": table.number,
                "clocks": table.head.clock_count if table.course is None else table.course.clock_number,
                "status": table.head.status,
                "sealed": table.head.is_sealed,
                "seats": [(seat.player_id or 0, seat.ready) for seat in table.head.seats],
            }
            for game_id, table in self.tables.items()
            if not table.head.is_over or table.connections
        ]
        for row in await self.reader.rows(_CHANGED, [msgspec.json.encode(known).decode()]) if known else ():
            self._refresh_soon(row["id"])

    async def look_for_own_games(self, tables: Iterable[Table]) -> None:
        """Find out which spectators of ``tables`` play in the same event now, and show or close the tables to them."""
        at_table = {
            connection: table
            for table in tables
            if table.head.audience.spectating == Spectating.AFTER_OWN
            for connection in table.connections
        }
        looked = [(connection, table.head.audience.circle) for connection, table in at_table.items()]
        changed = await find_own_games(self.reader, looked)
        for table in {at_table[connection] for connection in changed}:
            table.gallery.show()

    async def _close_ended_sessions(self) -> None:
        started = time.monotonic()
        rights = {connection.identity.entitlement for connection in self._sockets}
        gone = await sessions.ended([right for right in rights if right is not None], self.reader)
        for connection in list(self._sockets):
            if connection.identity.entitlement in gone:
                connection.close(SESSION_ENDED)
        log.debug("sessions-checked", count=len(rights), seconds=time.monotonic() - started)
