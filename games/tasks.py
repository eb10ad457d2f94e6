"""The periodic sweep: what time alone makes due, and what a lost message would have done."""

from __future__ import annotations

from datetime import timedelta

import structlog
from celery import shared_task
from django.db import Error
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import Game, Record
from games.services import game_cancel, game_close, game_do_due, game_start_due
from players.errors import ServiceError

log = structlog.get_logger(__name__)

STALE_AFTER = timedelta(hours=6)
"""An open table that nobody filled in this time is called off."""
GRACE = timedelta(seconds=1)
"""The web process that has the game loaded goes first."""


@shared_task
def sweep_games() -> None:
    """Deal games whose time to start has come, put out seats whose time is up, close and call off what is left over.

    One game that fails, because its records were damaged, for instance, does not keep the others waiting.
    """
    now = timezone.now()
    unfinished = Record.objects.filter(game=OuterRef("pk"), number__gt=OuterRef("record_count"))
    _each(Game.objects.seating().filter(start_by__lte=now), game_start_due)
    _each(Game.objects.running().filter(deadline__lte=now - GRACE), game_do_due)
    _each(Game.objects.running().filter(Q(Exists(unfinished))), game_close)
    _each(Game.objects.seating().filter(listed=True, start_by=None, created_at__lte=now - STALE_AFTER), game_cancel)


def _each(games: QuerySet[Game], service: object) -> None:
    assert callable(service)
    for game in games.only("pk").order_by("pk").iterator():
        try:
            service(game=game)
        except ServiceError as error:
            log.info("sweep-refused", game=str(game.pk), code=error.code)
        except Error:
            raise
        except Exception:
            log.exception("sweep-failed", game=str(game.pk))
