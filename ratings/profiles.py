"""Reads what a player's profile shows: ratings, their course, recent games, the record against each opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import Prefetch, QuerySet

from games.models import Game, GameStatus, Seat
from players.models import Player
from ratings.causes import KINDS, time_of
from ratings.models import LedgerEntry, Rating, RatingPool

RECENT = 12
COURSE = 2000
OPPONENTS = 15


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A rated game as the player's profile shows it.

    ``result`` is "won", "draw", "lost", or "placed" where places below the first mean something; ``change`` and
    ``after`` are tenths of a point.
    """

    game: Game
    at: datetime
    place: int
    result: str
    opponents: list[Seat]
    change: int
    after: int


class Record(NamedTuple):
    """How a player fared in the games with one opponent: placed better, level with them, placed worse.

    Two who lost a game to a third are level.
    """

    opponent: Player
    games: int
    better: int
    level: int
    worse: int


def ratings_of(player: Player) -> list[Rating]:
    """Return the player's ratings, with their pools."""
    return list(Rating.objects.filter(player=player).select_related("pool", "player").order_by("pool__name"))


def history(pool: RatingPool, player: Player) -> QuerySet[LedgerEntry]:
    """Return the entries that make up the player's rating, the newest first."""
    return LedgerEntry.objects.standing().filter(pool=pool, player=player).order_by("-order_key")


def recent_games(entries: Sequence[LedgerEntry]) -> list[PlayedGame]:
    """Return the games behind ``entries`` (of one player), in their order."""
    seats = Prefetch("seat_set", Seat.objects.select_related("player").order_by("number"))
    games = Game.objects.prefetch_related(seats).in_bulk([entry.cause for entry in entries])
    return [_played(games[entry.cause], entry) for entry in entries if entry.cause in games]


def _played(game: Game, entry: LedgerEntry) -> PlayedGame:
    assert game.places is not None
    seats = list(game.seat_set.all())
    own = next(seat for seat in seats if seat.player_id == entry.player_id)
    return PlayedGame(
        game=game,
        at=time_of(entry.order_key),
        place=game.places[own.number],
        result=_result(game, game.places[own.number]),
        opponents=[seat for seat in seats if seat != own],
        change=entry.after - entry.before,
        after=entry.after,
    )


def _result(game: Game, place: int) -> str:
    if place == 1:
        return "won" if game.status == GameStatus.FINISHED else "draw"
    return "placed" if KINDS[game.game].ranked else "lost"


def records(pool: RatingPool, player: Player) -> list[Record]:
    """Return the player's record against the 15 met most often, over the last 2,000 rated games.

    Who scored more of a game's pairs was placed better: the ledger holds all that is needed.
    """
    own = history(pool, player)[:COURSE].values("cause", "score")
    own_sql, own_values = own.query.sql_with_params()
    others = LedgerEntry.objects.standing().filter(pool=pool).exclude(player=player)
    other_sql, other_values = others.order_by().values("cause", "player", "score").query.sql_with_params()
    sql = f"""
        SELECT theirs.player, count(*) AS games,
            count(*) FILTER (WHERE own.score > theirs.score),
            count(*) FILTER (WHERE own.score = theirs.score),
            count(*) FILTER (WHERE own.score < theirs.score)
        FROM ({own_sql}) AS own JOIN ({other_sql}) AS theirs USING (cause)
        GROUP BY theirs.player ORDER BY games DESC, theirs.player LIMIT %s
    """  # noqa: S608 the inner queries are Django's own, their values are parameters
    with connection.cursor() as cursor:
        cursor.execute(sql, [*own_values, *other_values, OPPONENTS])
        rows = cursor.fetchall()
    opponents = Player.objects.in_bulk([row[0] for row in rows])
    return [Record(opponents[row[0]], *row[1:]) for row in rows]
