"""People with sessions, games on the test database, and their sockets to real web servers."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from games.announcing import announce
from games.models import Game
from games.services import game_create, seat_ready
from players.bots import bot_player
from players.models import Player, User
from tests.processes import WebServer

SECONDS = 30.0
"""How long a test waits for what must come."""


@dataclass(frozen=True)
class Person:
    """A player with an account who is logged in."""

    player: Player
    user: User
    client: Client
    cookie: str
    """The session cookie as it was at login."""


class Line:
    """A socket to a game, with every message it ever heard."""

    def __init__(self, server: WebServer, path: str, person: Person | None = None, origin: str | None = None) -> None:
        headers = {"Cookie": person.cookie} if person else {}
        self._open = ExitStack()
        self.socket: ClientConnection = self._open.enter_context(
            connect(
                f"{server.socket_url}{path}",
                additional_headers=headers,
                origin=Origin(origin or server.url),
                compression=None,
                open_timeout=SECONDS,
            )
        )
        self.heard: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}

    def close(self) -> None:
        """Go away."""
        self._open.close()

    def send(self, message: dict[str, Any]) -> None:
        """Send ``message``."""
        self.socket.send(json.dumps(message))

    def next(self, timeout: float = SECONDS) -> dict[str, Any]:
        """Return the next message. Raises TimeoutError."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout))
        self.heard.append(message)
        if message["type"] == "state":
            self.state = message
        elif message["type"] == "update":
            self.state = {**self.state, **message, "type": "state", "log": self.state["log"] + message["log"]}
        elif message["type"] == "clock":
            self.state = {**self.state, "clock": message["clock"]}
        return message

    def wait(self, kind: str, **expected: Any) -> dict[str, Any]:
        """Return the next message of type ``kind`` that has the ``expected`` values."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            message = self.next(max(0.01, end - time.monotonic()))
            if message["type"] == kind and all(message.get(key) == value for key, value in expected.items()):
                return message
        raise AssertionError(f"no {kind} with {expected}; heard {self.heard[-5:]}")

    def hello(self, seen: int | None = None) -> dict[str, Any]:
        """Say hello and return the state."""
        self.send({"type": "hello", "seen": seen, "plays": True})
        return self.wait("state")

    def act(self, action: dict[str, Any], *, message_id: str, seen: int | None = None) -> dict[str, Any]:
        """Send an action and return the ack or refusal of it."""
        seen = self.state["n"] if seen is None else seen
        self.send({"type": "act", "id": message_id, "seen": seen, "action": action})
        while True:
            message = self.next()
            if message["type"] in {"ack", "refused"} and message["id"] == message_id:
                return message

    def close_code(self) -> int:
        """Wait until the server closes and return its code."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                self.next(max(0.01, end - time.monotonic()))
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else 1006
        raise AssertionError("the server did not close")

    def hears(self, topic: str) -> None:
        """Wait until this line of a watching page has joined its topics, of which ``topic`` is one."""
        end = time.monotonic() + SECONDS
        while {"type": "changed", "topic": topic} not in self.heard:
            assert time.monotonic() < end, f"nothing is heard of {topic}"
            announce(topic)
            with contextlib.suppress(TimeoutError):
                self.next(0.2)

    def until(self, number: int) -> dict[str, Any]:
        """Listen until record ``number`` was shown, and return what is known then."""
        while self.state.get("n", -1) < number:
            self.next()
        return self.state


def any_action(state: dict[str, Any]) -> dict[str, Any]:
    """Return a legal action for the seat whose ``state`` this is, with the choices that it needs."""
    options, view = state["options"], state["view"]
    if options["respond"]:
        return {"type": "respond", "card": options["respond"]["cards"][0]}
    if options["plays"]:
        play = dict(options["plays"][-1])
        needs = play.pop("needs", ())
        if not needs:
            return play
        other = next(seat for seat in range(len(state["seats"])) if seat != state["seat"] and seat not in view["out"])
        choices = {"giraffe": {"animal": "cat"}, "kangaroo": {"seat": other, "card": "cat-1"}}
        return {**play, "do": {need: choices[need] for need in needs}}
    if options["force_bear"]:
        return {"type": "force-bear", "card": options["force_bear"][0]}
    if options["steal"]:
        victims = [int(seat) for seat, held in options["steal"]["from"].items() for _ in range(held)]
        return {"type": "steal", "from": victims[: options["steal"]["take"]]}
    to = options["give"]["to"][0]
    return {
        "type": "give",
        "gifts": [{"card": card, "to": to} for card in view["hand"][: options["give"]["cards"]]],
    }


@pytest.fixture(scope="module")
def second_server(module_database: None) -> Iterator[WebServer]:
    """Another web server of a module's tests."""
    server = WebServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def two_web_servers(web_server: WebServer, second_server: WebServer) -> list[WebServer]:
    """Two web servers on the same database."""
    return [web_server, second_server]


@pytest.fixture
def person(db: None) -> Callable[[str], Person]:
    """A function that makes a person with an account, logged in."""

    def make(name: str) -> Person:
        user = User.objects.create_user(f"{name.lower()}@people.example", "a long password")
        player = Player.objects.create(name=name, slug=name.lower(), user=user)
        client = Client()
        client.force_login(user)
        name_of_cookie = settings.SESSION_COOKIE_NAME
        return Person(player, user, client, f"{name_of_cookie}={client.cookies[name_of_cookie].value}")

    return make


@pytest.fixture
def deal() -> Callable[..., Game]:
    """A function that deals a game among people and ``bots`` house bots."""

    def make(*people: Person, bots: int = 0, level: str = "greedy", **terms: Any) -> Game:
        players = [someone.player for someone in people]
        for _ in range(bots):
            players.append(bot_player(level=level, exclude=[player.pk for player in players]))
        game = game_create(**{"game": "hold-my-bear", "rules": {}, "players": players, **terms})
        for someone in people:
            game = seat_ready(game=game, player=someone.player)
        return game

    return make


@pytest.fixture
def line() -> Iterator[Callable[..., Line]]:
    """A function that opens a socket to a game, or to another ``path``; closed at the end."""
    lines: list[Line] = []

    def make(server: WebServer, game: Game | None, person: Person | None = None, **more: Any) -> Line:
        path = more.pop("path", None) or (f"/ws/games/{game.pk}/" if game else "")
        opened = Line(server, path, person, **more)
        lines.append(opened)
        return opened

    yield make
    for opened in lines:
        opened.close()
