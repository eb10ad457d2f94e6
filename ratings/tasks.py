"""Rating in the background. Every task is safe to run twice."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import structlog
from celery import shared_task
from django.utils import timezone

from ratings import services

log = structlog.get_logger(__name__)


@shared_task
def rate_game(game_id: str) -> None:
    """Rate the game, or take it back if it is void."""
    services.game_settle(game_id=UUID(game_id))


@shared_task
def sweep_ratings(days: float | None = 2) -> None:
    """Settle the games of the last ``days`` (None: of all time) whose end nobody heard of.

    A game that cannot be rated is logged and does not keep the others waiting.
    """
    since = None if days is None else timezone.now() - timedelta(days=days)
    for game_id in services.games_to_settle(since=since):
        try:
            services.game_settle(game_id=game_id)
        except Exception:
            log.exception("rating-failed", game=str(game_id))
