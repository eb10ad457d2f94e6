"""Which sets a hand may play: the check of one play, whether any is there, and the list of all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from .cards import ANIMAL, BEAR, BLOCKED_BY, LARGEST_NUMBER, NUMBER, bears_in, has
from .rules import Rules
from .sets import LARGEST_SET, Worth, beats, why_not, worth

type Cards = tuple[str, ...]


def usable(hand: Cards) -> Cards:
    """Return the cards of ``hand`` that the bear-number rule lets its owner play (printed numbers)."""
    return tuple([card for card in hand if BLOCKED_BY.get(card) not in hand]) if has(hand, BEAR) else hand


def play_fault(hand: Cards, cards: Cards, named: str | None, table: Worth, rules: Rules) -> str | None:
    """Return why the holder of ``hand`` may not play ``cards`` on ``table``, as a line for the player, or None.

    ``cards`` are kinds of cards in canonical order.
    """
    if not cards:
        return "A play needs at least one card."
    if len(cards) > LARGEST_SET:
        return f"A set has at most {LARGEST_SET} cards, this one has {len(cards)}."
    for card in cards:
        held = hand.count(card)
        if held < cards.count(card):
            return f"You do not hold {card}." if not held else f"You hold {card} only {_times(held)}."
    for card in cards:
        if BLOCKED_BY.get(card) in hand:
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
def can_play(hand: Cards, table_cards: Cards, table_named: str | None, nameable: Cards) -> bool:
    """Return whether ``hand`` has a valid move on the table set; ``nameable`` are the rules' names for bears alone.

    Validity depends on how many cards of each animal a set has and grows with their numbers, so it is enough to try
    the highest cards of each animal for every split into animals.
    """
    table = worth(table_cards, table_named)
    playable = usable(hand)
    bears = tuple(reversed(bears_in(playable)))[:LARGEST_SET]
    if len(bears) > table.bears:
        return True
    for size in range(1, len(bears) + 1):
        if any(beats(worth(bears[:size], name), table) for name in (None, *nameable)):
            return True
    packs: dict[str, Cards] = {}
    for card in reversed(playable):
        if ANIMAL[card] != BEAR:
            packs[ANIMAL[card]] = (*packs.get(ANIMAL[card], ()), card)
    # Animals of the table's sports first: without one of them only the count can win.
    order = sorted(packs, key=lambda animal: (animal not in table.sports, animal))
    ties = table.has_sheep or "sheep" in packs
    for size in range(len(bears) + 1):
        wins = table.bears - (ties and table.bears > 0) < size
        search = _Search(
            table=table,
            packs=[packs[animal] for animal in order],
            shared=[animal in table.sports for animal in order],
            least_count=0 if wins else table.count + (not ties) - size,
            least_sum=table.sum + (not ties),
        )
        if search.finds(0, bears[:size], 0, sum(NUMBER[bear] for bear in bears[:size]), False):
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Search:
    """A search for one valid move among splits into ``packs`` (per animal, highest first) beside some bears."""

    table: Worth
    packs: list[Cards]
    shared: list[bool]
    least_count: int
    least_sum: int

    def finds(self, first: int, begun: Cards, most: int, total: int, shares: bool) -> bool:
        """Return whether ``begun`` and cards of the packs from ``first`` on make a valid move.

        ``most`` is the most cards of one animal so far, ``total`` the highest sum that can lie there now.
        """
        room = LARGEST_SET - len(begun)
        packs = self.packs[first:]
        highest = max([most, *[min(room, len(pack)) for pack in packs]])
        may_share = (shares or any(self.shared[first:])) and total + LARGEST_NUMBER * room >= self.least_sum
        if highest < self.least_count and not may_share:
            return False
        if not packs or not room:
            return bool(begun) and beats(worth(begun), self.table)
        for taken in range(min(len(packs[0]), room), -1, -1):
            cards = packs[0][:taken]
            if self.finds(
                first + 1,
                begun + cards,
                max(most, taken),
                total + sum([LARGEST_NUMBER if ANIMAL[card] == "fish" else NUMBER[card] for card in cards]),
                shares or (taken > 0 and self.shared[first]),
            ):
                return True
        return False


def plays_of(
    hand: Cards, table_cards: Cards, table_named: str | None, rules: Rules
) -> Iterator[tuple[Cards, str | None]]:
    """Yield every valid move of ``hand`` as cards and named animal, in the order of their canonical JSON."""
    table = worth(table_cards, table_named)
    playable = usable(hand)
    bears = tuple(bears_in(playable))
    for name in rules.nameable:
        for cards in _sets(bears, table, frozenset((name,))):
            if beats(worth(cards, name), table):
                yield cards, name
    for cards in _sets(playable, table, frozenset((BEAR,))):
        if beats(worth(cards), table):
            yield cards, None


def _sets(cards: Cards, table: Worth, alone: frozenset[str]) -> Iterator[Cards]:
    """Yield once each set of the sorted ``cards`` that may beat ``table``, and some that do not.

    ``alone`` is the sport of a set of only bears. A longer list comes before the shorter one that begins it, because
    ``,`` sorts before ``]``. Branches that cannot get enough bears, count or sum are left out: a hand of a large deck
    has millions of sets.
    """
    size = len(cards)
    animals = [ANIMAL[card] for card in cards]
    numbers = [NUMBER[card] for card in cards]
    shares = [animal in table.sports if animal != BEAR else not alone.isdisjoint(table.sports) for animal in animals]
    # What can still come from each place on: bears, cards of this animal, most cards of one animal, a shared sport.
    bears_left, same_left, pack_left, shared_left = (
        [0] * (size + 1),
        [0] * (size + 1),
        [0] * (size + 1),
        [False] * (size + 1),
    )
    for place in range(size - 1, -1, -1):
        is_bear = animals[place] == BEAR
        follows = place + 1 < size and animals[place + 1] == animals[place]
        bears_left[place] = bears_left[place + 1] + is_bear
        same_left[place] = 1 + (same_left[place + 1] if follows else 0)
        pack_left[place] = max(pack_left[place + 1], 0 if is_bear else same_left[place])
        shared_left[place] = shared_left[place + 1] or shares[place]
    ties = table.has_sheep or "sheep" in animals
    least_bears = table.bears + (not (ties and table.bears))
    least_count, least_sum = table.count + (not ties), table.sum + (not ties)

    def longer(begun: Cards, first: int, bears: int, most: int, last: int, total: int, shared: bool) -> Iterator[Cards]:
        """Yield the sets that begin with ``begun``: its bears, most of one animal, number of the last, highest sum."""
        room = LARGEST_SET - len(begun) - 1
        previous = None
        for place in range(first, size):
            card = cards[place]
            if card == previous:
                continue
            previous = card
            animal = animals[place]
            rest = place + 1
            more_bears = min(room, bears_left[rest])
            now_bears, now_last = bears + (animal == BEAR), 0
            if animal != BEAR:
                now_last = last + 1 if begun and ANIMAL[begun[-1]] == animal else 1
            now_most = max(most, now_last)
            now_total = total + (LARGEST_NUMBER if animal == "fish" else numbers[place])
            now_shared = shared or shares[place]
            # The largest count within reach: that of now with more bears, of this animal, or of one still to come.
            reach = max(now_most + more_bears, min(room, pack_left[rest] + bears_left[rest]))
            if rest < size and animals[rest] == animal and animal != BEAR:
                reach = max(reach, now_last + min(room, same_left[rest] + bears_left[rest]))
            if (
                now_bears + more_bears >= least_bears
                or now_bears + reach >= least_count
                or ((now_shared or shared_left[rest]) and now_total + LARGEST_NUMBER * room >= least_sum)
            ):
                chosen = (*begun, card)
                if room and rest < size:
                    yield from longer(chosen, rest, now_bears, now_most, now_last, now_total, now_shared)
                yield chosen

    return longer((), 0, 0, 0, 0, 0, False)
