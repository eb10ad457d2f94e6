"""A person's own account, with the bot accounts and keys of their programs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from players.errors import ServiceError
from players.forms import BotForm, KeyForm, NameForm
from players.models import ApiKey, Player, User
from players.programs import api_key_create, api_key_revoke, bot_account_create
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


@login_required
@require_GET
def programs(request: HttpRequest) -> HttpResponse:
    """Show one's bot accounts with their keys."""
    return _programs(request)


@login_required
@require_POST
def bot_create(request: HttpRequest) -> HttpResponse:
    """Make a bot account."""
    form = BotForm(request.POST)
    if not form.is_valid():
        return _programs(request, status=400, form=form)
    try:
        bot = bot_account_create(owner=_user(request), name=form.cleaned_data["name"])
    except ServiceError as error:
        return _programs(request, status=error.status, refusal=error.message)
    messages.success(request, f"{bot.name} is there; now make a key for your program.")
    return redirect("players:programs")


@login_required
@require_POST
def key_create(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a key and show it, this once."""
    bot = get_object_or_404(Player, pk=pk, owner=_user(request))
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _programs(request, status=400, refusal="Say what the key is for, and how long it shall be good.")
    days = form.cleaned_data["days"]
    try:
        key, text = api_key_create(
            player=bot,
            by=_user(request),
            name=form.cleaned_data["name"],
            expires_at=timezone.now() + timedelta(days=days) if days else None,
        )
    except ServiceError as error:
        return _programs(request, status=error.status, refusal=error.message)
    return _programs(request, new_key=key, new_key_text=text)


@login_required
@require_POST
def key_revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """End a key."""
    key = api_key_revoke(key=get_object_or_404(ApiKey, pk=pk, player__owner=_user(request)), by=_user(request))
    messages.success(request, f"The key {key.name} opens nothing any more.")
    return redirect("players:programs")


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "only behind login_required"
    return request.user


def _programs(request: HttpRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    keys = Prefetch("api_keys", ApiKey.objects.filter(revoked_at=None), to_attr="keys_shown")
    context = {
        "bots": Player.objects.filter(owner=_user(request)).prefetch_related(keys),
        "form": BotForm(),
        "lifetimes": KeyForm.LIFETIMES,
        **more,
    }
    response = render(request, "players/programs.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response
