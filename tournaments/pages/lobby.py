"""The lobby: casual tables to sit down at, to watch, and to open. Open to everybody; sitting down takes a player."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from games.models import Game, GameStatus
from games.services import game_create, seat_ready, seat_take
from players.bots import bot_player
from players.errors import ServiceError
from players.models import Bot, Player
from tournaments.forms.clocks import clock_fields
from tournaments.forms.decks import HOLD_MY_BEAR
from tournaments.forms.lobby import TableForm
from tournaments.pages.access import player_required, viewer
from tournaments.pages.once import new_key, once
from tournaments.pages.tables import in_play, tables

OPEN_SHOWN = 60
RUNNING_SHOWN = 24
PRACTICE_BOTS = (Bot.GREEDY, Bot.RANDOM, Bot.SEARCH)


def lobby_context(player: Player | None) -> dict[str, Any]:
    """Return the tables that the lobby shows to ``player``: with free seats, own ones first, and in play."""
    seating = Game.objects.filter(status=GameStatus.SEATING, listed=True)
    running = in_play(player)
    waiting = tables(seating.order_by("-created_at")[:OPEN_SHOWN], player)
    return {
        "seating": sorted(waiting, key=lambda table: not table.mine),
        "running": tables(running[:RUNNING_SHOWN], player),
        "running_count": running.count(),
        "topics": "lobby",
    }


def lobby_page(request: HttpRequest, form: TableForm, status: int = 200) -> HttpResponse:
    """Return the whole page around ``form``."""
    key = request.POST.get("key") or new_key()
    context = {**lobby_context(viewer(request)), "form": form, "key": key, "bots_key": new_key()}
    return render(request, "tournaments/lobby.html", context, status=status)


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the lobby."""
    return lobby_page(request, TableForm())


@require_safe
def lobby_live(request: HttpRequest) -> HttpResponse:
    """Return the part of the lobby that refreshes itself."""
    return render(request, "tournaments/parts/lobby_live.html", lobby_context(viewer(request)))


@require_POST
@player_required
def open_table(request: HttpRequest, *, player: Player) -> HttpResponse:
    """Open a table, take its first seat, and fill the seats that bots were asked for."""
    form = TableForm(request.POST)
    if not form.is_valid():
        return lobby_page(request, form, status=400)
    data = form.cleaned_data

    def make() -> str:
        bots: list[Player] = []
        for _ in range(data["bots"]):
            bots.append(bot_player(level=data["level"], exclude={bot.pk for bot in bots}))
        game = game_create(
            game=data["game"],
            rules=form.rules(),
            players=[player, *bots, *[None] * (data["seats"] - 1 - len(bots))],
            rated=data["rated"],
            listed=not data["invited"],
            **clock_fields(data["time_control"]),
            created_by=player,
        )
        if data["seats"] == 1:
            seat_ready(game=game, player=player)
        return reverse("games:table", args=[game.pk])

    try:
        return redirect(once(request, player, make))
    except ServiceError as error:
        form.add_error(None, error.message)
        return lobby_page(request, form, status=error.status)


@require_POST
@player_required
def play_bots(request: HttpRequest, *, player: Player) -> HttpResponse:
    """Begin a game against three house bots at once; practice, so it moves no rating."""
    chosen = request.POST.get("game", HOLD_MY_BEAR)

    def make() -> str:
        bots: list[Player] = []
        for level in PRACTICE_BOTS:
            bots.append(bot_player(level=level.value, exclude={bot.pk for bot in bots}))
        game = game_create(
            game=chosen,
            rules={},
            players=[player, *bots],
            rated=False,
            **clock_fields("slow"),
            created_by=player,
        )
        seat_ready(game=game, player=player)
        return reverse("games:table", args=[game.pk])

    return redirect(once(request, player, make))


@require_POST
@player_required
def take_seat(request: HttpRequest, game_id: uuid.UUID, *, player: Player) -> HttpResponse:
    """Take the first free seat of a listed table and go there; who sits there already just goes there."""
    game = get_object_or_404(Game, pk=game_id, listed=True)
    try:
        if not game.seat_set.filter(player=player).exists():
            seat_take(game=game, number=None, player=player)
    except ServiceError as error:
        messages.error(request, error.message)
        return lobby_page(request, TableForm(), status=error.status)
    return redirect("games:table", game_id)
