"""What one socket sees of a game: the one exit for a position is the engine's view of the socket's own seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from games.course import Course
from games.live import messages

if TYPE_CHECKING:
    from games.live.table import Table


def state(table: Table, seat: int | None, seen: int | None) -> str:
    """Return the ``state`` message for ``seat`` (None: a spectator), with the log after record ``seen``."""
    head, course = table.head, table.course
    message: dict[str, Any] = {
        "type": "state",
        "n": table.number,
        "hash": None,
        "game_id": table.game_id,
        "game": head.game,
        "rules": head.rules,
        "status": head.status,
        "seat": seat,
        "commitment": head.commitment,
        "seats": [
            {
                "number": one.number,
                "name": one.name if one.player_id is not None else None,
                "slug": one.slug,
                "bot": bool(one.bot),
                "ready": one.ready,
            }
            for one in head.seats
        ],
        "view": None,
        "options": {},
        "clock": {"bank": [head.bank_ms] * len(head.seats), "running": [], "increment": head.increment_ms},
        "log": [],
        "present": table.present(),
    }
    if course is not None:
        first = 0 if seen is None or seen > course.number else seen
        message["hash"] = course.refereed.last_hash.hex()
        message["clock"] = clock(table, course)
        message["log"] = log_lines(course, head.names, seat, first)
        message |= scene(table, course, seat)
    return messages.write(message)


def scene(table: Table, course: Course, seat: int | None) -> dict[str, Any]:
    """Return what lies before ``seat``: its view, and what it may do now."""
    game, position = course.refereed.game, course.refereed.position
    acts = seat is not None and seat in course.waiting and table.head.is_running
    return {
        "view": game.view(position, seat),
        "options": game.options(position, seat) if acts and seat is not None else {},
    }


def clock(table: Table, course: Course) -> dict[str, Any]:
    """Return the clock as of now."""
    running = table.head.is_running
    return {
        "bank": course.clock.left(course.at(table.hub.now()) if running else course.clock.at),
        "running": list(course.clock.running) if running else [],
        "increment": course.clock.increment_ms,
    }


def events(course: Course, seat: int | None, after: int) -> list[dict[str, Any]]:
    """Return what happened after record ``after``, as ``seat`` may know it."""
    return [
        {"n": number, **event.seen_by(seat)}
        for number in range(after + 1, course.number + 1)
        for event in course.events[number - 1]
    ]


def log_lines(course: Course, names: list[str], seat: int | None, after: int) -> list[dict[str, Any]]:
    """Return one sentence for each thing that happened after record ``after``, as ``seat`` may know it."""
    wording = course.refereed.game.wording
    return [
        {"n": number, "text": wording(event.seen_by(seat), names)}
        for number in range(after + 1, course.number + 1)
        for event in course.events[number - 1]
    ]


class Updates:
    """The ``update`` messages of one change, each written once however many sockets get it."""

    def __init__(self, table: Table) -> None:
        assert table.course is not None
        self._table = table
        self._course: Course = table.course
        self._clock = messages.raw(clock(table, self._course))
        self._texts: dict[tuple[int | None, int], str] = {}
        self._public: dict[int, tuple[msgspec.Raw, msgspec.Raw]] = {}

    def text(self, seat: int | None, after: int) -> str:
        """Return the update for ``seat`` since record ``after``."""
        key = (seat, after)
        if key not in self._texts:
            self._texts[key] = self._write(seat, after)
        return self._texts[key]

    def _write(self, seat: int | None, after: int) -> str:
        table, course = self._table, self._course
        happened, lines = self._happened(seat, after)
        return messages.write(
            {
                "type": "update",
                "n": course.number,
                "hash": course.refereed.last_hash.hex(),
                "status": table.head.status,
                **scene(table, course, seat),
                "clock": self._clock,
                "log": lines,
                "events": happened,
            }
        )

    def _happened(self, seat: int | None, after: int) -> tuple[Any, Any]:
        """Return events and log; shared by all seats where nothing about them is private."""
        course, names = self._course, self._table.head.names
        if any(event.private for record in course.events[after:] for event in record):
            return events(course, seat, after), log_lines(course, names, seat, after)
        if after not in self._public:
            self._public[after] = (
                messages.raw(events(course, None, after)),
                messages.raw(log_lines(course, names, None, after)),
            )
        return self._public[after]
