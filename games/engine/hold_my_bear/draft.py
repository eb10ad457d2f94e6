"""A position in the making: moves cards, keeps the public memory, passes the turn, ends the game.

A draft lives inside one ``apply``; what leaves it is a frozen position and its events. It checks nothing: the action
was checked before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from games.engine.deal import Stream
from games.engine.endings import out_last, void_outcome
from games.engine.frame import Event, Outcome, Seat

from .cards import ANIMAL, BEAR, has, with_card, without
from .position import Cards, Count, Position, Return
from .rules import Rules


class Draft:
    """The mutable copy of a position's fields, and the events so far."""

    __slots__ = ("events", *Position._fields)

    hands: list[Cards]
    table: Cards
    table_as: str | None
    owner: int | None
    turn: int
    must_play: bool
    must_give: tuple[int, ...]
    out: tuple[int, ...]
    waiting: Return | None
    pending: tuple[Return, ...]
    unowned_turns: int
    outcome: Outcome | None
    seed: bytes
    drawn: int
    rules: Rules
    known: list[Cards]
    gone: Cards
    counted: tuple[Count, ...]
    denied: tuple[Cards, ...]

    def __init__(self, position: Position) -> None:
        (
            hands,
            self.table,
            self.table_as,
            self.owner,
            self.turn,
            self.must_play,
            self.must_give,
            self.out,
            self.waiting,
            self.pending,
            self.unowned_turns,
            self.outcome,
            self.seed,
            self.drawn,
            self.rules,
            known,
            self.gone,
            self.counted,
            self.denied,
        ) = position
        self.hands, self.known = list(hands), list(known)
        self.events: list[Event] = []

    def freeze(self) -> Position:
        """Return the position that the draft has become."""
        return Position(
            tuple(self.hands),
            self.table,
            self.table_as,
            self.owner,
            self.turn,
            self.must_play,
            self.must_give,
            self.out,
            self.waiting,
            self.pending,
            self.unowned_turns,
            self.outcome,
            self.seed,
            self.drawn,
            self.rules,
            tuple(self.known),
            self.gone,
            self.counted,
            self.denied,
        )

    def tell(
        self, kind: str, seat: Seat, private: Mapping[int, Mapping[str, Any]] | None = None, **public: Any
    ) -> None:
        """Add an event."""
        self.events.append(Event(kind, seat, public, private or {}))

    # Cards

    def remove(self, seat: int, cards: Iterable[str]) -> None:
        """Take ``cards`` out of a hand for all to see."""
        hand, known = self.hands[seat], self.known[seat]
        for card in cards:
            hand = without(hand, card)
            if card in known:
                known = without(known, card)
            if self.counted:
                self._recount(seat, card, -1)
        self.hands[seat], self.known[seat] = hand, known

    def add(self, seat: int, card: str) -> None:
        """Put ``card`` into a hand for all to see."""
        self.hands[seat] = with_card(self.hands[seat], card)
        self.known[seat] = with_card(self.known[seat], card)
        if self.counted:
            self._recount(seat, card, 1)
        if self.denied:
            self._deny(seat, tuple([other for other in self.denied[seat] if other != card]))

    def hand_over(self, giver: int, receiver: int, card: str) -> None:
        """Move ``card`` from hand to hand for all to see."""
        self.remove(giver, (card,))
        self.add(receiver, card)

    def draw(self, thief: int, victims: list[int]) -> list[dict[str, Any]]:
        """Move a random card to ``thief`` from each of ``victims`` in turn; return what only those two know.

        What everybody knew of a victim's hand shrinks to what is still certain: of each kind at most as many copies
        may have gone as cards were drawn.
        """
        stream = Stream(self.seed, self.drawn)
        taken = []
        for victim in victims:
            hand = self.hands[victim]
            card = hand[stream.below(len(hand))]
            self.hands[victim] = without(hand, card)
            self.hands[thief] = with_card(self.hands[thief], card)
            taken.append({"from": victim, "card": card})
        self.drawn = stream.used
        for victim in sorted(set(victims)):
            sure = self.known[victim]
            doubt = victims.count(victim)
            self.known[victim] = tuple(
                [card for place, card in enumerate(sure) if sure[:place].count(card) < sure.count(card) - doubt]
            )
        self._doubt(thief, victims)
        return taken

    # What was asked

    def count(self, animal: str) -> list[int]:
        """Make the number of ``animal`` in each hand public, and return it."""
        counts = [sum(ANIMAL[card] == animal for card in hand) for hand in self.hands]
        others = [count for count in self.counted if count.animal != animal]
        exact = Count(animal, tuple([(number, number) for number in counts]))
        self.counted = tuple(sorted([*others, exact]))
        return counts

    def deny(self, seat: int, card: str) -> None:
        """Make public that ``seat`` does not hold ``card``."""
        denied = self.denied or ((),) * len(self.hands)
        self.denied = denied
        self._deny(seat, tuple(sorted({*denied[seat], card})))

    def _deny(self, seat: int, cards: Cards) -> None:
        self.denied = (*self.denied[:seat], cards, *self.denied[seat + 1 :])

    def _recount(self, seat: int, card: str, change: int) -> None:
        """Let the counts follow ``card``, which entered or left a hand for all to see."""
        self.counted = tuple(
            [
                count
                if count.animal != ANIMAL[card]
                else Count(count.animal, _moved(count.bounds, seat, change, change))
                for count in self.counted
            ]
        )

    def _doubt(self, thief: int, victims: list[int]) -> None:
        """Widen what is known by cards that moved unseen: a victim may have lost them, the thief may have got them."""
        for victim in victims:
            self.counted = tuple(
                [
                    Count(count.animal, _moved(_moved(count.bounds, victim, -1, 0), thief, 0, 1))
                    if count.bounds[victim][1]
                    else count
                    for count in self.counted
                ]
            )
        if self.denied and victims:
            self._deny(thief, ())

    def lay(self, cards: tuple[str, ...], named: str | None, owner: int) -> None:
        """Replace the table set by ``cards`` of ``owner``; the old set leaves the game."""
        self.gone = tuple(sorted(self.gone + self.table))
        self.table = cards
        self.table_as = named
        self.owner = owner
        self.unowned_turns = 0

    def rabbit_lies(self) -> bool:
        """Return whether a rabbit in the table set keeps must play on."""
        return has(self.table, "rabbit")

    # Turns

    def end_turn(self) -> None:
        """Pass the turn on to the next seat that has to do something, or end the game on the way."""
        self._advance()
        self.settle()

    def settle(self) -> None:
        """Carry out what happens by itself at the start of the turn: win, pass, draw, a seat that is out."""
        while self.outcome is None:
            if self.owner is None and self.unowned_turns >= len(self.hands):
                self.finish(Outcome("drawn", self._places([0] * len(self.hands))), "draw", None)
                return
            seat = self.turn
            if seat not in self.out:
                if self.owner == seat:
                    if not has(self.hands[seat], BEAR):
                        self.win(seat)
                    return
                if self.hands[seat] or any(self.hands):
                    return
                self.tell("pass", seat)
            self._advance()

    def _advance(self) -> None:
        if self.owner is None:
            self.unowned_turns += 1
        self.turn = (self.turn + 1) % len(self.hands)

    # Leaving and ending

    def leave(self, seat: int) -> None:
        """Put ``seat`` out, with all that follows (rules page, End)."""
        self.out = (*self.out, seat)
        self.must_give = tuple([other for other in self.must_give if other != seat])
        if self.owner == seat:
            self.owner = None
            self.must_play = True
            self.unowned_turns = 0
        left = [other for other in range(len(self.hands)) if other not in self.out]
        if len(left) == 1:
            self.win(left[0])

    def win(self, seat: int) -> None:
        """End the game: ``seat`` wins, the others in share the next place."""
        self.finish(
            Outcome("finished", self._places([int(other != seat) for other in range(len(self.hands))])), "win", seat
        )

    def void(self) -> None:
        """End the game as never played."""
        self._close(void_outcome(len(self.hands)))

    def finish(self, outcome: Outcome, event: str, seat: Seat) -> None:
        """End the game and tell so."""
        self._close(outcome)
        self.tell(event, seat, places=list(outcome.places or ()))

    def _close(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.waiting = None
        self.pending = ()

    def _places(self, rank_of_in: list[int]) -> tuple[int, ...]:
        return out_last(len(self.hands), self.out, rank_of_in)


def is_owed(due: Return, seat: int) -> bool:
    """Return whether ``due`` is owed by or to ``seat``."""
    return seat in (due.seat, due.to)


def _moved(bounds: tuple[tuple[int, int], ...], seat: int, fewest: int, most: int) -> tuple[tuple[int, int], ...]:
    """Return ``bounds`` with those of ``seat`` moved; nobody holds fewer than none."""
    low, high = bounds[seat]
    return (*bounds[:seat], (max(0, low + fewest), high + most), *bounds[seat + 1 :])
