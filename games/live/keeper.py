"""Elects one web process to play for the house bots, to notice who is gone and to say that the server is there.

It has every game loaded in which that matters.

The elected process holds an advisory lock of PostgreSQL on a connection of its own; when the process dies, or loses
the connection, another one gets it. Two at once for a moment do no harm: the log takes one record of a number.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
import structlog
from django.db import InterfaceError, OperationalError
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from games.live.database import ANSWER_SECONDS, DatabaseAwayError, connect, in_thread
from games.services.clocks import OUTAGE, beat

if TYPE_CHECKING:
    from games.live.hub import Hub

log = structlog.get_logger(__name__)

LOCK = 0x6265_6172
"""The number of the advisory lock ("bear")."""
ELECTION_SECONDS = 1.0
SWEEP_SECONDS = 1.0
BEAT_SECONDS = 1.0
GATHER_SECONDS = 0.02
"""News that come together are looked at once."""
BACK_OFF_SECONDS = 0.5

_GAMES = """
SELECT g.id FROM games_game g WHERE g.status = 'running' AND (
    g.absence <> 'wait' OR g.disconnect_ms > 0 OR EXISTS (
        SELECT FROM games_seat s JOIN players_player p ON p.id = s.player_id
        WHERE s.game_id = g.id AND p.bot IN ('random', 'greedy', 'search')
    )
)
"""
_BEAT = """
INSERT INTO games_beat (id, at) VALUES (1, %(now)s)
ON CONFLICT (id) DO UPDATE SET at = excluded.at WHERE games_beat.at >= excluded.at - %(outage)s
RETURNING at
"""


class Keeper:
    """Runs as long as the process; ``games`` are those that stay loaded while it is elected."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.games: set[UUID] = set()
        self.is_elected = False

    def start(self) -> None:
        """Stand for election."""
        self._task = asyncio.create_task(self._run(), name="keeper")

    async def stop(self) -> None:
        """Stop and let another process be elected."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Look for new games now."""
        self._wake.set()

    async def _run(self) -> None:
        while True:
            try:
                connection = await connect("keeper")
            except DatabaseAwayError:
                await asyncio.sleep(BACK_OFF_SECONDS)
                continue
            beating = None
            try:
                await self._stand(connection)
                beating = asyncio.create_task(self._beat(connection), name="beat")
                await self._keep(connection)
            except (psycopg.OperationalError, DatabaseAwayError, TimeoutError) as error:
                log.warning("keeper-away", reason=str(error))
            finally:
                if beating is not None:
                    beating.cancel()
                    await asyncio.gather(beating, return_exceptions=True)
                self._hub.bots.stop()
                self.is_elected = False
                self.games = set()
                with contextlib.suppress(psycopg.Error):
                    await connection.close()
            await asyncio.sleep(BACK_OFF_SECONDS)

    async def _stand(self, connection: AsyncConnection[DictRow]) -> None:
        """Return once this process is elected."""
        while True:
            [row] = await self._rows(connection, f"SELECT pg_try_advisory_lock({LOCK}) AS elected")
            if row["elected"]:
                self.is_elected = True
                log.info("keeper-elected")
                return
            await asyncio.sleep(ELECTION_SECONDS)

    async def _keep(self, connection: AsyncConnection[DictRow]) -> None:
        self._hub.bots.start()
        while True:
            self.games = {row["id"] for row in await self._rows(connection, _GAMES)}
            for game_id in self.games:
                table = await self._hub.table(game_id)
                if table is not None:
                    self._hub.bots.consider(table)
                    self._hub.absences.consider(table)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SWEEP_SECONDS):
                    await self._wake.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._wake.clear()

    async def _beat(self, connection: AsyncConnection[DictRow]) -> None:
        """Say every second that the server is there; where it was silent for too long, make good what that cost."""
        while True:
            async with asyncio.timeout(ANSWER_SECONDS):
                cursor = await connection.execute(_BEAT, {"now": self._hub.now(), "outage": OUTAGE})
                rows = await cursor.fetchall()
            if not rows:
                try:
                    await in_thread(beat)
                except (OperationalError, InterfaceError) as error:
                    log.warning("beat-missed", reason=str(error))
            await asyncio.sleep(BEAT_SECONDS)

    @staticmethod
    async def _rows(connection: AsyncConnection[DictRow], query: str) -> list[DictRow]:
        async with asyncio.timeout(ANSWER_SECONDS):
            cursor = await connection.execute(query.encode())
            return await cursor.fetchall()
