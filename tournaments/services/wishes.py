"""What entrants and organizers wish for the rounds to come: byes, and pairs who are kept apart."""

from __future__ import annotations

from django.db import transaction

from players.errors import Conflict, Invalid, NotAllowed, NotFound
from players.models import User
from tournaments.models import (
    SWISS_KINDS,
    ByeKind,
    ByeRequest,
    Entrant,
    EntrantStatus,
    KeepApart,
    Stage,
    StageEntrantStatus,
    StageStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.services.locking import lock_tournament, touch
from tournaments.services.log import log_write
from tournaments.services.permissions import acting_player, may_manage, must_manage
from tournaments.services.rounds import advance_locked

REQUESTED = (ByeKind.FULL, ByeKind.HALF, ByeKind.ZERO)
ACTIVE = (TournamentStatus.OPEN, TournamentStatus.RUNNING)


@transaction.atomic
def bye_request(*, entrant_id: int, round_number: int, kind: str, by: User | None) -> ByeRequest:
    """Note that an entrant has a bye in a round that is not published yet; a second request for it replaces the first.

    Players ask for themselves, for half-point and zero-point byes; full-point byes are given by the organizer. Raises
    Conflict (no stage that takes byes, code ``not-swiss``; round published, code ``published-already``; withdrawn or
    over), Invalid (no such round or kind), NotAllowed, NotFound.
    """
    tournament, entrant, stage = _wisher(entrant_id, by)
    if kind not in REQUESTED:
        raise Invalid("A bye is for a full point, a half or none.", code="bad-bye")
    if kind == ByeKind.FULL and by is not None and not may_manage(by, tournament):
        raise NotAllowed("A full-point bye is given by the organizer.")
    if not 1 <= round_number <= (stage.round_count or 0):
        raise Invalid(f"There are rounds 1 to {stage.round_count}.", code="no-such-round")
    _must_be_ahead(stage, round_number)
    request, _ = ByeRequest.objects.update_or_create(
        stage=stage, round_number=round_number, entrant=entrant, defaults={"kind": kind}
    )
    text = f"{entrant}: {request.get_kind_display()} in round {round_number}."
    _done(tournament, "bye.requested", text, by)
    return request


@transaction.atomic
def bye_request_withdraw(*, entrant_id: int, round_number: int, by: User | None) -> None:
    """Take the request for a bye back; without one nothing changes. Raises as :func:`bye_request`."""
    tournament, entrant, stage = _wisher(entrant_id, by)
    _must_be_ahead(stage, round_number)
    deleted, _ = ByeRequest.objects.filter(stage=stage, round_number=round_number, entrant=entrant).delete()
    if deleted:
        _done(tournament, "bye.withdrawn", f"{entrant} plays in round {round_number} after all.", by)


@transaction.atomic
def entrants_keep_apart(*, tournament_id: int, entrant_ids: tuple[int, int], by: User | None) -> KeepApart:
    """Keep two entrants from meeting, as long as that costs neither a rematch nor a second bye; again changes nothing.

    Raises Conflict (the tournament is over), Invalid (one entrant twice), NotAllowed, NotFound.
    """
    tournament, one, other = _pair(tournament_id, entrant_ids, by)
    pair, made = KeepApart.objects.get_or_create(tournament=tournament, one=one, other=other)
    if made:
        _done(tournament, "entrants.apart", f"{one} and {other} are kept apart.", by, public=False)
    return pair


@transaction.atomic
def entrants_let_meet(*, tournament_id: int, entrant_ids: tuple[int, int], by: User | None) -> None:
    """Undo :func:`entrants_keep_apart`, with what it raises; who were not kept apart stay so."""
    tournament, one, other = _pair(tournament_id, entrant_ids, by)
    deleted, _ = KeepApart.objects.filter(tournament=tournament, one=one, other=other).delete()
    if deleted:
        _done(tournament, "entrants.not-apart", f"{one} and {other} may meet.", by, public=False)


def _wisher(entrant_id: int, by: User | None) -> tuple[Tournament, Entrant, Stage]:
    """Return the locked tournament, the entrant whose bye it is, and the stage that takes byes now."""
    tournament_id = Entrant.objects.filter(pk=entrant_id).values_list("tournament_id", flat=True).first()
    if tournament_id is None:
        raise NotFound("There is no such entrant.")
    tournament = lock_tournament(tournament_id)
    entrant = tournament.entrants.select_related("player").filter(pk=entrant_id).first()
    if entrant is None:
        raise NotFound("There is no such entrant.")
    if by is not None and entrant.player.user_id != by.pk and not may_manage(by, tournament):
        raise NotAllowed("You can ask for a bye for yourself; others are given one by the organizer.")
    if tournament.status not in ACTIVE or entrant.status == EntrantStatus.WITHDRAWN:
        raise Conflict("This entrant plays no more rounds.")
    stages = tournament.stages.exclude(status=StageStatus.FINISHED).order_by("number")
    if tournament.status == TournamentStatus.RUNNING:
        # Several stages can be under way at once, each with players of its own.
        stages = stages.filter(stage_entrants__entrant=entrant, stage_entrants__status=StageEntrantStatus.IN)
    stage = stages.first()
    if stage is None or stage.format not in SWISS_KINDS:
        raise Conflict("Byes can be asked for in a Swiss stage only.", code="not-swiss")
    return tournament, entrant, stage


def _must_be_ahead(stage: Stage, round_number: int) -> None:
    if stage.rounds.published().filter(number=round_number).exists():
        raise Conflict("This round has been published already.", code="published-already")


def _pair(tournament_id: int, entrant_ids: tuple[int, int], by: User | None) -> tuple[Tournament, Entrant, Entrant]:
    """Return the locked tournament and two of its entrants, the lower id first."""
    tournament = lock_tournament(tournament_id)
    must_manage(by, tournament)
    if tournament.status not in ACTIVE:
        raise Conflict("The tournament is over.")
    if entrant_ids[0] == entrant_ids[1]:
        raise Invalid("Two different entrants are kept apart.", code="same-entrant")
    pair = list(tournament.entrants.select_related("player").filter(pk__in=entrant_ids).order_by("pk"))
    if len(pair) != 2:
        raise NotFound("This tournament has no such entrant.")
    return tournament, pair[0], pair[1]


def _done(tournament: Tournament, action: str, text: str, by: User | None, *, public: bool = True) -> None:
    """Log what was done; a draft that it touches is drawn again."""
    log_write(tournament=tournament, action=action, text=text, actor=acting_player(by), public=public)
    advance_locked(tournament)
    touch(tournament)
