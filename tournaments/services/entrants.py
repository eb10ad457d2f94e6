"""Who plays in a tournament."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from games.models import GameStatus, Seat
from games.services import game_cancel, game_forfeit
from players.bots import bot_player
from players.errors import Conflict, Invalid, NotAllowed, NotFound
from players.models import Player, User
from tournaments.models import (
    SWISS_KINDS,
    Bye,
    ByeKind,
    Entrant,
    EntrantStatus,
    StageEntrant,
    StageEntrantStatus,
    StageStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.services.locking import lock_tournament, touch
from tournaments.services.log import log_write
from tournaments.services.permissions import acting_player, may_manage, must_manage
from tournaments.services.rounds import advance_locked
from tournaments.services.seeds import ratings_now


@transaction.atomic
def entrant_register(*, tournament_id: int, player: Player, by: User | None) -> Entrant:
    """Register ``player`` (by the player's own user, or who manages the tournament); a second time changes nothing.

    Raises Conflict (not open, code ``not-open``; full, code ``full``), NotAllowed, NotFound.
    """
    tournament = lock_tournament(tournament_id)
    if by is not None and player.user_id != by.pk and not may_manage(by, tournament):
        raise NotAllowed("You can register yourself; others are added by the organizer.")
    registered = tournament.entrants.filter(player=player).first()
    if registered is not None:
        return registered
    _must_have_room(tournament, 1)
    entrant = _enter(tournament, player, by)
    touch(tournament)
    return entrant


@transaction.atomic
def entrant_add_bots(*, tournament_id: int, by: User | None, level: str, count: int = 1) -> list[Entrant]:
    """Register ``count`` house bots of ``level`` that are not in it yet; all or none.

    Raises Conflict (not open, code ``not-open``; full, code ``full``), Invalid, NotAllowed, NotFound.
    """
    tournament = lock_tournament(tournament_id)
    if by is not None and not may_manage(by, tournament):
        raise NotAllowed("Only the organizer of this tournament may add bots.")
    if count < 1:
        raise Invalid("Add at least one bot.")
    _must_have_room(tournament, count)
    entered = set(tournament.entrants.values_list("player_id", flat=True))
    entrants = []
    for _ in range(count):
        player = bot_player(level=level, exclude=entered)
        entered.add(player.pk)
        entrants.append(_enter(tournament, player, by))
    touch(tournament)
    return entrants


@transaction.atomic
def entrant_enter_late(*, tournament_id: int, player: Player, by: User | None, missed: str = ByeKind.ZERO) -> Entrant:
    """Let an organizer bring ``player`` into a running stage that draws round by round: from the next round on.

    The published rounds are byes of the kind ``missed`` (``bye-zero`` or ``bye-half``). The seed is the last one.
    Raises Conflict (no such stage under way, code ``not-swiss``; no round left to be drawn, code ``too-late``; in the
    tournament already, also if withdrawn, code ``registered-already``; full, code ``full``), Invalid, NotAllowed,
    NotFound.
    """
    tournament = lock_tournament(tournament_id)
    must_manage(by, tournament)
    if missed not in (ByeKind.ZERO, ByeKind.HALF):
        raise Invalid("Missed rounds are zero-point or half-point byes.", code="bad-bye")
    stage = tournament.stages.filter(status=StageStatus.RUNNING, format__in=SWISS_KINDS, source=None).first()
    if tournament.status != TournamentStatus.RUNNING or stage is None:
        raise Conflict("Late entries are for a Swiss under way that is the first stage.", code="not-swiss")
    published = list(stage.rounds.published())
    if len(published) >= (stage.round_count or 0):
        raise Conflict("The last round has been drawn already.", code="too-late")
    if tournament.entrants.filter(player=player).exists():
        raise Conflict("This player is in the tournament already.", code="registered-already")
    if tournament.entrants.count() >= tournament.capacity:
        raise Conflict("The tournament is full.", code="full")
    seeds = tournament.entrants.aggregate(last=Max("seed"))["last"] or 0
    entrant = Entrant.objects.create(
        tournament=tournament,
        player=player,
        status=EntrantStatus.PLAYING,
        seed=seeds + 1,
        rating=ratings_now(tournament, [player.pk])[player.pk],
    )
    last = stage.stage_entrants.aggregate(last=Max("seed"))["last"] or 0
    StageEntrant.objects.create(stage=stage, entrant=entrant, seed=last + 1)
    Bye.objects.bulk_create(Bye(round=each, entrant=entrant, kind=missed) for each in published)
    _log(tournament, "entrant.late", f"{player} joined after {len(published)} rounds.", by, player)
    advance_locked(tournament)
    touch(tournament)
    return entrant


@transaction.atomic
def entrant_withdraw(*, entrant_id: int, by: User | None) -> Entrant | None:
    """Take an entrant out: before the start removed (returns None); during play the open game is forfeited, later
    matches are walkovers, and the entrant is not paired any more. What was played stands. Again changes nothing.

    Raises Conflict (the tournament is over), NotAllowed (neither the player's user nor a manager), NotFound.
    """
    tournament_id = Entrant.objects.filter(pk=entrant_id).values_list("tournament_id", flat=True).first()
    if tournament_id is None:
        raise NotFound("There is no such entrant.")
    tournament = lock_tournament(tournament_id)
    entrant = tournament.entrants.select_related("player").filter(pk=entrant_id).first()
    if entrant is None:  # removed since
        return None
    if by is not None and entrant.player.user_id != by.pk and not may_manage(by, tournament):
        raise NotAllowed("You can withdraw yourself; others are taken out by the organizer.")
    if tournament.status == TournamentStatus.OPEN:
        entrant.delete()
        _log(tournament, "entrant.removed", f"{entrant.player} is no longer registered.", by, entrant.player)
        touch(tournament)
        return None
    if tournament.status != TournamentStatus.RUNNING:
        raise Conflict("The tournament is over.")
    if entrant.status == EntrantStatus.WITHDRAWN:
        return entrant
    entrant.status = EntrantStatus.WITHDRAWN
    entrant.save(update_fields=["status"])
    own = StageEntrant.objects.filter(entrant=entrant).exclude(stage__status=StageStatus.FINISHED)
    own.filter(status__in=[StageEntrantStatus.IN, StageEntrantStatus.SUBSTITUTE]).update(
        status=StageEntrantStatus.WITHDRAWN
    )
    _leave_games(tournament, entrant)
    _log(tournament, "entrant.withdrawn", f"{entrant.player} withdrew.", by, entrant.player)
    advance_locked(tournament)
    touch(tournament)
    return entrant


def _must_have_room(tournament: Tournament, count: int) -> None:
    if tournament.status != TournamentStatus.OPEN:
        raise Conflict("Registration for this tournament is closed.", code="not-open")
    room = tournament.capacity - tournament.entrants.count()
    if count > room:
        raise Conflict(
            "The tournament is full." if room <= 0 else f"There is room for {room} more, not for {count}.", code="full"
        )


def _enter(tournament: Tournament, player: Player, by: User | None) -> Entrant:
    entrant = Entrant.objects.create(tournament=tournament, player=player)
    _log(tournament, "entrant.registered", f"{player} registered.", by, player)
    return entrant


def _leave_games(tournament: Tournament, entrant: Entrant) -> None:
    """Forfeit the running game of a withdrawn entrant; one that has not been dealt is called off and made anew."""
    seats = Seat.objects.select_related("game").filter(
        player=entrant.player,
        game__match_game__match__round__stage__tournament=tournament,
        game__status__in=[GameStatus.SEATING, GameStatus.RUNNING],
    )
    for seat in seats:
        if seat.game.status == GameStatus.SEATING:
            try:
                game_cancel(game=seat.game, by=None)
                continue
            except Conflict:  # dealt in the meantime
                pass
        try:
            game_forfeit(game=seat.game, seat=seat.number, reason="left")
        except (Conflict, Invalid):
            # It ended in the meantime, or the seat was out already; either way the seat plays no more.
            continue


def _log(tournament: Tournament, action: str, text: str, by: User | None, player: Player) -> None:
    log_write(tournament=tournament, action=action, text=text, actor=acting_player(by), data={"player": player.pk})
