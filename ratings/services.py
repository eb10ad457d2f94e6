"""Every write of ratings: a game is rated once, a void game is taken back, a pool is worked out anew.

Each service locks the pool's row first, writes entries and the derived ratings in one transaction, and announces
``pool.<slug>`` after it. All are safe to repeat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import batched
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from games.announcing import announce
from games.disclosure import ended_for_all
from games.models import PLAYED, Game, GameStatus
from players.errors import Conflict, NotFound
from ratings.causes import KINDS, Key, key_of, time_of
from ratings.models import LedgerEntry, Rating, RatingPool
from ratings.replay import Replay

BATCH = 1000
DERIVED = ("value", "games", "wins", "last_change", "last_game_at")


class NotRateable(Conflict):
    """The game does not count for ratings as it stands."""

    code = "not-rateable"


class RatingChange(NamedTuple):
    """What a correction would do to a player's current rating, in tenths of a point."""

    player_id: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Differences:
    """What a rebuild of a pool wrote, or would write; all zero if the pool is right."""

    entries: int = 0
    ratings: int = 0

    def __bool__(self) -> bool:
        return bool(self.entries or self.ratings)


def pool_for(*, game: str) -> RatingPool:
    """Return the pool of online play of ``game`` (the engine's name), made if it is not there. Raises NotFound."""
    kind = KINDS.get(game)
    if kind is None:
        raise NotFound(f"There are no ratings for the game {game}.")
    pool, _ = RatingPool.objects.get_or_create(game=game, kind="online", defaults={"slug": game, "name": kind.name})
    return pool


def is_rateable(game: Game) -> bool:
    """Say whether ``game`` counts: it was played to its end by two or more, it is rated, and the end is public."""
    played = game.status in PLAYED and game.rated and game.seats >= 2 and game.game in KINDS
    return played and ended_for_all(game)


def games_to_settle(*, since: datetime | None = None) -> list[UUID]:
    """Return the games that ended after ``since`` and are not rated though they count, or rated though they are void.

    In the order of their ends, so that nothing has to be worked out twice.
    """
    standing = Exists(LedgerEntry.objects.standing().filter(cause=OuterRef("pk")))
    games = Game.objects.filter(game__in=KINDS, rated=True, seats__gte=2)
    ended = Q() if since is None else Q(finished_at__gte=since)
    unrated = games.ended_for_all().filter(ended, ~standing, status__in=PLAYED)
    # When a game became void is not known; few are, so all are looked at.
    rated = games.filter(standing, status=GameStatus.VOID)
    return [*rated.values_list("pk", flat=True), *unrated.order_by("finished_at", "pk").values_list("pk", flat=True)]


@transaction.atomic
def game_settle(*, game_id: UUID) -> list[LedgerEntry]:
    """Make the ledger say what the game now is: rate it, take it back, or leave it alone. Raises NotFound."""
    game = _game(game_id)
    if is_rateable(game):
        return game_rate(game_id=game_id)
    if game.status == GameStatus.VOID and game.game in KINDS:
        return game_unrate(game_id=game_id)
    return []


@transaction.atomic
def game_rate(*, game_id: UUID) -> list[LedgerEntry]:
    """Write what a finished rated game did to its players, once, and return the entries that were written.

    A game that comes late is put in its place, and what came after it is worked out again. Raises NotFound, or
    NotRateable if the game is not over, is void or is not rated.
    """
    pool = _lock(pool_for(game=_game(game_id).game))
    game = _game(game_id)
    if not is_rateable(game):
        raise NotRateable("Only a game that is rated and was played to its end can be rated.")
    if LedgerEntry.objects.standing().filter(pool=pool, cause=game_id).exists():
        return []
    replay = Replay(pool)
    return _write(pool, replay, replay.since(key_of(game)))


@transaction.atomic
def game_unrate(*, game_id: UUID) -> list[LedgerEntry]:
    """Take a void game out of the ratings, with all that followed from it, and return the entries that were written.

    Raises NotFound, or NotRateable if the game is not void.
    """
    pool = _lock(pool_for(game=_game(game_id).game))
    if _game(game_id).status != GameStatus.VOID:
        raise NotRateable("Only a void game is taken out of the ratings.")
    entry = LedgerEntry.objects.standing().filter(pool=pool, cause=game_id).first()
    if entry is None:
        return []
    replay = Replay(pool)
    return _write(pool, replay, replay.since(Key(entry.order_key, entry.cause)))


@transaction.atomic
def game_unrate_preview(*, game_id: UUID) -> list[RatingChange]:
    """Return whose current rating would change, and how, if the game became void; nothing is written.

    The largest changes come first. Raises NotFound.
    """
    return games_unrate_preview(game_ids=[_game(game_id).pk])


