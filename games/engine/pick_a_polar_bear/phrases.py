"""The sentences of the game's log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .cards import elements_of

_REASONS = {"time": "ran out of time", "left": "left the table", "arbiter": "was put out by the arbiter"}
_ATTRIBUTES = {
    "size": "size",
    "arm": "raised arm",
    "background": "background",
    "goggles": "goggles",
    "fish": "fish can",
    "animal": "animal",
}
_ELEMENTS = {"arm": "raised arm", "fish": "fish can"}
_DISCARDS = {
    "few": "too few cards lie in the grid for a question",
    "start": "it came up as a start card",
    "extra": "it came up as the extra card",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def wording(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return one sentence for ``event`` as a viewer may know it; ``names`` holds a name per seat."""
    seat = event["seat"]
    who = "The table" if seat is None else names[seat]
    match event["type"]:
        case "round":
            restricted = event["restricted"]
            rule = "" if restricted is None else f" {names[restricted]} may take no identical card."
            return f"Round {event['round']} begins.{rule}"
        case "go":
            return "Go! The start cards are turned up."
        case "grab":
            return f"{who} takes {event['card']}{_beaten(event, names)}."
        case "stop":
            return f"{who} says stop."
        case "idle":
            return "Nobody takes a card any more: the round ends without a stop."
        case "claim":
            return _claim(event, who)
        case "score":
            return _score(event, who)
        case "question":
            return f"Bonus question: how many cards show {_elements(event['card'])}?"
        case "answer":
            return _answer(event, who)
        case "discard":
            return _discard(event)
        case "close":
            return "The time for the question is up."
        case "resign":
            return f"{who} resigns."
        case "forfeit":
            return f"{who} {_REASONS[event['reason']]} and is out."
        case "void":
            return f"The game is void: {event['reason']}"
        case "end":
            return _end(event, names)
        case other:
            raise ValueError(f"Pick-a-Polar-Bear has no event {other!r}.")


def _claim(event: Mapping[str, Any], who: str) -> str:
    if event["right"]:
        return f"The stop was right: no card fits on {event['top']} of {who}."
    cards = sorted({fit["card"] for fit in event["fits"]})
    verb = "fits" if len(cards) == 1 else "fit"
    return f"The stop was wrong: {_listed(cards)} still {verb} on {event['top']} of {who}."


def _score(event: Mapping[str, Any], who: str) -> str:
    size, pair = len(event["cards"]), event["pair"]
    match event["reason"]:
        case "sound" if event["extra"] is not None:
            return f"{who} scores {event['score']}: a sound stack of {_cards(size)} and one more, {event['extra']}."
        case "sound":
            return f"{who} scores {event['score']}: a sound stack of {_cards(size)}."
        case "wrong-stop":
            return f"{who} scores nothing: the stop was wrong, {_cards(size)} lost."
    below, above = event["cards"][pair : pair + 2]
    where = f"{who} scores nothing: cards {pair + 1} and {pair + 2} of {size}"
    if event["reason"] == "identical":
        return f"{where} are both {above}, and {who} may take no identical card this round."
    attributes = [_ATTRIBUTES[name] for name in event["attributes"]]
    number = _NUMBERS[len(attributes)]
    return f"{where}, {below} and {above}, differ in {number} attributes: {_listed(attributes)}."


def _answer(event: Mapping[str, Any], who: str) -> str:
    if event["right"]:
        return f"{who} answers {event['count']}, which is right, and wins 2 points."
    said = f" {event['count']}" if "count" in event else ""
    return f"{who} answers{said}, which is wrong, and loses 2 points."


def _discard(event: Mapping[str, Any]) -> str:
    card = f"The bonus card {_elements(event['card'])}"
    if event["count"] is None:
        return f"{card} is discarded: {_DISCARDS[event['reason']]}."
    return f"{card} goes to nobody: {event['count']} would have been right."


def _end(event: Mapping[str, Any], names: Sequence[str]) -> str:
    places, points = event["places"], event["points"]
    totals = _listed(f"{name} {point}" for name, point in zip(names, points, strict=True))
    if len(names) == 1:
        return f"The game is over: {totals}."
    first = [seat for seat, place in enumerate(places) if place == 1]
    verb = "wins" if len(first) == 1 else "share the first place"
    return f"{_listed(names[seat] for seat in first)} {verb}. Points: {totals}."


def _beaten(event: Mapping[str, Any], names: Sequence[str]) -> str:
    return f", just before {_listed(names[seat] for seat in event['beat'])}" if event.get("beat") else ""


def _elements(bonus_card: str) -> str:
    return _listed(_ELEMENTS.get(element, element) for element in elements_of(bonus_card))


def _cards(number: int) -> str:
    return f"{number} {'card' if number == 1 else 'cards'}"


def _listed(parts: Iterable[str]) -> str:
    items = list(parts)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
