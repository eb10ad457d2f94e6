"""The records of a finished game in words, for who wants to point at one."""

from __future__ import annotations

from games.engine.frame import EngineError
from games.engine.replay import Refereed
from games.models import Game
from games.services import rows
from players.errors import Conflict


def worded_records(game: Game) -> list[tuple[int, str]]:
    """Return number and sentence of every record of ``game``. Raises Conflict unless it is over.

    From the first record on that does not replay (rows changed by hand), the actions stand as they are stored, and the
    sentence says so: whoever disputes must be able to point at them.
    """
    if not game.is_over:
        raise Conflict("This game is not over yet.", code="not-over")
    if game.started_at is None:
        return []
    seats = rows.seats_of(game)
    names = [seat.player.name if seat.player else f"seat {seat.number + 1}" for seat in seats]
    refereed = Refereed(rows.header(game, seats), bytes(game.server_seed))
    worded = []
    replays = True
    for record in rows.stored_records(game):
        if replays:
            try:
                events = refereed.follow(record)
            except (EngineError, ValueError):
                replays = False
        if replays:
            text = " ".join(refereed.game.wording(event.whole(), names) for event in events)
        else:
            known = record.seat is not None and 0 <= record.seat < len(names)
            who = names[record.seat] if known and record.seat is not None else "The table"
            text = f"{who}: {record.action.get('type', 'action')}, as stored; it does not replay."
        worded.append((record.n, text))
    return worded
