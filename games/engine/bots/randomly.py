"""The bot that takes any kind of action it may, and any action of that kind, all alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.engine.frame import Game

from .chance import complete, pick


def choose(game: Game[Any], view: Mapping[str, Any], legal: Sequence[dict[str, Any]], rng: Random) -> dict[str, Any]:
    """Return a random action: first its kind, then which one, so that many gifts do not drown few plays."""
    kinds = sorted({action["type"] for action in legal})
    kind = pick(kinds, rng)
    return complete(pick([action for action in legal if action["type"] == kind], rng), view, rng)
