"""The course of one dealt game in memory: the engine's referee, the clock, and what happened so far.

A game with turns has a clock that runs for who is waited for. A game without turns has a pace instead: there nobody's
time runs, and it is the table that has to act at the deadline.

Made from what is stored, by the services (through the ORM) and by the live server (without it) alike. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast

from games.clock import FOREVER, Clock, ClockEvent, Kind, ThinkingTime
from games.engine.frame import Action, Event, IllegalAction, Outcome
from games.engine.replay import Proposal, Refereed
from games.engine.transcript import Header, Record
from games.pace import Pace

MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a game is played on, besides its header: its start and its thinking time."""

    started_at: datetime
    thinking: ThinkingTime


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A clock event as stored, between record ``after_record`` and the next (:class:`games.models.ClockEvent`)."""

    number: int
    after_record: int
    at: datetime
    kind: str
    seat: int | None = None
    until: datetime | None = None
    reason: str = ""
    who: str = ""


class Course:
    """A game from its deal to wherever its records lead. ``events[n - 1]`` is what record ``n`` made happen."""

    def __init__(self, header: Header, server_seed: bytes, terms: Terms) -> None:
        self.refereed = Refereed(header, server_seed)
        self.started_at = terms.started_at
        self.events: list[tuple[Event, ...]] = []
        self.hashes: list[bytes] = []
        self.clock = Clock(seats=header.seats, terms=terms.thinking)
        self.clock_number = 0
        """The number of clock events so far."""
        self.stopped_by: StoredEvent | None = None
        """What last stopped every clock or let them go on."""
        self.pace = Pace(self.refereed.position) if self.refereed.game.real_time else None
        self.waiting = self._waiting_in(self.refereed.position)
        self.clock.wait_for(self._timed(self.waiting))
        self._clock_due = self.clock.next_due()
        """When time alone makes something happen; kept, because every action asks for it several times."""
        self._ahead: tuple[Record, Clock, int | None] | None = None
        """The clock as the record proposed last would leave it, and its due time; until the clock moves on."""

    @property
    def number(self) -> int:
        """The number of records so far."""
        return self.refereed.n

    @property
    def outcome(self) -> Outcome:
        """How the game stands or ended."""
        return self.refereed.outcome

    def at(self, now: datetime) -> int:
        """Return ``now`` in milliseconds since the start, never before the last record."""
        return max(self.refereed.at, (now - self.started_at) // MILLISECOND)

    def moment(self, at: int | None) -> datetime | None:
        """Return the time of day of ``at`` milliseconds."""
        return None if at is None else self.started_at + at * MILLISECOND

    @property
    def fresh_since(self) -> int:
        """The first record number on which an action may have been decided. Without turns many are, at once."""
        return self.number if self.pace is None else self.pace.began

    def deadline(self) -> datetime | None:
        """Return when the table has to act: the first seat that is waited for runs out of time, go is due, ..."""
        return self.moment(self._clock_due) if self.pace is None else self._table_deadline(self.pace)

    def _table_deadline(self, pace: Pace) -> datetime | None:
        clock = self.clock
        if clock.stands_until == FOREVER or pace.due_at is None:
            return None
        left = self._left_at(pace)
        due = pace.due_at if left is None else min(pace.due_at, left[0])
        return self.moment(max(due, clock.stands_until))

    def _left_at(self, pace: Pace) -> tuple[int, int] | None:
        """Return when the first seat of a game without turns is put out for having left, and the seat; or None.

        There all seats act at once, so that whoever is away and in is waited for; but not at the opening.
        """
        terms = self.clock.terms
        if terms.absence != "forfeit" or pace.is_opening:
            return None
        since = self.clock.away.items()
        return min(((at + terms.absence_ms, seat) for seat, at in since if seat in pace.staying), default=None)

    def keep_deadline(self, deadline: datetime | None) -> bool:
        """Take over the ``deadline`` of the game's row, and return whether that is news.

        At an opening it says more than records and events.
        """
        if self.pace is None or not self.pace.is_opening or deadline is None:
            return False
        return self.pace.keep((deadline - self.started_at) // MILLISECOND)

    def all_here(self, now: datetime) -> datetime | None:
        """Return the deadline of an opening for which everybody is there ``now``; None where nobody is waited for."""
        if self.pace is None or self.outcome.is_over or self.clock.stands_until == FOREVER:
            return None
        return self.moment(self.pace.all_here(max(self.at(now), self.clock.stands_until)))

    def due(self, now: datetime) -> Action | None:
        """Return the action of the table itself that is due: a seat's time is up, a round begins or ends; or None."""
        at = self.at(now)
        if self.outcome.is_over or at < self.clock.stands_until:
            return None
        if self.pace is not None:
            left = self._left_at(self.pace)
            if left is not None and left[0] <= at:
                return {"type": "forfeit", "seat": left[1], "reason": "left"}
            return self.pace.due(at)
        seat, reason = self.clock.overdue(at), "time"
        if seat is None and self.clock.terms.absence == "forfeit":
            seat, reason = self.clock.absent(at), "left"
        return None if seat is None else {"type": "forfeit", "seat": seat, "reason": reason}

    def house_due(self, now: datetime) -> int | None:
        """Return a seat that has been away for so long that the house plays for it from now on, or None."""
        if self.outcome.is_over or self.clock.terms.absence not in {"turn", "house"}:
            return None
        return self.clock.absent(self.at(now))

    def is_paused(self, now: datetime) -> bool:
        """Return whether actions are refused because of a pause or the countdown after it."""
        return self.clock.is_closed and not self.outcome.is_over and self.clock.is_paused(self.at(now))

    def is_late(self, now: datetime) -> bool:
        """Return whether something is due that comes before any action of a seat."""
        if self.pace is None:
            due = self._clock_due
            return due is not None and due <= self.at(now) and not self.outcome.is_over
        return self.due(now) is not None or self.house_due(now) is not None

    def propose(self, now: datetime, seat: int | None, action: Action) -> Proposal:
        """Return the record that ``action`` would be, and what it leads to. Raises EngineError; changes nothing."""
        return self.refereed.propose(self.at(now), seat, action)

    def propose_decided(self, at: int, seat: int, action: Action) -> Proposal:
        """Return the record of an ``action`` that was decided at ``at``, however long it waited to be stored since.

        Where another record has come in between that is later than a grab may wait, the grab is recorded without its
        times, as one at a table that makes up for nothing. Raises EngineError; changes nothing.
        """
        try:
            return self.refereed.propose(max(at, self.refereed.at), seat, action)
        except IllegalAction:
            if at >= self.refereed.at or "arrived" not in action:
                raise
            return self.refereed.propose(self.refereed.at, seat, {"type": "grab", "place": action["place"]})

    def deadline_after(self, proposal: Proposal) -> datetime | None:
        """Return the deadline once ``proposal`` is recorded."""
        record = proposal.record
        if self.pace is not None:
            pace = self.pace.copy()
            pace.record(record.n, record.at, record.action, proposal.events, proposal.position)
            return self._table_deadline(pace)
        clock = self.clock.copy()
        clock.record(record.at, record.seat, self._waiting_in(proposal.position))
        due = clock.next_due()
        self._ahead = record, clock, due
        return self.moment(due)

    def outcome_after(self, proposal: Proposal) -> Outcome:
        """Return how the game stands once ``proposal`` is recorded."""
        return self.refereed.game.outcome(proposal.position)

    def push(self, proposal: Proposal) -> None:
        """Move on to what ``proposal`` leads to; it is stored now."""
        self.refereed.push(proposal)
        self._note(proposal.record, proposal.events)

    def follow(self, record: Record) -> None:
        """Move on by a stored ``record``. Raises EngineError or ValueError if it is not the next one of this game."""
        self._note(record, self.refereed.follow(record))

    def follow_all(self, records: Iterable[Record], events: Iterable[StoredEvent]) -> None:
        """Move on by all that is stored and not known yet, in order. Raises as :meth:`follow`."""
        waiting = list(events)
        for record in records:
            self.note_events(waiting, before=record.n)
            self.follow(record)
        self.note_events(waiting)

    def note_events(self, events: Iterable[StoredEvent], before: int | None = None) -> None:
        """Fold in those of ``events`` that are not known yet; with ``before`` only what precedes that record."""
        for event in events:
            if event.number > self.clock_number and (before is None or event.after_record < before):
                self.note(event)

    def note(self, event: StoredEvent) -> None:
        """Fold in the next clock event."""
        self.clock_number = event.number
        at = self._milliseconds(event.at)
        until = None if event.until is None else self._milliseconds(event.until)
        before = self.clock.stands_until
        self.clock.note(ClockEvent(at, cast("Kind", event.kind), event.seat, until))
        self._clock_due, self._ahead = self.clock.next_due(), None
        if event.seat is None:
            self.stopped_by = event
            if self.pace is not None:
                # What the table itself has to do moves as far as the clocks do.
                at = self.clock.at
                self.pace.put_off(max(at, self.clock.stands_until) - max(at, before))

    def _milliseconds(self, moment: datetime) -> int:
        return max(0, (moment - self.started_at) // MILLISECOND)

    def _note(self, record: Record, events: Sequence[Event]) -> None:
        self.events.append(tuple(events))
        self.hashes.append(self.refereed.last_hash)
        self.waiting = self._waiting_in(self.refereed.position)
        if self._ahead is not None and self._ahead[0] is record:
            _, self.clock, self._clock_due = self._ahead
        else:
            self.clock.record(record.at, record.seat, self._timed(self.waiting))
            self._clock_due = self.clock.next_due()
        self._ahead = None
        if self.pace is not None:
            due_at = self.pace.due_at
            self.pace.record(record.n, record.at, record.action, self.events[-1], self.refereed.position)
            if self.pace.due_at is not None and self.pace.due_at != due_at:
                self.pace.due_at += max(0, self.clock.stands_until - self.clock.at)

    def _waiting_in(self, position: Any) -> tuple[int, ...]:
        return self.refereed.game.to_act(position)

    def _timed(self, waiting: tuple[int, ...]) -> tuple[int, ...]:
        """Return the seats whose time runs."""
        return waiting if self.pace is None else ()


def header_of(
    *,
    game: str,
    rules: Mapping[str, Any],
    game_id: object,
    seats: int,
    commitment: str,
    client_seeds: Sequence[str],
    deal_group: object | None,
) -> Header:
    """Return the header of a stored game; ``deal_group`` is the id of its deal group, if it has one."""
    return Header(
        game=game,
        rules=rules,
        game_id=str(game_id),
        seats=seats,
        commitment=commitment,
        client_seeds=tuple(client_seeds),
        deal_group=None if deal_group is None else str(deal_group),
    )
