"""Games as the lobby and home show them: a table with its seats."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from games.models import Game, GameStatus, Seat, Spectating
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


def in_play(player: Player | None) -> QuerySet[Game]:
    """Return the games in play that ``player`` may want to watch, the most interesting first; their own on top.

    Games of an event before casual ones, then by how many persons play, rated ones first, the newest first. Tables that
    were opened by invitation alone are shown to nobody else, nor are those where nobody looks on before the end.
    """
    seat_of_player = Seat.objects.filter(game=OuterRef("pk"), player=player)
    own = Exists(seat_of_player) if player is not None else Exists(Seat.objects.none())
    welcome = Q(listed=True) | Q(match_game__isnull=False)
    open_now = ~Q(spectating=Spectating.NOBODY) & (Q(deal_group=None) | Q(deal_group__opened_at__isnull=False))
    games = Game.objects.running_for_all().annotate(
        own=own,
        of_event=Exists(MatchGame.objects.filter(game=OuterRef("pk"))),
        people=Count("seat", filter=Q(seat__player__bot="")),
    )
    return games.filter(Q(own=True, status=GameStatus.RUNNING) | Q(own=False) & welcome & open_now).order_by(
        "-own", "-of_event", "-people", "-rated", "-started_at", "pk"
    )


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
