"""Bots that decide from what their seat may know: its own view and its own legal actions, nothing else.

In a game with turns a bot chooses (:func:`choose`), in a game without it plans: what to do, and when (:func:`plan`).
A bot is deterministic in its arguments: chance comes only from ``rng``, and only by ``rng.random()``, whose sequence
Python keeps the same from version to version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from games.engine.frame import BadFormat, Game

from . import greedy, randomly, search
from .reflexes import LEVELS, PLANNERS, Level, Plan

__all__ = [
    "BOTS",
    "CONSIDERED",
    "LEVELS",
    "PLANNERS",
    "PLAYOUTS",
    "SEARCHING",
    "Choose",
    "Level",
    "Plan",
    "bot",
    "check_bot",
    "choose",
    "plan",
]

type Choose = Callable[[Game[Any], Mapping[str, Any], Sequence[dict[str, Any]], Random], dict[str, Any]]

CONSIDERED = 2000
"""The ``limit`` to ask ``Game.legal`` with for a bot: only hands of more than twenty cards may have more actions."""

BOTS: dict[str, Choose] = {"random": randomly.choose, "greedy": greedy.choose, "search": search.choose}
"""Every bot for games with turns by name."""
SEARCHING = frozenset({"search"})
"""The bots that think longer the more playouts they are given."""
PLAYOUTS = search.PLAYOUTS


def choose(
    name: str,
    game: Game[Any],
    view: Mapping[str, Any],
    legal: Sequence[dict[str, Any]],
    rng: Random,
    playouts: int = PLAYOUTS,
) -> dict[str, Any]:
    """Return the action that bot ``name`` takes in ``view``, one of ``legal``, its ``needs`` completed.

    A bot in SEARCHING tries moves in about ``playouts`` games; others do not look that far. Raises BadFormat for an
    unknown bot and ValueError where there is nothing to choose from.
    """
    if not legal:
        raise ValueError("A bot needs at least one legal action to choose from.")
    if game.real_time:
        raise ValueError(f"Bots do not choose in {game.title}, they plan.")
    if name in SEARCHING:
        return search.choose(game, view, legal, rng, playouts)
    return bot(name)(game, view, legal, rng)


def bot(name: str) -> Choose:
    """Return the bot called ``name``. Raises BadFormat where there is none."""
    if name not in BOTS:
        raise BadFormat(f"There is no bot {name!r}; there are {', '.join(BOTS)}.")
    return BOTS[name]


def plan(name: str, game: Game[Any], view: Mapping[str, Any], rng: Random) -> Plan:
    """Return what bot ``name`` will do in ``view`` and when, for a seat that may act in a game without turns.

    Keep the plan until it is due, however the view changes; make a new one where it cannot be carried out then.
    Raises BadFormat for an unknown bot and ValueError for a game with turns.
    """
    check_bot(name, game)
    if not game.real_time:
        raise ValueError(f"Bots do not plan in {game.title}, they choose.")
    return PLANNERS[name](view, rng)


def check_bot(name: str, game: Game[Any]) -> None:
    """Raise BadFormat unless there is a bot called ``name`` for ``game``."""
    names = PLANNERS if game.real_time else BOTS
    if name not in names:
        raise BadFormat(f"{game.title} has no bot {name!r}; there are {', '.join(names)}.")
