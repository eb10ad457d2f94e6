"""Who plays: many players with sessions at once, and games dealt among them by the services."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import timedelta
from importlib import import_module

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from benchmarks.live.plan import Deal, Line
from benchmarks.live.weak import moves_of
from games.models import Game, Seat
from games.services import game_create, seat_ready
from players.models import Player, User

DEALT_AT_ONCE = 50


class Person:
    """A player, and the cookie of a session that is logged in."""

    def __init__(self, player: Player, cookie: str) -> None:
        self.player = player
        self.cookie = cookie

    def line(self, host: str, game: Game) -> Line:
        """Return this person's socket at ``game``."""
        return Line(f"ws://{host}/ws/games/{game.pk}/", {"Cookie": self.cookie, "Origin": f"http://{host}"})


def people(count: int) -> list[Person]:
    """Make ``count`` players with sessions."""
    tag = secrets.token_hex(6)
    password = make_password(None)
    users = User.objects.bulk_create(
        User(email=f"{tag}-{number}@bench.example", password=password) for number in range(count)
    )
    players = Player.objects.bulk_create(
        Player(name=f"Player {number}", slug=f"{tag}-{number}", user=user) for number, user in enumerate(users)
    )
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    keys = [secrets.token_hex(16) for _ in users]
    expires = timezone.now() + timedelta(days=1)
    Session.objects.bulk_create(
        Session(
            session_key=key,
            expire_date=expires,
            session_data=store.encode(
                {
                    "_auth_user_id": str(user.pk),
                    "_auth_user_backend": "django.contrib.auth.backends.ModelBackend",
                    "_auth_user_hash": user.get_session_auth_hash(),
                }
            ),
        )
        for key, user in zip(keys, users, strict=True)
    )
    cookies = [f"{settings.SESSION_COOKIE_NAME}={key}" for key in keys]
    return [Person(player, cookie) for player, cookie in zip(players, cookies, strict=True)]


def deals(tables: Sequence[Sequence[Person]], hosts: Sequence[str]) -> list[Deal]:
    """Deal a game of Hold my Bear at each table; its sockets are spread evenly over ``hosts``, all its moves known."""
    return [
        Deal([person.line(hosts[seat % len(hosts)], game) for seat, person in enumerate(seated)], moves_of(game))
        for seated, game in zip(tables, dealt_games(tables), strict=True)
    ]


def dealt_games(tables: Iterable[Sequence[Person]], *, game: str = "hold-my-bear") -> list[Game]:
    """Deal one game at each of ``tables``, and return the games."""
    dealt: list[Game] = []
    waiting = list(tables)
    while waiting:
        some, waiting = waiting[:DEALT_AT_ONCE], waiting[DEALT_AT_ONCE:]
        with transaction.atomic():
            for seated in some:
                players = [person.player for person in seated]
                made = game_create(game=game, rules={}, players=players, bank_ms=24 * 3_600_000, listed=False)
                Seat.objects.filter(game=made).exclude(player=players[0]).update(ready=True)
                dealt.append(seat_ready(game=made, player=players[0]))
    return dealt
