"""The records of a finished game in words, for who wants to point at one."""

from __future__ import annotations

from games.disclosure import Closed, shown
from games.engine.frame import EngineError
from games.engine.replay import Refereed
from games.models import Game
from games.services import rows
from players.errors import Conflict
from players.models import Player


def worded_records(game: Game, viewer: Player | None) -> list[tuple[int, str]]:
    """Return number and sentence of every record of ``game`` as ``viewer`` (None: anybody) may know it.

    Raises Conflict unless it is over for whoever asks. While other tables play with the same cards (code ``sealed``)
    only who sat there is told, and what that seat was told in the game.

    From the first record on that does not replay (rows changed by hand), the actions stand as they are stored, and the
    sentence says so: whoever disputes must be able to point at them.
    """
    if not shown(game, viewer).is_over:
        raise Conflict("This game is not over yet.", code="not-over")
    if game.started_at is None:
        return []
    seats = rows.seats_of(game)
    own = next((seat.number for seat in seats if viewer is not None and seat.player_id == viewer.pk), None)
    if game.is_sealed and own is None:
        raise Conflict(Closed.SEALED.sentence, code=Closed.SEALED.value)
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
            text = " ".join(
                refereed.game.wording(event.seen_by(own) if game.is_sealed else event.whole(), names)
                for event in events
            )
        else:
            known = record.seat is not None and 0 <= record.seat < len(names)
            who = names[record.seat] if known and record.seat is not None else "The table"
            text = f"{who}: {record.action.get('type', 'action')}, as stored; it does not replay."
        worded.append((record.n, text))
    return worded
