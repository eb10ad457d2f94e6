"""Whole games and their transcripts against a second referee that shares no code with the engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from games.engine.canonical import canonical, read_json
from games.engine.judge import judged
from games.engine.simulate import Simulation
from games.engine.verify import verify
from tests.engine import second_oracle
from tests.engine.second_oracle import Disagrees, Referee, agree

SMALL_DECK = {"animals": ["bear", "cat", "dog"]}
OWN_SPORT = {"animals": ["bear", "cat", "dog", "vole"], "bears_alone": "own-sport"}
WAYS: dict[str, dict[str, Any]] = {
    "random": {},
    "leaving": {"quit_chance": 0.04},
    "greedy": {"bots": ("greedy",)},
    "own sport": {"bots": ("greedy", "random"), "rules": OWN_SPORT, "quit_chance": 0.01},
}
GAMES = {2: 2, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 2}
"""How many games by seats: the referee lists by brute force, which takes it long for the large hands of few seats."""
LISTED_HAND = 8


def documents(seats: int, games: int, **way: Any) -> Iterator[dict[str, Any]]:
    if seats == 2:
        way = {**way, "rules": SMALL_DECK}
    for transcript in Simulation("hold-my-bear", seats, games, "oracle", **way).run():
        yield read_json(canonical(transcript.to_json()))


@pytest.mark.parametrize("seats", GAMES)
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_both_agree_on_whole_games(seats: int, way: dict[str, Any]) -> None:
    for document in documents(seats, GAMES[seats], **way):
        assert agree(document) == len(document["records"])


def test_both_list_the_same_actions() -> None:
    questions: list[bytes] = []
    expected: list[list[bytes]] = []

    def note(referee: Referee, seat: int) -> None:
        if len(referee.hands[seat]) <= LISTED_HAND:
            here = {"game": "hold-my-bear", "rules": rules, "position": second_oracle.position(referee)}
            questions.append(json.dumps({**here, "op": "legal", "seat": seat}).encode())
            expected.append(sorted(second_oracle.canonical(action) for action in referee.legal(seat)))

    for way in WAYS.values():
        for seats in (5, 8):
            for document in documents(seats, 1, **way):
                rules = document["rules"]
                agree(document, listings=note)
    answers = judged(questions)
    listed = [[second_oracle.canonical(action) for action in json.loads(answer)["actions"]] for answer in answers]
    assert listed == expected
    assert len(listed) > 100


def test_both_refuse_what_was_changed() -> None:
    """The second referee can say no: it and ``verify`` refuse the same documents."""
    [document] = documents(4, 1)
    for change in (
        lambda forged: forged["records"].pop(),
        lambda forged: forged["records"].insert(0, forged["records"].pop()),
        lambda forged: forged["records"][1].update(at=forged["records"][0]["at"] - 1),
        lambda forged: forged["fairness"].update(server_seed="0" * 64),
        lambda forged: forged["outcome"]["places"].reverse(),
        lambda forged: forged.update(game_id="another"),
    ):
        forged = deepcopy(document)
        change(forged)
        assert not verify(forged).ok
        with pytest.raises(Disagrees):
            agree(forged)
    assert verify(document).ok
