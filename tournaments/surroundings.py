"""What the page of a game says about the match that it belongs to; registered with ``games.observing``."""

from __future__ import annotations

from django.urls import reverse

from games.models import OVER, Game
from players.models import Player
from tournaments.models import MatchGame
from tournaments.waiting import waiting_game


def match_surroundings(game: Game, player: Player | None) -> dict[str, str]:
    """Return the way back to the match of ``game``, and, once it is over, to the player's next game if one waits.

    A game of no tournament came from the lobby.
    """
    match_game = (
        MatchGame.objects.filter(game=game).select_related("match__round__stage__tournament").order_by().first()
    )
    if match_game is None:
        return {"back_url": reverse("tournaments:lobby"), "back_label": "Lobby"}
    match = match_game.match
    tournament = match.round.stage.tournament
    known = {
        "back_url": reverse("tournaments:match", args=[tournament.slug, match.pk]),
        "back_label": f"{tournament.name}: {match.round.name}, table {match.table}",
    }
    if game.status in OVER:
        waiting = waiting_game(player) if player is not None else None
        known["next_url"] = (
            waiting.url if waiting is not None else reverse("tournaments:detail", args=[tournament.slug])
        )
    return known
