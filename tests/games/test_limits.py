"""Every bound of a socket, and what happens at it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.db import connection, transaction
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from config.asgi import behind
from games.live import limits
from games.live.log import Entry, LogWriter, Verdict
from games.live.sessions import SPECTATOR, Identity
from games.models import Game, Record
from tests.games.conftest import SECONDS, Line, Person, any_action
from tests.processes import WebServer

type People = Callable[[str], Person]
type Deal = Callable[..., Game]
type Open = Callable[..., Line]


def _narrow(module_database: None) -> Iterator[WebServer]:
    """A web server whose bounds are easily reached."""
    bounds = {"SOCKET_MESSAGE_SIZE": 600, "WATCH_TOPICS": 3, "SOCKETS_A_PERSON": 2, "SPECTATORS_A_GAME": 1}
    server = WebServer({f"BEARENA_{name}": str(bound) for name, bound in {**bounds, "GAME_BACKLOG": 1}.items()})
    server.start()
    yield server
    server.stop()


def _strict(module_database: None) -> Iterator[WebServer]:
    """A web server that lets an address open two sockets, and a socket send two messages a second."""
    server = WebServer({"BEARENA_SOCKETS_AN_ADDRESS": "2", "BEARENA_SOCKET_MESSAGES": "2"})
    server.start()
    yield server
    server.stop()


_narrow_server = pytest.fixture(scope="module", name="narrow_server")(_narrow)
_strict_server = pytest.fixture(scope="module", name="strict_server")(_strict)


@pytest.fixture
def narrow(transactional_db: None, narrow_server: WebServer) -> WebServer:
    """The module's server with narrow bounds."""
    return narrow_server


@pytest.fixture
def strict(transactional_db: None, strict_server: WebServer) -> WebServer:
    """The module's server that is strict with addresses."""
    return strict_server


# One socket


def test_a_message_is_as_large_as_the_host_says(narrow: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana, bo = person("Ana"), person("Bo")
    mine = line(narrow, deal(ana, bo), ana)
    mine.hello()
    filling = '{"type": "ping", "id": "a"%s}'
    mine.socket.send(filling % (" " * (600 - len(filling) + 2)))
    assert mine.wait("pong")["id"] == "a"
    mine.socket.send(filling % (" " * (601 - len(filling) + 2)))
    assert mine.close_code() == 1009


def test_messages_are_as_many_as_the_host_says(strict: WebServer, deal: Deal, line: Open) -> None:
    watcher = line(strict, deal(bots=2))
    for number in range(2 * limits.BURST):
        watcher.send({"type": "ping", "id": str(number)})
    for number in range(2 * limits.BURST):
        watcher.wait("pong", id=str(number))
    with contextlib.suppress(ConnectionClosed):
        for number in range(2 * 600):  # faster than any allowance comes back
            watcher.send({"type": "ping", "id": f"more-{number}"})
    assert watcher.close_code() == 4429


def test_an_allowance_comes_back_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: now))
    allowance = limits.Allowance(20)
    assert [allowance.take() for _ in range(20 * limits.BURST)] == [True] * (20 * limits.BURST)
    assert not allowance.take()
    now += 0.11
    assert [allowance.take() for _ in range(2)] == [True, True]


def test_a_page_watches_as_many_topics_as_the_host_says(narrow: WebServer, line: Open) -> None:
    topics = [f"topic=tournament.{number}" for number in range(4)]
    enough = line(narrow, None, path=f"/ws/watch/?{'&'.join(topics[:3])}")
    with pytest.raises(TimeoutError):
        enough.next(0.3)
    assert line(narrow, None, path=f"/ws/watch/?{'&'.join(topics)}").close_code() == 4429


# Sockets together


