"""Lists as CSV for spreadsheets: UTF-8, quoted where needed, and no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from io import StringIO

from ratings.causes import time_of
from ratings.leaderboards import Row
from ratings.models import LedgerEntry

LEADERBOARD_HEAD = ("rank", "player", "name", "bot", "rating", "provisional", "games", "wins", "change", "last_game_at")
HISTORY_HEAD = ("at", "game", "before", "after", "change", "score", "expected", "k", "policy")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def defused(cell: object) -> object:
    """Return ``cell`` with a leading apostrophe if it is a text that a spreadsheet would take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return the table as CSV (RFC 4180) with a header line."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows([defused(cell) for cell in row] for row in rows)
    return out.getvalue()


def leaderboard_cells(rows: Iterable[Row]) -> Iterator[Sequence[object]]:
    """Yield the cells of :data:`LEADERBOARD_HEAD` for each row. Without the serializer, for lists can be long."""
    for row in rows:
        rating, player = row.rating, row.rating.player
        yield (
            row.rank,
            player.slug,
            player.name,
            "yes" if player.is_bot else "no",
            rating.value / 10,
            "yes" if rating.is_provisional else "no",
            rating.games,
            rating.wins,
            rating.last_change / 10,
            iso(rating.last_game_at),
        )


def history_cells(entries: Iterable[LedgerEntry]) -> Iterator[Sequence[object]]:
    """Yield the cells of :data:`HISTORY_HEAD` for each entry."""
    for entry in entries:
        yield (
            iso(time_of(entry.order_key)),
            entry.cause,
            entry.before / 10,
            entry.after / 10,
            (entry.after - entry.before) / 10,
            entry.score,
            round(entry.expected, 4),
            round(entry.k, 4),
            entry.policy,
        )


def iso(at: datetime | None) -> str:
    """Write a time as the JSON answers do, in UTC; None becomes nothing."""
    return "" if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")
