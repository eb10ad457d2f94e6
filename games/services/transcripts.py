"""A game's transcript, and its verification from the stored rows."""

from __future__ import annotations

from typing import Any

from games.engine import transcript as engine_transcript
from games.engine.frame import EngineError, Outcome
from games.engine.verify import Report, verify
from games.models import Game, GameStatus
from games.services import rows
from players.errors import Conflict


def transcript(game: Game) -> dict[str, Any]:
    """Return the transcript document of ``game``. Raises Conflict for a game that has not been dealt.

    The server seed is revealed once the game is over, and never before. A game that was declared void after its end
    has the outcome that its records say.
    """
    if game.started_at is None:
        raise Conflict("This game has not been dealt yet.", code="not-dealt")
    seats = rows.seats_of(game)
    return engine_transcript.Transcript(
        header=rows.header(game, seats),
        names=tuple(seat.player.name if seat.player else "" for seat in seats),
        server_seed=bytes(game.server_seed).hex() if game.is_over else None,
        records=tuple(rows.stored_records(game)),
        outcome=_outcome(game),
    ).to_json()


def game_verify(game: Game) -> Report:
    """Replay the stored rows of ``game`` and return what verification finds. Raises Conflict if it was not dealt."""
    return verify(transcript(game))


def _outcome(game: Game) -> Outcome:
    """Return the outcome that the game's row claims, which verification compares with the records."""
    if game.status == GameStatus.RUNNING:
        return Outcome("running")
    places = None if game.places is None else tuple(game.places)
    points = None if game.points is None else tuple(game.points)
    if game.status != GameStatus.VOID:
        return Outcome("drawn" if game.status == GameStatus.DRAWN else "finished", places, points)
    try:
        status = rows.course_of(game).outcome.status
    except (EngineError, ValueError):
        # The records do not replay. Verification says so, before it comes to compare outcomes.
        status = "void"
    return Outcome(status, places, points)
