"""Tournaments in the background. Every task is safe to run twice."""

from __future__ import annotations

import structlog
from celery import shared_task

from tournaments.demo import events as demo
from tournaments.models import Dispute, Tournament
from tournaments.services import disputes, rounds

log = structlog.get_logger(__name__)


@shared_task
def advance_tournament(tournament_id: int) -> None:
    """Take what has been played into the tournament."""
    rounds.stage_advance(tournament_id=tournament_id)


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
    for dispute_id in Dispute.objects.unchecked().values_list("pk", flat=True):
        try:
            disputes.dispute_check(dispute_id=dispute_id)
        except Exception:
            log.exception("dispute-check-failed", dispute=dispute_id)


@shared_task
def go_on_with_demo() -> None:
    """Let the demo club's bots begin their next event if they have played the last one."""
    demo.go_on()
