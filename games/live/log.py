"""The one writer of a web process: every record of every live game goes through it.

What waits while one commit is under way becomes the next commit, as one statement. The statement itself decides,
under the games' row locks, which records still fit: the game runs, the record is its next one, the sender's session
is alive. A game that somebody else has locked is passed over and tried again, so that it never holds up the others.
"""

from __future__ import annotations

import asyncio
import enum
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import structlog
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from games.live.database import ANSWER_SECONDS, DatabaseAwayError, connect
from games.live.sessions import HOLDS, Entitlement

log = structlog.get_logger(__name__)

_encode = msgspec.json.Encoder().encode

BATCH_LIMIT = 500
LOCKED_PAUSE_SECONDS = 0.01
LOCKED_LIMIT_SECONDS = 3.0
BACK_OFF_SECONDS = (0.05, 0.1, 0.2, 0.5, 1.0)


class Verdict(enum.Enum):
    """What became of a record that was offered."""

    STORED = "stored"
    STALE = "stale"
    """Somebody else's record came first, the game no longer runs, or the message was stored before."""
    SESSION_ENDED = "session-ended"
    BUSY = "busy"
    """Nothing stored; too much waits, or somebody else keeps the game locked."""
    UNAVAILABLE = "unavailable"
    """Nothing stored; the database cannot be reached."""
    UNSURE = "unsure"
    """The connection broke during the commit; only the game's records can tell."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What the record that ends a game writes on the game's row."""

    status: str
    places: tuple[int, ...]
    points: tuple[int, ...] | None


@dataclass(slots=True)
class Entry:
    """A record on its way into the log, with what changes on the game's row; ``done`` hears the verdict, once."""

    game_id: UUID
    number: int
    clock: int
    """The number of clock events that the sender knew; if there are more, it has to look again."""
    at: int
    seat: int
    action: bytes
    """JSON."""
    hash: bytes
    message_id: str | None
    entitlement: Entitlement | None
    deadline: datetime | None
    ending: Ending | None
    done: Callable[[Verdict], None]
    offered_at: float = field(default_factory=time.monotonic)


_STATEMENT = f"""
WITH offered AS (
    SELECT * FROM json_to_recordset(%(batch)s::json) AS o (
        place int, game uuid, number int, at bigint, seat smallint, action jsonb, hash bytea, message text,
        account bigint, session text, mark bytea, key bigint,
        clock int, deadline timestamptz, status text, places jsonb, points jsonb
    )
), locked AS (
    SELECT id, record_count, clock_count FROM games_game
    WHERE id = ANY(ARRAY(SELECT game FROM offered)) AND status = 'running'
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
), judged AS (
    SELECT o.*, l.id IS NOT NULL AS held,
        coalesce(l.record_count = o.number - 1 AND l.clock_count = o.clock, false) AS fits,
        o.account IS NULL OR {HOLDS} AS entitled
    FROM offered o LEFT JOIN locked l ON l.id = o.game
), stored AS (
    INSERT INTO games_record (game_id, number, at, seat, action, hash, message_id)
    SELECT game, number, at, seat, action, hash, message FROM judged WHERE fits AND entitled
), moved AS (
    UPDATE games_game g SET
        record_count = j.number, deadline = j.deadline, status = coalesce(j.status, g.status),
        finished_at = CASE WHEN j.status IS NULL THEN g.finished_at ELSE now() END,
        places = coalesce(j.places, g.places), points = coalesce(j.points, g.points)
    FROM judged j WHERE g.id = j.game AND j.fits AND j.entitled
)
SELECT place, entitled,
    NOT held AND EXISTS (SELECT FROM games_game g WHERE g.id = judged.game AND g.status = 'running') AS elsewhere
FROM judged WHERE NOT (fits AND entitled)
"""  # noqa: S608 (constants)


