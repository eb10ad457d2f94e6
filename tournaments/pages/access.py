"""Who may open or do what on the pages of events."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse

from players.errors import NotAllowed
from players.models import Player, User
from tournaments.models import Tournament

type Page = Callable[..., HttpResponseBase]


def viewer(request: HttpRequest) -> Player | None:
    """Return the player of whoever looks, or None."""
    if not request.user.is_authenticated:
        return None
    return Player.objects.filter(user=request.user).first()


def player_required(page: Page) -> Page:
    """Let only players in, and hand the page its ``player``; others are sent to log in and come back.

    After a login that a POST asked for, they come back to the page of the tournament or the lobby: nothing is
    sent a second time for them.
    """

    @wraps(page)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            if request.method == "GET":
                return redirect_to_login(request.get_full_path())
            slug = kwargs.get("slug")
            return redirect_to_login(
                reverse("tournaments:detail", args=[slug]) if slug else reverse("tournaments:lobby")
            )
        player = viewer(request)
        if player is None:
            raise NotAllowed("Your account has no player yet. Choose a player name in your account first.")
        return page(request, *args, player=player, **kwargs)

    return guarded


def tournament_or_404(slug: str) -> Tournament:
    """Return the tournament of an address."""
    return get_object_or_404(Tournament.objects.select_related("organizer", "club"), slug=slug)


def acting_user(request: HttpRequest) -> User:
    """Return the user who is logged in; only behind :func:`player_required`."""
    user = request.user
    if not isinstance(user, User):
        raise NotAllowed("Log in first.")
    return user
