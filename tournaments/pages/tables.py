"""Games as the lobby and home show them: a table with its seats."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from games.models import Game, Seat
from players.models import Player
from tournaments import wording
from tournaments.models import MatchGame


@dataclass(frozen=True, slots=True)
class GameTable:
    """A game with who sits there, how many seats are free, and the match it belongs to, if any."""

    game: Game
    title: str
    clock: str
    deck: str
    players: tuple[Player, ...]
    free: int
    mine: bool
    match_game: MatchGame | None


def tables(games: QuerySet[Game], viewer: Player | None) -> list[GameTable]:
    """Return ``games`` with their seats and players as ``viewer`` sees them, in three queries."""
    seats = Seat.objects.select_related("player").order_by("game_id", "number")
    found = games.defer("server_seed").prefetch_related(
        Prefetch("seat_set", seats),
        Prefetch("match_game", MatchGame.objects.select_related("match__round__stage__tournament")),
    )
    shown = []
    for game in found:
        players = tuple(seat.player for seat in game.seat_set.all() if seat.player is not None)
        shown.append(
            GameTable(
                game=game,
                title=wording.game_title(game.game),
                clock=wording.clock(game),
                deck=wording.deck(game.game, game.rules),
                players=players,
                free=game.seats - len(players),
                mine=viewer is not None and viewer in players,
                match_game=getattr(game, "match_game", None),
            )
        )
    return shown
