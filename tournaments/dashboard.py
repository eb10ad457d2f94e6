"""What the admin's home shows: what is going on now, and what waits for somebody."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from games.models import Game, GameStatus
from tournaments.counting import number_of
from tournaments.models import Dispute, Entrant, Match, MatchGame, MatchStatus, Tournament

SHOWN = 10
"""Rows of each list."""


def with_progress(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Annotate ``tournaments`` with the numbers of entrants, matches, decided matches and games in play."""
    matches = Match.objects.all()
    decided = matches.filter(status=MatchStatus.DECIDED)
    playing = MatchGame.objects.filter(game__status=GameStatus.RUNNING)
    return tournaments.annotate(
        entrant_count=number_of(Entrant.objects.all(), "tournament"),
        match_count=number_of(matches, "round__stage__tournament"),
        decided_count=number_of(decided, "round__stage__tournament"),
        game_count=number_of(playing, "match__round__stage__tournament"),
    )


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add to the admin's home what is going on now; called by the theme (``UNFOLD["DASHBOARD_CALLBACK"]``)."""
    running = with_progress(Tournament.objects.running().select_related("organizer")).order_by("-started_at")
    disputes = Dispute.objects.waiting().select_related("raised_by", "match_game__match__round__stage__tournament")
    tables = Game.objects.defer("server_seed", "rules").prefetch_related("seat_set__player")
    return {
        **context,
        "running_tournaments": running[:SHOWN],
        "running_count": Tournament.objects.running().count(),
        "disputes_waiting": disputes.order_by("raised_at")[:SHOWN],
        "dispute_count": Dispute.objects.waiting().count(),
        "tables_in_play": tables.running_for_all().order_by("-started_at")[:SHOWN],
        "table_count": Game.objects.running_for_all().count(),
        "newest_games": tables.played().ended_for_all().order_by("-finished_at")[:SHOWN],
    }
