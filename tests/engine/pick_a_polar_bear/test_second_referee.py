"""The engine against the second referee: the same positions and outcomes, the same refusals."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.engine.deal import Stream
from games.engine.frame import IllegalAction
from games.engine.replay import Refereed, deal_of
from games.engine.simulate import Simulation
from tests.engine.pick_a_polar_bear.builders import CLOSE, GAME, GO, IDLE, RESIGN, STOP, VARIANTS, answer, grab
from tests.engine.pick_a_polar_bear.second_referee import SecondReferee, full_deck

BOTS = ("random", "greedy", "cub", "kodiak")


def naive_shuffle(deck: list[str], seed: bytes) -> list[str]:
    stream = Stream(seed)
    for i in range(len(deck) - 1, 0, -1):
        j = stream.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def compare(simulation: Simulation) -> int:
    """Play every record through both referees and return how many there were."""
    compared = 0
    for transcript in simulation.run():
        header, seed = transcript.header, bytes.fromhex(transcript.server_seed or "")
        refereed = Refereed(header, seed)
        rules = dict(header.rules)
        deck = naive_shuffle(full_deck(rules["decks"], rules["bonus"]), deal_of(header, seed).seed)
        second = SecondReferee(rules, header.seats, deck)
        assert second.here == GAME.to_json(refereed.position)
        for record in transcript.records:
            refereed.follow(record)
            assert second.act(record.seat, dict(record.action))
            assert second.here == GAME.to_json(refereed.position)
            assert second.outcome == refereed.outcome.to_json()
        assert second.outcome == transcript.outcome.to_json()
        compared += len(transcript.records)
    return compared


@pytest.mark.parametrize("rules", VARIANTS, ids=["base", "different", "bonus", "both"])
@pytest.mark.parametrize("seats", range(1, 9))
def test_simulated_games_go_alike(seats: int, rules: dict[str, Any]) -> None:
    asked = ("pick-a-polar-bear", seats, 2)
    assert compare(Simulation(*asked, "alike", BOTS[:seats], rules=rules)) > 100
    assert compare(Simulation(*asked, "leaving", ("random",), 0.02, rules)) > 5


@pytest.mark.parametrize("rules", VARIANTS, ids=["base", "different", "bonus", "both"])
@pytest.mark.parametrize("seats", [1, 3, 6])
def test_anything_at_all_is_accepted_or_refused_alike(seats: int, rules: dict[str, Any]) -> None:
    rng = Random(seats)
    full = GAME.rules(rules, seats)
    accepted = refused = 0
    for _ in range(6):
        deck = full_deck(full["decks"], full["bonus"])
        rng.shuffle(deck)
        here, second = GAME.start(full, seats, deck, b"", 0), SecondReferee(full, seats, deck)
        for _ in range(150):
            seat, action = attempt(seats, rng)
            try:
                here = GAME.apply(here, seat, action).position
                assert second.act(seat, action)
                accepted += 1
            except IllegalAction:
                assert not second.act(seat, action)
                refused += 1
            assert second.here == GAME.to_json(here)
            assert second.outcome == GAME.outcome(here).to_json()
    assert accepted > 100
    assert refused > 100


def attempt(seats: int, rng: Random) -> tuple[int | None, dict[str, Any]]:
    seat = rng.choice([None, *range(seats)])
    kind = rng.choices([grab(rng.randrange(-1, 50)), answer(rng.randrange(12)), GO, STOP, IDLE, CLOSE, RESIGN],
                       [40, 20, 20, 4, 2, 2, 0.3])[0]  # fmt: skip
    if rng.random() < 0.002:
        return None, {"type": "void", "reason": "the lights went out"}
    if kind == RESIGN and rng.random() < 0.5:
        return None, {"type": "forfeit", "seat": rng.randrange(seats), "reason": "left"}
    if kind in (GO, IDLE, CLOSE) and rng.random() < 0.8:
        return None, kind
    return seat, kind


def test_both_decks_are_the_same() -> None:
    for decks in (1, 2):
        for bonus in (False, True):
            assert list(GAME.deck({"decks": decks, "bonus": bonus})) == full_deck(decks, bonus)
            assert len(full_deck(decks, bonus)) == 96 * decks + 8 * bonus
