"""What of a game may be known to whom, and when: one rule for pages, API, admin and sockets.

Who has a seat knows what the seat knows, at once. Everybody else is a spectator: sees only what is public at the
table, as much later as the event says, and nothing at all while the event lets nobody look on, or not yet this player,
or while another table may still play with the same cards. What lets the deal be worked out (the seed, and with shared
cards the transcript too) waits for the end, of all tables with these cards.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from games.models import OVER, Game, GameStatus, Spectating
from players.models import Player


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may look on at a game and how much later, as its event says; a game without one is open to all at once.

    ``circle`` names the event: for ``Spectating.AFTER_OWN`` its games are those that keep a player from looking on.
    """

    spectating: str = Spectating.ALL
    circle: str = ""
    delay_ms: int = 0
    delay_moves: int = 0
    shown_at_end: bool = False

    @property
    def is_delayed(self) -> bool:
        """True if spectators do not see everything at once."""
        return self.delay_ms > 0 or self.delay_moves > 0

    def shown_number(self, times: Sequence[int], now: int, *, is_over: bool) -> int:
        """Return how many records spectators may know of a game.

        ``times`` are the records' milliseconds since the start, ``now`` is this moment so. A delay in moves ends with
        the game, for no move will follow; one in time does not, unless the event says so.
        """
        if is_over and self.shown_at_end:
            return len(times)
        number = len(times) if is_over else max(0, len(times) - self.delay_moves)
        while number and times[number - 1] + self.delay_ms > now:
            number -= 1
        return number

    def ended_for_all_at(self, finished_at: datetime) -> datetime:
        """Return when spectators may know how a game ended that was over at ``finished_at``."""
        return finished_at if self.shown_at_end else finished_at + timedelta(milliseconds=self.delay_ms)


OPEN_TO_ALL = Audience()


class Closed(enum.Enum):
    """Why somebody sees nothing of a table; the value is the code of the refusal."""

    SEALED = "sealed"
    NOBODY = "not-shown"
    OWN_GAME = "own-game-first"
    LOGIN = "login-first"

    @property
    def sentence(self) -> str:
        """Say it to people."""
        return _SENTENCES[self]


_SENTENCES = {
    Closed.SEALED: "Closed until all tables have finished: others still play with the same cards.",
    Closed.NOBODY: "This event shows its games when they are over.",
    Closed.OWN_GAME: "You play in this event: you can look at other tables when your own game is over.",
    Closed.LOGIN: "This event shows its tables to who is logged in, so that nobody looks on during their own game.",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What somebody may know of how a game stands."""

    status: GameStatus
    record_count: int
    places: list[int] | None
    points: list[int] | None
    finished_at: datetime | None

    @property
    def is_over(self) -> bool:
        """True once, for whoever looks, nothing more can happen."""
        return self.status in OVER


def audience_of(game: Game) -> Audience:
    """Return who may look on at ``game``."""
    return Audience(
        spectating=game.spectating,
        circle=game.circle,
        delay_ms=game.spectator_delay_ms,
        delay_moves=game.spectator_delay_moves,
        shown_at_end=game.shown_at_end,
    )


def ended_for_all_at(game: Game) -> datetime | None:
    """Return when everybody may know how ``game`` ended; None before its end. What was never dealt is known at once."""
    if not game.is_over:
        return None
    return audience_of(game).ended_for_all_at(game.finished_at or game.created_at)


def ended_for_all(game: Game, now: datetime | None = None) -> bool:
    """Return whether everybody may know how ``game`` ended."""
    at = ended_for_all_at(game)
    return at is not None and at <= (now or timezone.now())


def has_seat(game: Game, player: Player | None) -> bool:
    """Return whether ``player`` sits in ``game``."""
    return player is not None and any(seat.player_id == player.pk for seat in game.seat_set.all())


def shown(game: Game, player: Player | None) -> Shown:
    """Return how ``game`` stands for ``player``, or for anybody (None)."""
    status = GameStatus(game.status)
    if has_seat(game, player) or (game.is_over and ended_for_all(game)):
        return Shown(status, game.record_count, game.places, game.points, game.finished_at)
    running = GameStatus.RUNNING if game.is_over else status
    return Shown(running, shown_record_count(game), None, None, None)


def shown_record_count(game: Game) -> int:
    """Return how many records of ``game`` are public."""
    audience = audience_of(game)
    if not audience.is_delayed or game.started_at is None:
        return game.record_count
    now = (timezone.now() - game.started_at) // timedelta(milliseconds=1)
    if audience.delay_ms == 0:
        return game.record_count if game.is_over else max(0, game.record_count - audience.delay_moves)
    old = game.records.filter(at__lte=now - audience.delay_ms).aggregate(last=Max("number"))["last"] or 0
    if game.is_over:
        return game.record_count if audience.shown_at_end else old
    return min(old, max(0, game.record_count - audience.delay_moves))


def closed_to(game: Game, player: Player | None) -> Closed | None:
    """Return why ``player`` (None: anybody) sees nothing of the table; None for who may look on, or sits there."""
    if has_seat(game, player):
        return None
    if game.is_sealed:
        return Closed.SEALED
    if game.spectating == Spectating.ALL or ended_for_all(game):
        return None
    if game.spectating == Spectating.NOBODY:
        return Closed.NOBODY
    if player is None:
        return Closed.LOGIN
    return Closed.OWN_GAME if has_open_game(game, player) else None


def has_open_game(game: Game, player: Player) -> bool:
    """Return whether ``player`` has another game of the same event that is not over."""
    others = Game.objects.filter(circle=game.circle, status__in=[GameStatus.SEATING, GameStatus.RUNNING])
    return others.exclude(pk=game.pk).filter(seat__player=player).exists()


def secrets_are_public(game: Game, player: Player | None) -> bool:
    """Return whether ``player`` (None: anybody) may know the whole deal of ``game``.

    Who sat there may once the game is over and the cards are played nowhere else; others wait for the event's delay.
    """
    return game.is_over and not game.is_sealed and (has_seat(game, player) or ended_for_all(game))
