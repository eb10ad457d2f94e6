"""The games of the engine by name."""

from __future__ import annotations

from typing import Any

from .frame import BadFormat, Game
from .hold_my_bear import HoldMyBear
from .pick_a_polar_bear import PickAPolarBear

GAMES: dict[str, Game[Any]] = {game.name: game for game in (HoldMyBear(), PickAPolarBear())}
"""Every game that the engine referees, by the name it has in transcripts and URLs."""


def game(name: object) -> Game[Any]:
    """Return the game called ``name``. Raises BadFormat where there is none."""
    if not isinstance(name, str) or name not in GAMES:
        raise BadFormat(f"There is no game {name!r}; there are {', '.join(GAMES)}.")
    return GAMES[name]
