"""What the parts above ``games`` may add to a game's page, without ``games`` knowing them.

A provider is registered in its app's ``ready()``; it gets the game and the player who looks (or None) and returns
what it knows: ``back_url`` and ``back_label`` (the match that the game belongs to), ``next_url`` (where the player
goes afterwards). The page shows what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.models import Game
from players.models import Player

type Provider = Callable[[Game, Player | None], Mapping[str, str]]

_providers: list[Provider] = []


def register(provider: Provider) -> None:
    """Ask ``provider`` about every game whose page is shown; registering twice asks once."""
    if provider not in _providers:
        _providers.append(provider)


def surroundings(game: Game, player: Player | None) -> dict[str, str]:
    """Return what all providers know about where ``game`` belongs."""
    known: dict[str, str] = {}
    for provider in _providers:
        known.update(provider(game, player))
    return known
