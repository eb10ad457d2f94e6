"""The ratings by which a tournament is seeded."""

from __future__ import annotations

from collections.abc import Collection

from ratings.models import Rating
from ratings.systems.elo import BEARENA_ELO
from tournaments.models import Tournament


def ratings_now(tournament: Tournament, players: Collection[int]) -> dict[int, int]:
    """Return the online rating of each of ``players`` (ids) in the game of ``tournament``, in tenths of a point.

    Who has none yet has the one that everybody starts with.
    """
    rated = Rating.objects.filter(pool__game=tournament.game, pool__kind="online", player__in=players)
    known = dict(rated.values_list("player_id", "value"))
    return {player: known.get(player, BEARENA_ELO.start) for player in players}
