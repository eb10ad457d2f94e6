"""Notes in the game's clock that a seat to act has no socket anywhere, and that it has one again.

Only the process that keeps the games does this (:mod:`games.live.keeper`), so that each is noted once. What follows
(the disconnect bank, the house, a forfeit) is the clock's business.
"""

from __future__ import annotations

import functools
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import structlog
from django.db import InterfaceError, OperationalError

from games.live.database import DatabaseAwayError, in_thread
from games.models import Game
from games.services.clocks import seat_away, seat_back
from players.errors import ServiceError

if TYPE_CHECKING:
    from games.course import Course
    from games.live.hub import Hub
    from games.live.table import Table

log = structlog.get_logger(__name__)

NOTICE_AFTER = timedelta(seconds=4)
"""A socket that is gone for less, as on a reload, is not worth noting; and so long other processes may take to tell
of theirs."""


class Absences:
    """What the sockets say about who is there, compared with what the clocks know."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._gone: WeakKeyDictionary[Table, dict[int, datetime]] = WeakKeyDictionary()
        self._noting: set[tuple[object, int]] = set()

    def consider(self, table: Table) -> None:
        """Note who has gone or come back at ``table``, if this process keeps it and it matters there."""
        course = table.course
        if course is None or table.is_broken or not table.head.is_running or not self._hub.keeper.is_elected:
            return
        terms = course.clock.terms
        if course.pace is not None:  # a game without turns goes on without whoever is gone, unless they are put out
            matters = terms.absence == "forfeit"
        else:
            matters = terms.absence != "wait" or terms.spare_ms > 0
        if not matters:
            return
        if self._hub.bus.is_away:
            # Sockets at other processes cannot be heard of.
            self._gone.pop(table, None)
            return
        self._compare(table, course)

    def _compare(self, table: Table, course: Course) -> None:
        now, gone = self._hub.now(), self._gone.setdefault(table, {})
        waited_for = course.clock.running if course.pace is None else course.pace.staying
        for seat, present in enumerate(table.present()):
            if present:
                gone.pop(seat, None)
                if seat in course.clock.away:
                    self._note(table, seat, functools.partial(seat_back, game=Game(pk=table.head.game_id), seat=seat))
                continue
            since = gone.setdefault(seat, now)
            if seat in waited_for and seat not in course.clock.away and now - since >= NOTICE_AFTER:
                away = functools.partial(seat_away, game=Game(pk=table.head.game_id), seat=seat, since=since)
                self._note(table, seat, away)

    def _note(self, table: Table, seat: int, service: functools.partial[Game]) -> None:
        key = (table.head.game_id, seat)
        if key not in self._noting:
            self._noting.add(key)
            self._hub.spawn(self._store(table, key, service))

    async def _store(self, table: Table, key: tuple[object, int], service: functools.partial[Game]) -> None:
        try:
            await in_thread(service)
            await table.refresh()
        except (OperationalError, InterfaceError, DatabaseAwayError, ServiceError) as error:
            log.warning("absence-not-noted", game=table.game_id, seat=key[1], error=str(error))
        finally:
            self._noting.discard(key)
