"""Bots that decide from what their seat may know: its own view and its own legal actions, nothing else.

A bot is deterministic in its arguments: chance comes only from ``rng``, and only by ``rng.random()``, whose sequence
Python keeps the same from version to version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from games.engine.frame import BadFormat, Game

from . import greedy, randomly

type Choose = Callable[[Game[Any], Mapping[str, Any], Sequence[dict[str, Any]], Random], dict[str, Any]]

CONSIDERED = 2000
"""The ``limit`` to ask ``Game.legal`` with for a bot: only hands of more than twenty cards may have more actions."""

BOTS: dict[str, Choose] = {"random": randomly.choose, "greedy": greedy.choose}
"""Every bot by name."""


def choose(
    name: str, game: Game[Any], view: Mapping[str, Any], legal: Sequence[dict[str, Any]], rng: Random
) -> dict[str, Any]:
    """Return the action that bot ``name`` takes in ``view``, one of ``legal``, its ``needs`` completed.

    Raises BadFormat for an unknown bot and ValueError where there is nothing to choose from.
    """
    if not legal:
        raise ValueError("A bot needs at least one legal action to choose from.")
    return bot(name)(game, view, legal, rng)


def bot(name: str) -> Choose:
    """Return the bot called ``name``. Raises BadFormat where there is none."""
    if name not in BOTS:
        raise BadFormat(f"There is no bot {name!r}; there are {', '.join(BOTS)}.")
    return BOTS[name]
