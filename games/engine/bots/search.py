"""The bot that plays Hold my Bear well: it tries moves in games that could be the one it sits in.

It deals the cards that it cannot see at random, as its view allows (a determinization), makes a move there and plays
on to the end by rule of thumb. The moves that look best (:mod:`.guess`) are tried in rounds, all in the same deals;
after each round the half that won less drops out (sequential halving), so that close moves get most of the trials.

It reads no clock: how long it may think is a number of playouts, of which the one who asks makes a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.engine.frame import Game
from games.engine.hold_my_bear import Position, Rules
from games.engine.hold_my_bear.cards import ANIMAL, deck_of
from games.engine.hold_my_bear.position import Cards, Count, Return

from .chance import complete
from .guess import Guess
from .playout import GAME, played_out

PLAYOUTS = 240
"""How many playouts a move gets unless the one who asks says otherwise: about a tenth of a second."""
BREADTH = {"play": 12, "give": 6}
"""How many moves of a kind are tried at most."""
OTHER_BREADTH = 8
TRIES = 8
"""How often hands are dealt until they agree with what was told."""


def choose(
    game: Game[Any],
    view: Mapping[str, Any],
    legal: Sequence[dict[str, Any]],
    rng: Random,
    playouts: int = PLAYOUTS,
) -> dict[str, Any]:
    """Return the action that wins most of ``playouts`` trials; of equals the one that looked better before."""
    left = _candidates(view, legal, rng)
    deals = Deals(view)
    won = [0.0] * len(left)
    standing = list(range(len(left)))
    rounds = (len(left) - 1).bit_length()
    for _ in range(rounds):
        for _ in range(max(1, playouts // (rounds * len(standing)))):
            position = deals.deal(rng)
            for candidate in standing:
                won[candidate] += _won(position, view["seat"], left[candidate])
        standing.sort(key=lambda candidate: (-won[candidate], candidate))
        standing = standing[: (len(standing) + 1) // 2]
    return left[standing[0]]


def _candidates(view: Mapping[str, Any], legal: Sequence[dict[str, Any]], rng: Random) -> list[dict[str, Any]]:
    """Return the moves worth a trial, best first, with their choices made."""
    if len(legal) == 1:
        return [complete(legal[0], view, rng)]
    guess = Guess(view)
    ranked = sorted(legal, key=guess.value, reverse=True)
    room: dict[str, int] = {}
    chosen = []
    for action in ranked:
        kind = action["type"]
        room[kind] = room.get(kind, BREADTH.get(kind, OTHER_BREADTH)) - 1
        if room[kind] >= 0:
            chosen.append(complete(action, view, rng))
    return chosen


def _won(position: Position, seat: int, action: Mapping[str, Any]) -> float:
    """Return how much of a win ``action`` leads to in one playout of ``position``: a draw is shared."""
    places = played_out(GAME.apply(position, seat, action).position).places or ()
    return 1.0 / places.count(1) if places[seat] == 1 else 0.0


class Deals:
    """The positions that one seat holds possible in its view."""

    def __init__(self, view: Mapping[str, Any]) -> None:
        self._view = view
        self._seat: int = view["seat"]
        self._rules = Rules(tuple(view["animals"]), view["bears_alone"])
        unseen = Counter(deck_of(view["animals"]))
        for cards in (view["hand"], view["table"], view["gone"]):
            unseen.subtract(cards)
        for seat, cards in enumerate(view["known"]):
            if seat != self._seat:
                unseen.subtract(cards)
        self._unseen = sorted(unseen.elements())

    def deal(self, rng: Random) -> Position:
        """Return one of them, each way to deal the unseen cards equally likely.

        What giraffes and kangaroos told is kept to by trying again, a few times: a close miss is better than none.
        """
        hands = self._hands(rng)
        tries = 1
        while tries < TRIES and not self._fits(hands):
            hands = self._hands(rng)
            tries += 1
        return self._position(hands, rng)

    def _hands(self, rng: Random) -> list[Cards]:
        view, cards = self._view, list(self._unseen)
        hands: list[Cards] = []
        for seat, known in enumerate(view["known"]):
            if seat == self._seat:
                hands.append(tuple(view["hand"]))
                continue
            drawn = [_drawn(cards, rng) for _ in range(view["counts"][seat] - len(known))]
            hands.append(tuple(sorted([*known, *drawn])))
        return hands

    def _fits(self, hands: list[Cards]) -> bool:
        """Say whether ``hands`` agree with what was asked for; the viewer's own hand is not asked about."""
        others = [seat for seat in range(len(hands)) if seat != self._seat]
        return all(
            bounds[seat][0] <= sum(ANIMAL[card] == animal for card in hands[seat]) <= bounds[seat][1]
            for animal, bounds in self._view["counted"].items()
            for seat in others
        ) and all(set(self._view["denied"][seat]).isdisjoint(hands[seat]) for seat in others)

    def _position(self, hands: list[Cards], rng: Random) -> Position:
        view, due = self._view, self._view["waiting"]
        return Position(
            hands=tuple(hands),
            table=tuple(view["table"]),
            table_as=view["table_as"],
            owner=view["owner"],
            turn=view["turn"],
            must_play=view["must_play"],
            must_give=tuple(view["must_give"]),
            out=tuple(view["out"]),
            waiting=due and Return(due["seat"], due["for"], due["to"], due.get("number")),
            unowned_turns=view["unowned_turns"],
            seed=int(rng.random() * 2**53).to_bytes(32),
            rules=self._rules,
            known=tuple(map(tuple, view["known"])),
            gone=tuple(view["gone"]),
            counted=tuple([Count(animal, tuple(map(tuple, bounds))) for animal, bounds in view["counted"].items()]),
            denied=tuple(map(tuple, view["denied"])),
        )


def _drawn(cards: list[str], rng: Random) -> str:
    """Take one of ``cards`` out at random and return it."""
    place = int(rng.random() * len(cards))
    cards[place], cards[-1] = cards[-1], cards[place]
    return cards.pop()
