"""Golden playthroughs: whole games, with all that a caller can ask whenever the phase changes, line by line.

A change of the rules that is meant is written anew with ``pytest tests/engine --regenerate``; read the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine.bots.chance import pick
from games.engine.canonical import canonical_text
from games.engine.pick_a_polar_bear import Position
from tests.engine.pick_a_polar_bear.builders import GAME, RESIGN, random_move, start

FOLDER = Path(__file__).parents[2] / "data/engine/playthroughs"

PLAYTHROUGHS: dict[str, tuple[int, int, dict[str, Any], float]] = {
    "pick-a-polar-bear-solo": (1, 1, {}, 0.0),
    "pick-a-polar-bear-solo-bonus": (2, 1, {"bonus": True, "different": True}, 0.0),
    "pick-a-polar-bear-duel": (3, 2, {}, 0.0),
    "pick-a-polar-bear-three-seats-different": (4, 3, {"different": True}, 0.0),
    "pick-a-polar-bear-four-seats-bonus": (5, 4, {"bonus": True}, 0.0),
    "pick-a-polar-bear-five-seats-both-leaving": (6, 5, {"bonus": True, "different": True}, 0.02),
    "pick-a-polar-bear-six-seats": (7, 6, {}, 0.0),
    "pick-a-polar-bear-eight-seats-both": (8, 8, {"bonus": True, "different": True}, 0.0),
}


def told(seed: int, seats: int, options: dict[str, Any], quit_chance: float) -> Iterator[str]:
    rng = Random(seed)
    here = start(seed, seats, options)
    names = [f"Seat {seat}" for seat in range(seats)]
    yield f"rules {canonical_text(here.setting.rules.to_json())}"
    yield from asked(here)
    number = 0
    while not GAME.outcome(here).is_over:
        leaves = rng.random() < quit_chance
        seat, action = (pick(here.staying(), rng), RESIGN) if leaves else random_move(here, rng)
        step = GAME.apply(here, seat, action)
        number += 1
        yield f"action {number} {seat} {canonical_text(step.action)}"
        for event in step.events:
            yield f"  {canonical_text(event.whole())}"
            yield f"  to all: {GAME.wording(event.seen_by(None), names)}"
            for viewer in event.private:
                yield f"  to {viewer}: {GAME.wording(event.seen_by(viewer), names)}"
        before, here = here, step.position
        if stage(before) != stage(here):
            yield from asked(here)


def stage(here: Position) -> tuple[Any, ...]:
    """What changes more rarely than grabs and answers come."""
    setting = here.setting
    return setting.phase, setting.round, setting.question, setting.out, setting.outcome


def asked(here: Position) -> Iterator[str]:
    whole, acting = GAME.to_json(here), GAME.to_act(here)
    yield ""
    yield f"position {canonical_text(whole)}"
    yield f"outcome {canonical_text(GAME.outcome(here).to_json())}"
    yield f"to act {acting}"
    yield f"view of all {besides(GAME.view(here, None), whole)}"
    for seat in acting[-1:]:
        yield f"view of {seat} {besides(GAME.view(here, seat), GAME.view(here, None))}"
        yield f"options of {seat} {canonical_text(GAME.options(here, seat))}"
        yield f"legal {canonical_text(GAME.legal(here, seat, 4))}"
    yield ""


def besides(view: dict[str, Any], known: dict[str, Any]) -> str:
    """Write ``view`` without what stands in ``known`` just so."""
    different = {key: value for key, value in view.items() if key not in known or known[key] != value}
    return f"besides {canonical_text(different)}, not {sorted(known.keys() - view.keys())}"


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough(name: str, regenerate: bool) -> None:
    file = FOLDER / f"{name}.txt"
    text = "\n".join(told(*PLAYTHROUGHS[name])) + "\n"
    if regenerate:
        file.write_text(text)
    assert text.splitlines() == file.read_text().splitlines()


def test_every_file_has_a_test() -> None:
    assert {file.stem for file in FOLDER.glob("pick-a-polar-bear-*.txt")} == set(PLAYTHROUGHS)
    seats = {seats for _, seats, _, _ in PLAYTHROUGHS.values()}
    assert seats >= {1, 2, 3, 4, 5, 6, 8}
