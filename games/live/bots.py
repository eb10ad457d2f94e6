"""Lets house bots act at the tables that are loaded here, while this process is the one that keeps them."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog
from django.conf import settings

from games.engine.bots import CONSIDERED, SEARCHING, choose
from games.live.actions import Attempt
from games.live.reflexes import Reflexes
from games.live.thinking import Thinker
from players.models import Bot

if TYPE_CHECKING:
    from games.live.hub import Hub
    from games.live.table import Table

log = structlog.get_logger(__name__)

JITTER = 0.4
"""By how much of itself the delay varies either way, so that bots do not move in step."""
LARGE_HAND = 12
"""From so many cards on a decision may take long enough to be made in a thread."""
RETRY_SECONDS = 0.5
STAND_IN = Bot.GREEDY.value
"""How the house plays for a person who has gone."""


class Bots:
    """Decides and acts for bots. A bot sees its own view and its legal actions, like anybody in its seat."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._thinker = Thinker()
        self._reflexes = Reflexes(hub)
        self._active = False
        self._due: dict[tuple[UUID, int], tuple[int, asyncio.TimerHandle]] = {}
        self._offered: WeakKeyDictionary[Table, dict[int, int]] = WeakKeyDictionary()
        """By table and seat the record number on which an action was offered that is not refused yet."""
        self._chance = random.SystemRandom()

    def start(self) -> None:
        """Act from now on."""
        self._active = True

    def stop(self) -> None:
        """Act no more; somebody else may."""
        self._active = False
        for _, handle in self._due.values():
            handle.cancel()
        self._due.clear()
        self._reflexes.stop()

    async def close(self) -> None:
        """Stop, and end what thinks for bots."""
        self.stop()
        await self._thinker.stop()

    def consider(self, table: Table) -> None:
        """Plan the action of every bot that the table waits for, unless it is planned already."""
        if not self._active or table.course is None or table.is_broken or not table.head.is_running:
            return
        if table.course.is_paused(self._hub.now()):
            return
        if table.course.pace is not None:
            self._reflexes.consider(table, table.course)
            return
        for seat in table.course.waiting:
            offered = self._offered.get(table, {}).get(seat)
            if self._level(table, seat) and offered != table.number:
                self._plan(table, seat, table.number, self._delay())

    @staticmethod
    def _level(table: Table, seat: int) -> str:
        """Return how the house plays for ``seat`` now: as its bot, or for somebody who has gone; empty if not."""
        bot = table.head.seats[seat].bot
        if bot or table.course is None or seat not in table.course.clock.house or table.present()[seat]:
            return bot
        return STAND_IN

    def _delay(self) -> float:
        seconds: float = settings.BOT_DELAY_MS / 1000
        return seconds * (1 + JITTER * (2 * self._chance.random() - 1))

    def _plan(self, table: Table, seat: int, number: int, seconds: float) -> None:
        key = (table.head.game_id, seat)
        planned = self._due.get(key)
        if planned is not None:
            if planned[0] == number:
                return
            planned[1].cancel()
        self._due[key] = number, self._hub.loop.call_later(seconds, self._begin, table, seat, number)

    def _begin(self, table: Table, seat: int, number: int) -> None:
        self._hub.spawn(self._act(table, seat, number))

    async def _act(self, table: Table, seat: int, number: int) -> None:
        key = (table.head.game_id, seat)
        course = table.course
        try:
            if course is None or table.number != number or seat not in course.waiting:
                return
            game, position = course.refereed.game, course.refereed.position
            level, view = self._level(table, seat), game.view(position, seat)

            def decide() -> dict[str, object]:
                legal, _ = game.legal(position, seat, CONSIDERED)
                return choose(level, game, view, legal, self._chance)

            if level in SEARCHING:
                action = await self._thinker.action(game.name, view)
            elif len(view.get("hand") or ()) >= LARGE_HAND:
                action = await asyncio.to_thread(decide)
            else:
                action = decide()
        except ChildProcessError:
            log.exception("bot-cannot-think", game=table.game_id)
            self._hub.loop.call_later(RETRY_SECONDS, self.consider, table)
            return
        finally:
            planned = self._due.get(key)
            if planned is not None and planned[0] == number:
                del self._due[key]
        if self._active and table.number == number:
            self._offered.setdefault(table, {})[seat] = number
            table.acting.attempt(
                Attempt(seat=seat, seen=number, action=action, failed=lambda code: self._failed(table, seat, code))
            )

    def _failed(self, table: Table, seat: int, code: str) -> None:
        """Look again in a moment: the database is away, or somebody else was first."""
        self._offered.get(table, {}).pop(seat, None)
        if code not in {"stale", "busy", "unavailable", "not-running", "game-over", "paused"}:
            log.error("bot-refused", game=table.game_id, code=code)
        self._hub.loop.call_later(RETRY_SECONDS, self.consider, table)
