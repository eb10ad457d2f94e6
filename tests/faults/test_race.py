"""Two web processes act on one game at the same instant: one record a number, and nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from benchmarks.live.people import deals, people
from benchmarks.live.race import Outcome, check_stored, race, twins
from games.models import Record
from tests.processes import WebServer

PAIRS = 300
GAMES = 20
SEATS = 4


@pytest.mark.fault
def test_two_processes_at_one_game_at_the_same_instant(start_web_server: Callable[..., WebServer]) -> None:
    quick = {"BEARENA_SOCKET_MESSAGES": "1000"}
    hosts = [urlsplit(start_web_server(quick).url).netloc for _ in range(2)]
    crowd = people(SEATS * GAMES)
    games = deals([crowd[SEATS * table : SEATS * (table + 1)] for table in range(GAMES)], hosts[:1])

    outcome = asyncio.run(race(twins(games, hosts), PAIRS))
    check_stored(outcome)

    assert outcome.faults == []
    assert outcome.pairs >= PAIRS
    assert sum(map(len, outcome.acknowledged.values())) == outcome.pairs == Record.objects.count()
    assert min(outcome.won["process 1"], outcome.won["process 2"]) > PAIRS / 20, f"no race was close: {outcome.won}"

    # That all this could have failed: a record more and a record less than what is stored.
    game_id, acknowledged = next(iter(outcome.acknowledged.items()))
    lost = acknowledged | {len(acknowledged) + 1: ("9-0", "00")}
    doubled = {number: answer for number, answer in acknowledged.items() if number != 3}
    for wrong in (lost, doubled):
        judged = Outcome(acknowledged={game_id: wrong})
        check_stored(judged)
        assert len(judged.faults) == 1
        assert "acknowledged" in judged.faults[0]
