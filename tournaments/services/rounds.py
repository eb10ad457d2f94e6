"""How a running tournament moves: everything is worked out again from the games, under the tournament's lock."""

from __future__ import annotations

from tournaments.models import Tournament


def stage_advance(*, tournament_id: int) -> Tournament:
    """Take ended games into their matches, decide matches, fill the slots they feed, make the next games, finish.

    Safe to run at any time, any number of times, by several workers at once.
    """
    raise NotImplementedError
