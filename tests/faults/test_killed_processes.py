"""Web server and worker killed by SIGKILL during fifty games: nothing acknowledged is lost, nothing is rated twice."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from games.models import PLAYED, Game, Record
from games.services import game_create, game_verify
from players.bots import bot_player
from players.models import Player
from ratings.models import LedgerEntry
from tests.processes import Beat, WebServer, Worker

GAMES = 50
PATIENCE_SECONDS = 120


def four_bots(first: int) -> list[Player]:
    """Return four different house bots."""
    bots: list[Player] = []
    for place in range(4):
        level = "greedy" if (first + place) % 2 else "random"
        bots.append(bot_player(level=level, exclude={bot.pk for bot in bots}))
    return bots


async def watch(address: str, shown: dict[str, dict[int, str]], seconds: float) -> None:
    """Watch every game for some seconds, or until the server is gone; note in ``shown`` the hash of each record."""

    async def watch_one(game_id: str) -> None:
        try:
            async with connect(f"{address}/ws/games/{game_id}/", origin=address.replace("ws", "http", 1)) as socket:
                await socket.send(json.dumps({"type": "hello", "seen": None, "plays": True}))
                async for frame in socket:
                    message = json.loads(frame)
                    if message["type"] in {"state", "update"} and message["n"]:
                        shown[game_id][message["n"]] = message["hash"]
        except (OSError, WebSocketException):
            return

    await asyncio.wait([asyncio.create_task(watch_one(game_id)) for game_id in shown], timeout=seconds)


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Wait until ``condition`` holds."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end, f"not within {PATIENCE_SECONDS} s: {what}"
        time.sleep(0.2)


@pytest.mark.fault
def test_killed_web_and_worker_lose_and_double_nothing(
    start_web_server: Callable[..., WebServer], celery_worker: Worker, beat: Beat
) -> None:
    games = [
        game_create(game="hold-my-bear", rules={}, players=four_bots(first), rated=True, listed=False)
        for first in range(GAMES)
    ]
    game_ids = [str(game.pk) for game in games]
    web = start_web_server({"BEARENA_BOT_DELAY_MS": "400"})

    shown: dict[str, dict[int, str]] = {game_id: {} for game_id in game_ids}
    for _ in range(2):

        async def watch_and_kill() -> None:
            before = sum(map(len, shown.values()))
            watching = asyncio.create_task(watch(web.socket_url, shown, seconds=30))
            # Long enough to judge by, on a slow machine too.
            while sum(map(len, shown.values())) < before + GAMES and not watching.done():
                await asyncio.sleep(0.1)
            web.kill()
            await watching

        asyncio.run(watch_and_kill())
        running = Game.objects.running().count()
        celery_worker.kill()
        celery_worker.start()
        web.start()
    assert running, "the games ended before anything was killed: slow the bots down"
    assert sum(map(len, shown.values())) > GAMES, "the spectators saw too little to judge by"

    wait_until(lambda: not Game.objects.exclude(status__in=PLAYED).exists(), "every game finishes")
    wait_until(lambda: LedgerEntry.objects.filter(revision=0).count() == 4 * GAMES, "every game is rated")
    time.sleep(1)

    for game_id, records in shown.items():
        stored = {
            number: bytes(digest).hex()
            for number, digest in Record.objects.filter(game_id=game_id).values_list("number", "hash")
        }
        assert {number: stored.get(number) for number in records} == records
    for game in Game.objects.all():
        report = game_verify(game)
        assert (report.ok, report.complete) == (True, True), report
    entries = Counter(LedgerEntry.objects.values_list("cause", "player", "revision"))
    assert len({(cause, player) for cause, player, _ in entries}) == 4 * GAMES
    assert set(entries.values()) == {1}
