"""The game that waits for a player: what every page points out."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Case, Exists, IntegerField, OuterRef, Q, TextField, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.urls import reverse

from games.models import GameStatus, Record, Seat
from players.models import Player
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class WaitingGame:
    """A game of the player that is not over, and what to say about it."""

    url: str
    title: str
    text: str
    urgent: bool
    tournament: Tournament | None


def waiting_game(player: Player) -> WaitingGame | None:
    """Return the most pressing game of ``player`` that is seating or running, in one query; None if there is none.

    A tournament game that waits for the player's word comes first, then games in play, then casual tables that fill.
    A game that goes on without the player, who is out of it, waits for nothing.
    """
    seats_named = Record.objects.annotate(named=KeyTextTransform("seat", "action"))
    is_out = seats_named.filter(
        Q(seat=OuterRef("number"), action__type="resign")
        | Q(seat=None, action__type="forfeit", named=Cast(OuterRef("number"), TextField())),
        game=OuterRef("game"),
    )
    seat = (
        Seat.objects.filter(~Exists(is_out), player=player, game__status__in=[GameStatus.SEATING, GameStatus.RUNNING])
        .select_related("game__match_game__match__round__stage__tournament")
        .defer("game__server_seed", "game__rules")
        .annotate(
            rank=Case(
                When(game__match_game__isnull=False, game__status=GameStatus.SEATING, ready=False, then=Value(0)),
                When(game__match_game__isnull=False, then=Value(1)),
                When(game__status=GameStatus.RUNNING, then=Value(2)),
                default=Value(3),
                output_field=IntegerField(),
            )
        )
        .order_by("rank", "-game__created_at")
        .first()
    )
    if seat is None:
        return None
    game = seat.game
    match_game = getattr(game, "match_game", None)
    running = game.status == GameStatus.RUNNING
    if match_game is None:
        title = "Your table is in play" if running else "You hold a seat at a table"
        text = "The clock may be running for you." if running else "It begins when every seat is taken and ready."
        tournament = None
    else:
        tournament = match_game.match.round.stage.tournament
        where = f"{match_game.match.round.name}, table {match_game.match.table}, game {match_game.number}"
        title = f"Your game in {tournament.name}"
        if running:
            text = f"{where}: in play."
        elif seat.ready:
            text = f"{where}: you are ready, the others are awaited."
        else:
            text = f"{where}: the table waits for you."
    return WaitingGame(
        url=reverse("games:table", args=[game.pk]),
        title=title,
        text=text,
        urgent=running or not seat.ready,
        tournament=tournament,
    )
