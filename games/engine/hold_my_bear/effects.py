"""The actions of the expansion animals that are played or given (rules page, Expansion animals).

A play carries its choices in ``do``; an action that has been given away may make the game wait for the receiver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from games.engine.frame import IllegalAction

from .cards import ANIMAL, KINDS, NUMBER, bears_in, has, kinds_of, without
from .draft import Draft, is_owed
from .position import Position, Return

type Cards = tuple[str, ...]


_CHOOSING = KINDS["aardvark"] | KINDS["giraffe"] | KINDS["kangaroo"]
_GIVEN = KINDS["beaver"] | KINDS["bison"] | KINDS["turtle"]


def needs_of(cards: Cards) -> list[str]:
    """Return the animals of a set whose played action needs a choice, in canonical order."""
    if _CHOOSING.isdisjoint(cards):
        return []
    needs = ["aardvark"] if has(cards, "aardvark") and len(cards) > 1 else []
    return needs + [animal for animal in ("giraffe", "kangaroo") if has(cards, animal)]


def read_do(position: Position, seat: int, cards: Cards, do: Any) -> dict[str, dict[str, Any]]:
    """Return the choices that a play of ``cards`` carries, checked. Raises IllegalAction."""
    needs = needs_of(cards)
    if do is None:
        do = {}
    elif not do or not isinstance(do, Mapping):
        raise IllegalAction(
            "'do' is an object with the choices of the animals played, and left out where there are none."
        )
    for animal in needs:
        if animal not in do:
            raise IllegalAction(f"This play needs a choice for the {animal}.")
    for animal in do:
        if animal not in needs:
            raise IllegalAction(f"This play has no choice to make for {animal!r}.")
    return {animal: _READ[animal](position, seat, cards, do[animal]) for animal in needs}


def _fields(animal: str, choice: Any, *keys: str) -> list[Any]:
    if not isinstance(choice, Mapping) or len(choice) != len(keys) or any(key not in choice for key in keys):
        raise IllegalAction(f"The choice for the {animal} has just {' and '.join(keys)}.")
    return [choice[key] for key in keys]


def _read_aardvark(position: Position, seat: int, cards: Cards, choice: Any) -> dict[str, Any]:
    (card,) = _fields("aardvark", choice, "card")
    if card not in cards:
        raise IllegalAction("The aardvark takes back a card of the set just played.")
    return {"card": card}


def _read_giraffe(position: Position, seat: int, cards: Cards, choice: Any) -> dict[str, Any]:
    (animal,) = _fields("giraffe", choice, "animal")
    if animal not in position.rules.animals:
        raise IllegalAction("The giraffe names an animal of the deck.")
    return {"animal": animal}


def _read_kangaroo(position: Position, seat: int, cards: Cards, choice: Any) -> dict[str, Any]:
    other, card = _fields("kangaroo", choice, "seat", "card")
    if type(other) is not int or other not in position.others_in(seat):
        raise IllegalAction("The kangaroo asks another player who is still in.")
    if not isinstance(card, str) or ANIMAL.get(card) not in position.rules.animals:
        raise IllegalAction("The kangaroo asks for a card of the deck.")
    return {"seat": other, "card": card}


_READ = {"aardvark": _read_aardvark, "giraffe": _read_giraffe, "kangaroo": _read_kangaroo}


def all_do(position: Position, seat: int, cards: Cards) -> Iterator[dict[str, dict[str, Any]]]:
    """Yield every ``do`` that completes a play of ``cards``, in the order of their canonical JSON."""
    options: dict[str, list[dict[str, Any]]] = {
        "aardvark": [{"card": card} for card in sorted(set(cards))],
        "giraffe": [{"animal": animal} for animal in position.rules.animals],
        "kangaroo": [
            {"seat": other, "card": card}
            for card in kinds_of(position.rules.animals)
            for other in position.others_in(seat)
        ],
    }
    needs = needs_of(cards)
    for choices in product(*[options[animal] for animal in needs]):
        yield dict(zip(needs, choices, strict=True))


def carry_out_played(
    draft: Draft, seat: int, cards: Cards, do: Mapping[str, Mapping[str, Any]], beaten: int | None
) -> None:
    """Carry out the played actions of ``cards``, just laid by ``seat`` on the set of ``beaten`` (None: nobody's)."""
    if "aardvark" in do:
        card = do["aardvark"]["card"]
        draft.table = without(draft.table, card)
        draft.add(seat, card)
        draft.tell("take-back", seat, card=card)
    if "giraffe" in do:
        animal = do["giraffe"]["animal"]
        draft.tell("count", seat, animal=animal, counts=draft.count(animal))
    if "kangaroo" in do:
        other, card = do["kangaroo"]["seat"], do["kangaroo"]["card"]
        held = card in draft.hands[other]
        if held:
            draft.hand_over(other, seat, card)
        else:
            draft.deny(other, card)
        draft.tell("ask", seat, of=other, card=card, given=held)
    if has(cards, "badger"):
        _badger(draft, seat, beaten)


def _badger(draft: Draft, seat: int, thief: int | None) -> None:
    if thief is None or thief == seat or thief in draft.out or not draft.hands[seat]:
        return
    taken = draft.draw(thief, [seat])
    secret = {"taken": taken}
    draft.tell("badger", thief, {seat: secret, thief: secret}, victim=seat)


def carry_out_given(draft: Draft, giver: int, gifts: list[tuple[str, int]]) -> None:
    """Carry out the given actions of ``gifts`` (card, receiver), both already moved, until one waits."""
    if _GIVEN.isdisjoint([card for card, _ in gifts]):
        return
    done = set()
    due: list[Return] = []
    for card, receiver in gifts:
        animal = ANIMAL[card]
        if animal in done:
            continue
        done.add(animal)
        if animal == "beaver":
            draft.must_give = tuple(sorted({*draft.must_give, receiver}))
            draft.tell("must-give", receiver)
        elif animal == "bison":
            due.append(Return(receiver, "bison", giver))
        elif animal == "turtle":
            due.append(Return(receiver, "turtle", giver, NUMBER[card]))
    collect(draft, due)


def returnable(hand: Cards, due: Return) -> list[str]:
    """Return the kinds of cards in ``hand`` that may settle ``due``, in canonical order."""
    if due.animal == "bison":
        return sorted(set(bears_in(hand)))
    return sorted(set(hand) - {f"turtle-{due.number}"})


def collect(draft: Draft, due: list[Return]) -> None:
    """Settle what is ``due`` in order, as far as it leaves no choice; then wait for the first that does."""
    draft.waiting, draft.pending = None, ()
    for place, item in enumerate(due):
        cards = returnable(draft.hands[item.seat], item)
        if len(cards) > 1:
            draft.waiting, draft.pending = item, tuple(due[place + 1 :])
            return
        if cards:
            settle_return(draft, item, cards[0])


def settle_return(draft: Draft, due: Return, card: str) -> None:
    """Hand ``card`` over to settle ``due``."""
    draft.hand_over(due.seat, due.to, card)
    draft.tell("hand-over", due.seat, to=due.to, card=card, animal=due.animal)


def lapse(draft: Draft, seat: int) -> None:
    """Drop what is owed by or to ``seat``, which goes out, and go on with what remains."""
    due = [item for item in (draft.waiting, *draft.pending) if item is not None and not is_owed(item, seat)]
    collect(draft, due)
