"""One open socket, seen from the game: what to send, never how long that takes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from django.conf import settings

from games.live.sessions import SPECTATOR, Identity

type Send = Callable[[dict[str, Any]], Awaitable[None]]


class Direct(Protocol):
    """A short way to the client, where the server has one (:mod:`config.websockets`)."""

    def take_with(self, take: Callable[[str], None]) -> None:
        """Hand each text that arrives from now on to ``take`` at once."""

    def send_text(self, payload: bytes) -> bool:
        """Send a text. False, and nothing is sent, where that may have to wait."""


class Connection:
    """Sends at once while the client reads. Nobody ever waits for a client that does not.

    A paused client gets its answers later, in order; of the views only the newest (``behind`` says that one is due).
    """

    def __init__(self, send: Send, identity: Identity = SPECTATOR, direct: Direct | None = None) -> None:
        self.identity = identity
        self.greeted = False
        """True once the client has said hello: before that it gets no views."""
        self.shown = 0
        """The number of the last record it was shown."""
        self.plays = False
        """Whether the client wants its plays listed."""
        self.told_closed = False
        """True if it was last told that the table is closed to it (:mod:`games.live.spectators`)."""
        self.plays_in_circle = True
        """Whether its player has another game of the same event open; true until that has been looked up."""
        self.behind = False
        self.caught_up: Callable[[Connection], None] | None = None
        """Called when a paused client reads again and is ``behind``."""
        self.closed = False
        self.direct = direct
        self._send = send
        self._backlog: deque[dict[str, Any]] = deque()
        self._sending: asyncio.Task[None] | None = None

    @property
    def is_paused(self) -> bool:
        """True while an earlier message has not left yet."""
        return self._sending is not None

    def answer(self, text: bytes) -> None:
        """Send ``text``, or keep it until the client reads again."""
        if self.closed:
            return
        if self._sending is None and self.direct is not None and self.direct.send_text(text):
            return
        if len(self._backlog) >= settings.SOCKET_BACKLOG:
            self.close(1008)
            return
        self._push({"type": "websocket.send", "text": text.decode()})

    def close(self, code: int) -> None:
        """Close the socket with ``code``; nothing is sent any more."""
        if not self.closed:
            self.closed = True
            self._backlog.clear()
            self._push({"type": "websocket.close", "code": code})

    def gone(self) -> None:
        """Note that the client has gone."""
        self.closed = True
        self._backlog.clear()

    def _push(self, message: dict[str, Any]) -> None:
        if self._sending is not None:
            self._backlog.append(message)
            return
        # Begun at once: a message that the socket takes without waiting costs no task switch.
        task = asyncio.Task(self._deliver(message), loop=asyncio.get_running_loop(), eager_start=True)
        if not task.done():
            self._sending = task

    async def _deliver(self, message: dict[str, Any] | None) -> None:
        try:
            while message is not None:
                await self._send(message)
                message = self._backlog.popleft() if self._backlog else None
        except (OSError, RuntimeError):  # the client has gone, or ASGI says so; the receiving side hears of it too
            self.gone()
        finally:
            self._sending = None
        if self.behind and not self.closed:
            self.behind = False
            if self.caught_up is not None:
                self.caught_up(self)
