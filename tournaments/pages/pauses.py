"""Pausing a table, a round or a whole tournament, and letting it go on; who runs it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from players.errors import Invalid
from players.models import Player
from tournaments.forms.base import EventForm
from tournaments.forms.organizing import PauseForm, ScopeForm
from tournaments.models import Match, Tournament
from tournaments.pages.access import acting_user, player_required, tournament_or_404
from tournaments.services.pauses import play_pause, play_resume


@require_POST
@player_required
def pause(request: HttpRequest, slug: str, *, player: Player) -> HttpResponse:
    """Stop every clock of a table, a round or everything, until resumed or until the time that the form says."""
    tournament, form = tournament_or_404(slug), PauseForm(request.POST)
    data = _read(form)
    play_pause(
        tournament_id=tournament.pk,
        by=acting_user(request),
        reason=data["reason"],
        until=data["until"],
        round_id=data["round"],
        match_id=data["match"],
    )
    messages.success(request, "Play is paused; everybody sees it at their table.")
    return _back(tournament, data["match"])


@require_POST
@player_required
def resume(request: HttpRequest, slug: str, *, player: Player) -> HttpResponse:
    """Let it go on after a short countdown."""
    tournament, form = tournament_or_404(slug), ScopeForm(request.POST)
    data = _read(form)
    play_resume(tournament_id=tournament.pk, by=acting_user(request), round_id=data["round"], match_id=data["match"])
    messages.success(request, "Play goes on in a few seconds.")
    return _back(tournament, data["match"])


def _read(form: EventForm) -> dict[str, Any]:
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        raise Invalid(f"{form.fields[field].label}: {errors[0]}")
    return form.cleaned_data


def _back(tournament: Tournament, match_id: int | None) -> HttpResponse:
    if match_id is None:
        return redirect("tournaments:detail", tournament.slug)
    match = get_object_or_404(Match, pk=match_id, round__stage__tournament=tournament)
    return redirect("tournaments:match", tournament.slug, match.pk)
