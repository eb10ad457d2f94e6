"""What every page may use about who is looking."""

from __future__ import annotations

from django.http import HttpRequest

from players.models import Player


def current_player(request: HttpRequest) -> dict[str, Player | None]:
    """Give templates ``current_player``: the player of the user who is logged in, or None."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"current_player": None}
    return {"current_player": Player.objects.filter(user=user).first()}
