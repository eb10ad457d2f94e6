"""Lists as CSV for spreadsheets: UTF-8, quoted where needed, and no cell that a spreadsheet would run."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from io import StringIO

from ratings.causes import time_of
from ratings.leaderboards import Choice
from ratings.models import LedgerEntry

LEADERBOARD_HEAD = ("rank", "player", "name", "bot", "rating", "provisional", "games", "wins", "change", "last_game_at")
HISTORY_HEAD = ("at", "game", "before", "after", "change", "score", "expected", "k", "policy")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The last four are the wide forms of the first, which spreadsheets in some languages take for them."""


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


def leaderboard_cells(choice: Choice) -> Iterator[Sequence[object]]:
    """Yield the cells of :data:`LEADERBOARD_HEAD` for everybody chosen. Made for long lists: no model instances."""
    fields = ("value", "games", "wins", "last_change", "last_game_at", "player__slug", "player__name", "player__bot")
    rows = list(choice.shown.values_list(*fields))
    ranks = choice.listed.ranks({row[0] for row in rows})
    is_provisional = choice.pool.system.is_provisional
    for value, games, wins, change, at, slug, name, bot in rows:
        yield (
            ranks[value],
            slug,
            name,
            "yes" if bot else "no",
            value / 10,
            "yes" if is_provisional(games) else "no",
            games,
            wins,
            change / 10,
            iso(at),
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