class LogWriter:
    """Stores entries in batches; owns its connection and gets a new one when that breaks."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: deque[Entry] = deque()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.is_away = False
        """True while the database cannot be reached."""
        self.commits = 0

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run(), name="log-writer")

    async def stop(self) -> None:
        """Write what waits, within a moment, and end."""
        deadline = time.monotonic() + 2
        while self._waiting and not self.is_away and time.monotonic() < deadline:
            await asyncio.sleep(0.01)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._tell(list(self._waiting), Verdict.UNAVAILABLE)
        self._waiting.clear()

    def put(self, entry: Entry) -> Verdict | None:
        """Take ``entry``; its ``done`` will hear. Returns a verdict instead if it cannot be taken."""
        if self.is_away:
            return Verdict.UNAVAILABLE
        if len(self._waiting) >= self._limit:
            return Verdict.BUSY
        self._waiting.append(entry)
        self._wake.set()
        return None

    async def _run(self) -> None:
        failures = 0
        while True:
            try:
                connection = await connect("log")
                try:
                    await connection.execute("SET synchronous_commit = on")
                except BaseException:  # stopped just now, or broken already
                    await connection.close()
                    raise
            except (DatabaseAwayError, psycopg.OperationalError) as error:
                self._go_away(str(error), first=failures == 0)
                await asyncio.sleep(BACK_OFF_SECONDS[min(failures, len(BACK_OFF_SECONDS) - 1)])
                failures += 1
                continue
            if self.is_away:
                log.info("log-writer-back")
            failures, self.is_away = 0, False
            try:
                await self._write(connection)
            finally:
                await connection.close()

    async def _write(self, connection: AsyncConnection[DictRow]) -> None:
        """Commit batch after batch until the connection breaks."""
        while not connection.broken and not connection.closed:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), BATCH_LIMIT))]
                try:
                    await self._commit(connection, batch)
                except DatabaseAwayError as error:
                    self._go_away(str(error), first=True)
                    return
                except asyncio.CancelledError:
                    self._tell(batch, Verdict.UNSURE)
                    raise

    async def _commit(self, connection: AsyncConnection[DictRow], batch: list[Entry]) -> None:
        """Store ``batch`` in one transaction; if the database refuses it as a whole, entry by entry."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                cursor = await connection.execute(_STATEMENT, {"batch": _encode(_rows(batch)).decode()}, prepare=True)
                refused = {row["place"]: row for row in await cursor.fetchall()}
        except TimeoutError as error:
            self._tell(batch, Verdict.UNSURE)
            raise DatabaseAwayError("no answer") from error
        except psycopg.Error as error:
            if connection.broken or connection.closed:
                self._tell(batch, Verdict.UNSURE)
                raise DatabaseAwayError(str(error)) from error
            if len(batch) > 1:
                for entry in batch:
                    await self._commit(connection, [entry])
            elif isinstance(error, psycopg.IntegrityError):
                self._tell(batch, Verdict.STALE)
            else:
                log.exception("record-refused", game=str(batch[0].game_id), number=batch[0].number)
                self._tell(batch, Verdict.UNAVAILABLE)
            return
        self.commits += 1
        self._tell([entry for place, entry in enumerate(batch) if place not in refused], Verdict.STORED)
        for place, row in refused.items():
            self._judge(batch[place], row)

    def _judge(self, entry: Entry, row: DictRow) -> None:
        if not row["entitled"]:
            self._tell([entry], Verdict.SESSION_ENDED)
        elif not row["elsewhere"]:
            self._tell([entry], Verdict.STALE)
        elif time.monotonic() - entry.offered_at > LOCKED_LIMIT_SECONDS:
            self._tell([entry], Verdict.BUSY)
        else:
            asyncio.get_running_loop().call_later(LOCKED_PAUSE_SECONDS, self._again, entry)

    def _again(self, entry: Entry) -> None:
        verdict = self.put(entry)
        if verdict is not None:
            entry.done(verdict)

    def _go_away(self, reason: str, *, first: bool) -> None:
        if first:
            log.warning("log-writer-away", reason=reason)
        self.is_away = True
        waiting = list(self._waiting)
        self._waiting.clear()
        self._tell(waiting, Verdict.UNAVAILABLE)

    @staticmethod
    def _tell(entries: list[Entry], verdict: Verdict) -> None:
        """Let the entries hear in the loop's next turn, while the next commit is under way."""
        loop = asyncio.get_running_loop()
        for entry in entries:
            loop.call_soon(entry.done, verdict)


def _rows(batch: list[Entry]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for place, entry in enumerate(batch):
        row = {
            "place": place,
            "game": entry.game_id,
            "number": entry.number,
            "at": entry.at,
            "seat": entry.seat,
            "action": msgspec.Raw(entry.action),
            "hash": f"\\x{entry.hash.hex()}",
            "message": entry.message_id,
            "clock": entry.clock,
            "deadline": entry.deadline,
        }
        right, ending = entry.entitlement, entry.ending
        if right is not None:
            row |= {"account": right.user_id, "session": right.session_key, "key": right.key_id}
            row["mark"] = None if right.password_mark is None else f"\\x{right.password_mark.hex()}"
        if ending is not None:
            row |= {"status": ending.status, "places": ending.places, "points": ending.points}
        rows.append(row)
    return rows
