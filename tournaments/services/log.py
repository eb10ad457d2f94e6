"""The log of a tournament: one append-only line for everything that was done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from players.models import Player
from tournaments.models import LogLine, Tournament


def log_write(
    *,
    tournament: Tournament,
    action: str,
    text: str,
    actor: Player | None = None,
    data: Mapping[str, Any] | None = None,
    public: bool = True,
) -> LogLine:
    """Append a line: ``action`` is a dotted type (``entrant.withdrawn``), ``text`` one sentence for people."""
    return LogLine.objects.create(
        tournament=tournament, action=action, text=text, actor=actor, data=dict(data or {}), public=public
    )
