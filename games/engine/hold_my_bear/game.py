"""Hold my Bear as the frame wants it: rules, start, apply, legal actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, islice
from typing import Any

from games.engine.endings import TABLE_ACTIONS, Leaving, Voiding, read_ending
from games.engine.frame import Action, BadFormat, GameOver, IllegalAction, NotYourTurn, Outcome, Seat, Step

from .cards import ANIMAL, BEAR, NUMBER, bears_in, deck_of
from .draft import Draft
from .effects import (
    all_do,
    carry_out_given,
    carry_out_played,
    collect,
    lapse,
    needs_of,
    read_do,
    returnable,
    settle_return,
)
from .phrases import wording
from .plays import can_play, play_fault, plays_of
from .position import Cards, Position
from .position_json import read_position, write_position
from .rules import MAX_SEATS, MIN_SEATS, read_rules
from .sets import worth
from .view import options_of, view_of

RUNNING = Outcome("running")
SEAT_ACTIONS = ("play", "give", "steal", "force-bear", "respond")


class HoldMyBear:
    """The rules of Hold my Bear. Stateless."""

    name = "hold-my-bear"
    title = "Hold my Bear"
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS

    def rules(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return ``options`` with every default written out. Raises BadRules."""
        return read_rules(options).to_json()

    def deck(self, rules: Mapping[str, Any]) -> Cards:
        """Return the full deck in canonical order. Raises BadRules."""
        return deck_of(read_rules(rules).animals)

    def start(
        self, rules: Mapping[str, Any], seats: int, deck: Sequence[str], deal_seed: bytes, drawn: int
    ) -> Position:
        """Return the first position: the first card on the table, the rest dealt one by one from seat 0."""
        hands = [tuple(sorted(deck[1 + seat :: seats])) for seat in range(seats)]
        starter = max(range(seats), key=lambda seat: max([NUMBER[bear] for bear in bears_in(hands[seat])], default=0))
        draft = Draft(
            Position(
                hands=tuple(hands),
                table=(deck[0],),
                turn=starter,
                seed=deal_seed,
                drawn=drawn,
                rules=read_rules(rules),
                known=((),) * seats,
            )
        )
        draft.settle()
        return draft.freeze()

    # What happens

    def apply(self, position: Position, seat: Seat, action: Action) -> Step[Position]:
        """Return the step that ``action`` makes. Raises IllegalAction, NotYourTurn or GameOver, changing nothing."""
        if position.outcome is not None:
            raise GameOver("The game is over.")
        if seat is not None and seat not in range(position.seats):
            raise IllegalAction(f"There is no seat {seat!r} in this game.")
        kind = action.get("type")
        if not isinstance(kind, str) or kind not in ("resign", *TABLE_ACTIONS, *SEAT_ACTIONS):
            raise IllegalAction(f"Hold my Bear has no action of the type {kind!r}.")
        ending = read_ending(seat, action, position.seats)
        draft = Draft(position)
        if ending is not None:
            self._end(draft, ending)
            return Step(draft.freeze(), dict(action), tuple(draft.events))
        if seat is None:
            raise IllegalAction(f"Only a seat can {kind}.")
        if seat in position.out:
            raise NotYourTurn("You are out of this game.")
        due = position.waiting
        if seat != (position.turn if due is None else due.seat):
            raise NotYourTurn(
                "It is not your turn." if due is None else "The game waits for another player to give a card back."
            )
        expected = _expected(position)
        if kind not in expected:
            raise IllegalAction(_WANTED[expected[0]])
        normal: dict[str, Any] = _ACT[kind](draft, position, seat, action)
        return Step(draft.freeze(), normal, tuple(draft.events))

    def _end(self, draft: Draft, ending: Leaving | Voiding) -> None:
        if isinstance(ending, Voiding):
            draft.tell("void", None, reason=ending.reason)
            draft.void()
            return
        seat = ending.seat
        if seat in draft.out:
            raise IllegalAction("This seat is out already.")
        if ending.reason is None:
            draft.tell("resign", seat)
        else:
            draft.tell("forfeit", seat, reason=ending.reason)
        draft.leave(seat)
        if draft.outcome is not None:
            return
        if draft.waiting is not None:
            lapse(draft, seat)
            if draft.waiting is None:
                draft.end_turn()
        elif draft.turn == seat:
            draft.end_turn()

    # What may happen

    def seats(self, position: Position) -> int:
        """Return how many seats the game has, those that are out included."""
        return position.seats

    def to_act(self, position: Position) -> tuple[int, ...]:
        """Return the seat whose action the game waits for, as a tuple; empty when over."""
        if position.outcome is not None:
            return ()
        return (position.turn if position.waiting is None else position.waiting.seat,)

    def legal(self, position: Position, seat: int, limit: int | None = None) -> tuple[list[dict[str, Any]], bool]:
        """Return the legal actions of ``seat`` in normal form, sorted by canonical JSON, and whether cut at ``limit``.

        A play whose effects need choices is listed once, without ``do`` and with ``needs``.
        """
        if self.to_act(position) != (seat,):
            return [], False
        actions = _all_actions(position, seat)
        if limit is None:
            return list(actions), False
        listed = list(islice(actions, limit))
        return listed, next(actions, None) is not None

    def choices(self, position: Position, seat: int, action: Action) -> list[dict[str, Any]]:
        """Return the values of ``do`` that complete a play which ``legal`` listed with ``needs``.

        Empty for a play that needs none. Raises IllegalAction, NotYourTurn or GameOver for a play that is not legal.
        """
        if position.outcome is not None:
            raise GameOver("The game is over.")
        if self.to_act(position) != (seat,):
            raise NotYourTurn("It is not your turn.")
        if action.get("type") != "play" or "do" in action:
            raise IllegalAction("Only a play without 'do' has choices to list.")
        if "play" not in _expected(position):
            raise IllegalAction(_WANTED[_expected(position)[0]])
        cards, _ = _read_play(position, seat, action, ("type", "cards", "as", "needs"))
        needs = needs_of(cards)
        if action.get("needs", needs) != needs:
            raise IllegalAction("'needs' does not fit the play.")
        return list(all_do(position, seat, cards)) if needs else []

    def outcome(self, position: Position) -> Outcome:
        """Return how the game stands or ended."""
        return position.outcome or RUNNING

    # What people see

    def view(self, position: Position, viewer: Seat) -> dict[str, Any]:
        """Return all that ``viewer`` may know, as JSON data (see the package's docstring)."""
        return view_of(position, viewer)

    def options(self, position: Position, seat: int) -> dict[str, Any]:
        """Return what a client offers ``seat`` now, as JSON data (see the package's docstring)."""
        return options_of(position, seat) if self.to_act(position) == (seat,) else {}

    def wording(self, event: Mapping[str, Any], names: Sequence[str]) -> str:
        """Return one plain-text sentence for ``event``."""
        return wording(event, names)

    # JSON

    def to_json(self, position: Position) -> dict[str, Any]:
        """Return the whole position, as in the command line's specification."""
        return write_position(position)

    def from_json(self, data: Mapping[str, Any], rules: Mapping[str, Any] | None = None) -> Position:
        """Return the position that ``data`` describes, after all that happens in it by itself.

        Raises BadFormat (BadRules for the rules) or BadPosition.
        """
        if not isinstance(data, dict):
            raise BadFormat("The position must be an object.")
        draft = Draft(read_position(data, read_rules(rules)))
        if draft.outcome is None:
            left = [seat for seat in range(len(draft.hands)) if seat not in draft.out]
            if len(left) == 1:
                draft.win(left[0])
            elif draft.waiting is None:
                draft.settle()
            else:
                collect(draft, [draft.waiting, *draft.pending])
                if draft.waiting is None:
                    draft.end_turn()
        return draft.freeze()

    def timing_fault(self, at: int, action: Action) -> str | None:
        """Return None: no action of this game carries times."""
        return None


