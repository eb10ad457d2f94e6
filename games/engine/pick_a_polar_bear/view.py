"""What one seat or a spectator may know of a position, and what a client offers a seat."""

from __future__ import annotations

from typing import Any

from games.engine.frame import Outcome, Seat

from .cards import BONUS, elements_of
from .position import Position
from .rules import COLUMNS

RUNNING = Outcome("running")


def own_view_of(position: Position, viewer: Seat) -> dict[str, Any]:
    """Return what ``viewer`` alone knows: its answer to the question that is open."""
    setting = position.setting
    answer = setting.counts[setting.answered.index(viewer)] if viewer in setting.answered else None
    return {"seat": viewer, "answer": answer}


def shared_view_of(position: Position) -> dict[str, Any]:
    """Return what everybody may know: start cards lie face down until go, the pile's order is hidden."""
    setting = position.setting
    face_down = setting.phase != "grab"
    left = sum(card in BONUS for card in setting.pile)
    return {
        "game": "pick-a-polar-bear",
        **setting.rules.to_json(),
        "phase": setting.phase,
        "round": setting.round,
        "columns": COLUMNS[setting.rules.decks],
        "grid": list(position.grid),
        "stacks": [[None] * len(stack) if face_down else list(stack) for stack in position.stacks],
        "points": list(setting.points),
        "pile": {"pictures": len(setting.pile) - left, "bonus": left},
        "question": setting.question,
        "answered": list(setting.answered),
        "restricted": setting.restricted,
        "out": list(setting.out),
        "gone": list(setting.gone),
        "check": setting.check and setting.check.to_json(),
        "outcome": (setting.outcome or RUNNING).to_json(),
    }


def options_of(position: Position) -> dict[str, Any]:
    """Return what a client offers a seat that may act now."""
    question = position.setting.question
    lying = [place for place, card in enumerate(position.grid) if card is not None]
    if question is None:
        return {"grab": lying, "stop": True, "answer": None}
    answer = {"card": question, "elements": list(elements_of(question)), "most": len(lying)}
    return {"grab": [], "stop": False, "answer": answer}
