"""The life of a tournament: create, edit, start, cancel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from players.models import Club, User
from tournaments.models import Tournament


def tournament_create(
    *,
    by: User,
    name: str,
    format: str,  # noqa: A002 - the word of the model
    description: str = "",
    club: Club | None = None,
    table_size: int = 2,
    advance: int = 1,
    best_of: int = 1,
    capacity: int = 64,
    rated: bool = True,
    bank_ms: int = 300_000,
    increment_ms: int = 5_000,
    ready_seconds: int = 120,
    game: str = "hold-my-bear",
    rules: Mapping[str, Any] | None = None,
) -> Tournament:
    """Return a new tournament, open for registration, with one stage; ``by``'s player is its organizer.

    Raises Invalid (a combination that cannot be played; ``message`` says which part), NotAllowed (no player, or a club
    that ``by`` does not organize for).
    """
    raise NotImplementedError


def tournament_edit(*, tournament_id: int, seen_version: int, by: User | None, **changes: Any) -> Tournament:
    """Change a tournament that is open: any of the arguments of :func:`tournament_create`.

    Raises Conflict (it has started, or changed since ``seen_version``), Invalid, NotAllowed, NotFound.
    """
    raise NotImplementedError


def tournament_start(*, tournament_id: int, seen_version: int, by: User | None) -> Tournament:
    """Seed by rating, build every round and match, and begin the first games. A second start raises Conflict.

    Raises Conflict (code ``started-already``, or ``conflict`` when it changed since ``seen_version``), Invalid (fewer
    than two entrants), NotAllowed, NotFound.
    """
    raise NotImplementedError


def tournament_cancel(*, tournament_id: int, seen_version: int, by: User | None, reason: str = "") -> Tournament:
    """Call a tournament off. Games under way are void and never rated; finished games stand."""
    raise NotImplementedError
