"""Tournaments for tests, and hands that end their games."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from games.models import Game, GameStatus
from games.services import game_forfeit, seat_ready
from players.errors import Invalid
from players.models import Player, User
from tournaments.models import MatchGame, Tournament
from tournaments.services.entrants import entrant_register
from tournaments.services.events import tournament_create
from tournaments.services.rounds import stage_advance
from tournaments.services.starting import tournament_start

_numbers = itertools.count(1)


def make_player(name: str) -> Player:
    """Return a player with a user of their own."""
    number = next(_numbers)
    user = User.objects.create_user(f"{number}@test.example", "a password for tests")
    return Player.objects.create(name=name, slug=f"{name.lower()}-{number}", user=user)


def make_tournament(entrants: int, **settings: Any) -> Tournament:
    """Return an open tournament with ``entrants`` players P1, P2, ... in order of registration, hence of seed."""
    organizer = make_player("Olga")
    assert organizer.user is not None
    settings = {"name": "Cup", "format": "single-elimination", **settings}
    tournament = tournament_create(by=organizer.user, **settings)
    for number in range(1, entrants + 1):
        entrant_register(tournament_id=tournament.pk, player=make_player(f"P{number}"), by=None)
    tournament.refresh_from_db()
    return tournament


def start(tournament: Tournament) -> Tournament:
    """Start ``tournament`` as the house."""
    tournament.refresh_from_db()
    return tournament_start(tournament_id=tournament.pk, seen_version=tournament.version, by=None)


def open_games(tournament: Tournament) -> list[Game]:
    """Return the games of ``tournament`` that are not over, in order of round and table."""
    match_games = MatchGame.objects.filter(
        match__round__stage__tournament=tournament, game__status__in=["seating", "running"]
    ).order_by("match__round__number", "match__table", "number")
    return [each.game for each in match_games.select_related("game")]


def names(game: Game) -> list[str]:
    """Return the names of the players of ``game`` in the order of their seats."""
    return [str(seat.player) for seat in game.seat_set.select_related("player").order_by("number")]


def deal(game: Game) -> Game:
    """Let everybody be ready, so that ``game`` is dealt."""
    for seat in game.seat_set.select_related("player").order_by("number"):
        assert seat.player is not None
        seat_ready(game=game, player=seat.player)
    game.refresh_from_db()
    assert game.status == GameStatus.RUNNING
    return game


def win(game: Game, winner: str) -> None:
    """Deal ``game`` if need be and put everybody but the player called ``winner`` out of it, in seat order."""
    if game.status == GameStatus.SEATING:
        deal(game)
    losers = [number for number, name in enumerate(names(game)) if name != winner]
    assert len(losers) == game.seats - 1
    for seat in losers:
        with contextlib.suppress(Invalid):  # out already
            game_forfeit(game=game, seat=seat, reason="arbiter")
    game.refresh_from_db()
    assert game.status == GameStatus.FINISHED
    assert game.places is not None
    assert names(game)[game.places.index(1)] == winner


def end_with(game: Game, status: str, places: list[int]) -> None:
    """Let ``game`` stand as ended with ``places``, whatever its records say; for results that are rare in play."""
    if game.status == GameStatus.SEATING:
        deal(game)
    Game.objects.filter(pk=game.pk).update(status=status, places=places, finished_at=timezone.now(), deadline=None)


def advance(tournament: Tournament) -> Tournament:
    """Advance ``tournament`` and return it fresh."""
    stage_advance(tournament_id=tournament.pk)
    tournament.refresh_from_db()
    return tournament


def play_by_seed(tournament: Tournament) -> Tournament:
    """Play ``tournament`` to its end; of every game the player who comes first by number (P2 before P10) wins."""
    for _ in range(2000):
        games = open_games(tournament)
        if not games:
            break
        for game in games:
            win(game, min(names(game), key=lambda name: int(name[1:])))
        tournament = advance(tournament)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def tournament(db: None) -> Callable[..., Tournament]:
    """A function that makes a tournament."""
    return make_tournament
