"""Plays a position of Hold my Bear out to its end, quickly and not badly: what the searching bot tries moves with.

Every seat acts by the rule of thumb of the greedy bot, but the set it plays is built and not looked for, so that it is
sometimes smaller than it could be.
"""

from __future__ import annotations

from typing import Any

from games.engine.frame import Outcome
from games.engine.hold_my_bear import HoldMyBear, Position
from games.engine.hold_my_bear.cards import ANIMAL, BEAR, KINDS, NUMBER
from games.engine.hold_my_bear.effects import needs_of, returnable
from games.engine.hold_my_bear.plays import can_play, plays_of, usable
from games.engine.hold_my_bear.position import LARGEST_STEAL, Cards
from games.engine.hold_my_bear.sets import LARGEST_SET, Worth, beats, worth
from games.engine.hold_my_bear.turn import with_name

GAME = HoldMyBear()
_BEARS = KINDS[BEAR]


def played_out(position: Position) -> Outcome:
    """Return how the game ends from ``position``."""
    while position.outcome is None:
        due = position.waiting
        seat = position.turn if due is None else due.seat
        position = GAME.apply(position, seat, quick_action(position, seat)).position
    return position.outcome


def quick_action(position: Position, seat: int) -> dict[str, Any]:
    """Return a legal action of ``seat``, which is the seat to act."""
    hand = position.hands[seat]
    if position.waiting is not None:
        return {"type": "respond", "card": min(returnable(hand, position.waiting), key=height)}
    if position.owner == seat:
        return {"type": "force-bear", "card": max([card for card in hand if card in _BEARS])}
    if not hand:
        return {"type": "steal", "from": _victims(position, seat)}
    if seat not in position.must_give:
        found = large_set(hand, worth(position.table, position.table_as))
        if found is not None:
            return play_of(position, seat, found)
        nameable = position.rules.nameable
        if position.must_play and can_play(hand, position.table, position.table_as, nameable):
            cards, name = next(plays_of(hand, position.table, position.table_as, position.rules))
            return play_of(position, seat, cards, name)
    given = sorted(sorted(hand, key=height)[:2])
    to = max(position.others_in(seat), key=lambda other: len(position.hands[other]))
    return {"type": "give", "gifts": [{"card": card, "to": to} for card in given]}


def height(card: str) -> tuple[bool, int]:
    """Return what cards are given away by, the lowest first; bears come last."""
    return card in _BEARS, NUMBER[card]


def play_of(position: Position, seat: int, cards: Cards, name: str | None = None) -> dict[str, Any]:
    """Return the play of ``cards``, choices made the plainest way."""
    action = with_name({"type": "play", "cards": list(cards)}, name)
    needs = needs_of(cards)
    if needs:
        plain = {
            "aardvark": {"card": min(cards, key=height)},
            "giraffe": {"animal": BEAR},
            "kangaroo": {"seat": position.others_in(seat)[0], "card": "bear-1"},
        }
        action["do"] = {animal: plain[animal] for animal in needs}
    return action


def _victims(position: Position, seat: int) -> list[int]:
    held = [0 if other == seat else len(hand) for other, hand in enumerate(position.hands)]
    victims = []
    for _ in range(min(LARGEST_STEAL, sum(held))):
        fullest = held.index(max(held))
        held[fullest] -= 1
        victims.append(fullest)
    return sorted(victims)


def large_set(hand: Cards, table: Worth) -> Cards | None:
    """Return a large set of ``hand`` that beats ``table``, with bears first and high cards, or None if none was built.

    Tried are sets of the highest bears, of the highest cards beside enough bears, and of the highest cards of one
    animal filled up with others that leave it a sport of the set.
    """
    playable = usable(hand)
    bears: list[str] = []
    packs: dict[str, list[str]] = {}
    for card in reversed(playable):
        if card in _BEARS:
            bears.append(card)
        else:
            packs.setdefault(ANIMAL[card], []).append(card)
    others = sorted([card for card in playable if card not in _BEARS], key=NUMBER.__getitem__, reverse=True)
    slack = 0 if table.has_sheep or "sheep" in packs else 1
    for size in range(min(LARGEST_SET, len(playable)), 0, -1):
        for helpers in range(min(size, len(bears)), -1, -1):
            rest = size - helpers
            if rest > len(others):
                break
            begun = bears[:helpers]
            if helpers > table.bears or not rest:
                cards = tuple(sorted(begun + others[:rest]))
                if beats(worth(cards), table):
                    return cards
            if not rest:
                continue
            for animal, pack in packs.items():
                most = min(len(pack), rest)
                if animal not in table.sports and helpers + most < table.count + slack:
                    continue
                chosen = pack[:most] if most == rest else _filled(pack[:most], animal, others, rest)
                if chosen is None:
                    continue
                cards = tuple(sorted(begun + chosen))
                if beats(worth(cards), table):
                    return cards
    return None


def _filled(cards: list[str], animal: str, others: list[str], size: int) -> list[str] | None:
    """Return ``cards`` of ``animal`` and the highest others, no animal oftener than it, or None if they are too few."""
    most = len(cards)
    taken: dict[str, int] = {animal: most}
    chosen = list(cards)
    for card in others:
        kind = ANIMAL[card]
        count = taken.get(kind, 0)
        if count < most:
            taken[kind] = count + 1
            chosen.append(card)
            if len(chosen) == size:
                return chosen
    return None
