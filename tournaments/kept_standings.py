"""Standings of drawn stages, kept in the cache between two changes: those of a large field take a while to work out."""

from __future__ import annotations

from datetime import datetime

import msgspec
from django.core.cache import cache
from django.utils import timezone

from games.announcing import announce
from tournaments.crosstables import column_text
from tournaments.fields import IN_STAGE
from tournaments.models import Bye, Stage, Tournament
from tournaments.ranking import decided_matches, points_standings, seeds_of
from tournaments.standings.ranking import Standings

KEEP_SECONDS = 7 * 24 * 3600
LONGEST_SECONDS = 60
"""After so long others try, if whoever was to work out new standings has not finished."""


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One line as people read it; see :class:`tournaments.standings.ranking.Row`."""

    entrant: int
    place: int
    values: tuple[str, ...]
    decided_by: str | None = None


class Order(msgspec.Struct, frozen=True, array_like=True):
    """The columns (code and name) of standings, and the rows, best first."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]


class Kept(msgspec.Struct, frozen=True, array_like=True):
    """The standings as they were at ``version`` of the tournament, worked out ``at`` that time."""

    version: int
    at: datetime
    order: Order


def order_of(standings: Standings) -> Order:
    """Return standings as people read them."""
    return Order(
        tuple((column.code, column.name) for column in standings.columns),
        tuple(
            Row(row.entrant, row.place, tuple(column_text(value) for value in row.values), row.decided_by)
            for row in standings.rows
        ),
    )


def kept_standings(tournament: Tournament, stage: Stage) -> Kept:
    """Return the standings of a drawn ``stage``, the newest if nobody is just working them out.

    Then, and only if there are earlier ones, those are returned: their ``version`` is below that of ``tournament``,
    and whoever watches the tournament is told when the newer ones are there.
    """
    # Versions and ids begin anew where a database does; the time at which a tournament was made tells them apart.
    key = f"standings:{stage.pk}:{tournament.created_at.timestamp()}"
    stored: bytes | None = cache.get(key)
    earlier = None if stored is None else msgspec.msgpack.decode(stored, type=Kept)
    if earlier is not None and earlier.version >= tournament.version:
        return earlier
    busy, awaited = f"{key}:busy", f"{key}:awaited"
    if not cache.add(busy, True, LONGEST_SECONDS) and earlier is not None:
        cache.set(awaited, True, LONGEST_SECONDS)
        return earlier
    try:
        newest = Kept(tournament.version, timezone.now(), order_of(_standings(stage)))
        cache.set(key, msgspec.msgpack.encode(newest), KEEP_SECONDS)
    finally:
        cache.delete(busy)
    if cache.delete(awaited):
        announce(f"tournament.{tournament.pk}")
    return newest


def _standings(stage: Stage) -> Standings:
    members = list(stage.stage_entrants.filter(status__in=IN_STAGE).select_related("entrant").order_by("seed"))
    byes = list(Bye.objects.filter(round__stage=stage).select_related("round"))
    entrants = [member.entrant for member in members]
    return points_standings(stage, entrants, decided_matches(stage), byes, seeds_of(members))
