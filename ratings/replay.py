"""Works out what the ledger must say, without writing: from one changed cause onwards, or from the very first.

The ratings of a pool are the fold of its causes in the order of their keys. When a cause arrives late or becomes
void, only players whose numbers then differ, and whoever met them afterwards, are worked out anew; an entry is made
only where a number changed.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import batched, groupby
from math import isclose
from typing import NamedTuple
from uuid import UUID

from ratings.causes import Cause, Key, games_that_count, key_of, read_causes
from ratings.models import LedgerEntry, RatingPool
from ratings.systems.elo import Change, Contestant

CHUNK = 500


class Standing(NamedTuple):
    """Where a player stands between two causes: rating in tenths of a point, and rated games so far."""

    value: int
    games: int


class Last(NamedTuple):
    """The last cause that was rated for a player: its order key, and the change in tenths of a point."""

    order: str
    change: int


class Replay:
    """One run over the causes of ``pool``; the caller holds the pool's lock.

    ``standings`` are afterwards the players whose current standing the run changed (:meth:`since`) or everybody's
    (:meth:`whole`); ``wins`` are the wins that the run added or, below zero, took away, by player, and
    ``last`` is the last cause that it rated for a player. The causes ``voided`` are treated as void
    whatever their games say.
    """

    def __init__(self, pool: RatingPool, *, voided: Collection[UUID] = ()) -> None:
        self.pool = pool
        self.policy = pool.system
        self.voided = voided
        self.standings: dict[int, Standing] = {}
        self.wins: Counter[int] = Counter()
        self.last: dict[int, Last] = {}
        self._whole = False

    def since(self, key: Key) -> Iterator[LedgerEntry]:
        """Yield the unsaved entries that the cause ``key``, as it now is, and what came after it need."""
        yield from self._work([key], affected_only=False)
        while keys := self._later(key):
            yield from self._work(keys, affected_only=True)
            key = keys[-1]

    def whole(self) -> Iterator[LedgerEntry]:
        """Yield the unsaved entries that are missing or differ, over all games that count."""
        self._whole = True
        fields = games_that_count(self.pool).only("pk", "finished_at").order_by("finished_at", "pk")
        played = (key_of(game) for game in fields.iterator(CHUNK))
        entries = LedgerEntry.objects.filter(pool=self.pool).order_by("order_key", "cause")
        known = (Key(*row) for row in entries.values_list("order_key", "cause").distinct().iterator(CHUNK))
        keys = (key for key, _ in groupby(heapq.merge(played, known)))
        for chunk in batched(keys, CHUNK):
            yield from self._work(chunk, affected_only=False)

    def _later(self, key: Key) -> list[Key]:
        """Return the next causes after ``key``; none if no player with changed numbers comes again."""
        later = LedgerEntry.objects.filter(pool=self.pool, order_key__gt=key.order)
        if not later.filter(player__in=self.standings).exists():
            return []
        rows = later.order_by("order_key", "cause").values_list("order_key", "cause").distinct()
        return [Key(*row) for row in rows[:CHUNK]]

    def _work(self, keys: Iterable[Key], *, affected_only: bool) -> Iterator[LedgerEntry]:
        keys = list(keys)
        latest: dict[UUID, dict[int, LedgerEntry]] = defaultdict(dict)
        entries = LedgerEntry.objects.filter(pool=self.pool, cause__in=[key.cause for key in keys])
        for entry in entries.order_by("revision"):
            latest[entry.cause][entry.player_id] = entry
        if affected_only:
            keys = self._affected(keys, latest)
        causes = read_causes(self.pool, [key.cause for key in keys if key.cause not in self.voided])
        for key in keys:
            cause = causes.get(key.cause)
            if cause is None:
                yield from self._void(latest[key.cause])
            else:
                yield from self._rate(cause, latest[key.cause])

    def _affected(self, keys: Iterable[Key], latest: Mapping[UUID, Mapping[int, LedgerEntry]]) -> list[Key]:
        """Return those ``keys`` whose players' numbers may have changed; a few too many do no harm."""
        touched = set(self.standings)
        affected = []
        for key in keys:
            players = {player for player, entry in latest[key.cause].items() if not entry.voided}
            if players & touched:
                touched |= players
                affected.append(key)
        return affected

    def _void(self, latest: Mapping[int, LedgerEntry]) -> Iterator[LedgerEntry]:
        """Yield a void revision for each player of a cause that does not count any more."""
        standing = {player: entry for player, entry in latest.items() if not entry.voided}
        for player, entry in standing.items():
            if self._whole:
                before = self.standings.get(player, Standing(self.policy.start, 0))
            else:
                before = self.standings.get(player, Standing(entry.before, entry.games_before))
                self.standings[player] = before
                self.wins[player] -= entry.score == len(standing) - 1
            nothing = Change(before.value, before.value, before.games, 0.0, 0.0, 0.0)
            yield self._entry(Key(entry.order_key, entry.cause), player, nothing, entry, voided=True)

    def _rate(self, cause: Cause, latest: Mapping[int, LedgerEntry]) -> Iterator[LedgerEntry]:
        """Yield an entry for each player to whom the cause now does something else than the ledger says."""
        standing = {player: entry for player, entry in latest.items() if not entry.voided}
        before = self._before(cause, standing)
        contestants = [Contestant(*before[player], player) for player in cause.players]
        changes = self.policy.rate(contestants, cause.pairs)
        for player, change in zip(cause.players, changes, strict=True):
            self.last[player] = Last(cause.key.order, change.after - change.before)
            known = standing.get(player)
            same = known is not None and _same(known, change)
            if same and not self._whole:
                self.standings.pop(player, None)
            else:
                self.standings[player] = Standing(change.after, change.games_before + 1)
            if known is None or self._whole:
                self.wins[player] += change.score == len(cause.players) - 1
            if not same:
                yield self._entry(cause.key, player, change, latest.get(player), voided=False)

    def _before(self, cause: Cause, standing: Mapping[int, LedgerEntry]) -> dict[int, Standing]:
        """Return where each player of ``cause`` stood before it."""
        before: dict[int, Standing] = {}
        unknown = []
        for player in cause.players:
            if self._whole or player in self.standings:
                before[player] = self.standings.get(player, Standing(self.policy.start, 0))
            elif player in standing:
                before[player] = Standing(standing[player].before, standing[player].games_before)
            else:
                unknown.append(player)
        if unknown:
            entries = LedgerEntry.objects.last_of(self.pool, unknown, before=cause.key.order)
            found = {entry.player_id: Standing(entry.after, entry.games_before + 1) for entry in entries}
            before |= {player: found.get(player, Standing(self.policy.start, 0)) for player in unknown}
        return before

    def _entry(
        self, key: Key, player: int, change: Change, previous: LedgerEntry | None, *, voided: bool
    ) -> LedgerEntry:
        return LedgerEntry(
            pool=self.pool,
            cause=key.cause,
            order_key=key.order,
            player_id=player,
            revision=0 if previous is None else previous.revision + 1,
            voided=voided,
            policy=self.policy.name,
            **change._asdict(),
        )


def _same(entry: LedgerEntry, change: Change) -> bool:
    """Say whether ``entry`` already says what ``change`` says; the last bits of floats may differ by machine."""
    whole = (entry.before, entry.after, entry.games_before) == (change.before, change.after, change.games_before)
    floats = zip((entry.score, entry.expected, entry.k), (change.score, change.expected, change.k), strict=True)
    return whole and all(isclose(known, now, rel_tol=1e-9, abs_tol=1e-9) for known, now in floats)
