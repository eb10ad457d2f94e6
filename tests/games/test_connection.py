"""One connection: sends at once, waits for nobody, keeps order, and forgets all views but the newest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from django.conf import settings

from games.live.connection import Connection


class Client:
    """The far end: takes what is sent while ``reads`` is set."""

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.reads.set()
        self.got: list[dict[str, Any]] = []

    async def send(self, message: dict[str, Any]) -> None:
        await self.reads.wait()
        self.got.append(message)

    @property
    def texts(self) -> list[str]:
        return [message["text"] for message in self.got if "text" in message]


async def test_a_reading_client_has_it_before_the_call_returns() -> None:
    client = Client()
    Connection(client.send).answer(b"a")
    assert client.texts == ["a"]


async def test_a_paused_client_gets_all_answers_in_order_later() -> None:
    client = Client()
    connection = Connection(client.send)
    client.reads.clear()
    for text in "abc":
        connection.answer(text.encode())
    assert connection.is_paused
    assert client.got == []
    client.reads.set()
    await asyncio.sleep(0.01)
    connection.answer(b"d")
    assert client.texts == list("abcd")
    assert not connection.is_paused


async def test_a_client_that_is_behind_is_caught_up_once() -> None:
    client = Client()
    connection = Connection(client.send)
    caught_up: list[Connection] = []
    connection.caught_up = caught_up.append
    client.reads.clear()
    connection.answer(b"a")
    connection.behind = True
    client.reads.set()
    await asyncio.sleep(0.01)
    assert caught_up == [connection]
    assert not connection.behind


async def test_a_client_that_never_reads_is_closed_and_costs_no_more() -> None:
    client = Client()
    connection = Connection(client.send)
    client.reads.clear()
    for number in range(settings.SOCKET_BACKLOG + 50):
        connection.answer(b"%d" % number)
    assert connection.closed
    client.reads.set()
    await asyncio.sleep(0.01)
    assert client.got[-1] == {"type": "websocket.close", "code": 1008}
    assert len(client.got) == 2


async def test_a_client_that_has_gone_breaks_nothing() -> None:
    async def gone(message: dict[str, Any]) -> None:
        raise ConnectionResetError

    connection = Connection(gone)
    connection.answer(b"a")
    assert connection.closed
    connection.answer(b"b")
    connection.close(1000)


class ShortWay:
    """A way to the client that is open as long as ``is_open``."""

    def __init__(self) -> None:
        self.is_open = True
        self.got: list[bytes] = []

    def take_with(self, take: Callable[[str], None]) -> None:
        raise AssertionError("nothing is received in this test")

    def send_text(self, payload: bytes) -> bool:
        if self.is_open:
            self.got.append(payload)
        return self.is_open


async def test_the_short_way_is_taken_only_while_nothing_waits_on_the_long_one() -> None:
    client, way = Client(), ShortWay()
    connection = Connection(client.send, direct=way)
    connection.answer(b"a")
    way.is_open = False
    client.reads.clear()
    connection.answer(b"b")
    way.is_open = True
    connection.answer(b"c")
    assert connection.is_paused
    client.reads.set()
    await asyncio.sleep(0.01)
    connection.answer(b"d")
    assert (way.got, client.texts) == ([b"a", b"d"], ["b", "c"])
