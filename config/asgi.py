"""The one entry for pages, API, sockets and the life of the process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import structlog
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http.request import split_domain_port, validate_host
from django.urls import re_path
from django.utils.http import is_same_domain
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages = get_asgi_application()

# Models may be imported only after Django is set up.
from config.outages import is_outage  # noqa: E402
from games.live import lifespan as live  # noqa: E402
from games.live.sockets import ticket_of  # noqa: E402
from games.live.urls import websocket_urlpatterns  # noqa: E402

CLOSE_TRY_AGAIN = 1013
"""WebSocket close code: the server is temporarily unable to serve."""
CLOSE_FOREIGN = 4403
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


class OwnOrigin:
    """Lets in sockets of the site's own pages, by the rule of Django's forms: same scheme, host and port.

    Cookies know no ports, so that another server on this host would otherwise act for whoever opens its pages. Origins
    that forms may come from (``BEARENA_ORIGINS``) may open sockets too. A program's socket has a ticket instead, which
    is all that then counts: cookies are not looked at.
    """

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one socket, or refuse it."""
        headers = dict(scope["headers"])
        origin, host = (headers.get(name, b"").decode("latin-1").lower() for name in (b"origin", b"host"))
        is_known = is_own_origin(origin, host) or has_ticket(scope)
        if validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS) and is_known:
            await self.application(scope, receive, send)
        else:
            await refuse(scope, receive, send, CLOSE_FOREIGN)


def has_ticket(scope: Any) -> bool:
    """Return whether a socket to a game comes with a ticket, good or not; the game's socket looks at it."""
    return scope["path"].startswith("/ws/games/") and ticket_of(scope) is not None


def is_own_origin(origin: str, host: str) -> bool:
    """Return whether a page from ``origin`` is one of the site that is asked for as ``host``, or of a trusted one."""
    if origin == f"{'https' if settings.BEHIND_TLS else 'http'}://{host}":
        return True
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    scheme, _, domain = origin.partition("://")
    wide = (trusted.partition("://*") for trusted in settings.CSRF_TRUSTED_ORIGINS)
    return any(domain and scheme == start and mark and is_same_domain(domain, end) for start, mark, end in wide)


async def refuse(scope: Any, receive: Any, send: Any, code: int = CLOSE_NOT_FOUND) -> None:
    """Close a socket; without a reason, because its address leads nowhere."""
    await receive()
    await send({"type": "websocket.close", "code": code})


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


def behind(proxies: Sequence[str], application: Any) -> Any:
    """Return ``application`` told by ``proxies``, addresses or networks, from where a request came; by nobody else."""
    return ProxyHeadersMiddleware(application, list(proxies)) if proxies else application


sockets = URLRouter([*websocket_urlpatterns, re_path("", refuse)])  # type: ignore[arg-type]
application = behind(
    settings.PROXIES,
    ProtocolTypeRouter(
        {
            "http": pages,
            "websocket": OutageCloses(OwnOrigin(AuthMiddlewareStack(sockets))),
            "lifespan": lifespan,
        }
    ),
)
