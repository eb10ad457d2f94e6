"""``/healthz``: this process is up; ``/readyz``: the servers that it needs answer too.

Both are asked by machines, under whatever host name and without TLS, so they are answered before anything else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from config.outages import OUTAGES


def healthz() -> HttpResponse:
    """Say that the process is up; touches no other server."""
    return JsonResponse({"status": "up"}, headers={"Cache-Control": "no-store"})


def readyz() -> HttpResponse:
    """Say whether PostgreSQL and Valkey answer; status 503 if one does not."""
    parts = {"database": database_answers(), "valkey": valkey_answers()}
    ready = all(parts.values())
    return JsonResponse(
        {"status": "ready" if ready else "unavailable", **parts},
        status=200 if ready else 503,
        headers={"Cache-Control": "no-store"},
    )


def database_answers() -> bool:
    """Return whether PostgreSQL answers a query."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except OUTAGES:
        return False
    return True


def valkey_answers() -> bool:
    """Return whether Valkey answers a command."""
    try:
        cache.get("readyz")
    except OUTAGES:
        return False
    return True


CHECKS: dict[str, Callable[[], HttpResponse]] = {"/healthz": healthz, "/readyz": readyz}


class HealthMiddleware:
    """Answers the two addresses; passes everything else on."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        self.is_async = bool(iscoroutinefunction(get_response))
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answer, or pass the request on."""
        check = CHECKS.get(request.path)
        if check is None:
            return self.get_response(request)
        return sync_to_async(check)() if self.is_async else check()
