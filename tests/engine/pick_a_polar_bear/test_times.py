"""The times that a grab carries at a table which makes up for delays (transcript specification, Verification)."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.canonical import canonical
from games.engine.frame import IllegalAction
from games.engine.replay import Refereed
from games.engine.transcript import Header
from tests.engine.pick_a_polar_bear.builders import GAME, GO, act, grab, position, told

HERE = position("L-W--", "SAOGF", "LAWGF", grid="LAW-- LAO--")


def beaten(seat: int, arrived: int, lag: int) -> dict[str, int]:
    return {"seat": seat, "arrived": arrived, "lag": lag}


def test_times_stay_in_the_record_and_the_beaten_are_told() -> None:
    action = grab(0, arrived=500, lag=40, beat=[beaten(2, 490, 30), beaten(1, 510, 0)])
    step = act(HERE, (0, action))
    assert step.action == action
    assert step.action["beat"] is not action["beat"]
    assert told(step, "grab")[0]["beat"] == [2, 1]
    assert GAME.wording(step.events[0].seen_by(1), ["Ana", "Bo", "Cy"]) == "Ana takes LAW--, just before Cy and Bo."
    assert act(HERE, (0, grab(0, arrived=500, lag=0))).position == act(HERE, (0, grab(0))).position


@pytest.mark.parametrize(
    "times",
    [
        {"arrived": 500},
        {"lag": 5},
        {"beat": [beaten(1, 500, 5)]},
        {"arrived": 500, "lag": -1},
        {"arrived": 500, "lag": 101},
        {"arrived": 500, "lag": 5.0},
        {"arrived": 500, "lag": True},
        {"arrived": -1, "lag": 5},
        {"arrived": 2**60, "lag": 5},
        {"arrived": "500", "lag": 5},
        {"arrived": 500, "lag": 5, "beat": []},
        {"arrived": 500, "lag": 5, "beat": {}},
        {"arrived": 500, "lag": 5, "beat": None},
        {"arrived": 500, "lag": 5, "beat": [1]},
        {"arrived": 500, "lag": 5, "beat": [beaten(0, 500, 0)]},
        {"arrived": 500, "lag": 5, "beat": [beaten(3, 500, 0)]},
        {"arrived": 500, "lag": 5, "beat": [beaten(True, 500, 0)]},
        {"arrived": 500, "lag": 5, "beat": [{**beaten(1, 500, 0), "more": 1}]},
        {"arrived": 500, "lag": 5, "beat": [{"seat": 1, "arrived": 500}]},
        {"arrived": 500, "lag": 5, "beat": [beaten(1, 500, 6)]},
        {"arrived": 500, "lag": 5, "beat": [beaten(1, 500, 5), beaten(2, 494, 0)]},
        {"arrived": 500, "lag": 5, "sent": 495},
    ],
)
def test_times_that_are_wrong_whenever_they_are_recorded(times: dict[str, Any]) -> None:
    with pytest.raises(IllegalAction):
        GAME.apply(HERE, 0, grab(0, **times))


def test_a_grab_waits_a_hundred_milliseconds_at_most() -> None:
    action = grab(0, arrived=500, lag=100)
    faults = {at: GAME.timing_fault(at, action) is not None for at in (499, 500, 600, 601)}
    assert faults == {499: True, 500: False, 600: False, 601: True}
    assert GAME.timing_fault(7, grab(0)) is None
    assert GAME.timing_fault(7, GO) is None
    assert GAME.timing_fault(7, grab(0, arrived="x", lag=1)) is None, "left to apply"


def test_what_verification_refuses_is_never_recorded() -> None:
    header = Header("pick-a-polar-bear", GAME.rules({}, 2), "id", 2, "00" * 32, ("", ""))
    refereed = Refereed(header, bytes(32))
    refereed.push(refereed.propose(100, None, GO))
    with pytest.raises(IllegalAction, match="at most"):
        refereed.propose(700, 0, grab(0, arrived=500, lag=10))
    proposal = refereed.propose(600, 0, grab(0, arrived=500, lag=10))
    assert canonical(proposal.record.action) == b'{"arrived":500,"lag":10,"place":0,"type":"grab"}'
