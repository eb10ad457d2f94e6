"""The frames of live sockets, read by the library that uvicorn reads them with, and by a client of a real server."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import weakref
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import connect
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from config.websockets import EXTENSION, text_frame, whole_text
from games.live.sockets import DIRECT


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
def test_frames_of_every_size_are_read_back(size: int) -> None:
    client = ClientProtocol(parse_uri("ws://x/"), max_size=None)
    client.state = client.state.OPEN
    parser = client.parse
    client.parser = parser()
    next(client.parser)
    text = ("é" * size)[:size]
    client.receive_data(text_frame(text.encode()))
    [frame] = client.events_received()
    assert isinstance(frame, Frame)
    assert (frame.opcode, frame.fin, bytes(frame.data).decode()) == (Opcode.TEXT, True, text)


@contextlib.asynccontextmanager
async def served(application: Any, **options: Any) -> AsyncIterator[str]:
    """Serve ``application`` on sockets of the protocol, with uvicorn's ``options``; yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            application,
            ws="config.websockets:Protocol",
            ws_per_message_deflate=False,
            lifespan="off",
            log_level="error",
            **options,
        )
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve([listener]))
        try:
            yield f"ws://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            server.should_exit = True
            await running


def test_what_is_sent_before_a_close_arrives_before_it() -> None:
    async def talk(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        for number in range(5):
            await send({"type": "websocket.send", "text": f"{number}"})
        await send({"type": "websocket.send", "bytes": b"five"})
        await send({"type": "websocket.send", "text": "six"})
        await send({"type": "websocket.close", "code": 4404})

    async def hear() -> tuple[list[str | bytes], int]:
        heard: list[str | bytes] = []
        async with served(talk) as address, connect(address, proxy=None) as line:
            with contextlib.suppress(ConnectionClosed):
                while True:
                    heard.append(await line.recv())
            assert line.close_code is not None
            return heard, line.close_code

    assert asyncio.run(hear()) == (["0", "1", "2", "3", "4", b"five", "six"], 4404)


def test_a_client_that_does_not_read_is_waited_for_and_misses_nothing() -> None:
    sent = 0
    big = "x" * 100_000

    async def talk(scope: Any, receive: Any, send: Any) -> None:
        nonlocal sent
        await send({"type": "websocket.accept"})
        for number in range(400):
            await send({"type": "websocket.send", "text": f"{number} {big}"})
            sent += 1
            await asyncio.sleep(0)
        await receive()
        await receive()

    async def hear() -> tuple[int, list[int]]:
        # 40 MB do not fit into the buffers of both ends.
        async with served(talk) as address, connect(address, proxy=None, max_queue=1) as line:
            await asyncio.sleep(0.5)
            held = sent
            heard = [int(str(await line.recv()).split()[0]) for _ in range(400)]
            return held, heard

    held, heard = asyncio.run(hear())
    assert held < 400
    assert heard == list(range(400))


def test_a_client_that_goes_ends_the_sending() -> None:
    ended: list[str] = []

    async def talk(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        try:
            while True:
                await send({"type": "websocket.send", "text": "x" * 1000})
                await asyncio.sleep(0)
        except OSError as error:
            ended.append(type(error).__name__)
            raise

    async def hear() -> None:
        async with served(talk) as address:
            async with connect(address, proxy=None) as line:
                await line.recv()
                line.transport.abort()
            async with asyncio.timeout(5):
                while not ended:
                    await asyncio.sleep(0.01)

    asyncio.run(hear())
    assert ended == ["ClientDisconnected"]


def sent_by_client(*frames: Frame) -> bytes:
    """Return what a client writes for ``frames``."""
    return b"".join(bytes(frame.serialize(mask=True)) for frame in frames)


@pytest.mark.parametrize("text", ["", "a", "é" * 60, "x" * 125, "x" * 126, "x" * 65_535])
def test_a_whole_text_of_a_client_is_read(text: str) -> None:
    assert whole_text(sent_by_client(Frame(Opcode.TEXT, text.encode()))) == text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x81",
        b"\x81\x80",
        b"\x81\x01a",
        sent_by_client(Frame(Opcode.TEXT, b"ab"))[:-1],
        sent_by_client(Frame(Opcode.TEXT, b"ab")) + b"x",
        sent_by_client(Frame(Opcode.TEXT, b"ab", fin=False)),
        b"\xc1" + sent_by_client(Frame(Opcode.TEXT, b"ab"))[1:],
        sent_by_client(Frame(Opcode.BINARY, b"ab")),
        sent_by_client(Frame(Opcode.PING, b"ab")),
        sent_by_client(Frame(Opcode.TEXT, b"\xff\xfe")),
        sent_by_client(Frame(Opcode.TEXT, b"x" * 65_536)),
    ],
    ids=[
        "nothing",
        "half a head",
        "no mask",
        "not masked",
        "cut off",
        "and more",
        "a first fragment",
        "a reserved bit",
        "binary",
        "ping",
        "not UTF-8",
        "too long",
    ],
)
def test_everything_else_is_left_to_the_library(data: bytes) -> None:
    assert whole_text(data) is None


