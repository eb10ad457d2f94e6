"""Games that end without a card being played: places by the strengths of who sits there, and chance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import Random

from django.utils import timezone

from games.models import Game, GameStatus, Seat

SPREAD = 200.0
"""The standard deviation of strengths, in rating points."""
SHARED = 0.06
"""How often two neighbours in the order of a game share their place."""
_SCALE = 400 / math.log(10)
"""With this the odds between two are those of Elo: ten to one at a difference of 400."""


def places_by_strength(strengths: Sequence[float], chance: Random) -> list[int]:
    """Return a place for each seat: the stronger is ahead the more often, and now and then a place is shared."""
    # Who has the highest sum of strength and Gumbel noise is ahead with Elo's odds, whoever else is there.
    luck = [strength / _SCALE - math.log(-math.log(1 - chance.random())) for strength in strengths]
    order = sorted(range(len(strengths)), key=lambda seat: -luck[seat])
    places = [0] * len(strengths)
    for number, seat in enumerate(order):
        shares = number > 0 and chance.random() < SHARED
        places[seat] = places[order[number - 1]] if shares else number + 1
    return places


def games_end(games: Sequence[Game], strengths: Mapping[int, float], chance: Random) -> None:
    """Let ``games`` (their seats loaded in order) have been dealt and ended now; ``strengths`` are by player.

    They have places and no records, so they cannot be disputed. Nobody is told: whoever calls settles what follows.
    """
    now = timezone.now()
    for game in games:
        seats = list(game.seat_set.all())
        game.places = places_by_strength([strengths[seat.player_id or 0] for seat in seats], chance)
        game.status = GameStatus.DRAWN if max(game.places) == 1 else GameStatus.FINISHED
        game.started_at = game.started_at or now - timedelta(minutes=5)
        game.finished_at = now
        game.deadline = None
    Game.objects.bulk_update(games, ["places", "status", "started_at", "finished_at", "deadline"], batch_size=500)
    Seat.objects.filter(game__in=games, ready=False).update(ready=True)
