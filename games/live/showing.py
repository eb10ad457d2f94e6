"""What one socket sees of a game: the one exit for a position is the engine's view of the socket's own seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.course import Course
from games.live import messages

if TYPE_CHECKING:
    from games.live.table import Table


def state(table: Table, seat: int | None, seen: int | None, *, plays: bool) -> str:
    """Return the ``state`` message for ``seat`` (None: a spectator), with the log after record ``seen``.

    ``plays`` asks for the list of plays among the options.
    """
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
        message |= scene(table, course, seat, plays=plays)
    return messages.write(message)


def scene(table: Table, course: Course, seat: int | None, *, plays: bool) -> dict[str, Any]:
    """Return what lies before ``seat``: its view, and what it may do now."""
    game, position = course.refereed.game, course.refereed.position
    options: dict[str, Any] = {}
    if seat is not None and _acts(table, course, seat):
        options = game.options(position, seat, plays=plays)
    return {"view": game.view(position, seat), "options": options}


def _acts(table: Table, course: Course, seat: int | None) -> bool:
    return seat is not None and seat in course.waiting and table.head.is_running


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
    """The ``update`` messages of one change. What several sockets see alike is written once."""

    def __init__(self, table: Table) -> None:
        assert table.course is not None
        self._table = table
        self._course: Course = table.course
        self._texts: dict[tuple[int | None, int, bool], str] = {}
        self._open_to_all: dict[int, bytes] = {}
        self._head = b""

    def text(self, seat: int | None, after: int, *, plays: bool) -> str:
        """Return the update for ``seat`` since record ``after``, with the list of plays if ``plays``."""
        acts = _acts(self._table, self._course, seat)
        key = (seat, after, plays and acts)
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = self._write(seat, after, acts=acts, plays=plays)
        return text

    def _write(self, seat: int | None, after: int, *, acts: bool, plays: bool) -> str:
        game, position = self._course.refereed.game, self._course.refereed.position
        if not self._head:
            self._head = self._write_head()
        own = messages.written(game.own_view(position, seat))
        options = b"{}"
        if acts and seat is not None:
            options = messages.written(game.options(position, seat, plays=plays))
        parts = (self._head, own[1:], b',"options":', options, self._happened(seat, after), b"}")
        return b"".join(parts).decode()

    def _write_head(self) -> bytes:
        """Return the beginning of every update, up to where the viewer's own part of the view follows."""
        table, course = self._table, self._course
        head = messages.written(
            {
                "type": "update",
                "n": course.number,
                "hash": course.refereed.last_hash.hex(),
                "status": table.head.status,
                "clock": clock(table, course),
            }
        )
        shared = messages.written(course.refereed.game.shared_view(course.refereed.position))
        return b"".join((head[:-1], b',"view":', shared[:-1], b","))

    def _happened(self, seat: int | None, after: int) -> bytes:
        """Return events and log; the same for all where nothing about them is private."""
        course = self._course
        if any(event.private for record in course.events[after:] for event in record):
            return self._write_happened(seat, after)
        if after not in self._open_to_all:
            self._open_to_all[after] = self._write_happened(None, after)
        return self._open_to_all[after]

    def _write_happened(self, seat: int | None, after: int) -> bytes:
        lines = log_lines(self._course, self._table.head.names, seat, after)
        happened = {"log": lines, "events": events(self._course, seat, after)}
        return b"," + messages.written(happened)[1:-1]
