"""The example bot, as a program of its own, from an account and a key to the end of a game."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from games.models import Game, GameStatus, Record
from games.services import game_verify
from players.programs import api_key_create, bot_account_create
from tests.games.conftest import Person
from tests.processes import WebServer

type People = Callable[[str], Person]
type Start = Callable[[WebServer, str], subprocess.Popen[str]]

SECONDS = 60.0


@pytest.fixture
def start_bot(person: People, valkey: object) -> Iterator[Start]:
    """A function that starts the bot against a server, for a game."""
    started: list[subprocess.Popen[str]] = []

    def start(server: WebServer, game: str) -> subprocess.Popen[str]:
        owner = person("Ana").user
        _, key = api_key_create(player=bot_account_create(owner=owner, name="Robot"), by=owner, name="example")
        bot = subprocess.Popen(
            [sys.executable, str(Path(settings.BASE_DIR) / "examples" / "bot.py"), server.url, game],
            env={"PATH": os.environ["PATH"], "BEARENA_KEY": key},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(bot)
        return bot

    yield start
    for bot in started:
        bot.kill()
        bot.communicate()


def its_end(bot: subprocess.Popen[str]) -> Game:
    """Return the game that the bot has played to the end."""
    said, failed = bot.communicate(timeout=SECONDS)
    assert bot.returncode == 0, failed
    game = Game.objects.get()
    assert game.status in {GameStatus.FINISHED, GameStatus.DRAWN}
    assert said.startswith(f"{game.status} {game.places} my seat is 0 ")
    report = game_verify(game)
    assert report.ok
    assert report.complete
    return game


@pytest.mark.parametrize("name", ["hold-my-bear", "pick-a-polar-bear"])
def test_the_example_plays_a_game_to_its_end(web_server: WebServer, start_bot: Start, name: str) -> None:
    game = its_end(start_bot(web_server, name))
    assert game.seat_set.get(number=0).player.name == "Robot"  # type: ignore[union-attr]
    assert game.records.filter(seat=0).exclude(action__type__in=["resign", "forfeit"]).exists()


@pytest.mark.fault
def test_the_example_goes_on_after_the_server_was_killed(
    start_web_server: Callable[..., WebServer], start_bot: Start
) -> None:
    server = start_web_server({"BEARENA_BOT_DELAY_MS": "150"})
    bot = start_bot(server, "hold-my-bear")
    wait_for(lambda: Record.objects.filter(seat=0).exists())
    server.kill()
    before = Record.objects.count()
    server.start()
    assert its_end(bot).record_count > before


def test_the_example_says_why_it_may_not_play(web_server: WebServer, start_bot: Start) -> None:
    bot = start_bot(web_server, "chess")
    _, failed = bot.communicate(timeout=SECONDS)
    assert bot.returncode != 0
    assert "HTTP Error 400" in failed
    assert not Game.objects.exists()


def wait_for(happened: Callable[[], Any]) -> None:
    """Wait until ``happened``."""
    end = time.monotonic() + SECONDS
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)
