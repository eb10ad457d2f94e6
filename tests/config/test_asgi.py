"""The process's one entry: foreign origins, unknown sockets, outages on a socket, start and stop."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.db import OperationalError

from config import asgi
from games.live import lifespan as live

pytestmark = pytest.mark.django_db(transaction=True)


async def first_answer(
    application: Any, path: str, origin: bytes | None = None, host: bytes = b"localhost:8000", cookie: bytes = b""
) -> dict[str, Any]:
    """Return what a socket that connects is told first."""
    headers = [(b"host", host), (b"cookie", cookie), *([(b"origin", origin)] if origin else [])]
    scope = {"type": "websocket", "path": path, "query_string": b"topic=lobby", "headers": headers, "subprotocols": []}
    socket = ApplicationCommunicator(application, scope)
    await socket.send_input({"type": "websocket.connect"})
    answer: dict[str, Any] = await socket.receive_output(5)
    await socket.send_input({"type": "websocket.disconnect", "code": 1001})
    await socket.wait()
    return answer


@pytest.mark.parametrize(
    "origin",
    [
        b"https://evil.example",
        b"http://localhost:8000.evil.example",
        b"http://localhost:8000@evil.example",
        b"http://localhost:9999",
        b"http://localhost",
        b"https://localhost:8000",
        b"null",
        None,
    ],
)
@pytest.mark.parametrize("path", ["/ws/watch/", "/ws/games/11111111-1111-4111-8111-111111111111/"])
async def test_a_socket_from_a_foreign_origin_is_refused(path: str, origin: bytes | None) -> None:
    answer = await first_answer(asgi.application, path, origin)
    assert answer["type"] == "websocket.close"


async def test_a_socket_for_a_foreign_host_is_refused() -> None:
    answer = await first_answer(asgi.application, "/ws/watch/", b"http://evil.example", host=b"evil.example")
    assert answer == {"type": "websocket.close", "code": asgi.CLOSE_FOREIGN}


@pytest.mark.parametrize("cookie", [b"", rb'sessionid="\000aaaaaaaaaaaaaaaa"'])
async def test_a_socket_from_our_own_pages_is_accepted(cookie: bytes) -> None:
    await live.startup()
    try:
        answer = await first_answer(asgi.application, "/ws/watch/", b"http://localhost:8000", cookie=cookie)
    finally:
        await live.shutdown()
    assert answer["type"] == "websocket.accept"


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        ("https://play.example.org", True),
        ("https://a.clubs.example.org", True),
        ("http://play.example.org", False),
        ("https://play.example.org:8443", False),
        ("https://clubs.example.org.evil.example", False),
        ("https://evilclubs.example.org", False),
        ("http://inside:8000", False),
        ("https://inside:8000", True),
    ],
)
def test_trusted_origins_may_open_sockets(settings: Any, origin: str, own: bool) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://play.example.org", "https://*.clubs.example.org"]
    settings.BEHIND_TLS = True
    assert asgi.is_own_origin(origin, "inside:8000") is own


async def test_a_socket_that_leads_nowhere_is_refused() -> None:
    answer = await first_answer(asgi.application, "/ws/nowhere/", b"http://localhost:8000")
    assert answer == {"type": "websocket.close", "code": asgi.CLOSE_NOT_FOUND}


async def test_a_socket_during_an_outage_is_told_to_try_again() -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise OperationalError("connection refused")

    answer = await first_answer(asgi.OutageCloses(broken), "/ws/watch/")
    assert answer == {"type": "websocket.close", "code": asgi.CLOSE_TRY_AGAIN}


async def test_a_bug_on_a_socket_stays_loud() -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        await first_answer(asgi.OutageCloses(broken), "/ws/watch/")


async def test_life_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []

    async def startup() -> None:
        called.append("startup")

    async def shutdown() -> None:
        called.append("shutdown")

    monkeypatch.setattr(live, "startup", startup)
    monkeypatch.setattr(live, "shutdown", shutdown)
    process = ApplicationCommunicator(asgi.application, {"type": "lifespan"})
    await process.send_input({"type": "lifespan.startup"})
    assert await process.receive_output() == {"type": "lifespan.startup.complete"}
    await process.send_input({"type": "lifespan.shutdown"})
    assert await process.receive_output() == {"type": "lifespan.shutdown.complete"}
    await process.wait()
    assert called == ["startup", "shutdown"]


async def test_a_start_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    async def startup() -> None:
        raise RuntimeError("no room")

    monkeypatch.setattr(live, "startup", startup)
    process = ApplicationCommunicator(asgi.application, {"type": "lifespan"})
    await process.send_input({"type": "lifespan.startup"})
    assert await process.receive_output() == {"type": "lifespan.startup.failed", "message": "RuntimeError: no room"}
    await process.wait()
