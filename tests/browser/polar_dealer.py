"""The server's side of a Pick-a-Polar-Bear table, played by a test, so that it decides what is answered and when."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from games.engine import game as engine_game
from games.engine.pick_a_polar_bear import PickAPolarBear, Position

NOTHING_RUNS: dict[str, Any] = {"go": None, "idle": None, "question": None, "missing": []}


class Dealer:
    """One game before pages whose sockets end here. ``received`` holds the actions that nobody has answered yet."""

    def __init__(self, position: dict[str, Any], names: Sequence[str], rules: dict[str, Any] | None = None) -> None:
        game = engine_game("pick-a-polar-bear")
        assert isinstance(game, PickAPolarBear)
        self.game = game
        self.rules = game.rules(rules or {}, len(names))
        self.position: Position = game.from_json(position, self.rules)
        self.names = list(names)
        self.clock: dict[str, Any] = dict(NOTHING_RUNS)
        self.log: list[dict[str, Any]] = []
        self.n = 0
        self.received: list[dict[str, Any]] = []
        self.probes: list[str] = []
        self.hellos: list[int | None] = []
        self._sockets: list[tuple[WebSocketRoute, int | None]] = []
        self._down = False

    def serve(self, page: Page, seat: int | None) -> None:
        """Take the socket of ``page``, whose player sits on ``seat`` (None: a spectator)."""

        def opened(route: WebSocketRoute) -> None:
            if self._down:
                route.close(code=3001, reason="no line")
                return
            self._sockets.append((route, seat))
            route.on_message(lambda text: self._heard(route, seat, json.loads(text)))

        page.route_web_socket("**/ws/games/**", opened)

    def _heard(self, route: WebSocketRoute, seat: int | None, message: dict[str, Any]) -> None:
        match message["type"]:
            case "hello":
                self.hellos.append(message["seen"])
                self._send(route, self._state(seat))
            case "probe":
                self.probes.append(message["id"])
            case "ping":
                self._send(route, {"type": "pong", "id": message["id"]})
            case "act":
                self.received.append({**message, "seat": seat})
            case other:
                raise AssertionError(f"a message of the type {other!r}")

    # Answering

    def happen(self, seat: int | None, action: dict[str, Any], *, announce: bool = True) -> None:
        """Make a record of ``action``, and tell everybody if ``announce``."""
        before = self.n
        step = self.game.apply(self.position, seat, action)
        self.position = step.position
        self.n += 1
        events = [event.seen_by(None) for event in step.events]
        self.log += [{"n": self.n, "text": self.game.wording(event, self.names)} for event in events]
        if not announce:
            return
        for route, viewer in self._sockets:
            lines = [line for line in self.log if line["n"] > before]
            happened = [{"n": self.n, **event.seen_by(viewer)} for event in step.events]
            self._send(route, {"type": "update", **self._scene(viewer), "log": lines, "events": happened})

    def accept(self, message: dict[str, Any]) -> None:
        """Make a record of an action that was received, acknowledge it and tell everybody."""
        self.received.remove(message)
        self.happen(message["seat"], message["action"])
        self.tell(message["seat"], {"type": "ack", "id": message["id"], "n": self.n, "hash": "ab" * 32})

    def refuse(self, message: dict[str, Any], code: str, words: str) -> None:
        """Refuse an action that was received."""
        self.received.remove(message)
        refusal = {"type": "refused", "id": message["id"], "code": code, "message": words, "n": self.n}
        self.tell(message["seat"], refusal)

    def tell(self, seat: int | None, message: dict[str, Any]) -> None:
        """Send ``message`` to the pages of ``seat``."""
        for route, viewer in self._sockets:
            if viewer == seat:
                self._send(route, message)

    def show_again(self) -> None:
        """Send everybody the whole state, as after a hello."""
        for route, seat in self._sockets:
            self._send(route, self._state(seat))

    def break_line(self) -> None:
        """Close all sockets, as a broken line does, and those that are opened before it is mended."""
        self._down = True
        for route, _ in self._sockets:
            route.close(code=3001, reason="the line broke")
        self._sockets.clear()

    def mend_line(self) -> None:
        """Let pages come back."""
        self._down = False

    # What is sent

    def _state(self, seat: int | None) -> dict[str, Any]:
        seats = [
            {"number": number, "name": name, "slug": None, "bot": False, "ready": True}
            for number, name in enumerate(self.names)
        ]
        return {
            "type": "state",
            "game_id": "a game",
            "game": self.game.name,
            "rules": self.rules,
            "seat": seat,
            "commitment": "00" * 32,
            "seats": seats,
            "present": [True] * len(self.names),
            "log": self.log,
            **self._scene(seat),
        }

    def _scene(self, seat: int | None) -> dict[str, Any]:
        over = self.position.setting.outcome
        return {
            "n": self.n,
            "hash": "ab" * 32,
            "status": "running" if over is None else over.status,
            "view": self.game.view(self.position, seat),
            "options": {} if seat is None else self.game.options(self.position, seat),
            "clock": self.clock,
        }

    @staticmethod
    def _send(route: WebSocketRoute, message: dict[str, Any]) -> None:
        route.send(json.dumps(message))
