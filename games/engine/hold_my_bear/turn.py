"""The actions of the seat to act: which kinds the turn waits for, reading one, carrying it out.

Each action has one function that takes the draft to change and the position to check against, raises IllegalAction
before anything is changed, and returns the action in normal form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine.frame import Action, IllegalAction

from .cards import ANIMAL, BEAR, NUMBER
from .draft import Draft
from .effects import carry_out_given, carry_out_played, collect, read_do, returnable, settle_return
from .plays import can_play, play_fault
from .position import LARGEST_GIFT, Cards, Position
from .sets import worth


def expected_kinds(position: Position) -> tuple[str, ...]:
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


WHY_ONLY = {
    "respond": "You must give a card back first.",
    "force-bear": "Your set is still on the table and you hold a bear: choose the bear that replaces it.",
    "steal": "Your hand is empty: steal first.",
    "give": "You were given a beaver: you must give away.",
    "play": "There is nothing to steal, to answer or to replace now: play or give away.",
}


def must_play_now(position: Position, seat: int) -> bool:
    """Return whether must play is on and ``seat`` has a valid move."""
    return position.must_play and can_play(
        position.hands[seat], position.table, position.table_as, position.rules.nameable
    )


def with_name(action: dict[str, Any], name: str | None) -> dict[str, Any]:
    """Return ``action`` with the animal that it names, if it names one."""
    return action if name is None else {**action, "as": name}


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


def read_play(position: Position, seat: int, action: Action, keys: tuple[str, ...]) -> tuple[Cards, str | None]:
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
    cards, name = read_play(position, seat, action, ("as", "do"))
    if "do" in action and action["do"] is None:
        raise IllegalAction("'do' is left out where there is nothing to choose.")
    do = read_do(position, seat, cards, action.get("do"))
    beaten = position.owner
    draft.remove(seat, cards)
    draft.lay(cards, name, seat)
    told: dict[str, Any] = {"cards": list(cards), "beaten": beaten}
    draft.tell("play", seat, **with_name(told, name))
    carry_out_played(draft, seat, cards, do, beaten)
    draft.must_play = draft.rabbit_lies()
    draft.end_turn()
    normal = with_name({"type": "play", "cards": list(cards)}, name)
    return {**normal, "do": do} if do else normal


def _give(draft: Draft, position: Position, seat: int, action: Action) -> dict[str, Any]:
    gifts = _read_gifts(position, seat, action)
    if seat not in position.must_give and must_play_now(position, seat):
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
    hand, seats, not_to = position.hands[seat], position.seats, (seat, *position.out)
    wanted = min(LARGEST_GIFT, len(hand))
    gifts = action["gifts"]
    if not isinstance(gifts, list | tuple) or len(gifts) != wanted:
        raise IllegalAction(f"You give away {'two cards' if wanted == LARGEST_GIFT else 'your one card'}.")
    read: list[tuple[str, int]] = []
    last = ""
    for gift in gifts:
        if not isinstance(gift, (dict, Mapping)) or len(gift) != 2 or "card" not in gift or "to" not in gift:
            raise IllegalAction("A gift has a card and the seat it goes to.")
        card, to = _read_card(gift["card"]), gift["to"]
        if type(to) is not int or not 0 <= to < seats or to in not_to:
            raise IllegalAction("A gift goes to another player who is still in.")
        if card < last:
            raise IllegalAction("Gifts stand in canonical order of their cards.")
        if card not in hand:
            raise IllegalAction(f"You do not hold {card}.")
        if card == last and hand.count(card) < 2:
            raise IllegalAction(f"You hold {card} only once.")
        read.append((card, to))
        last = card
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
    draft.remove(seat, (card,))
    draft.lay((card,), name, seat)
    draft.must_play = True
    draft.tell("force-bear", seat, **with_name({"card": card}, name))
    draft.end_turn()
    return with_name({"type": "force-bear", "card": card}, name)


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


ACT = {"play": _play, "give": _give, "steal": _steal, "force-bear": _force_bear, "respond": _respond}
