"""Pages that want to hear when a topic has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from games.live import messages
from games.live.connection import Connection

SPACING_SECONDS = 0.2
"""A topic that changes more often is told once for all changes of this time."""


class Watchers:
    """Who watches what. A first change is told at once, what follows closely together with it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._watchers: dict[str, dict[Connection, None]] = {}
        self._changed_again: dict[str, bool] = {}

    def join(self, connection: Connection, topics: Collection[str]) -> None:
        """Let ``connection`` hear of ``topics``."""
        for topic in topics:
            self._watchers.setdefault(topic, {})[connection] = None

    def leave(self, connection: Connection, topics: Collection[str]) -> None:
        """Let ``connection`` hear of ``topics`` no more."""
        for topic in topics:
            watchers = self._watchers.get(topic, {})
            watchers.pop(connection, None)
            if not watchers:
                self._watchers.pop(topic, None)

    def tell(self, topic: str) -> None:
        """Tell everybody who watches ``topic`` that it has changed."""
        if topic in self._changed_again:
            self._changed_again[topic] = True
        elif topic in self._watchers:
            self._tell_now(topic)

    def tell_all(self) -> None:
        """Tell everybody of all that they watch: something may have been missed."""
        for topic in list(self._watchers):
            self.tell(topic)

    def _tell_now(self, topic: str) -> None:
        self._changed_again[topic] = False
        self._loop.call_later(SPACING_SECONDS, self._after_spacing, topic)
        text = messages.write({"type": "changed", "topic": topic})
        for connection in list(self._watchers.get(topic, {})):
            connection.answer(text)

    def _after_spacing(self, topic: str) -> None:
        if self._changed_again.pop(topic, False):
            self._tell_now(topic)
