"""Golden playthroughs: whole games with all that a caller can ask at each step, compared line by line.

A change of the rules that is meant is written anew with ``pytest tests/engine --regenerate``; read the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine import GAMES
from games.engine.canonical import canonical_text
from games.engine.hold_my_bear import Position
from tests.engine.builders import EFFECTS, GAME, MORE_EFFECTS, random_action

FOLDER = Path(__file__).parents[1] / "data/engine/playthroughs"

PLAYTHROUGHS: dict[str, tuple[int, int, dict[str, Any]]] = {
    "hold-my-bear-duel": (1, 2, {}),
    "hold-my-bear-three-seats": (2, 3, {}),
    "hold-my-bear-five-seats-own-sport": (3, 5, {"bears_alone": "own-sport"}),
    "hold-my-bear-effects": (4, 4, EFFECTS),
    "hold-my-bear-more-effects": (5, 4, MORE_EFFECTS),
}


def told(seed: int, seats: int, options: dict[str, Any]) -> Iterator[str]:
    rng = Random(seed)
    rules = GAME.rules(options, seats)
    deck = list(GAME.deck(rules))
    # Not rng.shuffle: only random() stays the same from version to version.
    deck.sort(key=lambda card: rng.random())
    here = GAME.start(rules, seats, deck, bytes([seed]) * 32, 0)
    names = [f"Seat {seat}" for seat in range(seats)]
    yield f"rules {canonical_text(rules)}"
    number = 0
    while True:
        yield ""
        yield f"position {number} {canonical_text(GAME.to_json(here))}"
        yield from asked(here)
        acting = GAME.to_act(here)
        if not acting:
            return
        seat, action = (acting[0], random_action(here, acting[0], rng)) if number != 12 else (None, void())
        step = GAME.apply(here, seat, action)
        number += 1
        yield f"action {number} {seat} {canonical_text(step.action)}"
        for event in step.events:
            yield f"event {canonical_text(event.whole())}"
            yield f"  to all: {GAME.wording(event.seen_by(None), names)}"
            for viewer in event.private:
                yield f"  to {viewer}: {GAME.wording(event.seen_by(viewer), names)}"
        here = step.position


def void() -> dict[str, Any]:
    return {"type": "void", "reason": "long enough"}


def asked(here: Position) -> Iterator[str]:
    yield f"outcome {canonical_text(GAME.outcome(here).to_json())}"
    yield f"to act {GAME.to_act(here)}"
    yield f"view of all {canonical_text(GAME.view(here, None))}"
    for seat in GAME.to_act(here):
        yield f"view of {seat} {canonical_text(GAME.view(here, seat))}"
        yield f"options of {seat} {canonical_text(GAME.options(here, seat, plays=True))}"
        legal, _ = GAME.legal(here, seat)
        yield f"legal {len(legal)}"
        yield from (f"  {canonical_text(action)}" for action in legal[:: max(1, len(legal) // 8)])


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough(name: str, regenerate: bool) -> None:
    file = FOLDER / f"{name}.txt"
    text = "\n".join(told(*PLAYTHROUGHS[name])) + "\n"
    if regenerate:
        FOLDER.mkdir(exist_ok=True)
        file.write_text(text)
    assert text.splitlines() == file.read_text().splitlines()


def test_every_game_has_a_playthrough_and_every_file_a_test() -> None:
    assert {file.stem for file in FOLDER.glob("hold-my-bear-*.txt")} == set(PLAYTHROUGHS)
    assert all(list(FOLDER.glob(f"{game}-*.txt")) for game in GAMES)
