"""How a game ends otherwise than by play: seats forfeited, time run out, the whole game void."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction
from django.utils import timezone

from games.announcing import announce
from games.course import Course
from games.models import OVER, ClockKind, Game, GameStatus
from games.services import rows
from games.services.clocks import require_beat
from players.models import User

log = structlog.get_logger(__name__)


@transaction.atomic
def game_forfeit(*, game: Game, seat: int, reason: str) -> Game:
    """Put ``seat`` out of a running game; ``reason`` is "time", "left" or "arbiter". Returns the game as it is then.

    Raises Conflict (not running) or Invalid (no such seat, out already, unknown reason).
    """
    row = rows.locked(game)
    rows.require_status(row, GameStatus.RUNNING, "This game is not running.", "not-running")
    rows.append_own(row, rows.course_of(row), {"type": "forfeit", "seat": seat, "reason": reason})
    log.info("seat-forfeited", game=str(row.pk), seat=seat, reason=reason)
    return row


@transaction.atomic
def game_do_due(*, game: Game) -> Game:
    """Do what time alone has made due by now, and return the game.

    Whose time is up or who is gone is put out, or the house plays for them; a round without turns begins or ends.
    Safe to call at any time and by several at once: everything is recorded once. Raises Conflict with the code outage
    while the server has been away and no clock has been set right yet.
    """
    row = rows.locked(game)
    if row.status != GameStatus.RUNNING:
        return row
    require_beat()
    course = rows.course_of(row)
    while True:
        now = timezone.now()
        if (action := course.due(now)) is not None:
            rows.append_own(row, course, action)
            if action["type"] == "forfeit":
                log.info("seat-forfeited", game=str(row.pk), seat=action["seat"], reason=action["reason"])
        elif (seat := course.house_due(now)) is not None:
            _house_play(row, course, seat, now)
        else:
            break
    if row.status == GameStatus.RUNNING and row.deadline != course.deadline():
        row.deadline = course.deadline()
        row.save(update_fields=["deadline"])
    return row


def _house_play(row: Game, course: Course, seat: int, now: datetime) -> None:
    """Let the house play for a seat that is gone; by its terms the game is not rated then."""
    rows.append_event(row, course, ClockKind.HOUSE, at=now, seat=seat)
    row.seat_set.filter(number=seat).update(house_played=True)
    if row.rated and not row.house_rated:
        row.rated = False
        row.save(update_fields=["rated"])
    log.info("house-plays", game=str(row.pk), seat=seat)


@transaction.atomic
def game_all_here(*, game: Game) -> Game:
    """Begin the countdown of a game without turns that waited at its opening: everybody is there now.

    Safe to repeat. A game with turns waits for nobody, and nothing changes.
    """
    row = rows.locked(game)
    if row.status != GameStatus.RUNNING:
        return row
    deadline = rows.course_of(row).all_here(timezone.now())
    if deadline is not None:
        row.deadline = deadline
        row.save(update_fields=["deadline"])
        announce(f"game.{row.pk}")
    return row


@transaction.atomic
def game_void(*, game: Game, reason: str, by: User | None = None) -> Game:
    """Let ``game`` count as never played. Returns it; of a void or cancelled game nothing changes.

    A running game gets the table's own ``void`` record. The records of an ended game are final: its status becomes
    void, while its transcript stays as it was and goes on to say what the records say; ratings and tournaments go by
    the status. A game that has not been dealt is cancelled.
    """
    row = rows.locked(game)
    if row.status in {GameStatus.VOID, GameStatus.CANCELLED}:
        return row
    if row.status == GameStatus.SEATING:
        row.status = GameStatus.CANCELLED
        row.save(update_fields=["status"])
        announce(f"game.{row.pk}", "lobby")
    elif row.status == GameStatus.RUNNING:
        rows.append_own(row, rows.course_of(row), {"type": "void", "reason": reason})
    else:
        row.status = GameStatus.VOID
        row.save(update_fields=["status"])
        announce(f"game.{row.pk}", "lobby")
        rows.tell_finished(row.pk)
    log.info("game-void", game=str(row.pk), reason=reason, by=by.pk if by is not None else None)
    return row


@transaction.atomic
def game_close(*, game: Game) -> Game:
    """Bring a running game's row up to its records, and end it if they do. Returns the game.

    Row and record are written together, so that this finds something to do only after a repair by hand.
    """
    row = rows.locked(game)
    if row.status in OVER or row.status == GameStatus.SEATING:
        return row
    course = rows.course_of(row)
    if row.record_count == course.number and row.deadline == course.deadline() and not course.outcome.is_over:
        return row
    row.record_count = course.number
    row.deadline = course.deadline()
    if course.outcome.is_over:
        rows.end(row, course.outcome)
    row.save(update_fields=["record_count", "deadline", "status", "places", "points", "finished_at"])
    announce(f"game.{row.pk}", "lobby")
    return row