def test_texts_arrive_in_order_however_they_are_cut() -> None:
    """Frames in one write, byte by byte, in fragments with a ping between, and a piece that looks like a frame."""
    heard: list[str] = []

    async def talk(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        scope["extensions"][EXTENSION].take_with(heard.append)
        while (event := await receive())["type"] != "websocket.disconnect":
            heard.append(event.get("text") or repr(event.get("bytes")))

    inner = sent_by_client(Frame(Opcode.TEXT, b"not a message of its own"))
    disguise = b"\x82" + bytes([0x80 | len(inner)]) + bytes(4)
    pieces = [
        sent_by_client(Frame(Opcode.TEXT, b"1")),
        sent_by_client(Frame(Opcode.TEXT, b"2"), Frame(Opcode.TEXT, b"3")),
        *(bytes([byte]) for byte in sent_by_client(Frame(Opcode.TEXT, b"four"))),
        sent_by_client(Frame(Opcode.TEXT, b"fi", fin=False)),
        sent_by_client(Frame(Opcode.PING, b"")),
        sent_by_client(Frame(Opcode.CONT, b"ve")),
        sent_by_client(Frame(Opcode.TEXT, b"6")),
        disguise,
        inner,
        sent_by_client(Frame(Opcode.TEXT, "sié".encode())),
    ]

    async def speak() -> None:
        async with served(talk) as address, connect(address, proxy=None) as line:
            await asyncio.sleep(0.1)
            for piece in pieces:
                line.transport.write(piece)
                await asyncio.sleep(0.02)

    asyncio.run(speak())
    assert heard == ["1", "2", "3", "four", "five", "6", repr(inner), "sié"]


def test_whole_texts_take_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    long_way: list[bytes] = []
    heard: list[str] = []
    of_the_library = WebSocketsSansIOProtocol.data_received

    def data_received(protocol: WebSocketsSansIOProtocol, data: bytes) -> None:
        long_way.append(data)
        of_the_library(protocol, data)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", data_received)

    async def talk(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        scope["extensions"][EXTENSION].take_with(heard.append)
        await receive()

    async def speak() -> None:
        async with served(talk) as address, connect(address, proxy=None) as line:
            await asyncio.sleep(0.1)
            for number in range(10):
                await line.send(str(number))
                await asyncio.sleep(0.02)
            if len(heard) == 10:
                long_way.append(b"all heard")

    asyncio.run(speak())
    assert heard == [str(number) for number in range(10)]
    assert len(long_way[: long_way.index(b"all heard")]) == 2, "the handshake, and what came first after it"


async def keep_open(scope: Any, receive: Any, send: Any) -> None:
    """Serve a socket that says nothing."""
    await receive()
    await send({"type": "websocket.accept"})
    scope["extensions"][EXTENSION].take_with(lambda text: None)
    while (await receive())["type"] != "websocket.disconnect":
        pass


@pytest.mark.parametrize("first", [b"", sent_by_client(Frame(Opcode.TEXT, b"hello"))], ids=["silent", "after a text"])
def test_a_client_that_answers_pings_stays(monkeypatch: pytest.MonkeyPatch, first: bytes) -> None:
    """The answer is taken the short way too, once something whole has come before it."""
    pongs: list[bytes] = []
    of_the_library = WebSocketsSansIOProtocol.handle_pong

    def handle_pong(protocol: WebSocketsSansIOProtocol, event: Frame) -> None:
        pongs.append(bytes(event.data))
        of_the_library(protocol, event)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "handle_pong", handle_pong)

    async def stay() -> int | None:
        async with (
            served(keep_open, ws_ping_interval=0.05, ws_ping_timeout=2.0) as address,
            connect(address, proxy=None) as line,
        ):
            line.transport.write(first)
            async with asyncio.timeout(10):
                while len(pongs) < 5:
                    await asyncio.sleep(0.01)
            return line.close_code

    assert asyncio.run(stay()) is None
    assert set(pongs) == {b"alive"}


def test_a_client_that_answers_no_ping_is_let_go() -> None:
    async def be_silent() -> bytes:
        async with served(keep_open, ws_ping_interval=0.05, ws_ping_timeout=0.2) as address:
            host, _, port = address.removeprefix("ws://").strip("/").partition(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(
                b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            async with asyncio.timeout(10):
                heard = await reader.read(-1)
            writer.close()
            return heard

    _, _, frames = asyncio.run(be_silent()).partition(b"\r\n\r\n")
    assert frames.startswith(b"\x89\x05alive"), "asked"
    assert frames[7:].startswith(b"\x88"), "and closed"
    assert b"keepalive ping timeout" in frames


@pytest.mark.parametrize("ending", ["close", "abort"])
def test_a_socket_that_has_gone_is_freed_without_the_garbage_collector(ending: str) -> None:
    sockets: list[weakref.ref[Any]] = []

    def echo(direct: Any) -> None:  # what takes its texts holds the socket, as with a live game
        direct.take_with(lambda text: direct.send_text(text.encode()))

    async def listen(scope: Any, receive: Any, send: Any) -> None:
        sockets.append(weakref.ref(scope["extensions"][EXTENSION]))
        await receive()
        await send({"type": "websocket.accept"})
        echo(scope["extensions"][EXTENSION])
        while (await receive())["type"] != "websocket.disconnect":
            pass

    async def come_and_go() -> None:
        async with served(listen) as address:
            async with connect(address, proxy=None) as line:
                await line.send("hello")
                assert await line.recv() == "hello"
                if ending == "abort":
                    line.transport.abort()
            async with asyncio.timeout(10):
                while sockets[0]() is not None:
                    await asyncio.sleep(0.01)

    gc.disable()
    try:
        asyncio.run(come_and_go())
    finally:
        gc.enable()


def test_a_text_within_a_fragmented_message_is_refused() -> None:
    async def talk(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        scope["extensions"][EXTENSION].take_with(lambda text: None)
        await receive()

    async def speak() -> int | None:
        async with served(talk) as address, connect(address, proxy=None) as line:
            await asyncio.sleep(0.1)
            line.transport.write(sent_by_client(Frame(Opcode.TEXT, b"a", fin=False)))
            await asyncio.sleep(0.05)
            line.transport.write(sent_by_client(Frame(Opcode.TEXT, b"b")))
            with pytest.raises(ConnectionClosed):
                await line.recv()
            return line.close_code

    assert asyncio.run(speak()) == 1002


def test_live_sockets_ask_for_the_extension_that_is_there() -> None:
    assert DIRECT == EXTENSION
