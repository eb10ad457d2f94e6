"""Who plays in a tournament: register, withdraw; and for who manages it: search, add, add bots, remove.

Registering and withdrawing take a player and act for that player alone. The rest refuses others with 403.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from players.errors import Conflict, Invalid, NotAllowed, ServiceError
from players.models import Bot, Player
from tournaments.forms.organizing import SearchForm
from tournaments.models import Entrant, EntrantStatus, Tournament
from tournaments.pages.access import acting_user, player_required, tournament_or_404
from tournaments.pages.events import refused
from tournaments.pages.once import once
from tournaments.services import entrants
from tournaments.services.permissions import may_manage

FOUND = 12
MOST_BOTS = 16


@require_POST
@player_required
def register(request: HttpRequest, slug: str, *, player: Player) -> HttpResponse:
    """Enter the tournament."""
    tournament = tournament_or_404(slug)
    try:
        entrants.entrant_register(tournament_id=tournament.pk, player=player, by=acting_user(request))
    except ServiceError as error:
        return refused(request, slug, error)
    messages.success(request, "You are in. Your games will come to you on whatever page you are.")
    return redirect("tournaments:detail", slug)


@require_POST
@player_required
def withdraw(request: HttpRequest, slug: str, *, player: Player) -> HttpResponse:
    """Leave the tournament; in play that forfeits the open game."""
    tournament = tournament_or_404(slug)
    own = Entrant.objects.filter(tournament=tournament, player=player).first()
    try:
        if own is None:
            raise Conflict("You are not in this tournament.")
        entrants.entrant_withdraw(entrant_id=own.pk, by=acting_user(request))
    except ServiceError as error:
        return refused(request, slug, error)
    messages.success(request, "You are no longer in this tournament.")
    return redirect("tournaments:detail", slug)


def managed(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament if the reader may manage it. Raises NotAllowed."""
    tournament = tournament_or_404(slug)
    if not may_manage(request.user, tournament):
        raise NotAllowed("Only the organizer of this tournament may do this.")
    return tournament


@require_safe
@player_required
def search(request: HttpRequest, slug: str, *, player: Player) -> HttpResponse:
    """Find players by a part of their name, to be added; no house bots, and none who is in."""
    tournament = managed(request, slug)
    form = SearchForm(request.GET)
    wanted = form.cleaned_data["q"] if form.is_valid() else ""
    found: list[Player] = []
    if wanted:
        inside = Entrant.objects.filter(tournament=tournament).exclude(status=EntrantStatus.WITHDRAWN)
        people = Player.objects.not_of_the_house().filter(name__icontains=wanted).exclude(entries__in=inside)
        found = list(people.order_by("name", "pk")[: FOUND + 1])
    return render(
        request,
        "tournaments/parts/search.html" if request.headers.get("HX-Request") else "tournaments/search.html",
        {"tournament": tournament, "wanted": wanted, "found": found[:FOUND], "more": len(found) > FOUND},
    )


@require_POST
@player_required
def add(request: HttpRequest, slug: str, *, player: Player) -> HttpResponse:
    """Enter another player."""
    tournament = managed(request, slug)
    chosen = request.POST.get("player", "")
    person = get_object_or_404(Player, pk=chosen if chosen.isdecimal() and len(chosen) < 19 else 0)
    try:
        entrants.entrant_register(tournament_id=tournament.pk, player=person, by=acting_user(request))
    except ServiceError as error:
        return refused(request, slug, error)
    messages.success(request, f"{person.name} is in.")
    return redirect("tournaments:detail", slug)


@require_POST
@player_required
def add_bots(request: HttpRequest, slug: str, *, player: Player) -> HttpResponse:
    """Enter house bots."""
    tournament = managed(request, slug)
    count = request.POST.get("count", "1")
    level = request.POST.get("level", Bot.GREEDY.value)

    def act() -> str:
        if not count.isdecimal() or len(count) > 9 or not 1 <= int(count) <= MOST_BOTS:
            raise Invalid(f"Add 1 to {MOST_BOTS} bots at a time.")
        entrants.entrant_add_bots(tournament_id=tournament.pk, by=acting_user(request), level=level, count=int(count))
        return reverse("tournaments:detail", args=[slug])

    try:
        address = once(request, player, act)
    except ServiceError as error:
        return refused(request, slug, error)
    messages.success(request, "The bots are in.")
    return redirect(address)


@require_POST
@player_required
def remove(request: HttpRequest, slug: str, pk: int, *, player: Player) -> HttpResponse:
    """Take an entrant out of the tournament."""
    tournament = managed(request, slug)
    entrant = Entrant.objects.select_related("player").filter(tournament=tournament, pk=pk).first()
    if entrant is None:  # the second click of two
        return redirect("tournaments:detail", slug)
    try:
        entrants.entrant_withdraw(entrant_id=entrant.pk, by=acting_user(request))
    except ServiceError as error:
        return refused(request, slug, error)
    messages.success(request, f"{entrant.player.name} is out.")
    return redirect("tournaments:detail", slug)
