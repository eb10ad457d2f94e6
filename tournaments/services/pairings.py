"""The pairing of a round: drawn outside every lock, stored if nothing has changed meanwhile, published."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from django.conf import settings
from django.db import transaction

from players.errors import Conflict, NotFound
from players.models import User
from tournaments.drawing import Question, Undrawable, drawn_apart
from tournaments.fields import BYE_KINDS, question
from tournaments.models import (
    Bye,
    Match,
    Publishing,
    Round,
    RoundPairing,
    RoundStatus,
    Slot,
    StageStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.pairing.field import Pairing
from tournaments.services.locking import lock_tournament, must_have_seen, touch
from tournaments.services.log import log_write
from tournaments.services.permissions import acting_player, must_manage
from tournaments.services.rounds import advance_locked
from tournaments.services.wanting import ask_again, drafts_of, is_current, is_drawn, is_due

ATTEMPTS = 3
"""So often a round is drawn anew because its field has changed meanwhile; then the sweep takes over."""
FAULT = "The draw failed by a fault of the program or the machine. Whoever runs this site finds it in its log."


def round_pair(*, round_id: int) -> Round | None:
    """Draw a round that is wanted and store it, or why it cannot be drawn; publish it unless that is done by hand.

    Safe to repeat, and for several workers at once: whoever stores first has drawn it. A round that is not wanted (any
    more), or not yet because a match was opened again, stays as it is. Takes up to ``PAIRING_SECONDS``. Returns the
    round, None if it is gone. Raises RuntimeError for a fault of the program, which is stored too.
    """
    for _ in range(ATTEMPTS):
        draft = Round.objects.select_related("stage__tournament").filter(pk=round_id).first()
        if draft is None or not _is_wanted(draft):
            return draft
        asked = question(draft.stage, draft.number, draft.lot)
        try:
            answer: Sequence[Pairing] | str = drawn_apart(asked, seconds=settings.PAIRING_SECONDS)
        except Undrawable as error:
            answer = str(error)
        except RuntimeError:
            _store(draft, asked, FAULT)
            raise
        stored = _store(draft, asked, answer)
        if stored is not None:
            return stored
    return Round.objects.filter(pk=round_id).first()


@transaction.atomic
def round_publish(*, round_id: int, by: User | None, seen_version: int) -> Round:
    """Make a drawn draft public: its matches, byes and first games are made. All rounds of a fixed schedule at once.

    Raises Conflict (public already, code ``published-already``; not drawn, code ``not-drawn``; drawn from a field that
    has changed, code ``outdated``; or changed since ``seen_version``), NotAllowed, NotFound.
    """
    tournament, draft = _draft(round_id, by, seen_version)
    if not is_drawn(draft):
        raise Conflict("This round has not been drawn yet.", code="not-drawn")
    if not is_due(draft.stage) or not is_current(draft.stage, draft):
        raise Conflict("The field has changed since this round was drawn; it is drawn again.", code="outdated")
    _publish(tournament, draft, by)
    advance_locked(tournament)
    touch(tournament)
    draft.refresh_from_db()
    return draft


@transaction.atomic
def round_draw_again(*, round_id: int, by: User | None, seen_version: int) -> Round:
    """Have a draft drawn again: with other lots if it was drawn, with the same ones if that had failed.

    Raises Conflict (public already, code ``published-already``; being drawn, code ``not-drawn``; or changed since
    ``seen_version``), NotAllowed, NotFound.
    """
    tournament, draft = _draft(round_id, by, seen_version)
    was_drawn = is_drawn(draft)
    if not was_drawn and not draft.pairing_error:
        raise Conflict("This round is being drawn.", code="not-drawn")
    lot = draft.lot + was_drawn
    ask_again(draft.stage, draft, lot=lot)
    log_write(
        tournament=tournament,
        action="round.draw-again",
        text=f"{draft.name} is drawn again" + (f", with lots of number {lot}." if was_drawn else "."),
        actor=acting_player(by),
        data={"round": draft.pk, "lot": lot},
    )
    touch(tournament)
    draft.refresh_from_db()
    return draft


def drawn(draft: Round) -> Pairing | None:
    """Return what was drawn for a round, with its warnings and notes; None if nothing was, or it is no drawn format."""
    return drawn_all([draft]).get(draft.pk)


def drawn_all(rounds: Collection[Round]) -> dict[int, Pairing]:
    """Return what was drawn for each of ``rounds``, by id, for which something was."""
    stored = RoundPairing.objects.filter(round__in=rounds).values_list("round_id", "drawn")
    return {round_id: msgspec.convert(answer, type=Pairing, str_keys=True) for round_id, answer in stored}


def _is_wanted(draft: Round) -> bool:
    stage = draft.stage
    return (
        draft.status == RoundStatus.DRAFT
        and not draft.pairing_error
        and stage.status == StageStatus.RUNNING
        and stage.tournament.status == TournamentStatus.RUNNING
        and not is_drawn(draft)
        and is_due(stage)
    )


@transaction.atomic
def _store(asked_for: Round, asked: Question, answer: Sequence[Pairing] | str) -> Round | None:
    """Store the answer to a question, unless the question has changed: then return None."""
    tournament = lock_tournament(asked_for.stage.tournament_id)
    draft = Round.objects.select_related("stage__tournament").filter(pk=asked_for.pk).first()
    if draft is None or not _is_wanted(draft):
        return draft or asked_for
    digest = asked.digest()
    if question(draft.stage, draft.number, draft.lot).digest() != digest:
        return None
    if isinstance(answer, str):
        draft.pairing_error = answer
        draft.save(update_fields=["pairing_error"])
        text = f"{draft.name} could not be drawn: {answer}"
        log_write(tournament=tournament, action="round.not-drawn", text=text, public=False)
        touch(tournament)
        return draft
    together = drafts_of(draft.stage, draft)
    RoundPairing.objects.bulk_create(
        RoundPairing(round=each, inputs=digest, drawn=msgspec.to_builtins(pairing, str_keys=True))
        for each, pairing in zip(together, answer, strict=True)
    )
    if tournament.publish_rounds == Publishing.AUTOMATIC:
        _publish(tournament, together[0], None)
        advance_locked(tournament)
    else:
        text = f"{draft.name} is drawn and waits to be published."
        log_write(tournament=tournament, action="round.drawn", text=text, public=False)
    touch(tournament)
    return together[0]


def _draft(round_id: int, by: User | None, seen_version: int) -> tuple[Tournament, Round]:
    """Return the locked tournament and the draft that an organizer acts on."""
    tournament_id = Round.objects.filter(pk=round_id).values_list("stage__tournament_id", flat=True).first()
    if tournament_id is None:
        raise NotFound("There is no such round.")
    tournament = lock_tournament(tournament_id)
    must_manage(by, tournament)
    draft = Round.objects.select_related("stage__tournament").filter(pk=round_id).first()
    if draft is None:
        raise NotFound("There is no such round.")
    if draft.status != RoundStatus.DRAFT:
        raise Conflict("This round has been published already.", code="published-already")
    if tournament.status != TournamentStatus.RUNNING:
        raise Conflict("The tournament is over.")
    must_have_seen(tournament, seen_version)
    return tournament, draft


def _publish(tournament: Tournament, draft: Round, by: User | None) -> None:
    """Store the matches and byes of a drawn draft, and of those that were drawn with it."""
    stage = draft.stage
    together = drafts_of(stage, draft)
    matches, slots, byes = [], [], []
    pairings = drawn_all(together)
    for each in together:
        pairing = pairings[each.pk]
        for table in pairing.tables:
            match = Match(round=each, table=table.number, advance=0, best_of=stage.best_of, play_all=stage.play_all)
            matches.append(match)
            slots += [Slot(match=match, number=number, entrant_id=one) for number, one in enumerate(table.seats)]
        byes += [Bye(round=each, entrant_id=bye.entrant, kind=BYE_KINDS[bye.kind]) for bye in pairing.byes]
    Match.objects.bulk_create(matches)
    Slot.objects.bulk_create(slots)
    Bye.objects.bulk_create(byes)
    numbers = [each.number for each in together]
    stage.bye_requests.filter(round_number__in=numbers).delete()
    for each in together:
        each.status = RoundStatus.PUBLISHED
    Round.objects.bulk_update(together, ["status"])
    _log_published(tournament, together, by)


def _log_published(tournament: Tournament, together: Sequence[Round], by: User | None) -> None:
    first = together[0]
    what = first.name if len(together) == 1 else f"The schedule of {len(together)} rounds"
    lots = f" (lots of number {first.lot})" if first.lot else ""
    log_write(
        tournament=tournament,
        action="round.published",
        text=f"{what} was published{lots}.",
        actor=acting_player(by),
        data={"rounds": [each.pk for each in together], "lot": first.lot},
    )
