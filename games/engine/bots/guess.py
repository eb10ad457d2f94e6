"""What a seat can guess of a move in Hold my Bear before it tries it: does a set survive a lap, what is a hand worth?

A set that survives wins if no bear is left in the hand, so a strong set that uses up the bears is good; bears are best
given away, to the owner of the table set above all, who then cannot win. All guesses are made from a view: the cards
that are neither in the hand, on the table, gone nor known to be somewhere are equally likely anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import Any

from games.engine.hold_my_bear.cards import ANIMAL, BEAR, NUMBER, deck_of
from games.engine.hold_my_bear.sets import LARGEST_SET, Worth, worth

BLOCK = 0.5
"""What it is worth to stop the owner of the table set who would win otherwise, in wins."""
BEAR_IN_HAND = 0.06
GROUP = 0.03
CARD = 0.004
"""What a hand is worth, in wins: bears are bad at the end, cards of one animal are good, so is any card."""
FORCED = 0.15
"""What a lap is worth that is survived with one bear in hand."""
AVERAGE_CARD = 2.9
"""What each further card of a good answer in the same sport adds to its sum."""


class Guess:
    """What one seat can guess of the others in one view."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self.view = view
        self.counts: list[int] = view["counts"]
        self.me: int = view["seat"]
        self.hand: tuple[str, ...] = tuple(view["hand"])
        self.owner: int | None = view["owner"]
        self.others = [seat for seat in range(len(view["counts"])) if seat != self.me and seat not in view["out"]]
        unseen = Counter(deck_of(view["animals"]))
        for cards in (self.hand, view["table"], view["gone"]):
            unseen.subtract(cards)
        for seat, cards in enumerate(view["known"]):
            if seat != self.me:
                unseen.subtract(cards)
        self.unseen: Counter[str] = Counter()
        for card, count in unseen.items():
            self.unseen[ANIMAL[card]] += max(0, count)
        self.pool = sum(self.unseen.values())
        self.survivals: dict[tuple[int, int, frozenset[str], int], float] = {}
        self.danger = self._danger()

    def value(self, action: dict[str, Any]) -> float:
        """Return how good ``action`` looks, in wins; comparable among actions of one position."""
        match action["type"]:
            case "play":
                return self._play(tuple(action["cards"]), action.get("as"))
            case "give":
                return self._give(action["gifts"])
            case "force-bear":
                return self.survival(worth((action["card"],), action.get("as")))
            case "steal":
                return sum(float(self.counts[seat]) for seat in action["from"])
            case _:  # a card that must be given back: a bear, else the lowest
                return 10.0 * (ANIMAL[action["card"]] == BEAR) - NUMBER[action["card"]]

    def _play(self, cards: tuple[str, ...], named: str | None) -> float:
        left = list(self.hand)
        for card in cards:
            left.remove(card)
        survival = self.survival(worth(cards, named))
        bears = _bears(left)
        if not bears:
            return survival + (1 - survival) * _quality(left)
        return survival * FORCED / bears + _quality(left)

    def _give(self, gifts: list[dict[str, Any]]) -> float:
        left = list(self.hand)
        stopped = False
        for gift in gifts:
            left.remove(gift["card"])
            stopped = stopped or (gift["to"] == self.owner and ANIMAL[gift["card"]] == BEAR)
        spread: float = 0.001 * min(self.counts[gift["to"]] for gift in gifts)
        return _quality(left) + spread - (0.0 if stopped else BLOCK * self.danger)

    def _danger(self) -> float:
        """Return how likely the owner of the table set wins if this seat does not stop it."""
        if self.owner is None or self.owner == self.me:
            return 0.0
        seats = len(self.counts)
        between = [(self.me + step) % seats for step in range(1, (self.owner - self.me) % seats)]
        lying = worth(tuple(self.view["table"]), self.view["table_as"])
        chance = 1.0 - self._at_least({BEAR}, 1, self.owner)
        for seat in between:
            if seat in self.others:
                chance *= 1.0 - self._beaten_by(lying, seat)
        return chance

    def survival(self, figures: Worth) -> float:
        """Return how likely a set lies unbeaten for a lap."""
        key = (figures.bears, figures.sum, figures.sports, figures.count)
        if key not in self.survivals:
            chance = 1.0
            for seat in self.others:
                chance *= 1.0 - self._beaten_by(figures, seat)
            self.survivals[key] = chance
        return self.survivals[key]

    def _beaten_by(self, figures: Worth, seat: int) -> float:
        """Return roughly how likely ``seat`` can beat a set."""
        safe = 1.0 - self._at_least({BEAR}, figures.bears + 1, seat)
        if figures.count < LARGEST_SET:
            for animal in self.view["animals"]:
                if animal != BEAR and animal not in figures.sports:
                    safe *= 1.0 - self._at_least({animal, BEAR}, figures.count + 1, seat)
        reach = AVERAGE_CARD * min(LARGEST_SET, self.counts[seat])
        if figures.sum < reach:
            safe *= 1.0 - self._at_least(figures.sports, 1, seat) * (1.0 - figures.sum / reach)
        return 1.0 - safe

    def _at_least(self, animals: set[str] | frozenset[str], wanted: int, seat: int) -> float:
        """Return how likely ``seat`` holds ``wanted`` or more cards of ``animals``."""
        known = self.view["known"][seat]
        missing = wanted - sum(ANIMAL[card] in animals for card in known)
        good = sum(self.unseen[animal] for animal in animals)
        return _tail(self.pool, good, self.counts[seat] - len(known), missing)


def _bears(cards: Sequence[str]) -> int:
    return sum(ANIMAL[card] == BEAR for card in cards)


def _quality(hand: Sequence[str]) -> float:
    groups = Counter(ANIMAL[card] for card in hand)
    bears = groups.pop(BEAR, 0)
    largest = max(groups.values(), default=0)
    return GROUP * min(largest, LARGEST_SET) + CARD * len(hand) - BEAR_IN_HAND * bears


@lru_cache(maxsize=1 << 14)
def _tail(pool: int, good: int, drawn: int, wanted: int) -> float:
    """Return the chance of ``wanted`` or more ``good`` cards among ``drawn`` of a ``pool`` (hypergeometric)."""
    if wanted <= 0:
        return 1.0
    drawn = max(0, min(drawn, pool))
    ways = sum(comb(good, hit) * comb(pool - good, drawn - hit) for hit in range(wanted, min(good, drawn) + 1))
    return ways / comb(pool, drawn)
