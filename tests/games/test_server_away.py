"""Thinking time while no server is there. A file of its own: no other web server may be running meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from games.models import Beat, Game, GameStatus
from tests.games.conftest import Line, Person, any_action
from tests.processes import WebServer

type People = Callable[[str], Person]
type Deal = Callable[..., Game]
type Open = Callable[..., Line]

pytestmark = pytest.mark.fault


def test_nobody_loses_on_time_because_the_server_was_killed(
    start_web_server: Callable[[], WebServer], person: People, deal: Deal, line: Open
) -> None:
    server = start_web_server()
    people = [person("Ana"), person("Bo")]
    end = time.monotonic() + 20
    while not Beat.objects.exists():
        assert time.monotonic() < end, "no beat"
        time.sleep(0.05)
    game = deal(*people, bank_ms=60_000, increment_ms=0)
    for one in people:
        line(server, game, one).hello()
    server.kill()
    game.refresh_from_db()
    assert game.status == GameStatus.RUNNING
    away = timedelta(milliseconds=2 * game.bank_ms)  # what was before was so much earlier
    Game.objects.filter(pk=game.pk).update(started_at=F("started_at") - away, deadline=F("deadline") - away)
    Beat.objects.update(at=F("at") - away)
    server = start_web_server()
    end = time.monotonic() + 30
    while not game.clock_events.filter(kind="outage").exists():
        assert time.monotonic() < end, "the outage was not made good"
        time.sleep(0.05)
    outage = game.clock_events.get(kind="outage")
    lines = [line(server, game, one) for one in people]
    for one in lines:
        one.hello()
    acting = next(one for one in lines if one.state["options"])
    clock = acting.state["clock"]
    assert outage.until is not None
    if timezone.now() < outage.until:
        assert clock["stands"]["kind"] == "outage"
    assert clock["bank"][acting.state["seat"]] > 500
    assert acting.act(any_action(acting.state), message_id="on")["type"] == "ack", "nothing is refused meanwhile"
