"""Deadlines of a game without turns: worked out from the records, but for the opening that waits for everybody."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import Header, Refereed, commitment_of
from games.engine.real_time import GO_AFTER, IDLE_LIMIT, QUESTION_TIME
from games.pace import ABANDONED_MS, CHECK_MS, MISSING_MS, Pace


class Sitting:
    """A game and its pace."""

    def __init__(self, seats: int, *, bonus: bool = False, wants: str | None = None) -> None:
        for number in range(500):
            seed = number.to_bytes(32)
            rules = {"decks": 1, "different": False, "bonus": bonus}
            header = Header("pick-a-polar-bear", rules, "a game", seats, commitment_of(seed), ("",) * seats)
            self.refereed = Refereed(header, seed)
            if wants is None or self.refereed.position.setting.phase == wants:
                break
        self.pace = Pace(self.refereed.position)

    def act(self, at: int, sender: int | None, **action: Any) -> None:
        proposal = self.refereed.propose(at, sender, action)
        self.refereed.push(proposal)
        record = proposal.record
        self.pace.record(record.n, record.at, record.action, proposal.events, proposal.position)

    def act_due(self, at: int) -> str:
        due = self.pace.due(at)
        assert due is not None
        assert self.pace.due(at - 1) is None
        self.act(at, None, **due)
        return str(due["type"])


def test_the_opening_waits_for_everybody_and_begins_all_the_same() -> None:
    sitting = Sitting(3)
    assert sitting.pace.left(1000) == {"go": None, "idle": None, "question": None}
    assert sitting.act_due(MISSING_MS) == "go"


def test_a_countdown_runs_once_all_are_there() -> None:
    sitting = Sitting(3)
    due = sitting.pace.all_here(2000)
    assert due == 2000 + GO_AFTER
    sitting.pace.keep(due)
    assert sitting.pace.all_here(2500) is None, "it runs already"
    assert sitting.pace.left(3000)["go"] == GO_AFTER - 1000
    assert sitting.act_due(due) == "go"


def test_each_grab_puts_off_the_end_of_an_idle_round() -> None:
    sitting = Sitting(2)
    sitting.act_due(MISSING_MS)
    sitting.act(MISSING_MS + 10_000, 1, type="grab", place=3)
    assert sitting.pace.due_at == MISSING_MS + 10_000 + IDLE_LIMIT
    assert sitting.pace.takers == {3: 1}
    assert sitting.pace.left(MISSING_MS + 10_000)["idle"] == IDLE_LIMIT
    assert sitting.act_due(MISSING_MS + 10_000 + IDLE_LIMIT) == "idle"
    assert sitting.pace.takers == {}


def test_the_next_go_leaves_time_to_look_at_the_check_and_waits_for_nobody() -> None:
    sitting = Sitting(2)
    sitting.act_due(MISSING_MS)
    sitting.act(40_000, 0, type="stop")
    assert sitting.pace.all_here(41_000) is None
    assert sitting.pace.left(41_000)["go"] == CHECK_MS - 1000
    assert sitting.act_due(40_000 + CHECK_MS) == "go"


def test_what_was_decided_in_an_earlier_round_is_stale() -> None:
    sitting = Sitting(2)
    assert sitting.pace.began == 0
    sitting.act_due(MISSING_MS)
    assert sitting.pace.began == 1
    sitting.act(31_000, 0, type="grab", place=0)
    assert sitting.pace.began == 1, "grabs do not make each other stale"
    sitting.act(32_000, 0, type="stop")
    assert sitting.pace.began == 3


def test_who_leaves_does_not_change_a_deadline() -> None:
    sitting = Sitting(3)
    sitting.act_due(MISSING_MS)
    sitting.act(35_000, 2, type="resign")
    assert sitting.pace.due_at == MISSING_MS + IDLE_LIMIT
    sitting.act(36_000, 1, type="resign")
    assert sitting.refereed.outcome.is_over
    assert sitting.pace.due_at is None
    assert sitting.pace.due(10**9) is None


def test_a_question_closes_and_then_a_countdown_runs() -> None:
    sitting = Sitting(2, bonus=True, wants="bonus")
    assert sitting.pace.due_at == MISSING_MS + QUESTION_TIME
    due = sitting.pace.all_here(1000)
    assert due == 1000 + QUESTION_TIME
    sitting.pace.keep(due)
    assert sitting.pace.left(1000)["question"] == QUESTION_TIME
    question = sitting.refereed.position.setting.question
    assert sitting.act_due(due) == "close"
    if sitting.refereed.position.setting.phase == "ready":
        assert sitting.pace.due_at == due + GO_AFTER
    else:
        assert sitting.refereed.position.setting.question != question


@pytest.mark.parametrize("wants", ["ready", "bonus"])
def test_solo_has_no_limit_but_a_game_that_was_left_ends(wants: str) -> None:
    sitting = Sitting(1, bonus=True, wants=wants)
    assert sitting.pace.left(0) == {"go": None, "idle": None, "question": None}
    assert sitting.pace.due(ABANDONED_MS) == {"type": "forfeit", "seat": 0, "reason": "left"}


def test_solo_round() -> None:
    sitting = Sitting(1)
    due = sitting.pace.all_here(500)
    assert due == 500 + GO_AFTER
    sitting.pace.keep(due)
    assert sitting.act_due(due) == "go"
    sitting.act(1_700_000, 0, type="grab", place=0)
    assert sitting.pace.left(1_700_000)["idle"] is None
    assert sitting.pace.due(1_700_000 + ABANDONED_MS - 1) is None
    sitting.act(1_800_000, 0, type="stop")
    assert sitting.act_due(1_800_000 + CHECK_MS) == "go"
    assert sitting.act_due(1_808_000 + ABANDONED_MS) == "forfeit"
    assert sitting.refereed.outcome.is_over
