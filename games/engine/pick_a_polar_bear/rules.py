"""The options of Pick-a-Polar-Bear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.engine.frame import BadRules

MIN_SEATS, MAX_SEATS = 1, 8
MOST_SEATS_OF_ONE_DECK = 5
COLUMNS = {1: 6, 2: 7}
PLACES = {1: 30, 2: 49}
"""The grid by number of decks: places are numbered row by row."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of one game: how many decks, and the variants ``different`` and ``bonus``."""

    decks: int = 1
    different: bool = False
    bonus: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return every option with its value, as in a transcript."""
        return {"decks": self.decks, "different": self.different, "bonus": self.bonus}


def decks_for(seats: int) -> int:
    """Return how many decks a game of ``seats`` seats is played with."""
    return 1 if seats <= MOST_SEATS_OF_ONE_DECK else 2


def read_rules(options: Mapping[str, Any] | None, seats: int) -> Rules:
    """Return the rules that ``options`` (any part of them) ask for at ``seats`` seats. Raises BadRules."""
    if seats not in range(MIN_SEATS, MAX_SEATS + 1):
        raise BadRules(f"Pick-a-Polar-Bear has {MIN_SEATS} to {MAX_SEATS} seats, not {seats}.")
    needed = decks_for(seats)
    rules = read_options({} if options is None else options, needed)
    if rules.decks != needed:
        raise BadRules(f"{seats} {'seat needs' if seats == 1 else 'seats need'} the option decks to be {needed}.")
    return rules


def read_options(options: Mapping[str, Any], decks: int = 1) -> Rules:
    """Return the rules that ``options`` ask for; ``decks`` is the default of the option. Raises BadRules."""
    if not isinstance(options, Mapping):
        raise BadRules("The rules are an object of options.")
    for key in options:
        if key not in ("decks", "different", "bonus"):
            raise BadRules(f"Pick-a-Polar-Bear has no option {key!r}.")
    decks = options.get("decks", decks)
    if type(decks) is not int or decks not in PLACES:
        raise BadRules("The option decks is 1 or 2.")
    return Rules(decks, _flag(options, "different"), _flag(options, "bonus"))


def _flag(options: Mapping[str, Any], name: str) -> bool:
    value = options.get(name, False)
    if not isinstance(value, bool):
        raise BadRules(f"The option {name} is true or false.")
    return value
