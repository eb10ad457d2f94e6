"""The searcher: it answers from a view alone, one move at a time, and a new one takes over where it died."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from games.engine import game as game_called
from games.live import thinking
from games.live.searcher import PROBE, searched
from games.live.thinking import Thinker

GAME = game_called("hold-my-bear")


def start(rules: dict[str, Any] | None = None, seats: int = 4) -> Any:
    options = GAME.rules(rules or {}, seats)
    deck = list(GAME.deck(options))
    random.Random(7).shuffle(deck)
    return GAME.start(options, seats, deck, bytes(32), 0)


@pytest.fixture
async def thinker() -> AsyncIterator[Thinker]:
    one = Thinker()
    yield one
    await one.stop()


async def test_it_answers_with_a_legal_action(thinker: Thinker) -> None:
    here = start()
    (seat,) = GAME.to_act(here)
    action = await thinker.action(GAME.name, GAME.view(here, seat))
    GAME.apply(here, seat, action)


async def test_many_at_once_are_answered_each_with_its_own(thinker: Thinker) -> None:
    tables = [start(seats=seats) for seats in (2, 3, 4, 5, 6)]
    asked = [(here, GAME.to_act(here)[0]) for here in tables]
    actions = await asyncio.gather(*[thinker.action(GAME.name, GAME.view(here, seat)) for here, seat in asked])
    for (here, seat), action in zip(asked, actions, strict=True):
        GAME.apply(here, seat, action)


async def test_a_searcher_that_died_is_replaced(thinker: Thinker) -> None:
    here = start()
    view = GAME.view(here, GAME.to_act(here)[0])
    await thinker.action(GAME.name, view)
    [child] = children()
    os.kill(child, signal.SIGKILL)
    with pytest.raises(ChildProcessError):
        await thinker.action(GAME.name, view)
    assert await thinker.action(GAME.name, view)
    assert children() != [child]


async def test_one_that_takes_too_long_is_ended(thinker: Thinker, monkeypatch: pytest.MonkeyPatch) -> None:
    view = GAME.view(start(), GAME.to_act(start())[0])
    monkeypatch.setattr(thinking, "PATIENCE_SECONDS", 0.01)
    with pytest.raises(ChildProcessError):
        await thinker.action(GAME.name, view)
    assert children() == []


async def test_who_gives_up_waiting_leaves_no_answer_behind(thinker: Thinker) -> None:
    here, other = start(), start(seats=2)
    waiting = asyncio.create_task(thinker.action(GAME.name, GAME.view(here, GAME.to_act(here)[0])))
    await asyncio.sleep(0.05)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    seat = GAME.to_act(other)[0]
    GAME.apply(other, seat, await thinker.action(GAME.name, GAME.view(other, seat)))


def test_more_time_is_more_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock here ticks by the playout, so that nothing depends on the machine."""
    here = start()
    view = GAME.view(here, GAME.to_act(here)[0])
    clock, asked = [0.0], []

    def choose(*given: Any) -> dict[str, Any]:
        asked.append(given[-1])
        clock[0] += given[-1] / 1000
        return {}

    monkeypatch.setattr("games.live.searcher.choose", choose)
    monkeypatch.setattr("games.live.searcher.time.process_time", lambda: clock[0])
    searched(GAME.name, view, 200, random.Random(1))
    searched(GAME.name, view, PROBE, random.Random(1))
    assert asked[0] == asked[2] == PROBE
    assert len(asked) == 3
    assert asked[1] in (200 - PROBE, 199 - PROBE)


def children() -> list[int]:
    """Return the searchers that this process started and that run."""
    found = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [int(pid) for pid in found if b"games.live.searcher" in Path(f"/proc/{pid}/cmdline").read_bytes()]
