"""Deals that several tables share: made before their first game, public when the last one is over."""

from __future__ import annotations

import secrets

import structlog
from django.db import transaction
from django.utils import timezone

from games.announcing import announce
from games.engine.deal import SEED_BYTES, commitment_of
from games.models import OVER, DealGroup, Game
from players.errors import Conflict, NotFound

log = structlog.get_logger(__name__)


def deal_group_create() -> DealGroup:
    """Return a new deal for games to come; its seed is drawn now, its commitment can be published."""
    server_seed = secrets.token_bytes(SEED_BYTES)
    return DealGroup.objects.create(commitment=commitment_of(server_seed), server_seed=server_seed)


@transaction.atomic
def deal_group_open(*, group: DealGroup) -> DealGroup:
    """Make the cards of ``group`` public, for good. Whoever runs the event knows that no more game joins it.

    Of an open group nothing changes. Raises Conflict while one of its games is not over, NotFound.
    """
    row = DealGroup.objects.select_for_update().filter(pk=group.pk).first()
    if row is None:
        raise NotFound("There is no such deal.", code="no-such-deal")
    if not row.is_sealed:
        return row
    games = Game.objects.filter(deal_group=row)
    if games.exclude(status__in=OVER).exists():
        raise Conflict("A table still plays with these cards.", code="not-over")
    row.opened_at = timezone.now()
    row.save(update_fields=["opened_at"])
    log.info("deal-opened", deal=str(row.pk))
    announce(*(f"game.{game_id}" for game_id in games.values_list("pk", flat=True)))
    return row
