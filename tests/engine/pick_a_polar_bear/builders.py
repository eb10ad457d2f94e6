"""What the tests of Pick-a-Polar-Bear build positions and games with."""

from __future__ import annotations

from random import Random
from typing import Any

from games.engine.bots.chance import pick
from games.engine.canonical import canonical, read_json
from games.engine.frame import Step
from games.engine.pick_a_polar_bear import PickAPolarBear, Position
from games.engine.pick_a_polar_bear.cards import FITTING
from games.engine.simulate import Simulation
from games.engine.transcript import Transcript

GAME = PickAPolarBear()
VARIANTS: list[dict[str, Any]] = [
    {},
    {"different": True},
    {"bonus": True},
    {"different": True, "bonus": True},
]
STOP = {"type": "stop"}
GO = {"type": "go"}
IDLE = {"type": "idle"}
CLOSE = {"type": "close"}
RESIGN = {"type": "resign"}


def grab(place: int, **times: Any) -> dict[str, Any]:
    return {"type": "grab", "place": place, **times}


def answer(count: int) -> dict[str, Any]:
    return {"type": "answer", "count": count}


def data(*stacks: str, grid: str = "", pile: str = "", **fields: Any) -> dict[str, Any]:
    """Return a position's JSON; stacks, grid (from place 0 on, ``.`` is empty) and pile are written with spaces."""
    lying: list[str | None] = [None if card == "." else card for card in grid.split()]
    size = 30 if len(stacks) <= 5 else 49
    return {
        "grid": lying + [None] * (size - len(lying)),
        "stacks": [stack.split() for stack in stacks],
        "pile": pile.split(),
        **fields,
    }


def position(*stacks: str, rules: dict[str, Any] | None = None, **fields: Any) -> Position:
    """Return the position with these stacks; the other arguments are those of :func:`data`."""
    return GAME.from_json(data(*stacks, **fields), rules)


def act(here: Position, *moves: tuple[int | None, dict[str, Any]]) -> Step[Position]:
    """Return the last step after ``moves``."""
    step: Step[Position] | None = None
    for seat, action in moves:
        step = GAME.apply(here, seat, action)
        here = step.position
    assert step is not None
    return step


def told(step: Step[Position], kind: str) -> list[dict[str, Any]]:
    """Return the events of one type, with all secrets."""
    return [event.whole() for event in step.events if event.type == kind]


def start(seed: int, seats: int, rules: dict[str, Any] | None = None) -> Position:
    """Return the first position of a deal."""
    full = GAME.rules(rules or {}, seats)
    deck = list(GAME.deck(full))
    rng = Random(seed)
    # Not rng.shuffle: only random() stays the same from version to version.
    deck.sort(key=lambda card: rng.random())
    return GAME.start(full, seats, deck, bytes(32), 0)


def random_move(here: Position, rng: Random) -> tuple[int | None, dict[str, Any]]:
    """Return something that may happen next: mostly grabs that fit, all else now and then."""
    phase = here.setting.phase
    if phase == "ready":
        return None, GO
    acting = GAME.to_act(here)
    seat = pick(acting, rng)
    legal, _ = GAME.legal(here, seat)
    if rng.random() < 0.03 and here.seats > 1:
        return None, IDLE if phase == "grab" else CLOSE
    if phase == "grab" and rng.random() < 0.9:
        fitting = FITTING[here.stacks[seat][-1]]
        grabs = [each for each in legal if each["type"] == "grab" and here.grid[each["place"]] in fitting]
        return seat, pick(grabs, rng) if grabs else STOP
    return seat, pick(legal, rng)


def walk(seed: int, seats: int, rules: dict[str, Any] | None = None, quit_chance: float = 0.0) -> list[Position]:
    """Return all positions of one random game, from the deal to the end."""
    rng = Random(seed)
    here = start(seed, seats, rules)
    seen = [here]
    while not GAME.outcome(here).is_over:
        if rng.random() < quit_chance:
            seat, action = pick(here.staying(), rng), RESIGN
        else:
            seat, action = random_move(here, rng)
        here = GAME.apply(here, seat, action).position
        seen.append(here)
    return seen


def transcript(seed: str = "t", seats: int = 3, rules: dict[str, Any] | None = None, **more: Any) -> Transcript:
    """Return one simulated game."""
    bots = tuple(more.pop("bots", ("random", "greedy", "cub")))[:seats]
    return next(Simulation("pick-a-polar-bear", seats, 1, seed, bots, rules=rules, **more).run())


def document(**arguments: Any) -> dict[str, Any]:
    """Return one simulated game as the JSON data that a stranger would read."""
    read: dict[str, Any] = read_json(canonical(transcript(**arguments).to_json()))
    return read
