"""Games while PostgreSQL or Valkey is away, and while connections are cut."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from django.db import connection, connections
from django.utils import timezone

from games.models import Game, GameStatus, Record, Seat
from games.services import game_create, game_verify
from tests.games.conftest import Line, Person, any_action
from tests.processes import WebServer
from tests.settings import POSTGRES, VALKEY

type People = Callable[[str], Person]
type Deal = Callable[..., Game]
type Open = Callable[..., Line]

pytestmark = pytest.mark.fault


def wait_for_end(games: list[Game], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while Game.objects.filter(pk__in=[game.pk for game in games], status=GameStatus.RUNNING).exists():
        assert time.monotonic() < end, "the games did not go on"
        time.sleep(0.1)
    for game in games:
        game.refresh_from_db()
        report = game_verify(game)
        assert report.ok, report
        assert report.records == game.record_count


def test_games_go_on_after_the_database_was_away(
    start_web_server: Callable[..., WebServer], person: People, deal: Deal, line: Open
) -> None:
    server = start_web_server({"BEARENA_BOT_DELAY_MS": "20"})
    ana, bo = person("Ana"), person("Bo")
    mine = deal(ana, bo)
    lines = [line(server, mine, ana), line(server, mine, bo)]
    for one in lines:
        one.hello()
    games = [deal(bots=3) for _ in range(4)]
    acting = next(one for one in lines if one.state["options"])
    assert acting.act(any_action(acting.state), message_id="before")["type"] == "ack"
    for one in lines:
        one.until(1)
    time.sleep(0.5)
    connection.close()
    connection.close_pool()  # else the test itself waits for connections that come back by and by
    POSTGRES.stop()
    try:
        acting = next(one for one in lines if one.state["options"])
        action = any_action(acting.state)
        acting.send({"type": "act", "id": "during", "seen": 1, "action": action})
        time.sleep(3)
        second = acting.act(action, message_id="during-too")
        assert (second["type"], second["code"]) in {("refused", "unavailable"), ("refused", "busy")}
    finally:
        POSTGRES.start()
    answer = acting.act(action, message_id="during", seen=1)
    while answer["type"] == "refused" and answer["code"] in {"unavailable", "busy"}:
        time.sleep(0.2)
        answer = acting.act(action, message_id="during", seen=1)
    assert answer["type"] == "ack"
    assert answer["n"] == 2
    for one in lines:
        one.until(2)
    wait_for_end(games)
    assert Record.objects.filter(game=mine).count() == 2


def test_games_go_on_while_valkey_is_away(
    start_web_server: Callable[..., WebServer], person: People, deal: Deal, line: Open
) -> None:
    server = start_web_server()
    ana = person("Ana")
    VALKEY.stop()
    try:
        game = deal(ana, bots=2)
        mine = line(server, game, ana)
        mine.hello()
        while mine.state["status"] == "running":
            if mine.state["options"]:
                answer = mine.act(any_action(mine.state), message_id=f"m{mine.state['n']}")
                assert answer["type"] == "ack", answer
                mine.until(answer["n"])
            else:
                mine.next()
        wait_for_end([game])
    finally:
        VALKEY.start()
    watching = line(server, None, path="/ws/watch/?topic=lobby")
    end = time.monotonic() + 10
    while True:  # the listener comes back by itself
        deal(bots=2)
        try:
            assert watching.next(0.5) == {"type": "changed", "topic": "lobby"}
            break
        except TimeoutError:
            assert time.monotonic() < end


def test_cut_connections_lose_and_double_nothing(web_server: WebServer, deal: Deal) -> None:
    games = [deal(bots=4, level="greedy") for _ in range(8)]
    stop = threading.Event()

    def cut() -> None:
        while not stop.wait(0.15):
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name IN ('bearena-log', 'bearena-read', 'bearena-keeper')"
                )
        connections.close_all()

    cutter = threading.Thread(target=cut)
    cutter.start()
    time.sleep(3)
    stop.set()
    cutter.join()
    wait_for_end(games)
    for game in games:
        assert Record.objects.filter(game=game).count() == game.record_count


def test_what_nobody_told_of_is_found_by_looking(web_server: WebServer, person: People, deal: Deal, line: Open) -> None:
    """News may be lost, so loaded games are compared with what is stored: seats, status, records."""
    ana, bo = person("Ana"), person("Bo")
    seating = game_create(game="hold-my-bear", rules={}, players=[ana.player, bo.player], created_by=ana.player)
    waiting = line(web_server, seating, ana)
    waiting.hello()
    running = deal(ana, bo)
    watching = line(web_server, running, ana)
    watching.hello()
    Seat.objects.filter(game=seating, number=1).update(ready=True)
    state = waiting.wait("state")
    assert [seat["ready"] for seat in state["seats"]] == [False, True]
    Game.objects.filter(pk=running.pk).update(status=GameStatus.VOID, finished_at=timezone.now())
    assert watching.wait("state")["status"] == "void"
