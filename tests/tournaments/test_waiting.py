"""The game that every page points out to a player."""

from __future__ import annotations

import pytest

from games.services import game_create, game_forfeit, seat_ready
from tests.tournaments.conftest import make_player
from tournaments.waiting import waiting_game

pytestmark = pytest.mark.django_db


def test_a_game_that_goes_on_without_a_player_waits_for_the_others_alone() -> None:
    ana, bo, cy = (make_player(name) for name in ("Ana", "Bo", "Cy"))
    game = game_create(game="hold-my-bear", rules={}, players=[ana, bo, cy])
    for player in (ana, bo, cy):
        assert waiting_game(player) is not None
        seat_ready(game=game, player=player)
    game_forfeit(game=game, seat=1, reason="left")
    game.refresh_from_db()
    assert game.status == "running"
    assert waiting_game(bo) is None
    for player in (ana, cy):
        waiting = waiting_game(player)
        assert waiting is not None
        assert waiting.title == "Your table is in play"


def test_who_has_resigned_is_not_called_back() -> None:
    ana, bo, cy = (make_player(name) for name in ("Ana", "Bo", "Cy"))
    game = game_create(game="pick-a-polar-bear", rules={}, players=[ana, bo, cy])
    for player in (ana, bo, cy):
        seat_ready(game=game, player=player)
    game.records.create(number=1, at=0, seat=2, action={"type": "resign"}, hash=b"\0" * 32)
    assert waiting_game(cy) is None
    assert waiting_game(ana) is not None
