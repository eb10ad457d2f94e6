"""The judge: one question a line about any position, answered by the rules (command line specification)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .canonical import canonical, read_json
from .frame import BadFormat, BadRules, EngineError, Game
from .registry import game as game_called
from .shape import as_any_object, as_integer, as_object, as_text

_KEYS = {
    "legal": (("game", "position", "op", "seat"), ("rules", "limit")),
    "choices": (("game", "position", "op", "seat", "action"), ("rules",)),
    "apply": (("game", "position", "op", "seat", "action"), ("rules",)),
}


def judged(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield one answer (canonical JSON, no line end) for each of ``lines``, in order. No line ends the run."""
    for line in lines:
        try:
            yield canonical(answer(read_json(line)))
        except EngineError as error:
            yield canonical(refusal(error))


def refusal(error: EngineError) -> dict[str, Any]:
    """Return the answer to what was refused. Rules that do not exist are a matter of form."""
    code = BadFormat.code if isinstance(error, BadRules) else error.code
    return {"error": {"code": code, "message": str(error)}}


def answer(question: Any) -> dict[str, Any]:
    """Return the answer to one ``question``. Raises EngineError for what is refused."""
    op = as_text(as_any_object(question, "The line").get("op"), "op")
    if op not in _KEYS:
        raise BadFormat(f"op must be one of {', '.join(_KEYS)}.")
    fields = as_object(question, "The line", *_KEYS[op])
    game = game_called(fields["game"])
    rules = as_any_object(fields.get("rules", {}), "rules")
    position = game.from_json(as_any_object(fields["position"], "The position"), rules)
    result = _answer(game, position, op, fields)
    # Asked last: what the rules forbid with any deck is answered as such (worked example 8 holds a card twice).
    game.check_cards(position)
    return result


def _answer(game: Game[Any], position: Any, op: str, fields: dict[str, Any]) -> dict[str, Any]:
    seats = game.seats(position)
    if op == "apply":
        seat = fields["seat"]
        return _apply(game, position, None if seat is None else _seat(seat, seats), fields["action"])
    seat = _seat(fields["seat"], seats)
    if op == "choices":
        return {"choices": game.choices(position, seat, as_any_object(fields["action"], "The action"))}
    limit = fields.get("limit")
    actions, truncated = game.legal(position, seat, None if limit is None else as_integer(limit, "limit"))
    return {"actions": actions, "truncated": True} if truncated else {"actions": actions}


def _seat(seat: Any, seats: int) -> int:
    return as_integer(seat, "seat", most=seats - 1)


def _apply(game: Game[Any], position: Any, seat: int | None, action: Any) -> dict[str, Any]:
    step = game.apply(position, seat, as_any_object(action, "The action"))
    return {
        "position": game.to_json(step.position),
        "events": [event.whole() for event in step.events],
        "outcome": game.outcome(step.position).to_json(),
    }
