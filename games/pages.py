"""The pages of one game: the table, its seats before the deal, transcript and verification afterwards."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_POST

from games import services
from games.animals import EFFECTS
from games.disclosure import Closed, closed_to, shown
from games.engine import canonical, standalone
from games.engine import game as engine_game
from games.forms import BotForm, ClientSeedForm, SeatForm
from games.models import Game, GameStatus
from games.observing import surroundings
from games.rules_examples import EXAMPLES, FITS, STACKS
from players.errors import Conflict, Invalid, NotAllowed
from players.models import Player

# The games whose rules a page explains: games/rules/<game>.html.
EXPLAINED = ("hold-my-bear", "pick-a-polar-bear")

TABLES = {"hold-my-bear": "games/table.html", "pick-a-polar-bear": "games/polar_table.html"}
"""The template of each game's table."""


@require_GET
@ensure_csrf_cookie
def table(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Show the table to its players and to anybody who watches. What lies on it comes by the socket alone."""
    game = _game(game_id)
    player = _player_or_none(request)
    seats = list(game.seat_set.select_related("player").order_by("number"))
    animals = game.rules.get("animals", ())
    mine = next((seat for seat in seats if player is not None and seat.player_id == player.pk), None)
    return render(
        request,
        TABLES[game.game],
        {
            "game": game,
            "shown": shown(game, player),
            "closed": closed_to(game, player),
            "title": engine_game(game.game).title,
            "is_explained": game.game in EXPLAINED,
            "animals": animals,
            "effects": [asdict(effect) for effect in EFFECTS if effect.animal in animals],
            "seats": seats,
            "my_seat": None if mine is None else mine.number,
            "my_client_seed": "" if mine is None else mine.client_seed,
            "may_cancel": game.status == GameStatus.SEATING and player is not None and game.created_by_id == player.pk,
            "invitation": _invitation(request, game) if mine is not None or game.listed else "",
            "game_context": surroundings(game, player),
        },
    )


def _invitation(request: HttpRequest, game: Game) -> str:
    """Return the address that brings others to this table's free seats, or nothing where there are none to give."""
    is_open = game.status == GameStatus.SEATING and game.start_by is None
    is_free = is_open and any(seat.player_id is None for seat in game.seat_set.all())
    return request.build_absolute_uri(reverse("games:table", args=[game.pk])) if is_free else ""


@require_GET
def transcript(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Download the transcript; while the game runs, without the server seed that would give the deal away."""
    game = _game(game_id)
    document = services.transcript(game, _player_or_none(request))
    response = HttpResponse(canonical(document), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{game.game}-{game.pk}.json"'
    response["Cache-Control"] = "no-store"
    return response


@require_GET
def verify(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Verify an ended game now, from what is stored, and show the report."""
    game = _game(game_id)
    if game.started_at is None or not shown(game, _player_or_none(request)).is_over:
        raise Conflict("Only a game that was played to its end can be verified.", code="not-over")
    if game.is_sealed:
        raise Conflict(Closed.SEALED.sentence, code=Closed.SEALED.value)
    return render(request, "games/verify.html", {"game": game, "report": services.game_verify(game)})


@require_GET
def verifier(request: HttpRequest) -> HttpResponse:
    """Let anybody check a transcript: hashes and deal in the browser, the rules by the engine."""
    return render(request, "games/verifier.html")


@require_GET
def standalone_verifier(request: HttpRequest) -> HttpResponse:
    """Download the one file that verifies transcripts with nothing but Python."""
    response = HttpResponse(_standalone(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{standalone.NAME}"'
    return response


@require_GET
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """Explain to a newcomer how a game is played."""
    if game not in EXPLAINED:
        raise Http404
    return render(
        request, f"games/rules/{game}.html", {"examples": EXAMPLES, "effects": EFFECTS, "fits": FITS, "stacks": STACKS}
    )


_standalone = functools.cache(standalone.build)


@login_required
@require_POST
def take(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Sit down."""
    number = _read(SeatForm(request.POST))["number"]
    return _do(request, game_id, lambda game, player: services.seat_take(game=game, number=number, player=player))


@login_required
@require_POST
def leave(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Stand up."""
    return _do(request, game_id, lambda game, player: services.seat_leave(game=game, player=player))


@login_required
@require_POST
def add_bot(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Put a house bot on an open seat."""
    chosen = _read(BotForm(request.POST))
    return _do(
        request,
        game_id,
        lambda game, player: services.seat_bot_add(
            game=game, number=chosen["number"], level=chosen["level"], by=player
        ),
    )


@login_required
@require_POST
def seed(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Set one's letters for the deal."""
    client_seed = _read(ClientSeedForm(request.POST))["client_seed"]
    return _do(
        request,
        game_id,
        lambda game, player: services.client_seed_set(game=game, player=player, client_seed=client_seed),
    )


@login_required
@require_POST
def ready(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Agree to begin, with one's letters for the deal if the form holds them."""
    given = _read(ClientSeedForm(request.POST))["client_seed"] if "client_seed" in request.POST else None
    return _do(request, game_id, lambda game, player: services.seat_ready(game=game, player=player, client_seed=given))


@login_required
@require_POST
def cancel(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Call the game off before its deal."""
    return _do(request, game_id, lambda game, player: services.game_cancel(game=game, by=player))


def _do(request: HttpRequest, game_id: UUID, deed: Callable[[Game, Player], Game]) -> HttpResponse:
    """Do ``deed``; the table's socket shows what came of it, so that a script needs no answer but that it was done."""
    player = _player_or_none(request)
    if player is None:
        raise NotAllowed("Choose a player name in your account first.", code="no-player")
    deed(_game(game_id), player)
    if request.headers.get("HX-Request") or "application/json" in request.headers.get("Accept", ""):
        return HttpResponse(status=204)
    return redirect("games:table", game_id)


def _game(game_id: UUID) -> Game:
    return get_object_or_404(Game.objects.select_related("deal_group"), pk=game_id)


def _player_or_none(request: HttpRequest) -> Player | None:
    return Player.objects.filter(user=request.user).first() if request.user.is_authenticated else None


def _read(form: Form) -> dict[str, Any]:
    """Return what a valid ``form`` holds. Raises Invalid with its first sentence."""
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        raise Invalid(f"{field.replace('_', ' ').capitalize()}: {errors[0]}")
    return form.cleaned_data
