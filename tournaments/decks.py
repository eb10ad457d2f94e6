"""Decks by name: those that the forms offer for a game of Hold my Bear, and words for what a game is played with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.engine.hold_my_bear.cards import BASE_ANIMALS, DEFAULT_ANIMALS, EXPANSION_ANIMALS

CHOSEN = "chosen"
"""The key by which a form says that the animals are chosen one by one."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck that is offered: the key that forms send, its name, its animals, and ``why`` one would take it."""

    key: str
    name: str
    animals: tuple[str, ...]
    why: str


def _default_and(*animals: str) -> tuple[str, ...]:
    return tuple(sorted((*DEFAULT_ANIMALS, *animals)))


DECKS = (
    Deck("default", "Base game", DEFAULT_ANIMALS, "Five animals, no effects: learn the game, or play it fast."),
    Deck("wide", "All without effects", BASE_ANIMALS, "More animals, longer hands: for five to eight players."),
    Deck(
        "questions",
        "Questions",
        _default_and("aardvark", "giraffe", "kangaroo"),
        "Find out what the others hold: for players who remember.",
    ),
    Deck("gifts", "Gifts", _default_and("beaver", "bison", "turtle"), "Giving cards away becomes a weapon."),
    Deck("shapes", "Odd sets", _default_and("ape", "bat", "squid", "walrus"), "What may lie together is the puzzle."),
    Deck(
        "rush",
        "Rush",
        _default_and("badger", "fish", "rabbit", "sheep"),
        "The table changes hands faster: ties win, and who can must play.",
    ),
    Deck(
        "everything",
        "Everything",
        tuple(sorted(BASE_ANIMALS + EXPANSION_ANIMALS)),
        "All 22 animals, 176 cards: for big tables and long games.",
    ),
)


def animals_of(key: str, chosen: Iterable[str]) -> list[str]:
    """Return the animals of the deck ``key``, or the ``chosen`` ones; the bear is always in. Raises KeyError."""
    if key == CHOSEN:
        return sorted({*chosen, "bear"})
    return list({deck.key: deck for deck in DECKS}[key].animals)


def key_of(animals: Iterable[str]) -> str:
    """Return the key of the deck that has just these ``animals``, or ``CHOSEN``."""
    wanted = set(animals)
    return next((deck.key for deck in DECKS if set(deck.animals) == wanted), CHOSEN)


def variant_words(rules: Mapping[str, object]) -> str:
    """Return in words how Pick-a-Polar-Bear is played by ``rules``."""
    variants = [name for key, name in (("different", "different cards"), ("bonus", "bonus cards")) if rules.get(key)]
    return f"With {' and '.join(variants)}" if variants else "Base game"


def words(animals: Iterable[str]) -> str:
    """Return a deck for people: its name, if it has one, and its animals."""
    listed = sorted(animals)
    key = key_of(listed)
    name = next((f"{deck.name}: " for deck in DECKS if deck.key == key), "")
    if len(listed) == len(BASE_ANIMALS) + len(EXPANSION_ANIMALS):
        return f"{name}all {len(listed)} animals"
    return f"{name}{', '.join(listed)}"
