"""What stops clocks and lets them go on: pauses, outages, seats that are gone. Every step is a stored clock event."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.utils import timezone

from games.models import Beat, ClockEvent, ClockKind, Game, GameStatus
from games.services import rows
from players.errors import Conflict, Invalid
from players.models import User

log = structlog.get_logger(__name__)

COUNTDOWN = timedelta(seconds=10)
"""From the word that a game goes on to the moment when it does."""
LONGEST_COUNTDOWN = timedelta(minutes=10)
LONGEST_ADJOURNMENT = timedelta(days=60)
OUTAGE = timedelta(seconds=3)
"""A shorter silence of the server costs thinking time; a longer one does not."""
GRACE = timedelta(seconds=5)
"""How long every clock stands after an outage, so that people find back."""
OPEN = (GameStatus.SEATING, GameStatus.RUNNING)


@transaction.atomic
def game_pause(*, game: Game, by: User | None, who: str, reason: str = "", until: datetime | None = None) -> Game:
    """Stop every clock of ``game`` and refuse actions, until it is resumed or, adjourned, until ``until``.

    ``who`` and ``reason`` are shown to everybody; ``by`` (None: the house) is for the audit. A game that has not been
    dealt can be paused too: it is dealt as ever, and stands. Raises Conflict (over, or paused already) or Invalid
    (``until`` past or further than 60 days ahead, a text too long).
    """
    row = rows.locked(game)
    _require_open(row)
    now = timezone.now()
    if is_paused(row, now):
        raise Conflict("This game is paused already.", code="paused-already")
    if until is not None and not now < until <= now + LONGEST_ADJOURNMENT:
        raise Invalid("A game can be adjourned to a time within the next 60 days.", code="bad-time")
    _stop(row, ClockKind.PAUSE, now, until, by=by, who=who, reason=reason)
    return row


@transaction.atomic
def game_resume(*, game: Game, by: User | None, who: str, countdown: timedelta = COUNTDOWN) -> Game:
    """Let ``game`` go on after ``countdown``; till then clocks stand and actions are refused.

    Raises Conflict (over, or not paused) or Invalid (a countdown below nothing or over ten minutes).
    """
    row = rows.locked(game)
    _require_open(row)
    now = timezone.now()
    if not is_paused(row, now):
        raise Conflict("This game is not paused.", code="not-paused")
    if not timedelta() <= countdown <= LONGEST_COUNTDOWN:
        raise Invalid("The countdown can be at most ten minutes.", code="bad-time")
    last = _last_stop(row)
    if last is not None and last.kind == ClockKind.RESUME:
        raise Conflict("This game is about to go on.", code="not-paused")
    _stop(row, ClockKind.RESUME, now, now + countdown, by=by, who=who)
    return row


@transaction.atomic
def seat_away(*, game: Game, seat: int, since: datetime) -> Game:
    """Note that ``seat`` has had no socket since ``since``; if that is known, nothing changes."""
    return _seat_event(game, ClockKind.AWAY, seat, since)


@transaction.atomic
def seat_back(*, game: Game, seat: int) -> Game:
    """Note that ``seat`` has a socket again, so that the house plays for it no more; if known, nothing changes."""
    return _seat_event(game, ClockKind.BACK, seat, timezone.now())


def outage_over(*, since: datetime) -> int:
    """Take out of every running game the time from ``since`` on, in which the server could store nothing.

    Clocks go on a moment from now. Safe to repeat after a failure in between. Returns the number of games.
    """
    games = Game.objects.running().exclude(deadline=None).only("pk").order_by("pk")
    count = 0
    for game in games:
        with transaction.atomic():
            row = rows.locked(game)
            if row.status == GameStatus.RUNNING:
                _stop(row, ClockKind.OUTAGE, since, timezone.now() + GRACE)
                count += 1
    log.warning("outage-over", since=since.isoformat(), games=count)
    return count


def beat() -> None:
    """Say that the server is there and stores moves. After a silence first make good what it cost."""
    last = Beat.objects.first()
    if last is not None and timezone.now() - last.at > OUTAGE:
        outage_over(since=last.at)
    Beat.objects.update_or_create(pk=1, defaults={"at": timezone.now()})


def require_beat() -> None:
    """Raise Conflict while the server is away, or back so shortly that nobody's clock has been set right yet.

    Where no server has ever been there is nothing to make good.
    """
    last = Beat.objects.first()
    if last is not None and timezone.now() - last.at > OUTAGE:
        raise Conflict("The server has been away; nobody loses on time meanwhile.", code="outage")


def is_paused(row: Game, now: datetime) -> bool:
    """Return whether ``row``, in play or not dealt yet, is paused or in the countdown after a pause."""
    last = _last_stop(row)
    return last is not None and (last.until is None or last.until > now)


def stop_of(row: Game) -> ClockEvent | None:
    """Return the pause that stops ``row`` now, or the resumption whose countdown runs; None while it goes on."""
    last = _last_stop(row)
    return last if last is not None and (last.until is None or last.until > timezone.now()) else None


def _last_stop(row: Game) -> ClockEvent | None:
    stops = row.clock_events.filter(kind__in=[ClockKind.PAUSE, ClockKind.RESUME])
    return stops.order_by("-number").first()


def _require_open(row: Game) -> None:
    if row.status not in OPEN:
        raise Conflict("This game is over.", code="game-over")


def _stop(
    row: Game,
    kind: ClockKind,
    at: datetime,
    until: datetime | None,
    *,
    by: User | None = None,
    who: str = "",
    reason: str = "",
) -> None:
    reason = " ".join(reason.split())
    if len(reason) > 200:
        raise Invalid("The reason can have at most 200 characters.", code="too-long")
    course = rows.course_of(row) if row.status == GameStatus.RUNNING else None
    rows.append_event(row, course, kind, at=at, until=until, by=by, who=who[:80], reason=reason)
    log.info(
        "clocks-stopped",
        kind=kind.value,
        game=str(row.pk),
        by=by.pk if by is not None else None,
        until=until,
        reason=reason,
    )


def _seat_event(game: Game, kind: ClockKind, seat: int, at: datetime) -> Game:
    row = rows.locked(game)
    if row.status != GameStatus.RUNNING:
        return row
    course = rows.course_of(row)
    if (kind == ClockKind.AWAY) != (seat in course.clock.away):
        rows.append_event(row, course, kind, at=at, seat=seat)
    return row
