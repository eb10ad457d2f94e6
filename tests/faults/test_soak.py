"""Connections cut all the time: nothing is missed, doubled, or shown otherwise than a new socket is shown it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from benchmarks.live.people import deals, people
from benchmarks.live.plan import Deal, Line, Move
from benchmarks.live.soak import CUTS, Link, Table, Tally, Viewer, check_stored, soak
from tests.processes import WebServer

TABLES = 5
SEATS = 4
VIEWERS = SEATS + 2


@pytest.mark.fault
def test_cut_connections_miss_and_double_nothing(start_web_server: Callable[..., WebServer]) -> None:
    hosts = [urlsplit(start_web_server().url).netloc for _ in range(2)]
    crowd = people(SEATS * TABLES)
    tables = [crowd[SEATS * table : SEATS * (table + 1)] for table in range(TABLES)]
    waiting = [[deal] for deal in deals(tables, hosts)]

    def supply(games: list[Deal]) -> Any:
        async def next_deal() -> Deal | None:
            return games.pop() if games else None

        return next_deal

    tally = asyncio.run(soak([supply(games) for games in waiting], pause=0.25, cuts_a_second=10.0, tally=Tally()))
    check_stored(tally)

    assert tally.faults == []
    assert tally.games == TABLES
    assert sum(map(len, tally.acknowledged.values())) == tally.moves
    assert set(tally.cuts) == set(CUTS), "too few cuts to judge by"
    assert tally.reconnected > TABLES
    assert tally.compared > TABLES * VIEWERS
    assert tally.repeated


class TestWhatTheSoakNotices:
    """Each kind of fault, told to a viewer as a server would have to tell it."""

    @pytest.fixture
    async def viewer(self) -> Viewer:
        line = Line("ws://127.0.0.1:1/ws/games/g/", {"Origin": "http://127.0.0.1:1"})
        moves = [Move(1, msgspec.Raw(b"{}")) for _ in range(9)]
        table = Table(Deal([line] * SEATS, moves), Tally(), pause=0.0)
        viewer = Viewer(table, line, 0, plays=True)
        viewer.link = Link(viewer.hear, None)
        viewer.hear(viewer.link, told("state", 2, log=[1, 2]))
        assert table.tally.faults == []
        return viewer

    def faults_after(self, viewer: Viewer, *messages: dict[str, Any]) -> str:
        assert viewer.link is not None
        for message in messages:
            viewer.hear(viewer.link, message)
        return "; ".join(viewer.table.tally.faults)

    async def test_nothing_in_what_is_right(self, viewer: Viewer) -> None:
        assert self.faults_after(viewer, told("update", 3, log=[3]), told("update", 5, log=[4, 5])) == ""

    async def test_a_gap(self, viewer: Viewer) -> None:
        assert "records [3] missing" in self.faults_after(viewer, told("update", 4, log=[4]))

    async def test_a_record_told_again(self, viewer: Viewer) -> None:
        assert "records [2] missing or told again" in self.faults_after(viewer, told("update", 3, log=[2, 3]))

    async def test_an_update_shown_again(self, viewer: Viewer) -> None:
        assert "record 2 shown again" in self.faults_after(viewer, told("update", 2, log=[]))

    async def test_a_step_back(self, viewer: Viewer) -> None:
        assert "shown record 1 after 2" in self.faults_after(viewer, told("state", 1, log=[1]))

    async def test_two_hashes_of_one_record(self, viewer: Viewer) -> None:
        assert "record 3 has two hashes" in self.faults_after(
            viewer, told("update", 3, log=[3]), told("state", 3, log=[], digest="else")
        )

    async def test_a_message_acknowledged_twice(self, viewer: Viewer) -> None:
        first, second = ({"type": "ack", "id": "m3", "n": n, "hash": "h"} for n in (3, 4))
        assert "m3 acknowledged as 3 and as 4" in self.faults_after(viewer, first, second)

    async def test_a_view_that_differs(self, viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
        for difference, what in (({"view": {"n": 0}}, "a new socket"), ({"log": []}, "the log differs")):

            async def fresh(link: Link, _line: Line, difference: dict[str, Any] = difference) -> None:
                link._hear(link, told("state", 2, log=[1, 2]) | difference)

            monkeypatch.setattr("benchmarks.live.soak.connect", fresh)
            viewer.table.tally.faults.clear()
            await viewer.audit()
            [fault] = viewer.table.tally.faults
            assert what in fault


def told(kind: str, number: int, *, log: list[int], digest: str | None = None) -> dict[str, Any]:
    """Return a message as a server sends it."""
    return {
        "type": kind,
        "n": number,
        "hash": digest or f"hash {number}",
        "status": "running",
        "view": {"n": number},
        "options": {},
        "log": [{"n": one, "text": f"Record {one}."} for one in log],
        "events": [{"n": one, "type": "play"} for one in log],
    }
