"""Rounds that are not public yet: publishing one, and having it drawn again; who runs the tournament."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from players.errors import ServiceError
from players.models import Player
from tournaments.pages.access import acting_user, player_required, tournament_or_404
from tournaments.pages.events import refused, seen_version
from tournaments.services.pairings import round_draw_again, round_publish


@require_POST
@player_required
def publish(request: HttpRequest, slug: str, pk: int, *, player: Player) -> HttpResponse:
    """Make a drawn round public; its games begin."""
    tournament = tournament_or_404(slug)
    try:
        round_publish(round_id=pk, by=acting_user(request), seen_version=seen_version(request))
    except ServiceError as error:
        if error.code == "published-already":  # the second click of two
            return redirect("tournaments:detail", tournament.slug)
        return refused(request, slug, error)
    messages.success(request, "The round is public; its games wait for their players.")
    return redirect("tournaments:detail", tournament.slug)


@require_POST
@player_required
def draw_again(request: HttpRequest, slug: str, pk: int, *, player: Player) -> HttpResponse:
    """Have a round drawn again, with other lots or after a failure."""
    tournament = tournament_or_404(slug)
    try:
        round_draw_again(round_id=pk, by=acting_user(request), seen_version=seen_version(request))
    except ServiceError as error:
        return refused(request, slug, error)
    messages.success(request, "The round is drawn again.")
    return redirect("tournaments:detail", tournament.slug)