def test_a_person_has_so_many_sockets(narrow: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    first, second = line(narrow, game, ana), line(narrow, game, ana)
    for one in (first, second):
        one.hello()
    assert line(narrow, game, ana).close_code() == 4429
    line(narrow, game, bo).hello()
    first.close()
    again = opened_once_there_is_room(lambda: line(narrow, game, ana))
    assert again["seat"] == 0
    assert second.act({"type": "resign"}, message_id="r")["type"] == "ack"


def test_an_address_has_so_many_sockets(strict: WebServer, deal: Deal, line: Open) -> None:
    game = deal(bots=2)
    first = line(strict, None, path="/ws/watch/?topic=lobby")
    line(strict, game).hello()
    assert line(strict, game).close_code() == 4429
    assert line(strict, None, path="/ws/watch/?topic=lobby").close_code() == 4429
    first.close()
    opened_once_there_is_room(lambda: line(strict, game))


def test_a_game_has_room_for_so_many_spectators(narrow: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana, bo = person("Ana"), person("Bo")
    game, other = deal(ana, bo), deal(bots=2)
    line(narrow, game).hello()
    assert line(narrow, game).close_code() == 4429
    assert line(narrow, game, ana).hello()["seat"] == 0
    assert line(narrow, other).hello()["seat"] is None


def opened_once_there_is_room(open_line: Callable[[], Line]) -> dict[str, Any]:
    """Return the state that a new socket gets, once the server has noticed that an old one has gone."""
    end = time.monotonic() + SECONDS
    while True:
        opened = open_line()
        opened.send({"type": "hello", "seen": None})
        try:
            return opened.wait("state")
        except ConnectionClosed:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_room_is_all_or_nothing() -> None:
    room = limits.Room()
    alone = {("address", "a"): 1}
    both = {("address", "b"): 5, ("address", "a"): 1}
    assert room.enter(alone)
    assert not room.enter(both)
    assert room.enter({("address", "b"): 1}), "nothing was taken by the one that was refused"
    room.leave(alone)
    assert room.enter(alone)


@pytest.mark.parametrize(
    ("client", "network"),
    [
        (("203.0.113.7", 4711), "203.0.113.7"),
        (("::ffff:203.0.113.7", 4711), "203.0.113.7"),
        (("2001:db8:1:2:3:4:5:6", 4711), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 4711), "fe80::/64"),
        (("testclient", 50), "testclient"),
        (None, None),
    ],
)
def test_the_network_of_a_socket(client: tuple[str, int] | None, network: str | None) -> None:
    assert limits.network_of({"client": client}) == network
    expected = {("address", network): settings.SOCKETS_AN_ADDRESS} if network else {}
    assert limits.claims_of({"client": client}, SPECTATOR) == expected
    person = limits.claims_of({"client": client}, Identity(player_id=7))
    assert person == {**expected, ("player", 7): settings.SOCKETS_A_PERSON}


@pytest.mark.parametrize(
    ("proxies", "counted"),
    [([], "10.0.0.9"), (["10.0.0.9"], "203.0.113.7"), (["10.0.0.0/24"], "203.0.113.7"), (["10.0.0.8"], "10.0.0.9")],
)
async def test_the_address_comes_from_a_header_only_if_the_host_says_so(proxies: list[str], counted: str) -> None:
    seen: list[str | None] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(limits.network_of(scope))

    scope = {
        "type": "websocket",
        "scheme": "ws",
        "client": ("10.0.0.9", 1),
        "headers": [(b"x-forwarded-for", b"198.51.100.1, 203.0.113.7"), (b"x-forwarded-proto", b"https")],
    }
    await behind(proxies, application)(scope, None, None)
    assert seen == [counted]


def test_a_forged_header_is_not_believed(strict: WebServer, deal: Deal) -> None:
    address = f"{strict.socket_url}/ws/games/{deal(bots=2).pk}/"
    with ExitStack() as opened:
        sockets = [
            opened.enter_context(
                connect(
                    address, origin=Origin(strict.url), additional_headers={"X-Forwarded-For": f"203.0.113.{number}"}
                )
            )
            for number in range(3)
        ]
        with pytest.raises(ConnectionClosed):
            sockets[2].recv(SECONDS)
        assert [socket.close_code for socket in sockets] == [None, None, 4429]


# What waits to be stored


def entry(done: Callable[[Verdict], None]) -> Entry:
    return Entry(
        game_id=UUID(int=1),
        number=1,
        clock=0,
        at=0,
        seat=0,
        action="{}",
        hash=bytes(32),
        message_id=None,
        entitlement=None,
        deadline=None,
        ending=None,
        done=done,
    )


async def test_the_log_keeps_so_many_waiting_and_says_busy() -> None:
    heard: list[Verdict] = []
    writer = LogWriter(2)
    assert [writer.put(entry(heard.append)) for _ in range(3)] == [None, None, Verdict.BUSY]
    assert heard == []
    writer.is_away = True
    await writer.stop()
    await asyncio.sleep(0)
    assert heard == [Verdict.UNAVAILABLE] * 2, "what was taken hears once; what was refused does not"


def test_a_full_log_refuses_in_words_and_the_game_goes_on(
    narrow: WebServer, person: People, deal: Deal, line: Open
) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    lines = [line(narrow, game, ana), line(narrow, game, bo)]
    for one in lines:
        one.hello()
    acting = next(one for one in lines if one.state["options"])
    action = any_action(acting.state)
    answers = {}

    def hear() -> None:
        message = acting.next()
        if message["type"] in {"ack", "refused"}:
            answers[message["id"]] = message.get("code", "ack")

    with transaction.atomic(), connection.cursor() as cursor:
        # The first is not stored before another one has come.
        cursor.execute(f"LOCK TABLE {Record._meta.db_table} IN SHARE MODE")
        for number in range(20):
            acting.send({"type": "act", "id": f"m{number}", "seen": 0, "action": action})
        while "busy" not in answers.values():
            hear()
    while len(answers) < 20:
        hear()
    assert answers["m0"] == "ack"
    assert "busy" in answers.values()
    assert set(answers.values()) <= {"ack", "busy", "stale", "not-your-turn"}
    assert Record.objects.filter(game=game).count() == 1
    assert acting.act({"type": "resign"}, message_id="r")["type"] == "ack"
