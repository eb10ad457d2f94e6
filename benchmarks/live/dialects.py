"""How a seat speaks with each server: Bearena, boardgame.io, Colyseus. As little work a frame as possible."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

if TYPE_CHECKING:
    from benchmarks.live.load import Game
    from benchmarks.live.plan import Line

HANDSHAKE_SECONDS = 60


class Seat(WSListener):
    """One socket of a game. Subclasses read frames and tell the game what they mean."""

    def __init__(self, game: Game, number: int, host: str) -> None:
        self.game = game
        self.number = number
        self.host = host
        self.shown = 0
        """The number of the last move that it was shown."""
        self.digest: object = None
        """What must be the same at every seat that shows the same number."""
        self.open = asyncio.get_running_loop().create_future()
        self.transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        self.hello()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        if not self.open.done():
            self.open.set_exception(ConnectionError("the server closed the socket before the game was shown"))
            return
        self.game.lost(self)

    def hello(self) -> None:
        """Say what the server waits for once the socket is open."""

    def act(self) -> bytes:
        """Return the frame of the move that this seat may make now."""
        raise NotImplementedError

    def send(self, payload: bytes, kind: WSMsgType = WSMsgType.TEXT) -> None:
        """Send one frame."""
        assert self.transport is not None
        self.transport.send(kind, payload)

    def is_opened(self) -> None:
        """Note that the game is shown, and play may begin."""
        if not self.open.done():
            self.open.set_result(None)


class Heard(msgspec.Struct):
    """The keys of Bearena's messages that matter here; all others are passed over unread."""

    type: str
    n: int = 0
    hash: str | None = None
    status: str = ""
    code: str = ""
    message: str = ""
    id: str | None = None


read = msgspec.json.Decoder(Heard).decode


class BearenaSeat(Seat):
    """A seat at a table of Hold my Bear."""

    def hello(self) -> None:
        self.send(b'{"type":"hello","seen":null}')

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        payload = frame.get_payload_as_bytes()
        heard = read(payload)
        if heard.type == "update":
            self.digest = heard.hash
            self.game.saw(self, heard.n, len(payload))
            if heard.status != "running":
                self.game.ended()
            elif self.game.turn(heard.n) == self.number:
                self.game.may_act(self, heard.n + 1)
        elif heard.type == "ack":
            self.game.acknowledged(self, heard.n)
        elif heard.type == "state":
            self.digest, self.shown = heard.hash, heard.n
            self.is_opened()
        elif heard.type == "refused":
            self.game.refused(self, heard)

    def act(self) -> bytes:
        seen = self.shown
        return b'{"type":"act","id":"%d","seen":%d,"action":%b}' % (seen, seen, self.game.moves[seen].action)


class PeerSeat(Seat):
    """A seat of the peers' stand-in for a game, where the seats move in turn."""

    def show(self, number: int, size: int) -> None:
        """Take in the view that follows move ``number``."""
        self.digest = number
        if number == self.shown:
            return
        self.game.saw(self, number, size)
        if self.game.turn(number - 1) == self.number:
            self.game.acknowledged(self, number)
        if self.game.turn(number) == self.number:
            self.game.may_act(self, number + 1)


class BoardgameState(msgspec.Struct):
    """boardgame.io's number of a state."""

    number: int = msgspec.field(name="_stateID")


class BoardgameSync(msgspec.Struct):
    """What boardgame.io answers to sync."""

    state: BoardgameState


_event = msgspec.json.Decoder(list[msgspec.Raw]).decode
_state = msgspec.json.Decoder(BoardgameState).decode
_sync = msgspec.json.Decoder(BoardgameSync).decode


class BoardgameSeat(PeerSeat):
    """A seat at boardgame.io, over socket.io's frames; its line's address ends in ``#match``."""

    match = ""

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        payload = frame.get_payload_as_bytes()
        if payload.startswith(b"42/bench,"):
            kind, _, body, *_ = _event(payload[9:])
            if bytes(kind) == b'"update"':
                self.show(_state(body).number, len(payload))
            elif bytes(kind) == b'"sync"':
                self.digest = self.shown = _sync(body).state.number
                self.is_opened()
        elif payload == b"2":
            self.send(b"3")
        elif payload.startswith(b"0"):
            self.send(b"40/bench,")
        elif payload.startswith(b"40/bench,"):
            seats = len(self.game.seats)
            self.send(b'42/bench,["sync","%b","%d",null,%d]' % (self.match.encode(), self.number, seats))

    def act(self) -> bytes:
        return (
            b'42/bench,["update",{"type":"MAKE_MOVE","payload":{"type":"play","args":[],"playerID":"%d"}},%d,"%b","%d"]'
            % (
                self.number,
                self.shown,
                self.match.encode(),
                self.number,
            )
        )


JOIN_ROOM, ROOM_DATA = 10, 13


class ColyseusView(msgspec.Struct):
    """The number in the view that our room sends."""

    n: int


_view = msgspec.msgpack.Decoder(ColyseusView).decode
_VIEW = bytes([ROOM_DATA]) + msgspec.msgpack.encode("view")
_MOVE = bytes([ROOM_DATA]) + msgspec.msgpack.encode("move")


class ColyseusSeat(PeerSeat):
    """A seat in a room of Colyseus."""

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        payload = frame.get_payload_as_bytes()
        if payload.startswith(_VIEW):
            self.show(_view(payload[len(_VIEW) :]).n, len(payload))
        elif payload and payload[0] == JOIN_ROOM:
            transport.send(WSMsgType.BINARY, bytes([JOIN_ROOM]))
            self.is_opened()

    def act(self) -> bytes:
        return _MOVE + msgspec.msgpack.encode({"n": self.shown + 1})

    def send(self, payload: bytes, kind: WSMsgType = WSMsgType.BINARY) -> None:
        super().send(payload, kind)


async def open_seat(seat: Seat, line: Line) -> None:
    """Open the socket of ``seat`` and wait until it is shown the game."""
    url, _, match = line.url.partition("#")
    if isinstance(seat, BoardgameSeat):
        seat.match = match
    await ws_connect(lambda: seat, url, extra_headers=line.headers, websocket_handshake_timeout=HANDSHAKE_SECONDS)
    async with asyncio.timeout(HANDSHAKE_SECONDS):
        await seat.open
