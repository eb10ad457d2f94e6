"""uvicorn's WebSocket protocol with a short way in and out for the sockets of live games.

What a socket sends in one turn of the event loop leaves in one write, and a whole message that arrives by itself goes
straight to whoever asked for it. Everything else (handshake, fragments, pings, closing, faults) is uvicorn's.
Measured, the long way costs more than the whole engine does for a move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.speedups import apply_mask
from websockets.streams import StreamReader

EXTENSION = "bearena.direct"
"""The key of the ASGI scope's extensions under which the protocol of a socket stands (a :class:`Protocol`)."""
TEXT, PING, PONG = 0x81, 0x89, 0x8A
"""The first byte of a text message in a single frame, and of what asks for and gives a sign of life (RFC 6455, 5.2)."""
MASKED = 0x80
"""In the second byte: the client's frames are masked (5.3); the rest is the size, or what says where it stands."""
SIGN = b"alive"
PING_FRAME = bytes((PING, len(SIGN))) + SIGN
PONG_HEAD = bytes((PONG, MASKED | len(SIGN)))
ALIVE = Frame(Opcode.PONG, SIGN)
TWO_BYTES, EIGHT_BYTES = 126, 127


def text_frame(payload: bytes) -> bytes:
    """Return the frame of a whole text message from a server, which does not mask (RFC 6455, section 5.2)."""
    size = len(payload)
    if size < TWO_BYTES:
        return bytes((TEXT, size)) + payload
    if size < 1 << 16:
        return bytes((TEXT, TWO_BYTES)) + size.to_bytes(2) + payload
    return bytes((TEXT, EIGHT_BYTES)) + size.to_bytes(8) + payload


def whole_text(data: bytes) -> str | None:
    """Return the text of ``data`` if it is just one whole, masked text frame of less than 64 KiB, else None."""
    if len(data) < 6 or data[0] != TEXT:
        return None
    size, begin = data[1] - MASKED, 2
    if size == TWO_BYTES:
        size, begin = int.from_bytes(data[2:4]), 4
    if not 0 <= size < 1 << 16 or data[1] - MASKED == EIGHT_BYTES or len(data) != begin + 4 + size:
        return None
    try:
        return apply_mask(data[begin + 4 :], data[begin : begin + 4]).decode()
    except UnicodeDecodeError:
        return None


def is_sign(data: bytes) -> bool:
    """Return whether ``data`` is just the answer to :data:`PING_FRAME`."""
    return data[:2] == PONG_HEAD and len(data) == len(SIGN) + 6 and apply_mask(data[6:], data[2:6]) == SIGN


def waits_for_frame(parser: Any) -> bool:
    """Return whether websockets' ``parser`` has used up what it was fed, up to the end of a frame."""
    innermost = parser
    while (inner := innermost.gi_yieldfrom) is not None:
        innermost = inner
    return innermost.gi_code is StreamReader.at_eof.__code__


class Protocol(WebSocketsSansIOProtocol):
    """The server's end of one socket. Compression must be off: frames are not offered to extensions."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if self.config.ws_per_message_deflate:
            raise ValueError("Sockets of this protocol cannot be compressed: --ws-per-message-deflate false")
        self._frames: list[bytes] = []
        self._take: Callable[[str], None] | None = None
        self._is_between_frames = False

    # In

    def take_with(self, take: Callable[[str], None]) -> None:
        """Hand each text that arrives from now on to ``take`` at once; ``receive`` is left the rest, and the end."""
        self._take = take

    def handle_connect(self, event: Any) -> None:
        """Begin to serve a handshake."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Take in what has arrived."""
        if self._take is not None and self._is_between_frames and not self.close_sent:
            text = whole_text(data)
            if text is not None:
                self._take(text)
                return
            if is_sign(data):
                self.handle_pong(ALIVE)
                return
        super().data_received(data)
        self._is_between_frames = (
            self.conn.state is OPEN and self.conn.current_size is None and waits_for_frame(self.conn.parser)
        )

    def send_receive_event_to_app(self) -> None:
        """Hand on a message that is complete now."""
        if self._take is None or self.close_sent or self.curr_msg_data_type != "text":
            super().send_receive_event_to_app()
            return
        frames, self.frames = self.frames, []
        try:
            text = b"".join(frames).decode()
        except UnicodeDecodeError:
            self.frames = frames
            super().send_receive_event_to_app()
            return
        self._take(text)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the client has gone, and leave no circle of objects that only the garbage collector would find.

        It would have to look at every game of the process for them, which takes tenths of a second of play.
        """
        super().connection_lost(exc)
        self._take = None
        self.conn.parser.close()
        if hasattr(self, "scope"):
            self.scope["extensions"].pop(EXTENSION, None)

    # Out

    def send_keepalive_ping(self) -> None:
        """Ask whether the client is still there. A server of many idle sockets does little else."""
        self.ping_timer = None
        if self.close_sent or self.transport.is_closing():
            return
        self.pending_ping_payload = SIGN
        self.ping_sent_at = self.loop.time()
        self._flush()
        self.transport.write(PING_FRAME)
        if self.ping_timeout is None:
            self.schedule_ping()
        else:
            self.pong_timer = self.loop.call_later(self.ping_timeout, self.keepalive_timeout)

    def send_text(self, payload: bytes) -> bool:
        """Send the text ``payload`` at the end of the turn. False, and nothing is sent, where that may have to wait."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        if not self._frames:
            self.loop.call_soon(self._flush)
        self._frames.append(text_frame(payload))
        return True

    async def send(self, message: Any) -> None:
        """Send one ASGI message; text leaves at the end of the turn, anything else after what was sent before it."""
        text = message.get("text")
        if text is None or not self.handshake_complete or self.close_sent or self.disconnected:
            self._flush()
            await super().send(message)
            return
        await self.writable.wait()
        if self.disconnected:
            raise ClientDisconnected
        self.send_text(text.encode())

    def shutdown(self) -> None:
        """Close because the server stops."""
        self._flush()
        super().shutdown()

    def _flush(self) -> None:
        frames, self._frames = self._frames, []
        if frames and not self.transport.is_closing():
            self.transport.write(b"".join(frames))
