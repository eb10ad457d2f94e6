"""What people see while PostgreSQL or Valkey cannot be reached: a plain page that tries again by itself.

Games are kept in the database and go on afterwards; nothing that was acknowledged is lost.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final, cast

import psycopg
import psycopg_pool
import redis
import structlog
from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string

from config.errors import error_json

OUTAGES: Final = (
    OperationalError,
    InterfaceError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg_pool.PoolTimeout,
    redis.ConnectionError,
    redis.TimeoutError,
    redis.BusyLoadingError,
)
"""What the drivers raise when a server is away, starting or stopping."""

NOT_OUTAGES: Final = (
    psycopg.errors.LockNotAvailable,
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
    psycopg.errors.QueryCanceled,
)
"""Operational errors that an answering server raises; they are faults of ours and stay loud."""

RETRY_SECONDS = 5
CODE = "unavailable"
MESSAGE = "Bearena cannot reach its database just now. Games go on where they stopped; please try again in a moment."

log = structlog.get_logger(__name__)


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield ``error`` and what it was raised from, outermost first."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def is_outage(error: BaseException) -> bool:
    """Return whether ``error`` says that a server cannot be reached."""
    chain = list(causes(error))
    return any(isinstance(each, OUTAGES) for each in chain) and not any(isinstance(each, NOT_OUTAGES) for each in chain)


def outage_response(request: HttpRequest) -> HttpResponse:
    """Return the page, or under ``/api/`` the JSON, that says so; it needs neither database nor Valkey."""
    response: HttpResponse
    if request.path.startswith("/api/"):
        response = JsonResponse(error_json(CODE, MESSAGE), status=503)
    else:
        response = HttpResponse(render_to_string("503.html", {"retry_seconds": RETRY_SECONDS}), status=503)
    response["Retry-After"] = str(RETRY_SECONDS)
    response["Cache-Control"] = "no-store"
    return response


class OutageMiddleware:
    """Answers a request that failed for an outage, wherever it failed: page, template, session or another middleware.

    Errors of pages come to ``process_exception``. Errors of the middlewares inside have become a 500 response before
    they get here; the signal that Django sends on the way marks their request.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        self.is_async = bool(iscoroutinefunction(get_response))
        if self.is_async:
            markcoroutinefunction(self)
        got_request_exception.connect(mark_outage, dispatch_uid="config.outages")

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Pass the request on, and replace the response to a marked one."""
        if self.is_async:
            return self._call_async(request)
        return self._checked(request, cast(HttpResponseBase, self.get_response(request)))

    async def _call_async(self, request: HttpRequest) -> HttpResponseBase:
        return self._checked(request, await cast(Awaitable[HttpResponseBase], self.get_response(request)))

    def _checked(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        return outage_response(request) if getattr(request, "met_outage", False) else response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer for a page that failed."""
        if not is_outage(exception):
            return None
        log.warning("outage", path=request.path, error=str(exception).strip().split("\n", 1)[0])
        return outage_response(request)


def mark_outage(*, request: HttpRequest | None = None, **_: Any) -> None:
    """Mark a request whose error Django is turning into a 500 response, if the error is an outage."""
    error = sys.exc_info()[1]
    if request is not None and error is not None and is_outage(error):
        request.met_outage = True  # type: ignore[attr-defined]
