"""Actions on their way from a socket or a bot into the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from games.engine.replay import Proposal
from games.live.connection import Connection
from games.live.sessions import Entitlement


@dataclass(slots=True)
class Attempt:
    """One action that somebody wants to be recorded."""

    seat: int
    seen: int
    action: Mapping[str, Any]
    message_id: str | None = None
    """The client's id; a bot has none."""
    entitlement: Entitlement | None = None
    answer_to: list[Connection] = field(default_factory=list)
    """Who hears the outcome; one connection may stand here twice if it asked twice."""
    failed: Callable[[str], None] | None = None
    """Hears the code of a refusal; for bots."""
    arrived: datetime | None = None
    """When it came, where it had to wait until it was clear who was first."""
    decided_at: int | None = None
    """In milliseconds since the game's start: when that was clear; a record says so."""
    tries: int = 0
    proposal: Proposal | None = None

    @property
    def key(self) -> tuple[int, str | None]:
        """What makes a repeat of this attempt the same one."""
        return self.seat, self.message_id

    @property
    def is_resignation(self) -> bool:
        """A resignation is accepted whatever its sender has seen."""
        return self.action.get("type") == "resign"


def in_normal_order(action: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``action`` with its lists in the order that the transcript wants; the engine judges all else."""
    ordered = dict(action)
    cards, gifts, victims = action.get("cards"), action.get("gifts"), action.get("from")
    if isinstance(cards, list) and all(isinstance(card, str) for card in cards):
        ordered["cards"] = sorted(cards)
    if isinstance(gifts, list) and all(isinstance(gift, dict) and isinstance(gift.get("card"), str) for gift in gifts):
        ordered["gifts"] = sorted(gifts, key=lambda gift: gift["card"])
    if isinstance(victims, list) and all(type(seat) is int for seat in victims):
        ordered["from"] = sorted(victims)
    return ordered
