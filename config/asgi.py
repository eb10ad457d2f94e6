"""The one entry for pages, API, sockets and the life of the process."""

from __future__ import annotations

import os
from typing import Any

import structlog
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application
from django.urls import re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages = get_asgi_application()

# Models may be imported only after Django is set up.
from config.outages import is_outage  # noqa: E402
from games.live import lifespan as live  # noqa: E402
from games.live.urls import websocket_urlpatterns  # noqa: E402

CLOSE_TRY_AGAIN = 1013
"""WebSocket close code: the server is temporarily unable to serve."""
CLOSE_NOT_FOUND = 4404

log = structlog.get_logger(__name__)


class OutageCloses:
    """Closes a socket with "try again later" when PostgreSQL or Valkey cannot be reached, instead of failing."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one socket."""
        try:
            await self.application(scope, receive, send)
        except Exception as error:
            if not is_outage(error):
                raise
            log.warning("outage", path=scope["path"], error=str(error).strip().split("\n", 1)[0])
            try:
                await send({"type": "websocket.close", "code": CLOSE_TRY_AGAIN})
            except RuntimeError:
                log.debug("socket was closed already", path=scope["path"])


async def refuse(scope: Any, receive: Any, send: Any) -> None:
    """Close a socket whose address leads nowhere."""
    await receive()
    await send({"type": "websocket.close", "code": CLOSE_NOT_FOUND})


async def lifespan(scope: Any, receive: Any, send: Any) -> None:
    """Start and stop what lives as long as this process (the log writer, the keeper of bots)."""
    await receive()
    try:
        await live.startup()
    except Exception as error:
        log.exception("startup failed")
        await send({"type": "lifespan.startup.failed", "message": f"{type(error).__name__}: {error}"})
        return
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await live.shutdown()
    await send({"type": "lifespan.shutdown.complete"})


sockets = URLRouter([*websocket_urlpatterns, re_path("", refuse)])  # type: ignore[arg-type]
application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": OutageCloses(AllowedHostsOriginValidator(AuthMiddlewareStack(sockets))),
        "lifespan": lifespan,
    }
)
