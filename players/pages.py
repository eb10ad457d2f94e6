"""A person's own account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from players.forms import NameForm
from players.models import Player
from players.services import player_create_for_user, player_rename


@login_required
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Show one's own account and change the player name; an account without a player gets one."""
    assert request.user.is_authenticated
    player = Player.objects.filter(user=request.user).first()
    form = NameForm(request.POST or None, initial={"name": player.name if player else ""})
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["name"]
        if player is None:
            player_create_for_user(user=request.user, name=name)
        else:
            player_rename(player=player, name=name)
        messages.success(request, f"You play as {name}.")
        return redirect("players:account")
    return render(request, "players/account.html", {"form": form, "player": player})
