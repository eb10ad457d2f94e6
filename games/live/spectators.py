"""The spectators of one table where they do not simply see what happens: later, or not at all.

They see the game as it stood after an earlier record, from the same live copy: of each record that is not old enough
yet the copy's position is kept. An ordinary table has no use for any of it, its spectators are served with the seats.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from games.disclosure import Audience, Closed
from games.live import messages, showing
from games.live.connection import Connection
from games.live.database import Reader
from games.models import GameStatus, Spectating

if TYPE_CHECKING:
    from games.live.table import Table

_OPEN_GAMES = """
SELECT DISTINCT s.player_id, g.circle FROM games_game g JOIN games_seat s ON s.game_id = g.id
WHERE g.circle = ANY(%s) AND s.player_id = ANY(%s) AND g.status IN ('seating', 'running')
"""


class Gallery:
    """Who looks on at one table. Every method takes effect at once and never waits."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shown: showing.Stand | None = None
        """What spectators see of a delayed game."""
        self._coming: deque[tuple[int, showing.Stand]] = deque()
        """What they will see, with the milliseconds of its record, oldest first."""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def audience(self) -> Audience:
        """Who may look on, and how much later."""
        return self._table.head.audience

    @property
    def is_apart(self) -> bool:
        """True if spectators of this table are not shown what the seats are shown."""
        head = self._table.head
        return head.is_sealed or self.audience.is_delayed or self.audience.spectating != Spectating.ALL

    @property
    def stand(self) -> showing.Stand | None:
        """How the game stands for spectators; None before the deal."""
        table = self._table
        if self.audience.is_delayed:
            if self._shown is None or table.course is None:
                return None
            # That everything stands, and why, is no secret of the game: it is told without delay.
            stands = showing.clock(table, table.course, table.hub.now())["stands"]
            return replace(self._shown, status=self.status, clock={**self._shown.clock, "stands": stands})
        return None if table.course is None else showing.stand_of(table, table.course)

    @property
    def number(self) -> int:
        """The last record that spectators may know."""
        if self.audience.is_delayed:
            return 0 if self._shown is None else self._shown.number
        return self._table.number

    @property
    def status(self) -> str:
        """The status of the game as spectators may know it: it runs until they may know its end."""
        head = self._table.head
        if head.is_over and self._table.course is not None and not self._has_ended:
            return GameStatus.RUNNING
        return head.status

    @property
    def _has_ended(self) -> bool:
        return self._table.head.is_over and self.number == self._table.number

    def closed_to(self, connection: Connection) -> Closed | None:
        """Return why a spectator's ``connection`` sees nothing; the rule of :func:`games.disclosure.closed_to`."""
        if self._table.head.is_sealed:
            return Closed.SEALED
        if self.audience.spectating == Spectating.ALL or self._has_ended:
            return None
        if self.audience.spectating == Spectating.NOBODY:
            return Closed.NOBODY
        if connection.identity.player_id is None:
            return Closed.LOGIN
        return Closed.OWN_GAME if connection.plays_in_circle else None

    # What the table tells

    def note(self) -> None:
        """Remember how the game stands after its deal or its newest record, for whoever sees it later."""
        table = self._table
        if table.course is None or not self.audience.is_delayed:
            return
        at = table.course.refereed.at
        stand = showing.stand_of(table, table.course, table.course.moment(at))
        if self._shown is None:
            self._shown = stand
        else:
            self._coming.append((at, stand))

    def move(self) -> None:
        """Show what has become old enough, and wake up when the next is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        before = self._shown
        while self._coming and self._wait() == 0:
            self._shown = self._coming.popleft()[1]
        if self._shown is not before:
            self.show()
        wait = self._wait() if self._coming else None
        if wait is not None:
            self._timer = self._table.hub.loop.call_later(wait, self.move)

    def _wait(self) -> float | None:
        """Return the seconds until the next coming record may be shown; None if that hangs on further moves."""
        table, audience = self._table, self.audience
        assert table.course is not None, "records come after the deal"
        at, stand = self._coming[0]
        if table.head.is_over:
            if audience.shown_at_end:
                return 0
        elif stand.number > table.number - audience.delay_moves:
            return None
        now = (table.hub.now() - table.course.started_at) // timedelta(milliseconds=1)
        return max(0, at + audience.delay_ms - now) / 1000

    def drop(self) -> None:
        """Stop the clock."""
        if self._timer is not None:
            self._timer.cancel()

    # What spectators are sent

    def state(self, connection: Connection, seen: int | None) -> None:
        """Send a spectator everything that it may know."""
        table = self._table
        closed = self.closed_to(connection)
        connection.told_closed = closed is not None
        stand = None if closed is not None else self.stand
        connection.shown = 0 if stand is None else stand.number
        connection.answer(showing.state(table, stand, None, seen, plays=False, status=self.status, closed=closed))

    def show(self) -> None:
        """Show every spectator what it has not seen."""
        updates: showing.Updates | None = None
        for connection in self._spectators():
            is_closed = self.closed_to(connection) is not None
            if is_closed and connection.told_closed:
                continue
            if connection.is_paused:
                connection.behind = True
            elif is_closed or connection.told_closed:
                self.state(connection, None)
            elif connection.shown < self.number and (updates := updates or self._updates()) is not None:
                text = updates.text(None, connection.shown, plays=False)
                connection.shown = self.number
                connection.answer(text)

    def show_clock(self) -> None:
        """Show every spectator that something has stopped the clocks or let them go on."""
        stand = self.stand
        if stand is not None:
            text = messages.write({"type": "clock", "n": stand.number, "clock": stand.clock})
            for connection in self._spectators():
                if self.closed_to(connection) is None:
                    connection.answer(text)

    def _updates(self) -> showing.Updates | None:
        stand = self.stand
        return None if stand is None else showing.Updates(stand, self._table.head.names)

    def _spectators(self) -> list[Connection]:
        table = self._table
        return [one for one in table.connections if one.greeted and table.seat_of(one) is None]


async def find_own_games(reader: Reader, connections: list[tuple[Connection, str]]) -> list[Connection]:
    """Find out which of ``connections``, each with the circle of its table, belong to players with an open game there.

    Returns those for whom that has changed. Raises DatabaseAwayError.
    """
    asked = [(one, circle) for one, circle in connections if one.identity.player_id is not None]
    playing = await _playing(reader, asked)
    changed = []
    for connection, circle in asked:
        plays = (connection.identity.player_id, circle) in playing
        if plays != connection.plays_in_circle:
            connection.plays_in_circle = plays
            changed.append(connection)
    return changed


async def _playing(reader: Reader, asked: list[tuple[Connection, str]]) -> set[tuple[int, str]]:
    if not asked:
        return set()
    circles = sorted({circle for _, circle in asked})
    players = sorted({one.identity.player_id or 0 for one, _ in asked})
    return {(row["player_id"], row["circle"]) for row in await reader.rows(_OPEN_GAMES, [circles, players])}
