"""The bot that plays Hold my Bear by one rule of thumb. It is frozen: others are measured against it.

It plays the valid set that leaves the fewest cards: the one with the most cards, of these with the most bears, of
these with the highest sum. Where it has none, or must give, it gives its two lowest cards that are no bears (a bear
only where it holds nothing else) to the seat with the most cards. In the same spirit it steals from whoever holds
most, lays its highest bear when it is forced to, and gives back its lowest card, a bear last.

Ties: of equal sets and bears the first in the order of ``legal``; of equal numbers the first animal by name; of seats
with equally many cards the next one clockwise. What an aardvark, giraffe or kangaroo asks for is left to chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.engine.frame import Game
from games.engine.hold_my_bear.cards import ANIMAL, BEAR, NUMBER
from games.engine.hold_my_bear.sets import worth

from .chance import complete


def choose(game: Game[Any], view: Mapping[str, Any], legal: Sequence[dict[str, Any]], rng: Random) -> dict[str, Any]:
    """Return the action that the rule of thumb picks from ``legal``."""
    plays = [action for action in legal if action["type"] == "play"]
    if plays:
        return complete(max(plays, key=_size_of_play), view, rng)
    match legal[0]["type"]:
        case "give":
            return _give(view)
        case "steal":
            return max(legal, key=lambda action: sum([view["counts"][seat] for seat in action["from"]]))
        case "force-bear":
            return max(legal, key=lambda action: NUMBER[action["card"]])
        case _:  # a card that must be given back
            return min(legal, key=lambda action: _height(action["card"]))


def _size_of_play(action: Mapping[str, Any]) -> tuple[int, int, int]:
    cards = tuple(action["cards"])
    figures = worth(cards, action.get("as"))
    return len(cards), figures.bears, figures.sum


def _give(view: Mapping[str, Any]) -> dict[str, Any]:
    given = sorted(sorted(view["hand"], key=_height)[:2])
    me, counts = view["seat"], view["counts"]
    clockwise = [(me + step) % len(counts) for step in range(1, len(counts))]
    to = max([seat for seat in clockwise if seat not in view["out"]], key=counts.__getitem__)
    return {"type": "give", "gifts": [{"card": card, "to": to} for card in given]}


def _height(card: str) -> tuple[bool, int]:
    """Return what cards are given away by, the lowest first; bears come last."""
    return ANIMAL[card] == BEAR, NUMBER[card]
