"""Bots for Pick-a-Polar-Bear: what they do next in a view, and after how many milliseconds.

A bot looks over the grid card by card, as people do: it takes time for each, may overlook a card that fits or take
one that does not, and may miscount. All it knows is the view of its seat; all chance comes from ``rng.random()``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from games.engine.pick_a_polar_bear.cards import FITTING, NEAR, SHOWING, differing

from .chance import pick

JITTER = 0.35
"""By how much of itself each time varies either way."""
AWAY = 60_000
"""For how many milliseconds a bot looks away: one that does not want to answer a question, or dreams."""
DREAMS = 0.1
"""How likely the random bot dreams instead of doing something, so that rounds end idle too."""
LOOKS_LIKE_A_FIT = 2
"""In how many attributes a card differs that is taken by mistake for one that fits."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a bot will do ``after`` so many milliseconds, if it still can; no ``action``: look again then."""

    action: dict[str, Any] | None
    after: int


type Planner = Callable[[Mapping[str, Any], Random], Plan]


@dataclass(frozen=True, slots=True)
class Level:
    """How well a bot plays. Times are in milliseconds, the other figures are chances unless they say otherwise.

    ``reaction`` passes before anything, ``glance`` for each card looked at, ``counting`` for each card counted.
    ``overlooks`` a card that fits, ``slips`` and takes one that differs in two attributes, ``doubts`` that nothing
    fits and looks again before it says stop, ``miscounts`` by one, ``shrugs`` at a question. ``weighs`` is the number
    of fitting cards that it finds before it takes the one that leads on best.
    """

    name: str
    title: str
    about: str
    reaction: int
    glance: int
    counting: int
    overlooks: float
    slips: float
    doubts: float
    miscounts: float
    shrugs: float
    weighs: int


LEVELS = {
    level.name: level
    for level in (
        Level("cub", "Cub", "Takes its time and is wrong now and then.", 900, 240, 260, 0.2, 0.02, 0.6, 0.4, 0.4, 1),
        Level("grizzly", "Grizzly", "Plays like a practised human.", 550, 130, 170, 0.1, 0.004, 0.6, 0.2, 0.2, 2),
        Level("kodiak", "Kodiak", "Quick, and hardly ever wrong.", 350, 70, 110, 0.03, 0.0005, 0.8, 0.05, 0.0, 3),
    )
}
"""The levels for people to choose from, by name, from weak to strong."""


def random_plan(view: Mapping[str, Any], rng: Random) -> Plan:
    """Return any action that the seat may send, all alike, or now and then none for a long while."""
    if rng.random() < DREAMS:
        return Plan(None, AWAY)
    after = _between(100, 2500, rng)
    lying = _lying(view)
    if view["phase"] == "bonus":
        return Plan({"type": "answer", "count": pick(range(len(lying) + 1), rng)}, after)
    action = pick(range(len(lying) + 1), rng)
    return Plan({"type": "stop"} if action == len(lying) else _grab(lying[action]), after)


def greedy_plan(view: Mapping[str, Any], rng: Random) -> Plan:
    """Return the right answer, or the grab of a fitting card that leads on best; stop if there is none."""
    after = _between(500, 1500, rng)
    if view["phase"] == "bonus":
        return Plan({"type": "answer", "count": _right_count(view)}, after)
    fitting = _fitting(view)
    places = [place for place in _lying(view) if view["grid"][place] in fitting]
    return Plan(_best(view, places) if places else {"type": "stop"}, after)


def human_plan(level: Level, view: Mapping[str, Any], rng: Random) -> Plan:
    """Return what a player of ``level`` does in ``view``, which is of a seat that may act."""
    lying = _lying(view)
    if view["phase"] == "bonus":
        return _answer(level, view, len(lying), rng)
    fitting, top = _fitting(view), view["stacks"][view["seat"]][-1]
    found: list[int] = []
    looked = 0
    for place in sorted(lying, key=lambda place: rng.random()):
        looked += 1
        card = view["grid"][place]
        if card in fitting:
            seems_to_fit = rng.random() >= level.overlooks
        else:
            seems_to_fit = rng.random() < level.slips and len(differing(top, card)) == LOOKS_LIKE_A_FIT
        if seems_to_fit:
            found.append(place)
            if len(found) == level.weighs:
                break
    after = _about(level.reaction + level.glance * looked, rng)
    if found:
        return Plan(_best(view, found), after)
    return Plan(None if rng.random() < level.doubts else {"type": "stop"}, after)


def _answer(level: Level, view: Mapping[str, Any], lying: int, rng: Random) -> Plan:
    if rng.random() < level.shrugs:
        return Plan(None, AWAY)
    count = _right_count(view)
    if rng.random() < level.miscounts:
        count += 1 if count == 0 or (count < lying and rng.random() < 0.5) else -1
    return Plan({"type": "answer", "count": count}, _about(level.reaction + level.counting * lying, rng))


def _lying(view: Mapping[str, Any]) -> list[int]:
    return [place for place, card in enumerate(view["grid"]) if card is not None]


def _fitting(view: Mapping[str, Any]) -> frozenset[str]:
    """Return the cards that the seat may lay on its stack."""
    top = view["stacks"][view["seat"]][-1]
    return (NEAR if view["restricted"] == view["seat"] else FITTING)[top]


def _best(view: Mapping[str, Any], places: Sequence[int]) -> dict[str, Any]:
    """Return the grab of the place whose card most cards of the grid fit on; the first of equals."""
    grid = view["grid"]

    def onward(place: int) -> int:
        fitting = FITTING[grid[place]]
        return sum(card in fitting for card in grid)

    return _grab(places[0] if len(places) == 1 else max(places, key=onward))


def _right_count(view: Mapping[str, Any]) -> int:
    showing = SHOWING[view["question"]]
    return sum(card in showing for card in view["grid"])


def _grab(place: int) -> dict[str, Any]:
    return {"type": "grab", "place": place}


def _between(least: int, most: int, rng: Random) -> int:
    return least + int(rng.random() * (most - least))


def _about(milliseconds: int, rng: Random) -> int:
    return int(milliseconds * (1 + JITTER * (2 * rng.random() - 1)))


PLANNERS: dict[str, Planner] = {
    "random": random_plan,
    "greedy": greedy_plan,
    **{name: partial(human_plan, level) for name, level in LEVELS.items()},
}
"""Every bot of this game by name."""
