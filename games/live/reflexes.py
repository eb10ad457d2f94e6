"""Lets house bots act in games without turns: each has a plan, made from its view and due some reaction time later."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

import structlog
from django.conf import settings

from games.course import Course
from games.engine.bots import Plan, plan
from games.live.actions import Attempt
from players.models import Bot

if TYPE_CHECKING:
    from games.live.hub import Hub
    from games.live.table import Table

log = structlog.get_logger(__name__)

LEVELS: dict[str, str] = {Bot.RANDOM: "cub", Bot.GREEDY: "grizzly", Bot.SEARCH: "kodiak"}
"""The engine's bots of these games by the levels that people know."""
RETRY_SECONDS = 0.5
EXPECTED = {"stale", "busy", "unavailable", "not-running", "game-over", "paused", "not-now", "place-empty"}
"""Refusals that can happen to anybody."""


@dataclass(slots=True)
class Intent:
    """What a bot is about to do in the stage of the game that began with record ``stage``."""

    stage: int
    handle: asyncio.TimerHandle | None = None
    offered_at: int | None = None
    """The record number at which it was offered; None while the bot still reacts."""


class Reflexes:
    """Plans and acts for bots. A bot sees its own view, like anybody in its seat, and reacts no faster than people."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._intents: dict[tuple[UUID, int], Intent] = {}
        self._chance = random.SystemRandom()

    def stop(self) -> None:
        """Forget all that was planned."""
        for intent in self._intents.values():
            if intent.handle is not None:
                intent.handle.cancel()
        self._intents.clear()

    def consider(self, table: Table, course: Course) -> None:
        """Plan for every bot that may act and has no plan that still stands."""
        for seat in course.waiting:
            if table.head.seats[seat].bot and not self._stands(table, course, seat):
                self._plan(table, course, seat)

    def _stands(self, table: Table, course: Course, seat: int) -> bool:
        intent = self._intents.get((table.head.game_id, seat))
        if intent is None:
            return False
        if intent.stage != course.fresh_since:
            if intent.handle is not None:
                intent.handle.cancel()
            return False
        if intent.offered_at is None:
            return True
        since = course.events[intent.offered_at :]
        return not any(event.seat == seat for events in since for event in events)

    def _plan(self, table: Table, course: Course, seat: int) -> None:
        game, position = course.refereed.game, course.refereed.position
        made = plan(LEVELS[table.head.seats[seat].bot], game, game.view(position, seat), self._chance)
        seconds = max(1, made.after) * settings.BOT_REACTION_PERCENT / 100_000
        intent = Intent(course.fresh_since)
        intent.handle = self._hub.loop.call_later(seconds, self._act, table, seat, intent, made)
        self._intents[table.head.game_id, seat] = intent

    def _act(self, table: Table, seat: int, intent: Intent, made: Plan) -> None:
        """Carry a plan out, or make a new one where it cannot be carried out."""
        key, course, action = (table.head.game_id, seat), table.course, made.action
        if self._intents.get(key) is not intent or course is None:
            return
        if not table.head.is_running or seat not in course.waiting or intent.stage != course.fresh_since:
            del self._intents[key]
            self._hub.bots.consider(table)
            return
        taken = action is not None and action["type"] == "grab" and _is_empty(course, action["place"])
        if action is None or taken:
            self._plan(table, course, seat)
            return
        intent.handle, intent.offered_at = None, course.number
        table.acting.attempt(
            Attempt(
                seat=seat,
                seen=course.number,
                action=action,
                failed=lambda code: self._failed(table, key, intent, code),
            )
        )

    def _failed(self, table: Table, key: tuple[UUID, int], intent: Intent, code: str) -> None:
        """Look again: somebody was faster, the round has ended, or the database is away."""
        if code not in EXPECTED:
            log.error("bot-refused", game=table.game_id, code=code)
        if self._intents.get(key) is intent:
            del self._intents[key]
            seconds = 0 if code in {"place-empty", "not-now", "stale"} else RETRY_SECONDS
            self._hub.loop.call_later(seconds, self._hub.bots.consider, table)


def _is_empty(course: Course, place: int) -> bool:
    return course.refereed.position.grid[place] is None
