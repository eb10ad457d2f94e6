"""What one socket sees of a game: the one exit for a position is the engine's view of the socket's own seat.

What is shown is how the game stands after one record: for seats the last one, for spectators maybe an earlier one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from games.course import Course
from games.disclosure import Closed
from games.engine.frame import Event, Game
from games.live import messages
from games.live.times import NO_PACE, clock_before, clock_of
from games.models import GameStatus

if TYPE_CHECKING:
    from games.live.table import Table


@dataclass(frozen=True, slots=True)
class Stand:
    """How a game stands after record ``number``. ``events`` may hold more records than that."""

    number: int
    last_hash: bytes
    game: Game[Any]
    position: Any
    events: Sequence[Sequence[Event]]
    waiting: Sequence[int]
    clock: dict[str, Any]
    status: str


def stand_of(table: Table, course: Course, now: datetime | None = None) -> Stand:
    """Return how the game stands after its last record, its clock as of ``now`` (None: this moment)."""
    refereed = course.refereed
    return Stand(
        number=course.number,
        last_hash=refereed.last_hash,
        game=refereed.game,
        position=refereed.position,
        events=course.events,
        waiting=course.waiting,
        clock=clock(table, course, now or table.hub.now()),
        status=table.head.status,
    )


def clock(table: Table, course: Course, now: datetime) -> dict[str, Any]:
    """Return the clock as of ``now``."""
    missing = table.real_time.missing() if table.real_time is not None else []
    return clock_of(course, now, runs=table.head.is_running, missing=missing)


def state(
    table: Table,
    stand: Stand | None,
    seat: int | None,
    seen: int | None,
    *,
    plays: bool,
    status: str | None = None,
    closed: Closed | None = None,
) -> bytes:
    """Return the ``state`` message for ``seat`` (None: a spectator), with the log after record ``seen``.

    ``stand`` is None before the deal, and where the table is ``closed``. ``plays`` asks for the list of plays among the
    options; ``status`` is told where there is no ``stand`` to tell it.
    """
    head = table.head
    message: dict[str, Any] = {
        "type": "state",
        "n": 0,
        "hash": None,
        "game_id": table.game_id,
        "game": head.game,
        "rules": head.rules,
        "status": status or head.status,
        "seat": seat,
        "commitment": head.commitment,
        "seats": [
            {
                "number": one.number,
                "name": one.name if one.player_id is not None else None,
                "slug": one.slug,
                "bot": one.is_bot,
                "ready": one.ready,
            }
            for one in head.seats
        ],
        "view": None,
        "options": {},
        "clock": clock_before(head.thinking, len(head.seats)) if table.real_time is None else dict(NO_PACE),
        "log": [],
        "present": table.present(),
        "closed": closed and {"code": closed.value, "message": closed.sentence},
    }
    if stand is not None:
        first = 0 if seen is None or seen > stand.number else seen
        acts = _acts(stand, seat)
        message |= {
            "n": stand.number,
            "hash": stand.last_hash.hex(),
            "status": stand.status,
            "clock": stand.clock,
            "log": log_lines(stand, head.names, seat, first),
            "view": stand.game.view(stand.position, seat),
            "options": stand.game.options(stand.position, seat, plays=plays) if acts and seat is not None else {},
        }
    return messages.write(message)


def _acts(stand: Stand, seat: int | None) -> bool:
    return seat is not None and seat in stand.waiting and stand.status == GameStatus.RUNNING


def events(stand: Stand, seat: int | None, after: int) -> list[dict[str, Any]]:
    """Return what happened after record ``after``, as ``seat`` may know it."""
    return [
        {"n": number, **event.seen_by(seat)}
        for number in range(after + 1, stand.number + 1)
        for event in stand.events[number - 1]
    ]


def log_lines(stand: Stand, names: list[str], seat: int | None, after: int) -> list[dict[str, Any]]:
    """Return one sentence for each thing that happened after record ``after``, as ``seat`` may know it."""
    wording = stand.game.wording
    return [
        {"n": number, "text": wording(event.seen_by(seat), names)}
        for number in range(after + 1, stand.number + 1)
        for event in stand.events[number - 1]
    ]


class Updates:
    """The ``update`` messages of one change. What several sockets see alike is written once."""

    def __init__(self, stand: Stand, names: list[str]) -> None:
        self._stand = stand
        self._names = names
        self._texts: dict[tuple[int | None, int, bool], bytes] = {}
        self._open_to_all: dict[int, bytes] = {}
        self._head = b""

    def text(self, seat: int | None, after: int, *, plays: bool) -> bytes:
        """Return the update for ``seat`` since record ``after``, with the list of plays if ``plays``."""
        acts = _acts(self._stand, seat)
        key = (seat, after, plays and acts)
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = self._write(seat, after, acts=acts, plays=plays)
        return text

    def _write(self, seat: int | None, after: int, *, acts: bool, plays: bool) -> bytes:
        game, position = self._stand.game, self._stand.position
        if not self._head:
            self._head = self._write_head()
        own = messages.write(game.own_view(position, seat))
        options = b"{}"
        if acts and seat is not None:
            options = messages.write(game.options(position, seat, plays=plays))
        parts = (self._head, own[1:], b',"options":', options, self._happened(seat, after), b"}")
        return b"".join(parts)

    def _write_head(self) -> bytes:
        """Return the beginning of every update, up to where the viewer's own part of the view follows."""
        stand = self._stand
        head = messages.write(
            {
                "type": "update",
                "n": stand.number,
                "hash": stand.last_hash.hex(),
                "status": stand.status,
                "clock": stand.clock,
            }
        )
        shared = messages.write(stand.game.shared_view(stand.position))
        return b"".join((head[:-1], b',"view":', shared[:-1], b","))

    def _happened(self, seat: int | None, after: int) -> bytes:
        """Return events and log; the same for all where nothing about them is private."""
        if any(event.private for record in self._stand.events[after:] for event in record):
            return self._write_happened(seat, after)
        if after not in self._open_to_all:
            self._open_to_all[after] = self._write_happened(None, after)
        return self._open_to_all[after]

    def _write_happened(self, seat: int | None, after: int) -> bytes:
        lines = log_lines(self._stand, self._names, seat, after)
        happened = {"log": lines, "events": events(self._stand, seat, after)}
        return b"," + messages.write(happened)[1:-1]
