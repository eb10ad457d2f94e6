"""Who plays in a tournament."""

from __future__ import annotations

from players.models import Player, User
from tournaments.models import Entrant


def entrant_register(*, tournament_id: int, player: Player, by: User | None) -> Entrant:
    """Register ``player`` (by the player's own user, or who manages the tournament); a second time changes nothing.

    Raises Conflict (not open, code ``not-open``; full, code ``full``), NotAllowed, NotFound.
    """
    raise NotImplementedError


def entrant_add_bots(*, tournament_id: int, by: User | None, level: str, count: int = 1) -> list[Entrant]:
    """Register ``count`` house bots of ``level`` (``random`` or ``greedy``) that are not in it yet; all or none."""
    raise NotImplementedError


def entrant_withdraw(*, entrant_id: int, by: User | None) -> Entrant | None:
    """Take an entrant out: before the start removed (returns None); during play the open game is forfeited and later
    matches are walkovers. A second time changes nothing.

    Raises Conflict (the tournament is over), NotAllowed (neither the player's user nor a manager), NotFound.
    """
    raise NotImplementedError
