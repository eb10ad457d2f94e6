"""The cards of Hold my Bear: animals, numbers, notation, canonical order.

A card is its notation, for instance ``tiger-3``; cards of one kind are interchangeable. No animal's name begins
another's and numbers have one digit, so the canonical order (animal, then number) is the order of the texts.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable
from itertools import chain

BEAR = "bear"
BASE_ANIMALS = (BEAR, "cat", "chicken", "dog", "ferret", "hamster", "tiger", "vole")
EXPANSION_ANIMALS = (
    "aardvark",
    "ape",
    "badger",
    "bat",
    "beaver",
    "bison",
    "fish",
    "giraffe",
    "kangaroo",
    "rabbit",
    "sheep",
    "squid",
    "turtle",
    "walrus",
)
ANIMALS = tuple(sorted(BASE_ANIMALS + EXPANSION_ANIMALS))
DEFAULT_ANIMALS = (BEAR, "ferret", "hamster", "tiger", "vole")

PACK = (1, 1, 1, 2, 2, 3, 4, 5)
"""The numbers of the cards that every animal brings."""
COPIES = Counter(PACK)
LARGEST_NUMBER = max(PACK)

NUMBER = {f"{animal}-{number}": number for animal in ANIMALS for number in sorted(COPIES)}
"""The number of every kind of card; its keys are all kinds there are."""
ANIMAL = {card: card.partition("-")[0] for card in NUMBER}
"""The animal of every kind of card."""
KINDS = {animal: frozenset([card for card in ANIMAL if ANIMAL[card] == animal]) for animal in ANIMALS}
"""The kinds of cards of every animal."""
PACK_OF = {animal: tuple([f"{animal}-{number}" for number in PACK]) for animal in ANIMALS}
"""The eight cards of every animal, in canonical order."""
BLOCKED_BY = {card: f"{BEAR}-{number}" for card, number in NUMBER.items() if ANIMAL[card] != BEAR}
"""The bear that, in the same hand, keeps a card that is no bear from being played (rules page, Bear numbers)."""


def deck_of(animals: Iterable[str]) -> tuple[str, ...]:
    """Return the full deck of ``animals`` in canonical order.

    >>> deck_of(["bear"])
    ('bear-1', 'bear-1', 'bear-1', 'bear-2', 'bear-2', 'bear-3', 'bear-4', 'bear-5')
    """
    return tuple(chain.from_iterable([PACK_OF[animal] for animal in sorted(animals)]))


def kinds_of(animals: Iterable[str]) -> tuple[str, ...]:
    """Return every kind of card of ``animals`` once, in canonical order."""
    return tuple(f"{animal}-{number}" for animal in sorted(animals) for number in sorted(COPIES))


def has(cards: Iterable[str], animal: str) -> bool:
    """Return whether a card of ``animal`` is among ``cards``."""
    return not KINDS[animal].isdisjoint(cards)


def bears_in(cards: Iterable[str]) -> list[str]:
    """Return the bears among ``cards``, in their order."""
    bears = KINDS[BEAR]
    return [card for card in cards if card in bears]


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return ``cards`` with one ``card`` less. It must be there."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def with_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return ``cards``, which stand in canonical order, with one ``card`` more."""
    place = bisect(cards, card)
    return (*cards[:place], card, *cards[place:])
