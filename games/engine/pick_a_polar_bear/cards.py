"""The cards: their notation, which are close to each other, the bonus cards, the full deck (rules page, Cards)."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple


class Attribute(NamedTuple):
    """One attribute of a picture card: its name and the signs of its two states, in canonical order."""

    name: str
    signs: str


ATTRIBUTES = (
    Attribute("size", "LS"),
    Attribute("arm", "-A"),
    Attribute("background", "WO"),
    Attribute("goggles", "-G"),
    Attribute("fish", "-F"),
    Attribute("animal", "PS"),
)
"""In the order of the notation; the animal is only on the cards of two decks."""

COPIES = 3
"""How many cards of each kind a deck has."""

ELEMENTS = {
    "large": (0, "L"),
    "small": (0, "S"),
    "arm": (1, "A"),
    "winter": (2, "W"),
    "autumn": (2, "O"),
    "goggles": (3, "G"),
    "fish": (4, "F"),
}
"""What a bonus card may show: where in the notation an element stands, and as which sign."""

BONUS_PREFIX = "bonus:"
BONUS_CARDS = tuple(
    BONUS_PREFIX + pair
    for pair in (
        "arm+goggles",
        "arm+fish",
        "goggles+fish",
        "large+arm",
        "small+goggles",
        "winter+fish",
        "autumn+arm",
        "winter+goggles",
    )
)
"""The bonus cards in the order of the rules page."""


def _kinds(decks: int) -> tuple[str, ...]:
    """Return every kind of picture card in canonical order: the animal varies slowest, the fish can fastest."""
    pictures = ["".join(signs) for signs in product(*(attribute.signs for attribute in ATTRIBUTES[:5]))]
    return tuple(pictures) if decks == 1 else tuple(card + animal for animal in "PS" for card in pictures)


KINDS = {decks: _kinds(decks) for decks in (1, 2)}
"""The kinds of picture cards by number of decks, in canonical order."""

BONUS = frozenset(BONUS_CARDS)
PICTURES = frozenset(KINDS[1] + KINDS[2])


def deck_of(decks: int, bonus: bool) -> tuple[str, ...]:
    """Return the full deck in canonical order (transcript specification, Deal, 7)."""
    return tuple(card for card in KINDS[decks] for _ in range(COPIES)) + (BONUS_CARDS if bonus else ())


def differing(card: str, other: str) -> tuple[str, ...]:
    """Return the names of the attributes in which two picture cards of one deck differ.

    >>> differing("L-W--", "LAWG-")
    ('arm', 'goggles')
    """
    return tuple(
        attribute.name for attribute, one, two in zip(ATTRIBUTES[: len(card)], card, other, strict=True) if one != two
    )


def _near(card: str) -> frozenset[str]:
    """Return the cards that differ from ``card`` in exactly one attribute."""
    return frozenset(
        card[:place] + sign + card[place + 1 :]
        for place in range(len(card))
        for sign in ATTRIBUTES[place].signs
        if sign != card[place]
    )


NEAR = {card: _near(card) for card in PICTURES}
"""For each picture card those that differ from it in exactly one attribute."""

FITTING = {card: near | {card} for card, near in NEAR.items()}
"""For each picture card those that differ from it in at most one attribute, itself included."""


def elements_of(bonus_card: str) -> tuple[str, str]:
    """Return the two elements that a bonus card shows."""
    one, two = bonus_card.removeprefix(BONUS_PREFIX).split("+")
    return one, two


def _shows(card: str, element: str) -> bool:
    place, sign = ELEMENTS[element]
    return card[place] == sign


SHOWING = {
    bonus: frozenset(card for card in PICTURES if all(_shows(card, element) for element in elements_of(bonus)))
    for bonus in BONUS_CARDS
}
"""For each bonus card the picture cards that show both its elements."""