@transaction.atomic
def games_unrate_preview(*, game_ids: Collection[UUID]) -> list[RatingChange]:
    """Return whose current rating would change, and how, if all these games of one pool became void together.

    The largest changes come first; nothing is written.
    """
    entries = LedgerEntry.objects.standing().filter(cause__in=game_ids)
    first = entries.order_by("order_key").select_related("pool").first()
    if first is None:
        return []
    pool = _lock(first.pool)
    replay = Replay(pool, voided=set(game_ids))
    for _ in replay.since(Key(first.order_key, first.cause)):
        pass
    ratings = dict(Rating.objects.filter(pool=pool, player__in=replay.standings).values_list("player_id", "value"))
    changes = [RatingChange(player, ratings[player], standing.value) for player, standing in replay.standings.items()]
    changed = [change for change in changes if change.before != change.after]
    return sorted(changed, key=lambda change: (-abs(change.after - change.before), change.player_id))


@transaction.atomic
def pool_rebuild(*, pool: RatingPool, write: bool = True) -> Differences:
    """Work out every rating of ``pool`` from its games, write what differs, and return how much that was.

    With ``write`` false nothing is changed. Entries that say the same already stay as they are, so a pool that is
    right is left alone to the last digit.
    """
    pool = _lock(pool)
    replay = Replay(pool)
    entries = 0
    for batch in batched(replay.whole(), BATCH):
        entries += len(batch)
        if write:
            LedgerEntry.objects.bulk_create(batch)
    differing, gone = _ratings_that_differ(pool, replay)
    if write:
        _store(differing)
        Rating.objects.filter(pk__in=gone).delete()
        if entries or differing or gone:
            _tell(pool)
    return Differences(entries, len(differing) + len(gone))


def _game(game_id: UUID) -> Game:
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        raise NotFound("There is no such game.")
    return game


def _lock(pool: RatingPool) -> RatingPool:
    """Lock the pool until the end of the transaction: one writer a pool, so that games are rated one after another."""
    return RatingPool.objects.select_for_update().get(pk=pool.pk)


def _write(pool: RatingPool, replay: Replay, entries: Iterator[LedgerEntry]) -> list[LedgerEntry]:
    """Store ``entries``, which ``replay`` yields, and bring the ratings of whoever they moved up to date."""
    written: list[LedgerEntry] = []
    for batch in batched(entries, BATCH):
        written += LedgerEntry.objects.bulk_create(batch)
    moved = set(replay.standings)
    wins = dict(Rating.objects.filter(pool=pool, player__in=moved).values_list("player_id", "wins"))
    last = {entry.player_id: entry for entry in LedgerEntry.objects.last_of(pool, moved)}
    Rating.objects.filter(pool=pool, player__in=moved - last.keys()).delete()
    _store(
        Rating(
            pool=pool,
            player_id=player,
            value=standing.value,
            games=standing.games,
            wins=wins.get(player, 0) + replay.wins[player],
            last_change=last[player].after - last[player].before,
            last_game_at=time_of(last[player].order_key),
        )
        for player, standing in replay.standings.items()
        if player in last
    )
    if written:
        _tell(pool)
    return written


def _ratings_that_differ(pool: RatingPool, replay: Replay) -> tuple[list[Rating], list[int]]:
    """Return the ratings that a whole ``replay`` found wrong or missing, as they must be, and
    the primary keys of those that must go.
    """
    known = {rating.player_id: rating for rating in Rating.objects.filter(pool=pool)}
    differing = []
    for player, standing in replay.standings.items():
        right = Rating(
            pool=pool,
            player_id=player,
            value=standing.value,
            games=standing.games,
            wins=replay.wins[player],
            last_change=replay.last[player].change,
            last_game_at=time_of(replay.last[player].order),
        )
        rating = known.get(player)
        if rating is None or any(getattr(rating, field) != getattr(right, field) for field in DERIVED):
            differing.append(right)
    return differing, [rating.pk for player, rating in known.items() if player not in replay.standings]


def _store(ratings: Iterable[Rating]) -> None:
    """Write ``ratings`` over those that are there."""
    Rating.objects.bulk_create(
        ratings, BATCH, update_conflicts=True, unique_fields=["pool", "player"], update_fields=DERIVED
    )


def _tell(pool: RatingPool) -> None:
    """Count the change and announce it after the commit."""
    RatingPool.objects.filter(pk=pool.pk).update(version=F("version") + 1)
    announce(f"pool.{pool.slug}")
