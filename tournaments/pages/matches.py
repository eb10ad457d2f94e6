"""A match: who plays, its games in order, and the ways to watch, read, verify and dispute them. Open to everybody."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import PLAYED, Game
from games.services.clocks import stop_of
from players.models import Player
from tournaments import brackets
from tournaments.models import Dispute, Match, MatchGame
from tournaments.pages.access import viewer
from tournaments.services.permissions import may_manage


def match_context(request: HttpRequest, slug: str, pk: int) -> dict[str, Any]:
    """Return what the page of a match shows. Raises Http404."""
    player = viewer(request)
    found = brackets.with_everything(Match.objects.filter(pk=pk, round__stage__tournament__slug=slug))
    if not found:
        raise Http404("There is no such match.")
    match = found[0]
    tournament = match.round.stage.tournament
    disputes = Dispute.objects.filter(match_game__match=match).select_related("raised_by").order_by("raised_at")
    by_game: dict[int, list[Dispute]] = {}
    for dispute in disputes:
        by_game.setdefault(dispute.match_game_id, []).append(dispute)
    most = max((len(other.slots.all()) for other in match.round.matches.prefetch_related("slots")), default=0)
    card = brackets.card(match, player, most)
    games = []
    for match_game, line in zip(match.match_games.all(), card.games, strict=True):
        games.append(
            {
                "match_game": match_game,
                "line": line,
                "game": match_game.game,
                "results": _results(match_game),
                "disputes": by_game.get(match_game.pk, []),
                "may_dispute": _may_dispute(match_game, player),
            }
        )
    return {
        "tournament": tournament,
        "match": match,
        "card": card,
        "games": games,
        "player": player,
        "manages": may_manage(request.user, tournament),
        "paused_by_wider": tournament.is_paused or match.round.is_paused,
        "stopped": next((one for one in map(stop_of, _open_games(match)) if one is not None), None),
        "is_open": any(line.live for line in card.games),
        "topics": " ".join(
            [f"tournament.{tournament.pk}", *(f"game.{line.game_id}" for line in card.games if line.live)]
        ),
    }


def _open_games(match: Match) -> list[Game]:
    return [match_game.game for match_game in match.match_games.all() if not match_game.game.is_over]


def _may_dispute(match_game: MatchGame, player: Player | None) -> bool:
    return (
        player is not None
        and match_game.game.status in PLAYED
        and any(seat.player_id == player.pk for seat in match_game.game.seat_set.all())
    )


def _results(match_game: MatchGame) -> list[dict[str, Any]]:
    """Return who sat at a game and the place each took, best first; in seat order while it is not over."""
    places = match_game.game.places or []
    rows = []
    for seat in match_game.game.seat_set.all():
        place = places[seat.number] if seat.number < len(places) else None
        rows.append({"player": seat.player, "place": place, "seat": seat.number, "house_played": seat.house_played})
    return sorted(rows, key=lambda row: (row["place"] or 0, row["seat"]))


@require_safe
def match_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a match."""
    return render(request, "tournaments/match.html", match_context(request, slug, pk))


@require_safe
def match_live(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Return the part of a match's page that refreshes itself."""
    return render(request, "tournaments/parts/match_live.html", match_context(request, slug, pk))
