"""Between a game's rows and the engine: locking, loading, and adding the table's own records."""

from __future__ import annotations

import dataclasses
import functools
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.announcing import announce
from games.clock import ThinkingTime
from games.course import Course, StoredEvent, Terms, header_of
from games.engine import transcript as engine_transcript
from games.engine.frame import EngineError, Outcome
from games.models import ClockEvent, ClockKind, Game, GameStatus, Record, Seat
from games.signals import game_finished
from players.errors import Conflict, Invalid, NotFound
from players.models import User


def locked(game: Game) -> Game:
    """Return ``game`` as it is now, locked until the transaction ends. Raises NotFound.

    The lock leaves the key alone, so that whoever only refers to the game does not wait.
    """
    row = Game.objects.select_for_update(no_key=True).filter(pk=game.pk).first()
    if row is None:
        raise NotFound("There is no such game.", code="no-such-game")
    return row


def require_status(row: Game, status: GameStatus, sentence: str, code: str) -> None:
    """Raise Conflict with ``sentence`` unless the game is in ``status``."""
    if row.status != status:
        raise Conflict(sentence, code=code)


def seats_of(row: Game) -> list[Seat]:
    """Return the seats in order, with their players."""
    return list(row.seat_set.select_related("player").order_by("number"))


def header(row: Game, seats: Sequence[Seat]) -> engine_transcript.Header:
    """Return the transcript's header."""
    return header_of(
        game=row.game,
        rules=row.rules,
        game_id=row.pk,
        seats=row.seats,
        commitment=row.commitment,
        client_seeds=[seat.client_seed for seat in seats],
        deal_group=row.deal_group_id,
    )


def stored_records(row: Game) -> Iterable[engine_transcript.Record]:
    """Return the records as stored, in order."""
    for record in Record.objects.filter(game=row).order_by("number"):
        yield engine_transcript.Record(record.number, record.at, record.seat, record.action, bytes(record.hash).hex())


def stored_events(row: Game) -> Iterable[StoredEvent]:
    """Return the clock events as stored, in order."""
    fields = [field.name for field in dataclasses.fields(StoredEvent)]
    for values in ClockEvent.objects.filter(game=row).order_by("number").values(*fields):
        yield StoredEvent(**values)


def course_of(row: Game, seats: Sequence[Seat] | None = None) -> Course:
    """Return the course of a dealt game. Raises EngineError or ValueError where the records are not this game's."""
    seats = seats_of(row) if seats is None else seats
    assert row.started_at is not None, "the game has not been dealt"
    thinking = ThinkingTime.stored(
        time_control=row.time_control,
        bank_ms=row.bank_ms,
        increment_ms=row.increment_ms,
        disconnect_ms=row.disconnect_ms,
        absence=row.absence,
        absence_ms=row.absence_ms,
        untimed=[seat.number for seat in seats if seat.player is not None and seat.player.is_house_bot],
    )
    course = Course(header(row, seats), bytes(row.server_seed), Terms(row.started_at, thinking))
    course.follow_all(stored_records(row), stored_events(row))
    course.keep_deadline(row.deadline)
    return course


def append_own(row: Game, course: Course, action: Mapping[str, Any]) -> None:
    """Record an action of the table itself in the locked game ``row``, with all that follows from it.

    Raises Invalid or Conflict with the engine's code and words.
    """
    try:
        proposal = course.propose(timezone.now(), None, action)
    except EngineError as error:
        raise engine_refusal(error) from None
    record = proposal.record
    deadline = course.deadline_after(proposal)
    course.push(proposal)
    Record.objects.create(
        game=row, number=record.n, at=record.at, seat=None, action=dict(record.action), hash=bytes.fromhex(record.hash)
    )
    row.record_count = record.n
    row.deadline = deadline
    if course.outcome.is_over:
        end(row, course.outcome)
    row.save(update_fields=["record_count", "deadline", "status", "places", "points", "finished_at"])
    announce(f"game.{row.pk}", *(["lobby"] if course.outcome.is_over else []))


def append_event(
    row: Game,
    course: Course | None,
    kind: ClockKind,
    *,
    at: datetime,
    seat: int | None = None,
    until: datetime | None = None,
    reason: str = "",
    who: str = "",
    by: User | None = None,
) -> None:
    """Store a clock event of the locked game ``row``, whose ``course`` (None before the deal) moves on by it."""
    number = row.clock_count + 1
    event = ClockEvent.objects.create(
        game=row,
        number=number,
        after_record=row.record_count,
        at=at,
        kind=kind,
        seat=seat,
        until=until,
        reason=reason,
        who=who,
        by=by,
    )
    row.clock_count = number
    if course is not None:
        stored = StoredEvent(number, event.after_record, at, kind.value, seat, until, reason, who)
        course.note(stored)
        row.deadline = course.deadline()
    row.save(update_fields=["clock_count", "deadline"])
    announce(f"game.{row.pk}")


def end(row: Game, outcome: Outcome) -> None:
    """Set on ``row`` (not saved) what its last record says, and send ``game_finished`` after the commit."""
    row.status = GameStatus(outcome.status)
    row.places = None if outcome.places is None else list(outcome.places)
    row.points = None if outcome.points is None else list(outcome.points)
    row.deadline = None
    row.finished_at = timezone.now()
    tell_finished(row.pk)


def tell_finished(game_id: uuid.UUID) -> None:
    """Send ``game_finished`` after the commit."""
    transaction.on_commit(functools.partial(send_finished, game_id), robust=True)


def send_finished(game_id: uuid.UUID) -> None:
    """Send ``game_finished`` now. What a receiver raises is logged by Django; the receivers' sweeps make up for it."""
    game_finished.send_robust(sender=Game, game_id=game_id)


def engine_refusal(error: EngineError) -> Conflict | Invalid:
    """Return the engine's refusal in the shape of the services."""
    kind = Conflict if error.code in {"game-over", "not-your-turn"} else Invalid
    return kind(str(error), code=error.code)
