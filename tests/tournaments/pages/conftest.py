"""People, tournaments and games for the tests of the pages, all made by the services."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, GameStatus
from players.models import Player, User
from tournaments.models import MatchGame, MatchStatus, Tournament
from tournaments.services.entrants import entrant_register
from tournaments.services.events import tournament_create
from tournaments.services.rounds import stage_advance
from tournaments.services.starting import tournament_start

type MakePerson = Callable[..., Player]
type MakeTournament = Callable[..., Tournament]


@pytest.fixture
def person(db: None) -> MakePerson:
    """A function that makes a player with an account."""

    def make(name: str, **user_fields: Any) -> Player:
        slug = f"p-{uuid.uuid4().hex[:12]}"
        user = User.objects.create_user(f"{slug}@example.org", "secret", **user_fields)
        return Player.objects.create(name=name, slug=slug, user=user)

    return make


@pytest.fixture
def organizer(person: MakePerson) -> Player:
    """Who makes the tournaments."""
    return person("Olga")


@pytest.fixture
def tournament(organizer: Player, person: MakePerson) -> MakeTournament:
    """A function that makes a tournament with so many entrants (called P1, P2 ...), started if asked."""

    def make(
        entrants: int | Sequence[Player] = 0, *, start: bool = False, name: str = "Spring Cup", **settings: Any
    ) -> Tournament:
        assert organizer.user is not None
        settings = {"format": "single-elimination", "rated": False, **settings}
        made = tournament_create(by=organizer.user, name=name, **settings)
        people = [person(f"P{n + 1}") for n in range(entrants)] if isinstance(entrants, int) else entrants
        for player in people:
            entrant_register(tournament_id=made.pk, player=player, by=None)
        made.refresh_from_db()
        if start:
            tournament_start(tournament_id=made.pk, seen_version=made.version, by=None)
            made.refresh_from_db()
        return made

    return make


@pytest.fixture
def as_player() -> Callable[[Player], Client]:
    """A function that returns a browser in which the player is logged in."""

    def log_in(player: Player) -> Client:
        client = Client()
        assert player.user is not None
        client.force_login(player.user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return log_in


def end_game(game: Game, places: Sequence[int], status: str = GameStatus.FINISHED) -> None:
    """Let ``game`` have ended with ``places``, without playing it: what pages show depends on the row alone."""
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(
        status=status, places=list(places), started_at=game.started_at or now, finished_at=now, deadline=None
    )


def end_open_games(tournament: Tournament, places: Callable[[int], Sequence[int]] | None = None) -> None:
    """End every open game of ``tournament``, seat 0 winning unless ``places`` (of so many seats) says else."""
    for match_game in MatchGame.objects.filter(
        match__round__stage__tournament=tournament,
        match__status=MatchStatus.PLAYING,
        game__status__in=[GameStatus.SEATING, GameStatus.RUNNING],
    ).select_related("game"):
        seats = match_game.game.seats
        end_game(match_game.game, places(seats) if places else [1] + [2] * (seats - 1))
    stage_advance(tournament_id=tournament.pk)
    tournament.refresh_from_db()


def play_out(tournament: Tournament) -> None:
    """End open games until the tournament is over."""
    for _ in range(100):
        if tournament.status != "running":
            return
        end_open_games(tournament)
    raise AssertionError("the tournament does not end")
