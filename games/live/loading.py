"""Reads a stored game for its live copy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from games.clock import ThinkingTime
from games.course import Course, StoredEvent, Terms, header_of
from games.disclosure import OPEN_TO_ALL, Audience
from games.engine.transcript import Record
from games.live.database import Reader
from games.models import OVER, GameStatus
from players.models import HOUSE_BOTS


@dataclass(frozen=True, slots=True)
class SeatHead:
    """A seat and who sits there."""

    number: int
    player_id: int | None
    name: str
    """For the log: of an open seat its number."""
    slug: str | None
    bot: str
    """The level of the house bot that plays here; empty for everybody else, somebody's own program included."""
    is_bot: bool
    """True for house bots and for bot accounts."""
    ready: bool
    client_seed: str


@dataclass(frozen=True, slots=True)
class Head:
    """What is stored of a game besides its records and what follows from them."""

    game_id: UUID
    game: str
    rules: Mapping[str, Any]
    status: str
    commitment: str
    server_seed: bytes = field(repr=False)
    bank_ms: int
    increment_ms: int
    time_control: str
    disconnect_ms: int
    absence: str
    absence_ms: int
    clock_count: int
    started_at: datetime | None
    deadline: datetime | None
    seats: tuple[SeatHead, ...]
    audience: Audience = OPEN_TO_ALL
    deal_group: UUID | None = None
    is_sealed: bool = False
    """True while another table may still play with the same cards."""
    _numbers: Mapping[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbers = {seat.player_id: seat.number for seat in self.seats if seat.player_id is not None}
        object.__setattr__(self, "_numbers", numbers)

    @property
    def is_over(self) -> bool:
        """True once nothing more can happen."""
        return self.status in OVER

    @property
    def is_running(self) -> bool:
        """True while the game is in play."""
        return self.status == GameStatus.RUNNING

    @property
    def names(self) -> list[str]:
        """The names by seat."""
        return [seat.name for seat in self.seats]

    def seat_of(self, player_id: int | None) -> int | None:
        """Return the number of the player's seat, or None."""
        return None if player_id is None else self._numbers.get(player_id)

    @property
    def thinking(self) -> ThinkingTime:
        """The time that the seats have."""
        return ThinkingTime.stored(
            time_control=self.time_control,
            bank_ms=self.bank_ms,
            increment_ms=self.increment_ms,
            disconnect_ms=self.disconnect_ms,
            absence=self.absence,
            absence_ms=self.absence_ms,
            untimed=[seat.number for seat in self.seats if seat.bot],
        )

    def course(self) -> Course:
        """Return the course of the dealt game, at its deal."""
        assert self.started_at is not None, "the game has not been dealt"
        header = header_of(
            game=self.game,
            rules=self.rules,
            game_id=self.game_id,
            seats=len(self.seats),
            commitment=self.commitment,
            client_seeds=[seat.client_seed for seat in self.seats],
            deal_group=self.deal_group,
        )
        return Course(header, self.server_seed, Terms(self.started_at, self.thinking))


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record and the client's id of its message."""

    record: Record
    message_id: str | None


_HEAD = """
SELECT g.id, g.game, g.rules, g.status, g.commitment, g.server_seed, g.bank_ms, g.increment_ms,
    g.time_control, g.disconnect_ms, g.absence, g.absence_ms, g.clock_count, g.started_at, g.deadline,
    g.deal_group_id, d.id IS NOT NULL AND d.opened_at IS NULL AS sealed,
    g.spectating, g.circle, g.spectator_delay_ms, g.spectator_delay_moves, g.shown_at_end,
    s.number, s.player_id, s.ready, s.client_seed, p.name, p.slug, p.bot
FROM games_game g JOIN games_seat s ON s.game_id = g.id LEFT JOIN players_player p ON p.id = s.player_id
    LEFT JOIN games_dealgroup d ON d.id = g.deal_group_id
WHERE g.id = %s ORDER BY s.number
"""
_RECORDS = """
SELECT number, at, seat, action, hash, message_id FROM games_record WHERE game_id = %s AND number > %s ORDER BY number
"""
_EVENTS = """
SELECT number, after_record, at, kind, seat, until, reason, who FROM games_clockevent
WHERE game_id = %s AND number > %s ORDER BY number
"""


async def read_head(reader: Reader, game_id: UUID) -> Head | None:
    """Return the head of a game, or None if there is no such game. Raises DatabaseAwayError."""
    rows = await reader.rows(_HEAD, [game_id])
    if not rows:
        return None
    first = rows[0]
    seats = tuple(
        SeatHead(
            number=row["number"],
            player_id=row["player_id"],
            name=row["name"] or f"Seat {row['number'] + 1}",
            slug=row["slug"],
            bot=row["bot"] if row["bot"] in HOUSE_BOTS else "",
            is_bot=bool(row["bot"]),
            ready=row["ready"],
            client_seed=row["client_seed"],
        )
        for row in rows
    )
    return Head(
        game_id=game_id,
        game=first["game"],
        rules=first["rules"],
        status=first["status"],
        commitment=first["commitment"],
        server_seed=bytes(first["server_seed"]),
        bank_ms=first["bank_ms"],
        increment_ms=first["increment_ms"],
        time_control=first["time_control"],
        disconnect_ms=first["disconnect_ms"],
        absence=first["absence"],
        absence_ms=first["absence_ms"],
        clock_count=first["clock_count"],
        started_at=first["started_at"],
        deadline=first["deadline"],
        seats=seats,
        audience=Audience(
            spectating=first["spectating"],
            circle=first["circle"],
            delay_ms=first["spectator_delay_ms"],
            delay_moves=first["spectator_delay_moves"],
            shown_at_end=first["shown_at_end"],
        ),
        deal_group=first["deal_group_id"],
        is_sealed=first["sealed"],
    )


async def read_records(reader: Reader, game_id: UUID, after: int) -> list[StoredRecord]:
    """Return the records with numbers above ``after``, in order. Raises DatabaseAwayError."""
    return [
        StoredRecord(
            Record(row["number"], row["at"], row["seat"], row["action"], bytes(row["hash"]).hex()), row["message_id"]
        )
        for row in await reader.rows(_RECORDS, [game_id, after])
    ]


async def read_news(
    reader: Reader, head: Head, record: int, event: int
) -> tuple[list[StoredRecord], list[StoredEvent]]:
    """Return what a dealt game has beyond that record and that clock event. Raises DatabaseAwayError.

    Records are read first: of an event that stands before one of them none is missed.
    """
    if head.started_at is None:
        return [], []
    records = await read_records(reader, head.game_id, record)
    return records, await read_events(reader, head.game_id, event)


async def read_events(reader: Reader, game_id: UUID, after: int) -> list[StoredEvent]:
    """Return the clock events with numbers above ``after``, in order. Raises DatabaseAwayError."""
    return [StoredEvent(**row) for row in await reader.rows(_EVENTS, [game_id, after])]
