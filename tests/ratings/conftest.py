"""Players and ended games for tests of ratings; the games have no more records than a test needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from games.models import Game, GameStatus, Record, Seat
from players.models import Player

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

type MakeGame = Callable[..., Game]
type MakePlayers = Callable[..., list[Player]]


@pytest.fixture
def make_players(db: None) -> MakePlayers:
    """A function that makes players with the given names (bots with ``bot``)."""

    def make(*names: str, bot: str = "") -> list[Player]:
        return [Player.objects.create(name=name, slug=name.lower().replace(" ", "-"), bot=bot) for name in names]

    return make


@pytest.fixture
def make_game(db: None) -> MakeGame:
    """A function that makes a game that ended ``minute`` minutes past noon, later than the last one by default."""
    minutes = count()

    def make(
        players: Sequence[Player],
        places: Sequence[int],
        *,
        minute: float | None = None,
        out: Sequence[int] = (),
        status: str | None = None,
        rated: bool = True,
        game: str = "hold-my-bear",
    ) -> Game:
        made = Game.objects.create(
            game=game,
            rules={},
            seats=len(players),
            status=status or (GameStatus.DRAWN if places.count(1) > 1 else GameStatus.FINISHED),
            rated=rated,
            commitment="0" * 64,
            server_seed=bytes(32),
            started_at=NOON - timedelta(minutes=5),
            finished_at=NOON + timedelta(minutes=next(minutes) if minute is None else minute),
            places=list(places),
        )
        Seat.objects.bulk_create(Seat(game=made, number=n, player=player) for n, player in enumerate(players))
        for number, seat in enumerate(out, 1):
            # One in two resigns, the other is put out by the table.
            resigned = number % 2 == 1
            Record.objects.create(
                game=made,
                number=number,
                at=number,
                seat=seat if resigned else None,
                action={"type": "resign"} if resigned else {"type": "forfeit", "seat": seat, "reason": "time"},
                hash=bytes(32),
            )
        return made

    return make
