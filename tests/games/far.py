"""Clients that are far away: whatever they send and hear is under way for a while, as on a slow connection."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from games.models import Game
from tests.games.conftest import Person
from tests.processes import WebServer

SECONDS = 30.0


class Far:
    """A seat's socket with a delay of so many seconds each way. Answers probes at once, as a client must."""

    def __init__(self, server: WebServer, game: Game, person: Person | None, delay: float) -> None:
        self._server, self._path, self._person, self.delay = server, f"/ws/games/{game.pk}/", person, delay
        self._socket: ClientConnection | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._outbox: asyncio.Queue[tuple[float, str]] = asyncio.Queue()
        self._heard = asyncio.Event()
        self.state: dict[str, Any] = {}
        self.answers: dict[str, tuple[float, dict[str, Any]]] = {}
        """By message id when the answer came and what it was."""
        self.probes = 0
        self._pings: dict[str, float] = {}
        self.lateness: dict[str, float] = {}
        """By the id of a ping how many seconds more than twice the delay it took: what the machine lacks in speed."""

    async def __aenter__(self) -> Self:
        headers = {"Cookie": self._person.cookie} if self._person else {}
        self._socket = await connect(
            f"{self._server.socket_url}{self._path}",
            additional_headers=headers,
            origin=Origin(self._server.url),
            compression=None,
        )
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
        self.send({"type": "hello", "seen": None})
        await self.until(lambda state: bool(state))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        assert self._socket is not None
        await self._socket.close()

    async def _read(self) -> None:
        assert self._socket is not None
        loop = asyncio.get_running_loop()
        async for text in self._socket:
            loop.call_later(self.delay, self._hear, json.loads(text))

    async def _write(self) -> None:
        assert self._socket is not None
        loop = asyncio.get_running_loop()
        while True:
            due, text = await self._outbox.get()
            await asyncio.sleep(max(0.0, due - loop.time()))
            await self._socket.send(text)

    def send(self, message: dict[str, Any]) -> None:
        """Send ``message`` on its way."""
        self._outbox.put_nowait((asyncio.get_running_loop().time() + self.delay, json.dumps(message)))

    def _hear(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "probe":
                self.probes += 1
                self.send({"type": "probe", "id": message["id"]})
            case "state":
                self.state = message
            case "update":
                self.state = {**self.state, **message, "type": "state", "log": self.state["log"] + message["log"]}
            case "clock":
                self.state = {**self.state, "clock": message["clock"]}
            case "pong":
                under_way = asyncio.get_running_loop().time() - self._pings.pop(message["id"])
                self.lateness[message["id"]] = under_way - 2 * self.delay
            case "ack" | "refused":
                self.answers[message["id"]] = asyncio.get_running_loop().time(), message
        self._heard.set()

    async def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until what is known ``holds``, and return it."""
        async with asyncio.timeout(SECONDS):
            while not holds(self.state):
                self._heard.clear()
                await self._heard.wait()
        return self.state

    async def phase(self, phase: str) -> dict[str, Any]:
        """Wait for a phase of the game."""
        return await self.until(lambda state: state["view"]["phase"] == phase)

    def act(self, action: dict[str, Any], message_id: str) -> float:
        """Send an action, and return when."""
        self.send({"type": "act", "id": message_id, "seen": self.state["n"], "action": action})
        return asyncio.get_running_loop().time()

    def ping(self, message_id: str) -> None:
        """Send a ping."""
        self._pings[message_id] = asyncio.get_running_loop().time()
        self.send({"type": "ping", "id": message_id})

    async def late(self, message_id: str) -> float:
        """Return the lateness of a ping."""
        await self.until(lambda _: message_id in self.lateness)
        return self.lateness[message_id]

    async def answer(self, message_id: str) -> dict[str, Any]:
        """Return the ack or refusal of a message."""
        await self.until(lambda _: message_id in self.answers)
        return self.answers[message_id][1]

    def lying(self) -> list[int]:
        """Return the places that hold a card."""
        return [place for place, card in enumerate(self.state["view"]["grid"]) if card is not None]
