"""Asking for the pairing of a round: a draft in the database, and a task that draws it.

The draft is what counts: the sweep finds one whose task was lost. :mod:`tournaments.services.pairings` draws it.
"""

from __future__ import annotations

import functools

import structlog
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from tournaments.fields import question
from tournaments.models import (
    SWISS_KINDS,
    Format,
    Match,
    MatchStatus,
    Round,
    RoundPairing,
    RoundStatus,
    Stage,
    StageEntrantStatus,
)

log = structlog.get_logger(__name__)


def next_round_wanted(stage: Stage) -> bool:
    """See to the next round of a stage without undecided matches; return whether there is one to wait for.

    Asks for it if it is not there, and again if what a draft was drawn from has changed. Where fewer than two are left
    there is no other round.
    """
    rounds = list(stage.rounds.order_by("number"))
    draft = next((each for each in rounds if each.status == RoundStatus.DRAFT), None)
    if draft is not None and stage.format != Format.TABLE_SCHEDULE and not _some_left(stage):
        draft.delete()
        return False
    if draft is not None:
        if is_drawn(draft):
            if not is_current(stage, draft):
                ask_again(stage, draft, lot=draft.lot)
        elif not draft.pairing_error:
            queue_pairing(draft)
        return True
    assert stage.round_count is not None, "a stage that draws rounds knows how many"
    if stage.format == Format.TABLE_SCHEDULE:
        wanted = range(1, stage.round_count + 1) if not rounds else range(0)
    elif len(rounds) < stage.round_count and (not rounds or _some_left(stage)):
        wanted = range(len(rounds) + 1, len(rounds) + 2)
    else:
        wanted = range(0)
    now = timezone.now()
    drafts = Round.objects.bulk_create(
        Round(stage=stage, number=number, name=f"Round {number}", status=RoundStatus.DRAFT, asked_at=now)
        for number in wanted
    )
    if drafts:
        queue_pairing(drafts[0])
    return bool(drafts)


def draws_rounds(stage: Stage) -> bool:
    """Return whether the rounds of ``stage`` are drawn by a task, one by one or all at the start."""
    return stage.format in (*SWISS_KINDS, Format.TABLE_SCHEDULE)


def is_drawn(draft: Round) -> bool:
    """Return whether there is something to publish."""
    return RoundPairing.objects.filter(round=draft).exists()


def is_current(stage: Stage, draft: Round) -> bool:
    """Return whether ``draft`` is drawn, and would be drawn from the same field now."""
    asked = question(stage, drafts_of(stage, draft)[0].number, draft.lot)
    return RoundPairing.objects.filter(round=draft, inputs=asked.digest()).exists()


def is_due(stage: Stage) -> bool:
    """Return whether every match of ``stage`` so far is decided."""
    return not Match.objects.filter(round__stage=stage).exclude(status=MatchStatus.DECIDED).exists()


def drafts_of(stage: Stage, draft: Round) -> list[Round]:
    """Return the drafts that are drawn together with ``draft``, in order: all those of a fixed schedule."""
    if stage.format != Format.TABLE_SCHEDULE:
        return [draft]
    return list(stage.rounds.filter(status=RoundStatus.DRAFT).order_by("number"))


def ask_again(stage: Stage, draft: Round, *, lot: int) -> None:
    """Have ``draft`` drawn again, with the lots that are drawn as ``lot``-th."""
    together = drafts_of(stage, draft)
    RoundPairing.objects.filter(round__in=together).delete()
    Round.objects.filter(pk__in=[each.pk for each in together]).update(
        pairing_error="", lot=lot, asked_at=timezone.now()
    )
    queue_pairing(together[0])


def queue_pairing(draft: Round) -> None:
    """Send the task that draws ``draft``, after the commit."""
    transaction.on_commit(functools.partial(send_pairing, draft.pk))


def send_pairing(round_id: int) -> None:
    """Send the task that draws a round, now. That the broker is away is logged: the sweep comes again."""
    # Tasks call services, so that services know of tasks only when they run.
    from tournaments.tasks import pair_round

    try:
        pair_round.delay(round_id)
    except OperationalError as error:  # the sweep finds the draft
        log.warning("pairing-not-queued", round=round_id, error=str(error))


def _some_left(stage: Stage) -> bool:
    """Return whether two entrants at least can still meet."""
    return stage.stage_entrants.filter(status=StageEntrantStatus.IN).count() > 1
