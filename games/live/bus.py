"""The live server's ear and voice on the Valkey channel (:mod:`games.announcing`)."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable

import msgspec
import redis.asyncio
import structlog
from django.conf import settings
from redis.exceptions import RedisError

from games.announcing import CHANNEL, Notice

log = structlog.get_logger(__name__)

COUNT_SECONDS = 2.0
BACK_OFF_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0)
_FAILURES = (RedisError, OSError, TimeoutError)

_decode = msgspec.json.Decoder(Notice).decode


class Bus:
    """Sends what this process has to tell, together when it comes together, and hands on what it hears.

    While this process is the only one that listens, records are not told to anybody: nobody else has a live copy. A
    process that begins to listen says so, which turns the telling on at once.
    """

    def __init__(self, hear: Callable[[Notice], None], missed: Callable[[], None]) -> None:
        """``hear`` gets each notice of others; ``missed`` is called when notices may have been lost."""
        self.name = uuid.uuid4().hex[:12]
        self.others = True
        self.is_away = True
        """True while nothing can be heard of other processes."""
        self._hear = hear
        self._missed = missed
        self._client = redis.asyncio.Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=5, health_check_interval=0
        )
        self._topics: dict[str, None] = {}
        self._games: dict[str, int] = {}
        self._present: dict[str, tuple[int, ...]] = {}
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to listen and to send."""
        self._tasks = [
            asyncio.create_task(self._listen(), name="bus-listen"),
            asyncio.create_task(self._send(), name="bus-send"),
        ]

    async def stop(self) -> None:
        """End both."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.aclose()

    def tell_topics(self, *topics: str) -> None:
        """Say that these topics of pages have changed."""
        self._topics.update(dict.fromkeys(topics))
        self._wake.set()

    def tell_game(self, game_id: uuid.UUID, number: int) -> None:
        """Say that the game has reached ``number`` records, if anybody else may have it loaded."""
        if self.others:
            self._games[str(game_id)] = number
            self._wake.set()

    def tell_present(self, game_id: uuid.UUID, seats: tuple[int, ...]) -> None:
        """Say which seats of the game have a socket here, if anybody else may have it loaded."""
        if self.others:
            self._present[str(game_id)] = seats
            self._wake.set()

    async def _send(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            notice = Notice(sender=self.name, topics=tuple(self._topics), games=self._games, present=self._present)
            self._topics, self._games, self._present = {}, {}, {}
            try:
                await self._client.publish(CHANNEL, msgspec.json.encode(notice))
            except _FAILURES as error:
                log.warning("notice-lost", error=str(error))
                await asyncio.sleep(BACK_OFF_SECONDS[2])

    async def _listen(self) -> None:
        failures = 0
        while True:
            listener = self._client.pubsub()
            try:
                await listener.subscribe(CHANNEL)
                await self._client.publish(CHANNEL, msgspec.json.encode(Notice(sender=self.name, arrived=True)))
                self.is_away = False
                if failures:
                    log.info("bus-back")
                    self._missed()
                failures = 0
                await self._hear_all(listener)
            except _FAILURES as error:
                if failures == 0:
                    log.warning("bus-away", error=str(error))
                self.others = self.is_away = True
                await asyncio.sleep(BACK_OFF_SECONDS[min(failures, len(BACK_OFF_SECONDS) - 1)])
                failures += 1
            finally:
                await listener.aclose()

    async def _hear_all(self, listener: redis.asyncio.client.PubSub) -> None:
        counted_at = 0.0
        while True:
            if time.monotonic() - counted_at >= COUNT_SECONDS:
                [(_, listeners)] = await self._client.pubsub_numsub(CHANNEL)
                self.others = listeners > 1
                counted_at = time.monotonic()
            message = await listener.get_message(ignore_subscribe_messages=True, timeout=COUNT_SECONDS)
            if message is None:
                continue
            try:
                notice = _decode(message["data"])
            except msgspec.MsgspecError:
                log.warning("strange-notice")
                continue
            if notice.sender != self.name:
                self.others = self.others or notice.arrived
                self._hear(notice)
            elif notice.topics:
                # Pages watched here learn of topics through the same channel as everybody else.
                self._hear(Notice(sender=self.name, topics=notice.topics))
