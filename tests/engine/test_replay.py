"""A running game as the server keeps it."""

from __future__ import annotations

import pytest

from games.engine import BadFormat, ClockBackwards, IllegalAction, Refereed, first_hash, next_hash, opening
from tests.engine.builders import GAME, transcript


def test_replay_reaches_the_same_position_step_by_step_and_at_once() -> None:
    game = transcript(seed="replay", seats=4, quit_chance=0.05)
    seed = bytes.fromhex(game.server_seed or "")
    live = Refereed(game.header, seed)
    for record in game.records:
        proposal = live.propose(record.at, record.seat, record.action)
        assert proposal.record == record
        live.push(proposal)
        resumed = Refereed.resume(game.header, seed, game.records[: record.n])
        assert (resumed.position, resumed.n, resumed.at, resumed.last_hash) == (
            live.position,
            live.n,
            live.at,
            live.last_hash,
        )
    assert live.outcome == game.outcome
    assert opening(game.header, seed) == Refereed(game.header, seed).position


def test_a_proposal_changes_nothing() -> None:
    game = transcript(seed="replay", seats=4)
    live = Refereed(game.header, bytes.fromhex(game.server_seed or ""))
    before = live.position
    first = game.records[0]
    proposal = live.propose(first.at, first.seat, first.action)
    assert (live.position, live.n, live.last_hash) == (before, 0, first_hash(game.header))
    live.push(proposal)
    assert live.last_hash == next_hash(first_hash(game.header), 1, first.at, first.seat, first.action)
    with pytest.raises(ValueError, match="cannot follow"):
        live.push(proposal)


def test_what_is_refused_leaves_the_game_as_it_was() -> None:
    game = transcript(seed="replay", seats=4)
    live = Refereed(game.header, bytes.fromhex(game.server_seed or ""))
    first = game.records[0]
    live.push(live.propose(first.at + 10, first.seat, first.action))
    before = live.position
    with pytest.raises(ClockBackwards):
        live.propose(first.at, 0, {"type": "resign"})
    with pytest.raises(IllegalAction):
        live.propose(first.at + 10, first.seat, first.action)
    with pytest.raises(BadFormat):
        live.propose(first.at + 10, None, {"type": "void", "reason": "\ud800"})
    assert (live.position, live.n) == (before, 1)


def test_the_recorded_action_is_its_own_copy() -> None:
    game = transcript(seed="replay", seats=4)
    live = Refereed(game.header, bytes.fromhex(game.server_seed or ""))
    first = game.records[0]
    sent = {**first.action, "cards": list(first.action["cards"])}
    proposal = live.propose(0, first.seat, sent)
    sent["cards"].clear()
    assert proposal.record.action == first.action
    assert GAME.apply(live.position, first.seat, proposal.record.action).position == proposal.position
