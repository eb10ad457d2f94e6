"""What the page of a game says about the match that it belongs to; registered with ``games.observing``."""

from __future__ import annotations

from django.urls import reverse

from games.disclosure import shown
from games.models import OVER, PLAYED, Game
from players.models import Player
from tournaments.crosstables import shown as shown_points
from tournaments.models import MatchGame
from tournaments.pairing.match import POINT, sums
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
    score = _score(match_game, player)
    if score:
        known["match_score"] = score
    if game.status in OVER:
        waiting = waiting_game(player) if player is not None else None
        known["next_url"] = (
            waiting.url if waiting is not None else reverse("tournaments:detail", args=[tournament.slug])
        )
    return known


def _score(match_game: MatchGame, player: Player | None) -> str:
    """Return how the match stands before this game, in a sentence; empty before a first game and in matches of one."""
    match = match_game.match
    earlier = match.match_games.filter(number__lt=match_game.number, game__status__in=PLAYED).order_by("number")
    results = []
    for each in earlier.select_related("game").prefetch_related("game__seat_set__player"):
        places = shown(each.game, player).places
        if places is not None:
            results.append({str(seat.player): places[seat.number] for seat in each.game.seat_set.all()})
    if not results:
        return ""
    names = sorted({name for result in results for name in result})
    if match.play_all:
        totals = sums(names, results)
        score = [(name, shown_points(totals[name], POINT)) for name in sorted(names, key=lambda name: -totals[name])]
    else:
        wins = {name: sum(result.get(name) == 1 for result in results) for name in names}
        score = [(name, str(wins[name])) for name in sorted(names, key=lambda name: -wins[name])]
    of = f" of {match.best_of}" if match.best_of > 1 else ""
    return f"Game {len(results) + 1}{of}. So far: {', '.join(f'{name} {points}' for name, points in score)}."
