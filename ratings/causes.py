"""What a rating is caused by: a played, rated game, as a policy wants to see it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from games.models import Game, GameStatus, Record, Seat
from ratings.models import RatingPool
from ratings.systems.pairs import Pair, by_places, winner_only


class GameKind(NamedTuple):
    """A game that has a pool.

    Its name for people, who of a table is compared with whom, and whether places below the first mean something.
    """

    name: str
    pairs: Callable[[Sequence[int], Collection[int]], tuple[Pair, ...]]
    ranked: bool


KINDS: Mapping[str, GameKind] = {
    "hold-my-bear": GameKind("Hold my Bear", winner_only, ranked=False),
    "pick-a-polar-bear": GameKind("Pick-a-Polar-Bear", by_places, ranked=True),
}
"""Every game that is rated, by the engine's name."""

TIME_FORMAT = "%Y-%m-%dT%H:%M:%S.%fZ"


class Key(NamedTuple):
    """A cause and where it stands in the order of causes. Sorts as the causes do."""

    order: str
    cause: UUID


@dataclass(frozen=True, slots=True)
class Cause:
    """A game that counts: its players by seat (primary keys) and the pairs that are compared."""

    key: Key
    players: tuple[int, ...]
    pairs: tuple[Pair, ...]


def key_of(game: Game) -> Key:
    """Return the key of an online game that has ended: the time of its end in UTC to the microsecond, then its id."""
    assert game.finished_at is not None
    return Key(f"{game.finished_at.astimezone(UTC).strftime(TIME_FORMAT)} {game.pk}", game.pk)


def time_of(order_key: str) -> datetime:
    """Return the time at which the cause with this order key happened."""
    return datetime.strptime(order_key.partition(" ")[0], TIME_FORMAT).replace(tzinfo=UTC)


def games_that_count(pool: RatingPool) -> QuerySet[Game]:
    """Return the games that the ratings of ``pool`` are made of, in no order.

    A rating would tell how a game ended, so one with delayed spectators counts once they may know.
    """
    return Game.objects.played().ended_for_all().filter(game=pool.game, rated=True, seats__gte=2)


def read_causes(pool: RatingPool, ids: Iterable[UUID]) -> dict[UUID, Cause]:
    """Return the causes among the games ``ids``, by id; a game that does not count is left out."""
    games = {game.pk: game for game in games_that_count(pool).filter(pk__in=list(ids))}
    players: dict[UUID, list[int]] = {game_id: [] for game_id in games}
    rows = Seat.objects.filter(game__in=games).order_by("game", "number").values_list("game_id", "player_id")
    for game_id, player_id in rows:
        if player_id is None:
            raise ValueError(f"Game {game_id} was played with an empty seat.")
        players[game_id].append(player_id)
    out = _seats_out(games.values())
    pairs = KINDS[pool.game].pairs
    return {
        game_id: Cause(key_of(game), tuple(players[game_id]), pairs(_places(game), out[game_id]))
        for game_id, game in games.items()
    }


def _seats_out(games: Collection[Game]) -> dict[UUID, set[int]]:
    """Return, by game, the seats that went out. Places tell most; the records are read only where they do not."""
    out: dict[UUID, set[int]] = {}
    unclear = []
    for game in games:
        places = _places(game)
        last_in = 1 if game.status == GameStatus.DRAWN else 2
        out[game.pk] = {seat for seat, place in enumerate(places) if place > last_in}
        # One seat alone in second place may have lost, or be the last that went out.
        if game.status == GameStatus.FINISHED and places.count(2) == 1 and len(places) > 2:
            unclear.append(game.pk)
    if unclear:
        records = Record.objects.filter(game__in=unclear, action__type__in=["resign", "forfeit"])
        for record in records:
            seat = record.action["seat"] if record.action["type"] == "forfeit" else record.seat
            assert seat is not None
            out[record.game_id].add(seat)
    return out


def _places(game: Game) -> list[int]:
    """Return the places of a game that was played to its end; the database sees to it that they are there."""
    assert game.places is not None
    return list(game.places)