# Which kinds of action the turn is waiting for


def _expected(position: Position) -> tuple[str, ...]:
    """Return the kinds of action that the seat to act has now."""
    if position.waiting is not None:
        return ("respond",)
    if position.owner == position.turn:
        return ("force-bear",)
    if not position.hands[position.turn]:
        return ("steal",)
    if position.turn in position.must_give:
        return ("give",)
    return ("play", "give")


_WANTED = {
    "respond": "You must give a card back first.",
    "force-bear": "Your set is still on the table and you hold a bear: choose the bear that replaces it.",
    "steal": "Your hand is empty: steal first.",
    "give": "You were given a beaver: you must give away.",
    "play": "There is nothing to steal, to answer or to replace now: play or give away.",
}


def _must_play_now(position: Position, seat: int) -> bool:
    return position.must_play and can_play(position.hands[seat], position.table, position.table_as, position.rules)


def _all_actions(position: Position, seat: int) -> Iterator[dict[str, Any]]:
    """Yield every legal action of the seat to act, in the order of their canonical JSON."""
    hand, expected = position.hands[seat], _expected(position)
    if "respond" in expected and position.waiting is not None:
        for card in returnable(hand, position.waiting):
            yield {"type": "respond", "card": card}
    elif "force-bear" in expected:
        bears = sorted(set(bears_in(hand)))
        for name in (*position.rules.nameable, None):
            for card in bears:
                yield _with_name({"type": "force-bear", "card": card}, name)
    elif "steal" in expected:
        yield from _all_steals(position, seat)
    else:
        played = False
        if "play" in expected:
            for cards, name in plays_of(hand, position.table, position.table_as, position.rules):
                played = True
                needs = needs_of(cards)
                action = _with_name({"type": "play", "cards": list(cards)}, name)
                yield {**action, "needs": needs} if needs else action
        if not (played and position.must_play):
            yield from _all_gifts(position, seat)


