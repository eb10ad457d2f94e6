"""Hears that a game has ended and queues the advance of the tournament that it was played for."""

from __future__ import annotations

import functools
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.dispatch import receiver
from kombu.exceptions import OperationalError

from games.signals import game_finished
from tournaments.models import Tournament
from tournaments.tasks import advance_tournament

log = structlog.get_logger(__name__)


@receiver(game_finished, dispatch_uid="tournaments")
def queue_advance(*, game_id: UUID, **kwargs: Any) -> None:
    """Queue the advance once whoever sent the signal has committed; of a game outside tournaments nothing follows."""
    tournament = Tournament.objects.filter(stages__rounds__matches__match_games__game=game_id).only("pk").first()
    if tournament is not None:
        transaction.on_commit(functools.partial(_queue, tournament.pk))


def _queue(tournament_id: int) -> None:
    try:
        advance_tournament.delay(tournament_id)
    except OperationalError as error:
        # The sweep finds the tournament.
        log.warning("advance-not-queued", tournament=tournament_id, error=str(error))
