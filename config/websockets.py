"""uvicorn's WebSocket protocol with a short way out: what one turn of the event loop sends leaves in one write.

A move is answered by an acknowledgement and a view to the same socket, and a write costs more than everything else
that is done for a message; text frames are put together here, everything else is uvicorn's.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

TEXT = 0x81
"""The first byte of a text message in a single frame (RFC 6455, section 5.2)."""


def text_frame(payload: bytes) -> bytes:
    """Return the frame of a whole text message from a server, which does not mask (RFC 6455, section 5.2)."""
    size = len(payload)
    if size < 126:
        return bytes((TEXT, size)) + payload
    if size < 1 << 16:
        return bytes((TEXT, 126)) + size.to_bytes(2) + payload
    return bytes((TEXT, 127)) + size.to_bytes(8) + payload


class Protocol(WebSocketsSansIOProtocol):
    """Joins the text messages of a turn of the loop. Compression must be off: frames are not offered to extensions."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if self.config.ws_per_message_deflate:
            raise ValueError("Sockets of this protocol cannot be compressed: --ws-per-message-deflate false")
        self._frames: list[bytes] = []

    async def send(self, message: Any) -> None:
        """Send one ASGI message; text leaves at the end of the turn, anything else after what was sent before it."""
        text = message.get("text")
        if text is None or not self.handshake_complete or self.close_sent or self.disconnected:
            self._flush()
            await super().send(message)
            return
        if not self.writable.is_set():
            await self.writable.wait()
            if self.disconnected:
                raise ClientDisconnected
        if not self._frames:
            self.loop.call_soon(self._flush)
        self._frames.append(text_frame(text.encode()))

    def shutdown(self) -> None:
        """Close because the server stops."""
        self._flush()
        super().shutdown()

    def _flush(self) -> None:
        frames, self._frames = self._frames, []
        if frames and not self.transport.is_closing():
            self.transport.write(b"".join(frames))
