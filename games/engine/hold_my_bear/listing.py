"""Every legal action of the seat to act."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

from .cards import bears_in
from .effects import needs_of, returnable
from .plays import plays_of
from .position import Position
from .turn import expected_kinds, with_name


def all_actions(position: Position, seat: int) -> Iterator[dict[str, Any]]:
    """Yield every legal action of the seat to act, in the order of their canonical JSON."""
    hand, expected = position.hands[seat], expected_kinds(position)
    if "respond" in expected and position.waiting is not None:
        for card in returnable(hand, position.waiting):
            yield {"type": "respond", "card": card}
    elif "force-bear" in expected:
        bears = sorted(set(bears_in(hand)))
        for name in (*position.rules.nameable, None):
            for card in bears:
                yield with_name({"type": "force-bear", "card": card}, name)
    elif "steal" in expected:
        yield from _all_steals(position, seat)
    else:
        played = False
        if "play" in expected:
            for cards, name in plays_of(hand, position.table, position.table_as, position.rules):
                played = True
                needs = needs_of(cards)
                action = with_name({"type": "play", "cards": list(cards)}, name)
                yield {**action, "needs": needs} if needs else action
        if not (played and position.must_play):
            yield from _all_gifts(position, seat)


def _all_steals(position: Position, seat: int) -> Iterator[dict[str, Any]]:
    others = [other for other in range(position.seats) if other != seat and position.hands[other]]
    for seats in combinations_with_replacement(others, position.stealable(seat)):
        if all(seats.count(other) <= len(position.hands[other]) for other in set(seats)):
            yield {"type": "steal", "from": list(seats)}


def _all_gifts(position: Position, seat: int) -> Iterator[dict[str, Any]]:
    hand, others = position.hands[seat], position.others_in(seat)
    kinds = sorted(set(hand))
    for first in kinds:
        for to in others:
            gift = {"card": first, "to": to}
            if len(hand) == 1:
                yield {"type": "give", "gifts": [gift]}
                continue
            for second in kinds:
                if second > first or (second == first and hand.count(first) > 1):
                    for other in others:
                        yield {"type": "give", "gifts": [gift, {"card": second, "to": other}]}
