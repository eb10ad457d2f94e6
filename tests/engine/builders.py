"""What the engine's tests build positions, actions and transcripts with."""

from __future__ import annotations

from random import Random
from typing import Any

from games.engine.bots.chance import pick
from games.engine.canonical import canonical, read_json
from games.engine.frame import Step
from games.engine.hold_my_bear import HoldMyBear, Position
from games.engine.simulate import Simulation
from games.engine.transcript import Transcript

GAME = HoldMyBear()
SHORT = {
    "a": "aardvark",
    "b": "bear",
    "c": "cat",
    "d": "dog",
    "f": "ferret",
    "h": "hamster",
    "t": "tiger",
    "v": "vole",
    "A": "ape",
    "B": "badger",
    "E": "beaver",
    "F": "fish",
    "G": "giraffe",
    "I": "bison",
    "K": "kangaroo",
    "Q": "squid",
    "R": "rabbit",
    "S": "sheep",
    "T": "turtle",
    "U": "bat",
    "W": "walrus",
}
EXPANSION = {"animals": sorted({*SHORT.values(), "chicken"})}
EFFECTS = {"animals": ["aardvark", "badger", "bear", "beaver", "bison", "fish", "turtle"]}
MORE_EFFECTS = {"animals": ["bat", "bear", "giraffe", "kangaroo", "rabbit", "sheep", "squid"]}


def cards(text: str) -> list[str]:
    """Return the cards of a text such as ``"t3 b1"``, in canonical order."""
    return sorted(f"{SHORT[word[0]]}-{word[1:]}" for word in text.split())


def position(*hands: str, table: str = "t3", rules: dict[str, Any] | None = None, **fields: Any) -> Position:
    """Return the position with these hands, written short."""
    data = {"hands": [cards(hand) for hand in hands], "table": cards(table), **fields}
    return GAME.from_json(data, rules)


def play(text: str, named: str | None = None, do: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the play of these cards."""
    action: dict[str, Any] = {"type": "play", "cards": cards(text)}
    if named:
        action["as"] = named
    if do:
        action["do"] = do
    return action


def give(*gifts: tuple[str, int]) -> dict[str, Any]:
    """Return the gift of cards written short to seats."""
    return {"type": "give", "gifts": [{"card": cards(card)[0], "to": to} for card, to in gifts]}


def steps(start: Position, *moves: tuple[int | None, dict[str, Any]]) -> Step[Position]:
    """Return the last step after ``moves``."""
    step: Step[Position] | None = None
    here = start
    for seat, action in moves:
        step = GAME.apply(here, seat, action)
        here = step.position
    assert step is not None
    return step


def transcript(
    seed: str = "t", seats: int = 3, quit_chance: float = 0.0, bots: tuple[str, ...] = ("random",)
) -> Transcript:
    """Return one simulated game."""
    return next(Simulation("hold-my-bear", seats, 1, seed, bots, quit_chance).run())


def document(**arguments: Any) -> dict[str, Any]:
    """Return one simulated game as the JSON data that a stranger would read."""
    read: dict[str, Any] = read_json(canonical(transcript(**arguments).to_json()))
    return read


def walk(
    seed: int, seats: int, rules: dict[str, Any] | None = None, quit_chance: float = 0.0, limit: int | None = None
) -> list[Position]:
    """Return all positions of one random game, from the deal to the end.

    With ``limit`` only the first legal actions are chosen from: a hand of 40 cards has a million.
    """
    rng = Random(seed)
    full = GAME.rules(rules or {}, seats)
    deck = list(GAME.deck(full))
    rng.shuffle(deck)
    here = GAME.start(full, seats, deck, rng.randbytes(32), 0)
    seen = [here]
    while GAME.to_act(here):
        if rng.random() < quit_chance:
            staying = [seat for seat in range(seats) if seat not in here.out]
            here = GAME.apply(here, rng.choice(staying), {"type": "resign"}).position
        else:
            seat = GAME.to_act(here)[0]
            here = GAME.apply(here, seat, random_action(here, seat, rng, limit)).position
        seen.append(here)
    return seen


def random_action(here: Position, seat: int, rng: Random, limit: int | None = None) -> dict[str, Any]:
    """Return a random legal action, kinds of action alike."""
    legal, _ = GAME.legal(here, seat, limit)
    kind = pick(sorted({action["type"] for action in legal}), rng)
    action = pick([action for action in legal if action["type"] == kind], rng)
    if "needs" not in action:
        return action
    do = pick(GAME.choices(here, seat, action), rng)
    return {**{key: value for key, value in action.items() if key != "needs"}, "do": do}
