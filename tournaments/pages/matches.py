"""A match: who plays, its games in order, and the ways to watch, read, verify and dispute them. Open to everybody."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from games.disclosure import has_seat, shown
from games.models import PLAYED, Game
from games.services.clocks import stop_of
from players.models import Player
from tournaments import cards
from tournaments.models import Dispute, Duplicate, Match, MatchGame, MatchStatus, RoundDeal
from tournaments.pages.access import acting_user, player_required, viewer
from tournaments.pages.events import seen_version
from tournaments.same_cards import comparisons
from tournaments.services.deals import deal_open_now
from tournaments.services.permissions import may_manage
from tournaments.services.rounds import decision_public_at
from tournaments.standings.comparison import Comparison


def match_context(request: HttpRequest, slug: str, pk: int) -> dict[str, Any]:
    """Return what the page of a match shows. Raises Http404."""
    player = viewer(request)
    found = cards.with_everything(Match.objects.filter(pk=pk, round__stage__tournament__slug=slug))
    if not found:
        raise Http404("There is no such match.")
    match = found[0]
    tournament = match.round.stage.tournament
    disputes = Dispute.objects.filter(match_game__match=match).select_related("raised_by").order_by("raised_at")
    by_game: dict[int, list[Dispute]] = {}
    for dispute in disputes:
        by_game.setdefault(dispute.match_game_id, []).append(dispute)
    most = max((len(other.slots.all()) for other in match.round.matches.prefetch_related("slots")), default=0)
    card = cards.card(match, player, most)
    compared = comparisons(_round_with_games(match)) if tournament.duplicate != Duplicate.NONE else {}
    games = []
    for match_game, line in zip(match.match_games.all(), card.games, strict=True):
        games.append(
            {
                "match_game": match_game,
                "line": line,
                "game": match_game.game,
                "results": _results(match_game, player, compared),
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
        "sealed_deals": _sealed_deals(match) if tournament.duplicate != Duplicate.NONE else [],
        "result_at": _result_at(match, player),
        "is_open": any(line.live for line in card.games),
        "topics": " ".join(
            [f"tournament.{tournament.pk}", *(f"game.{line.game_id}" for line in card.games if line.live)]
        ),
    }


def _round_with_games(match: Match) -> list[Match]:
    """Return the matches of the round, whose tables may share their cards."""
    return list(match.round.matches.prefetch_related("slots__entrant", "match_games__game__seat_set"))


def _open_games(match: Match) -> list[Game]:
    return [match_game.game for match_game in match.match_games.all() if not match_game.game.is_over]


def _sealed_deals(match: Match) -> list[RoundDeal]:
    """Return the deals of the round that are closed until all tables have finished."""
    return list(match.round.deals.filter(group__opened_at=None).select_related("round", "group"))


def _result_at(match: Match, player: Player | None) -> datetime | None:
    """Return when the result is published of a match that has been played out, with delayed spectators."""
    match_games = list(match.match_games.all())
    if match.status != MatchStatus.PLAYING or not match_games or _open_games(match):
        return None
    sat = any(has_seat(match_game.game, player) for match_game in match_games)
    return decision_public_at(match_games) if sat else None


@require_POST
@player_required
def open_deal(request: HttpRequest, slug: str, pk: int, *, player: Player) -> HttpResponse:
    """Make a deal public that does not end by itself; who manages the tournament."""
    deal = get_object_or_404(RoundDeal, pk=pk, round__stage__tournament__slug=slug)
    deal_open_now(deal_id=deal.pk, by=acting_user(request), seen_version=seen_version(request))
    messages.success(request, "The cards are public. Tables that still played with them get new ones.")
    return redirect("tournaments:detail", slug)


def _may_dispute(match_game: MatchGame, player: Player | None) -> bool:
    return (
        player is not None
        and shown(match_game.game, None).status in PLAYED
        and any(seat.player_id == player.pk for seat in match_game.game.seat_set.all())
    )


def _results(
    match_game: MatchGame, player: Player | None, compared: Mapping[tuple[int, int], Comparison]
) -> list[dict[str, Any]]:
    """Return who sat at a game and the place each took, best first; in seat order while it is not over for ``player``.

    With what each has against who held the same cards elsewhere.
    """
    places = shown(match_game.game, player).places or []
    entrants = {
        slot.entrant.player_id: slot.entrant_id for slot in match_game.match.slots.all() if slot.entrant is not None
    }
    rows = []
    for seat in match_game.game.seat_set.all():
        place = places[seat.number] if seat.number < len(places) else None
        comparison = compared.get((match_game.pk, entrants.get(seat.player_id or 0) or 0))
        rows.append(
            {
                "player": seat.player,
                "place": place,
                "seat": seat.number,
                "house_played": seat.house_played,
                "comparison": comparison if comparison is not None and comparison.others else None,
            }
        )
    return sorted(rows, key=lambda row: (row["place"] or 0, row["seat"]))


@require_safe
def match_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a match."""
    return render(request, "tournaments/match.html", match_context(request, slug, pk))


@require_safe
def match_live(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Return the part of a match's page that refreshes itself."""
    return render(request, "tournaments/parts/match_live.html", match_context(request, slug, pk))
