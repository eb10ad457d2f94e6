"""The home page, and the notice of the player's own game that every page carries. Open to everybody."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from players.models import Player
from ratings.models import Rating
from tournaments.counting import number_of
from tournaments.models import Entrant, EntrantStatus, Match, MatchStatus, Tournament, TournamentQuerySet
from tournaments.pages.access import viewer
from tournaments.pages.once import new_key
from tournaments.pages.tables import GameTable, in_play, tables

SHOWN = 6
WATCHED = 4
LEADERS = 5


def with_counts(tournaments: TournamentQuerySet) -> QuerySet[Tournament]:
    """Return ``tournaments`` with club, organizer, ``entrant_count`` and ``playing_count`` (matches in play)."""
    return (
        tournaments.select_related("organizer", "club")
        .prefetch_related("stages")
        .annotate(
            entrant_count=number_of(Entrant.objects.exclude(status=EntrantStatus.WITHDRAWN), "tournament"),
            playing_count=number_of(Match.objects.filter(status=MatchStatus.PLAYING), "round__stage__tournament"),
        )
    )


def entered(player: Player | None) -> set[int]:
    """Return the ids of the tournaments that ``player`` is in and has not left."""
    if player is None:
        return set()
    return set(player.entries.exclude(status=EntrantStatus.WITHDRAWN).values_list("tournament_id", flat=True))


def watchable(player: Player | None) -> list[GameTable]:
    """Return the most interesting games in play."""
    return tables(in_play(player)[:WATCHED], player)


def home_context(player: Player | None) -> dict[str, Any]:
    """Return what the home page shows to ``player``."""
    running = list(with_counts(Tournament.objects.running()).order_by("-started_at")[:SHOWN])
    opened = list(with_counts(Tournament.objects.open())[:SHOWN])
    leaders = Rating.objects.filter(pool__game="hold-my-bear").select_related("player", "pool")
    topics = ["lobby", "pool.hold-my-bear", *(f"tournament.{each.pk}" for each in running + opened)]
    if player is not None:
        topics.append(f"player.{player.pk}")
    return {
        "running": running,
        "open": opened,
        "entered": entered(player),
        "tables": watchable(player),
        "leaders": list(leaders.order_by("-value", "player_id")[:LEADERS]),
        "topics": " ".join(topics),
        "key": new_key(),
    }


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what is on, what is open, who leads, and how to begin."""
    return render(request, "tournaments/home.html", home_context(viewer(request)))


@require_safe
def home_live(request: HttpRequest) -> HttpResponse:
    """Return the part of the home page that refreshes itself."""
    return render(request, "tournaments/parts/home_live.html", home_context(viewer(request)))


@require_safe
def my_game(request: HttpRequest) -> HttpResponse:
    """Return the notice of the reader's own game; empty when none waits, and for who is not logged in."""
    return render(request, "tournaments/parts/my_game.html")
