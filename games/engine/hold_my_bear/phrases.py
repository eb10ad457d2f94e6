"""The sentences of the game's log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_REASONS = {"time": "ran out of time", "left": "left the table", "arbiter": "was put out by the arbiter"}


def wording(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return one sentence for ``event`` as a viewer may know it; ``names`` holds a name per seat."""
    seat = event["seat"]
    who = "The table" if seat is None else names[seat]
    match event["type"]:
        case "play":
            return f"{who} plays {_listed(event['cards'])}{_named(event)}."
        case "give":
            return f"{who} gives {_listed(f'{gift["card"]} to {names[gift["to"]]}' for gift in event['gifts'])}."
        case "steal":
            return f"{who} steals {_taken(event, names)}."
        case "badger":
            taken = event.get("taken")
            what = taken[0]["card"] if taken else "a card"
            return f"{who} steals {what} from {names[event['victim']]}, who played a badger."
        case "force-bear":
            return f"{who} still holds a bear and does not win: {event['card']}{_named(event)} replaces the set."
        case "take-back":
            return f"{who} takes {event['card']} back into the hand."
        case "count":
            held = _listed(f"{names[other]} {count}" for other, count in enumerate(event["counts"]))
            return f"{who} asks who holds cards of the {event['animal']}: {held}."
        case "ask":
            answer = "and gets it" if event["given"] else "who does not hold it"
            return f"{who} asks {names[event['of']]} for {event['card']}, {answer}."
        case "must-give":
            return f"{who} was given a beaver and must give away next."
        case "hand-over":
            return f"{who} gives {event['card']} to {names[event['to']]} for the {event['animal']}."
        case "pass":
            return f"{who} has no card, there is nothing to steal, and passes."
        case "resign":
            return f"{who} resigns."
        case "forfeit":
            return f"{who} {_REASONS[event['reason']]} and is out."
        case "void":
            return f"The game is void: {event['reason']}"
        case "win":
            return f"{who} wins."
        case "draw":
            return "Nobody could play: the game is a draw."
        case other:
            raise ValueError(f"Hold my Bear has no event {other!r}.")


def _listed(parts: Iterable[str]) -> str:
    items = list(parts)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _named(event: Mapping[str, Any]) -> str:
    return f" as {event['as']}" if "as" in event else ""


def _taken(event: Mapping[str, Any], names: Sequence[str]) -> str:
    victims = event["from"]
    counts = {seat: victims.count(seat) for seat in sorted(victims)}
    taken = event.get("taken", [])

    def from_one(seat: int) -> str:
        cards = [card["card"] for card in taken if card["from"] == seat]
        what = _listed(cards) if cards else f"{counts[seat]} {'card' if counts[seat] == 1 else 'cards'}"
        return f"{what} from {names[seat]}"

    return _listed(from_one(seat) for seat in counts)
