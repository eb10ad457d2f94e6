"""Tournaments in the background. Every task is safe to run twice."""

from __future__ import annotations

from datetime import timedelta

import structlog
from celery import shared_task
from django.conf import settings
from django.utils import timezone

from tournaments.demo import events as demo
from tournaments.models import Dispute, Round, Tournament
from tournaments.services import disputes, pairings, rounds, wanting

LOST = timedelta(seconds=settings.PAIRING_SECONDS + 10)
"""When a round has been wanted for so long, its task is taken to be lost."""

log = structlog.get_logger(__name__)


@shared_task
def advance_tournament(tournament_id: int) -> None:
    """Take what has been played into the tournament."""
    rounds.stage_advance(tournament_id=tournament_id)


@shared_task
def pair_round(round_id: int) -> None:
    """Draw a round that is wanted."""
    pairings.round_pair(round_id=round_id)


@shared_task
def check_dispute(dispute_id: int) -> None:
    """Replay the disputed game and attach the report."""
    disputes.dispute_check(dispute_id=dispute_id)


@shared_task
def sweep_tournaments() -> None:
    """Do what a lost signal or queue left undone. One that fails is logged and does not keep the others waiting."""
    for tournament_id in Tournament.objects.to_advance().values_list("pk", flat=True):
        try:
            rounds.stage_advance(tournament_id=tournament_id)
        except Exception:
            log.exception("advance-failed", tournament=tournament_id)
    for round_id in Round.objects.wanted().filter(asked_at__lt=timezone.now() - LOST).values_list("pk", flat=True):
        wanting.send_pairing(round_id)
    for dispute_id in Dispute.objects.unchecked().values_list("pk", flat=True):
        try:
            disputes.dispute_check(dispute_id=dispute_id)
        except Exception:
            log.exception("dispute-check-failed", dispute=dispute_id)


@shared_task
def go_on_with_demo() -> None:
    """Let the demo club's bots begin their next event if they have played the last one."""
    demo.go_on()