def _with_name(action: dict[str, Any], name: str | None) -> dict[str, Any]:
    return action if name is None else {**action, "as": name}


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


# Reading and carrying out the actions of a seat


def _read_keys(action: Action, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> None:
    for key in required:
        if key not in action:
            raise IllegalAction(f"The action lacks {key!r}.")
    for key in action:
        if key not in required and key not in optional:
            raise IllegalAction(f"The action has a key too many: {key!r}.")


def _read_card(card: Any) -> str:
    if not isinstance(card, str) or card not in NUMBER:
        raise IllegalAction(f"{card!r} is no card.")
    return card


def _read_name(action: Action) -> str | None:
    if "as" not in action:
        return None
    if not isinstance(action["as"], str):
        raise IllegalAction("'as' names an animal, and is left out where none is named.")
    return action["as"]


def _read_play(position: Position, seat: int, action: Action, keys: tuple[str, ...]) -> tuple[Cards, str | None]:
    _read_keys(action, ("type", "cards"), keys)
    if not isinstance(action["cards"], list | tuple):
        raise IllegalAction("The cards of a play are a list.")
    cards = tuple([_read_card(card) for card in action["cards"]])
    if list(cards) != sorted(cards):
        raise IllegalAction("The cards of a play stand in canonical order: by animal, then by number.")
    name = _read_name(action)
    fault = play_fault(position.hands[seat], cards, name, worth(position.table, position.table_as), position.rules)
    if fault is not None:
        raise IllegalAction(fault)
    return cards, name


def _play(draft: Draft, position: Position, seat: int, action: Action) -> dict[str, Any]:
    cards, name = _read_play(position, seat, action, ("as", "do"))
    if "do" in action and action["do"] is None:
        raise IllegalAction("'do' is left out where there is nothing to choose.")
    do = read_do(position, seat, cards, action.get("do"))
    beaten = position.owner
    for card in cards:
        draft.remove(seat, card)
    draft.lay(cards, name, seat)
    told: dict[str, Any] = {"cards": list(cards), "beaten": beaten}
    draft.tell("play", seat, **_with_name(told, name))
    carry_out_played(draft, seat, cards, do, beaten)
    draft.must_play = draft.rabbit_lies()
    draft.end_turn()
    normal = _with_name({"type": "play", "cards": list(cards)}, name)
    return {**normal, "do": do} if do else normal


def _give(draft: Draft, position: Position, seat: int, action: Action) -> dict[str, Any]:
    gifts = _read_gifts(position, seat, action)
    if seat not in position.must_give and _must_play_now(position, seat):
        raise IllegalAction("You must play: while must play is on, who has a valid move plays one.")
    for card, to in gifts:
        draft.hand_over(seat, to, card)
    told = [{"card": card, "to": to} for card, to in gifts]
    draft.tell("give", seat, gifts=told)
    draft.must_give = tuple([other for other in draft.must_give if other != seat])
    carry_out_given(draft, seat, gifts)
    if draft.waiting is None:
        draft.end_turn()
    return {"type": "give", "gifts": told}


def _read_gifts(position: Position, seat: int, action: Action) -> list[tuple[str, int]]:
    _read_keys(action, ("type", "gifts"))
    hand, others = position.hands[seat], position.others_in(seat)
    wanted = min(2, len(hand))
    gifts = action["gifts"]
    if not isinstance(gifts, list | tuple) or len(gifts) != wanted:
        raise IllegalAction(f"You give away {'two cards' if wanted == 2 else 'your one card'}.")
    read = []
    for gift in gifts:
        if not isinstance(gift, Mapping) or set(gift) != {"card", "to"}:
            raise IllegalAction("A gift has a card and the seat it goes to.")
        to = gift["to"]
        if type(to) is not int or to not in others:
            raise IllegalAction("A gift goes to another player who is still in.")
        read.append((_read_card(gift["card"]), to))
    cards = [card for card, _ in read]
    if cards != sorted(cards):
        raise IllegalAction("Gifts stand in canonical order of their cards.")
    for card in cards:
        if hand.count(card) < cards.count(card):
            raise IllegalAction(f"You do not hold {card}." if card not in hand else f"You hold {card} only once.")
    return read


def _steal(draft: Draft, position: Position, seat: int, action: Action) -> dict[str, Any]:
    _read_keys(action, ("type", "from"))
    victims, wanted = action["from"], position.stealable(seat)
    if not isinstance(victims, list | tuple) or len(victims) != wanted:
        raise IllegalAction(f"You steal {wanted} {'card' if wanted == 1 else 'cards'}: name a seat for each.")
    for victim in victims:
        if type(victim) is not int or victim == seat or victim not in range(position.seats):
            raise IllegalAction("You steal from other seats of this game.")
    if list(victims) != sorted(victims):
        raise IllegalAction("The seats that you steal from stand in ascending order.")
    for victim in victims:
        held = len(position.hands[victim])
        if victims.count(victim) > held:
            raise IllegalAction(f"Seat {victim} holds only {held} {'card' if held == 1 else 'cards'}.")
    taken = draft.draw(seat, list(victims))
    secrets = {victim: {"taken": [card for card in taken if card["from"] == victim]} for victim in victims}
    # The thief's secret comes last: it is the whole, so that a whole event tells all.
    draft.tell("steal", seat, {**secrets, seat: {"taken": taken}}, **{"from": list(victims)})
    return {"type": "steal", "from": list(victims)}


def _force_bear(draft: Draft, position: Position, seat: int, action: Action) -> dict[str, Any]:
    _read_keys(action, ("type", "card"), ("as",))
    card, name = _read_card(action["card"]), _read_name(action)
    if card not in position.hands[seat] or ANIMAL[card] != BEAR:
        raise IllegalAction("Choose a bear of your hand.")
    if name is not None and name not in position.rules.nameable:
        raise IllegalAction(
            f"The bear can be named as one of {', '.join(position.rules.nameable)}."
            if position.rules.nameable
            else "At this table bears alone are their own sport: they cannot be named."
        )
    draft.remove(seat, card)
    draft.lay((card,), name, seat)
    draft.must_play = True
    draft.tell("force-bear", seat, **_with_name({"card": card}, name))
    draft.end_turn()
    return _with_name({"type": "force-bear", "card": card}, name)


def _respond(draft: Draft, position: Position, seat: int, action: Action) -> dict[str, Any]:
    _read_keys(action, ("type", "card"))
    card, due = _read_card(action["card"]), position.waiting
    assert due is not None
    allowed = returnable(position.hands[seat], due)
    if card not in allowed:
        raise IllegalAction(f"You can give back one of {', '.join(allowed)}.")
    settle_return(draft, due, card)
    collect(draft, list(position.pending))
    if draft.waiting is None:
        draft.end_turn()
    return {"type": "respond", "card": card}


_ACT = {"play": _play, "give": _give, "steal": _steal, "force-bear": _force_bear, "respond": _respond}
