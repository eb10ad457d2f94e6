"""The options of Hold my Bear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.engine.frame import BadRules

from .cards import BEAR, DEFAULT_ANIMALS, KINDS

MIN_SEATS, MAX_SEATS = 2, 8
MIN_ANIMALS, MAX_ANIMALS = 3, 22
BEARS_ALONE = ("named", "own-sport")


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of one game. ``bears_alone`` is ``named`` or ``own-sport`` (rules page, Words)."""

    animals: tuple[str, ...] = DEFAULT_ANIMALS
    bears_alone: str = "named"
    nameable: tuple[str, ...] = field(init=False, compare=False)
    """The animals that a player may name for a set of only bears, in canonical order."""

    def __post_init__(self) -> None:
        named = tuple(animal for animal in self.animals if animal != BEAR) if self.bears_alone == "named" else ()
        object.__setattr__(self, "nameable", named)

    def to_json(self) -> dict[str, Any]:
        """Return every option with its value, as in a transcript."""
        return {"animals": list(self.animals), "bears_alone": self.bears_alone}


DEFAULT_RULES = Rules()


def read_rules(options: Mapping[str, Any] | None) -> Rules:
    """Return the rules that ``options`` (any part of them) ask for. Raises BadRules."""
    if options is None:
        return DEFAULT_RULES
    if not isinstance(options, Mapping):
        raise BadRules("The rules are an object of options.")
    for key in options:
        if key not in ("animals", "bears_alone"):
            raise BadRules(f"Hold my Bear has no option {key!r}.")
    bears_alone = options.get("bears_alone", DEFAULT_RULES.bears_alone)
    if not isinstance(bears_alone, str) or bears_alone not in BEARS_ALONE:
        raise BadRules("The option bears_alone is 'named' or 'own-sport'.")
    return Rules(_read_animals(options.get("animals", list(DEFAULT_ANIMALS))), bears_alone)


def _read_animals(animals: Any) -> tuple[str, ...]:
    if not isinstance(animals, list | tuple):
        raise BadRules("The option animals is a list.")
    for animal in animals:
        if not isinstance(animal, str) or animal not in KINDS:
            raise BadRules(f"Hold my Bear has no animal {animal!r}.")
    if len(set(animals)) != len(animals):
        raise BadRules("An animal stands twice in the option animals.")
    if BEAR not in animals:
        raise BadRules("The bear is always in: add it to the option animals.")
    if not MIN_ANIMALS <= len(animals) <= MAX_ANIMALS:
        raise BadRules(f"A deck has {MIN_ANIMALS} to {MAX_ANIMALS} animals, not {len(animals)}.")
    return tuple(sorted(animals))
