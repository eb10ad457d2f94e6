"""A game's transcript, and its verification from the stored rows."""

from __future__ import annotations

import dataclasses
from typing import Any

from games.disclosure import Closed, closed_to, ended_for_all, has_seat, secrets_are_public, shown_record_count
from games.engine import transcript as engine_transcript
from games.engine.frame import EngineError, Outcome
from games.engine.verify import Report, verify
from games.models import Game, GameStatus
from games.services import rows
from players.errors import Conflict
from players.models import Player


def transcript(game: Game, viewer: Player | None) -> dict[str, Any]:
    """Return the transcript document of ``game`` as ``viewer`` (None: anybody) may have it.

    The server seed is revealed once the game is over, and never before; to who did not sit there, with everything else,
    as much later as the event says (:mod:`games.disclosure`). A game that was declared void after its end has the
    outcome that its records say. Raises Conflict for a game that has not been dealt, and with the code of
    ``Closed`` for one that is closed to ``viewer``: with shared cards to everybody until all tables have finished.
    """
    if game.started_at is None:
        raise Conflict("This game has not been dealt yet.", code="not-dealt")
    closed = Closed.SEALED if game.is_sealed else closed_to(game, viewer)
    if closed is not None:
        raise Conflict(closed.sentence, code=closed.value)
    everything = has_seat(game, viewer) or ended_for_all(game)
    document = _document(game, seed=secrets_are_public(game, viewer))
    if everything:
        return document.to_json()
    shown = document.records[: shown_record_count(game)]
    return dataclasses.replace(document, records=shown, outcome=Outcome("running")).to_json()


def game_verify(game: Game) -> Report:
    """Replay the stored rows of ``game`` and return what verification finds. Raises Conflict if it was not dealt.

    The judge sees everything, and its report may name cards: who shows it asks ``secrets_are_public`` first.
    """
    if game.started_at is None:
        raise Conflict("This game has not been dealt yet.", code="not-dealt")
    return verify(_document(game, seed=game.is_over).to_json())


def _document(game: Game, *, seed: bool) -> engine_transcript.Transcript:
    seats = rows.seats_of(game)
    return engine_transcript.Transcript(
        header=rows.header(game, seats),
        names=tuple(seat.player.name if seat.player else "" for seat in seats),
        server_seed=bytes(game.server_seed).hex() if seed else None,
        records=tuple(rows.stored_records(game)),
        outcome=_outcome(game),
    )


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
