"""Pauses by organizers: of one table, of a round, of everything; until resumed, or adjourned to a stated time.

The fact that stops a game is its own clock event (:mod:`games.services.clocks`). What a round or a tournament keeps
is for the games that begin meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games.models import ClockKind, Game, GameStatus
from games.services import game_pause, game_resume
from games.services.clocks import COUNTDOWN, LONGEST_ADJOURNMENT, is_paused
from players.errors import Conflict, Invalid, NotAllowed, NotFound
from players.models import User
from tournaments.models import Match, Pausable, Round, Tournament, TournamentStatus
from tournaments.services.locking import lock_tournament, touch
from tournaments.services.log import log_write
from tournaments.services.permissions import acting_player, is_house, must_manage

type Scope = Tournament | Round | Match


@transaction.atomic
def play_pause(
    *,
    tournament_id: int,
    by: User | None,
    reason: str = "",
    until: datetime | None = None,
    round_id: int | None = None,
    match_id: int | None = None,
) -> Tournament:
    """Stop every open game of a tournament, or of one of its rounds or matches; games that are stopped already stay so.

    With ``until`` it goes on by itself at that time. Raises Conflict (not running, paused already, no game open),
    Invalid (``until`` not within the next 60 days, a reason too long), NotAllowed (does not run it, or sits at the
    table), NotFound.
    """
    tournament, scope = _scope(tournament_id, by, round_id, match_id)
    now = timezone.now()
    if until is not None and not now < until <= now + LONGEST_ADJOURNMENT:
        raise Invalid("Play can be adjourned to a time within the next 60 days.", code="bad-time")
    reason = " ".join(reason.split())
    if len(reason) > 200:
        raise Invalid("The reason can have at most 200 characters.", code="too-long")
    wider = [one for one in _around(tournament, scope) if one.is_paused]
    if wider:
        raise Conflict("Play is paused already.", code="paused-already")
    actor = acting_player(by)
    who = str(actor or "the house")
    games = list(_open_games(scope))
    if isinstance(scope, Pausable):
        scope.paused_at, scope.paused_until, scope.paused_by, scope.pause_reason = now, until, who, reason
        _save(scope)
        games = [game for game in games if not is_paused(game, now)]
    elif not games:
        raise Conflict("No game of this match is in play.", code="no-open-game")
    for game in games:
        game_pause(game=game, by=by, who=who, reason=reason, until=until)
    done = "paused {}" if until is None else f"adjourned {{}} to {timezone.localtime(until):%d %B %Y, %H:%M %Z}"
    log_write(
        tournament=tournament,
        action="play.paused",
        text=f"{who} {done.format(_words(scope))}" + (f": {reason}" if reason else "."),
        actor=actor,
        data={"games": [str(game.pk) for game in games], "until": until.isoformat() if until else None},
    )
    touch(tournament)
    return tournament


@transaction.atomic
def play_resume(
    *,
    tournament_id: int,
    by: User | None,
    countdown: timedelta = COUNTDOWN,
    round_id: int | None = None,
    match_id: int | None = None,
) -> Tournament:
    """Let what :func:`play_pause` stopped go on after ``countdown``. What was stopped for itself before stays so.

    Raises Conflict (not running, or not paused), Invalid (a countdown over ten minutes), NotAllowed, NotFound.
    """
    tournament, scope = _scope(tournament_id, by, round_id, match_id)
    now = timezone.now()
    stopped = [game for game in _open_games(scope) if is_paused(game, now)]
    if isinstance(scope, Pausable):
        if not scope.is_paused or scope.paused_at is None:
            raise Conflict("Play is not paused.", code="not-paused")
        since = scope.paused_at
        stopped = [game for game in stopped if game.clock_events.filter(kind=ClockKind.PAUSE, at__gte=since).exists()]
        scope.paused_at, scope.paused_until, scope.paused_by, scope.pause_reason = None, None, "", ""
        _save(scope)
    elif any(one.is_paused for one in _around(tournament, scope)):
        raise Conflict("The whole round or tournament is paused; let that go on.", code="paused-wider")
    elif not stopped:
        raise Conflict("No game of this match is paused.", code="not-paused")
    actor = acting_player(by)
    who = str(actor or "the house")
    for game in stopped:
        game_resume(game=game, by=by, who=who, countdown=countdown)
    log_write(
        tournament=tournament,
        action="play.resumed",
        text=f"{who} let {_words(scope)} go on.",
        actor=actor,
        data={"games": [str(game.pk) for game in stopped]},
    )
    touch(tournament)
    return tournament


def pause_new_game(tournament: Tournament, match: Match, game: Game) -> None:
    """Stop a game that was just made for a match while its round or tournament is paused."""
    for scope in (tournament, match.round):
        if scope.is_paused:
            game_pause(game=game, by=None, who=scope.paused_by, reason=scope.pause_reason, until=scope.paused_until)
            return


def _scope(tournament_id: int, by: User | None, round_id: int | None, match_id: int | None) -> tuple[Tournament, Scope]:
    """Lock the tournament and return it with what is to be paused."""
    tournament = lock_tournament(tournament_id)
    must_manage(by, tournament)
    if tournament.status != TournamentStatus.RUNNING:
        raise Conflict("Only a running tournament can be paused.", code="not-running")
    scope: Scope | None = tournament
    if match_id is not None:
        scope = Match.objects.filter(pk=match_id, round__stage__tournament=tournament).select_related("round").first()
        if scope is not None and by is not None and not is_house(by) and _plays(by, scope):
            raise NotAllowed("You play at this table: somebody else has to stop it.", code="own-game")
    elif round_id is not None:
        scope = Round.objects.filter(pk=round_id, stage__tournament=tournament).first()
    if scope is None:
        raise NotFound("This tournament has no such round or match.")
    return tournament, scope


def _plays(user: User, match: Match) -> bool:
    return match.slots.filter(entrant__player__user=user).exists()


def _around(tournament: Tournament, scope: Scope) -> list[Pausable]:
    """Return what has ``scope`` in it, itself included, as far as it can be paused as a whole."""
    if isinstance(scope, Match):
        return [tournament, scope.round]
    return [tournament] if isinstance(scope, Tournament) else [tournament, scope]


def _open_games(scope: Scope) -> Iterable[Game]:
    games = Game.objects.filter(status__in=[GameStatus.SEATING, GameStatus.RUNNING]).order_by("pk")
    if isinstance(scope, Match):
        return games.filter(match_game__match=scope)
    if isinstance(scope, Round):
        return games.filter(match_game__match__round=scope)
    return games.filter(match_game__match__round__stage__tournament=scope)


def _save(scope: Pausable) -> None:
    scope.save(update_fields=["paused_at", "paused_until", "paused_by", "pause_reason"])


def _words(scope: Scope) -> str:
    """Return the scope in words, as they stand inside a sentence."""
    if isinstance(scope, Match):
        return f"table {scope.table} of {scope.round.name}"
    return "the tournament" if isinstance(scope, Tournament) else scope.name
