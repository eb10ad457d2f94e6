"""Whether this process is up, and whether the servers that it needs answer."""

from __future__ import annotations

from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.outages import OUTAGES


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """Say that the process is up; touches no other server."""
    return JsonResponse({"status": "up"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether PostgreSQL and Valkey answer; status 503 if one does not."""
    parts = {"database": _database_answers(), "valkey": _valkey_answers()}
    ready = all(parts.values())
    return JsonResponse({"status": "ready" if ready else "unavailable", **parts}, status=200 if ready else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except OUTAGES:
        return False
    return True


def _valkey_answers() -> bool:
    try:
        cache.get("readyz")
    except OUTAGES:
        return False
    return True
