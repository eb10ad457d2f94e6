"""Hears that a game has ended and queues its rating."""

from __future__ import annotations

import functools
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.dispatch import receiver
from kombu.exceptions import OperationalError

from games.signals import game_finished
from ratings.tasks import rate_game

log = structlog.get_logger(__name__)


@receiver(game_finished, dispatch_uid="ratings")
def queue_rating(*, game_id: UUID, **kwargs: Any) -> None:
    """Queue the rating of the game once whoever sent the signal has committed."""
    transaction.on_commit(functools.partial(_queue, str(game_id)))


def _queue(game_id: str) -> None:
    try:
        rate_game.delay(game_id)
    except OperationalError as error:
        # The sweep finds the game.
        log.warning("rating-not-queued", game=game_id, error=str(error))
