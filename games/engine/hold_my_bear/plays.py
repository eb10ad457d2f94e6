"""Which sets a hand may play: the check of one play, whether any is there, and the list of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from .cards import ANIMAL, BEAR, NUMBER, bears_in
from .rules import Rules
from .sets import LARGEST_SET, Worth, beats, why_not, worth

type Cards = tuple[str, ...]


def usable(hand: Cards) -> Cards:
    """Return the cards of ``hand`` that the bear-number rule lets its owner play (printed numbers)."""
    numbers = {NUMBER[card] for card in bears_in(hand)}
    if not numbers:
        return hand
    return tuple([card for card in hand if ANIMAL[card] == BEAR or NUMBER[card] not in numbers])


def play_fault(hand: Cards, cards: Cards, named: str | None, table: Worth, rules: Rules) -> str | None:
    """Return why the holder of ``hand`` may not play ``cards`` on ``table``, as a line for the player, or None.

    ``cards`` are kinds of cards in canonical order.
    """
    if not cards:
        return "A play needs at least one card."
    if len(cards) > LARGEST_SET:
        return f"A set has at most {LARGEST_SET} cards, this one has {len(cards)}."
    for card, wanted in Counter(cards).items():
        held = hand.count(card)
        if held < wanted:
            return f"You do not hold {card}." if not held else f"You hold {card} only {_times(held)}."
    bears = bears_in(hand)
    numbers = {NUMBER[bear] for bear in bears}
    for card in cards:
        if NUMBER[card] in numbers and ANIMAL[card] != BEAR:
            return f"{card} cannot be played: you hold a bear with the number {NUMBER[card]}."
    if named is not None:
        if not rules.nameable:
            return "At this table bears alone are their own sport: they cannot be named."
        if ANIMAL[cards[-1]] != BEAR or ANIMAL[cards[0]] != BEAR:
            return "Only a set of bears alone can be named."
        if named not in rules.nameable:
            return f"Bears can be named as one of {', '.join(rules.nameable)}."
    new = worth(cards, named)
    return None if beats(new, table) else why_not(new, table)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


@lru_cache(maxsize=1 << 14)
def can_play(hand: Cards, table_cards: Cards, table_named: str | None, rules: Rules) -> bool:
    """Return whether ``hand`` has a valid move on the table set.

    Validity depends on how many cards of each animal a set has and grows with their numbers, so it is enough to try
    the highest cards of each animal for every split into animals.
    """
    table = worth(table_cards, table_named)
    bears = bears_in(hand)
    if min(len(bears), LARGEST_SET) > table.bears:
        return True
    packs: dict[str, list[str]] = {}
    for card in usable(hand):
        packs.setdefault(ANIMAL[card], []).append(card)
    highest_first = [tuple(reversed(pack)) for pack in packs.values()]
    for cards in _splits(highest_first, 0, LARGEST_SET):
        if not cards:
            continue
        if beats(worth(cards), table):
            return True
        if len(bears_in(cards)) == len(cards) and any(beats(worth(cards, name), table) for name in rules.nameable):
            return True
    return False


def _splits(packs: list[Cards], first: int, room: int) -> Iterator[Cards]:
    """Yield the sets of at most ``room`` cards that take the first cards of each of ``packs``, large ones first."""
    if first == len(packs):
        yield ()
        return
    pack = packs[first]
    for taken in range(min(len(pack), room), -1, -1):
        for rest in _splits(packs, first + 1, room - taken):
            yield pack[:taken] + rest


def plays_of(
    hand: Cards, table_cards: Cards, table_named: str | None, rules: Rules
) -> Iterator[tuple[Cards, str | None]]:
    """Yield every valid move of ``hand`` as cards and named animal, in the order of their canonical JSON."""
    table = worth(table_cards, table_named)
    playable = usable(hand)
    bears = tuple(bears_in(playable))
    for name in rules.nameable:
        for cards in _sets(bears):
            if beats(worth(cards, name), table):
                yield cards, name
    for cards in _sets(playable):
        if beats(worth(cards), table):
            yield cards, None


def _sets(cards: Cards) -> Iterator[Cards]:
    """Yield each set of 1 to LARGEST_SET of the sorted ``cards`` once.

    A longer list comes before the shorter one that begins it, because ``,`` sorts before ``]``.
    """

    def longer(begun: Cards, first: int) -> Iterator[Cards]:
        previous = None
        for place in range(first, size):
            card = cards[place]
            if card == previous:
                continue
            previous = card
            chosen = (*begun, card)
            if len(chosen) < LARGEST_SET:
                yield from longer(chosen, place + 1)
            yield chosen

    size = len(cards)
    return longer((), 0)
