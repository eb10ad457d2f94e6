"""The course of one dealt game in memory: the engine's referee, the clock, and what happened so far.

Made from what is stored, by the services (through the ORM) and by the live server (without it) alike. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from games.clock import Clock
from games.engine.frame import Action, Event, Outcome
from games.engine.replay import Proposal, Refereed
from games.engine.transcript import Header, Record


@dataclass(frozen=True, slots=True)
class Terms:
    """What a game is played on, besides its header: its start and its thinking time (milliseconds)."""

    started_at: datetime
    bank_ms: int
    increment_ms: int
    untimed: Collection[int]


class Course:
    """A game from its deal to wherever its records lead. ``events[n - 1]`` is what record ``n`` made happen."""

    def __init__(self, header: Header, server_seed: bytes, terms: Terms) -> None:
        self.refereed = Refereed(header, server_seed)
        self.started_at = terms.started_at
        self.events: list[tuple[Event, ...]] = []
        self.hashes: list[bytes] = []
        self.clock = Clock(
            seats=header.seats, bank_ms=terms.bank_ms, increment_ms=terms.increment_ms, untimed=terms.untimed
        )
        self.waiting = self._waiting_in(self.refereed.position)
        self.clock.wait_for(self.waiting)

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
        return max(self.refereed.at, (now - self.started_at) // timedelta(milliseconds=1))

    def moment(self, at: int | None) -> datetime | None:
        """Return the time of day of ``at`` milliseconds."""
        return None if at is None else self.started_at + timedelta(milliseconds=at)

    def deadline(self) -> datetime | None:
        """Return when the first seat that is waited for runs out of time."""
        return self.moment(self.clock.due())

    def overdue(self, now: datetime) -> int | None:
        """Return a seat whose time is up, or None."""
        return None if self.outcome.is_over else self.clock.overdue(self.at(now))

    def propose(self, now: datetime, seat: int | None, action: Action) -> Proposal:
        """Return the record that ``action`` would be, and what it leads to. Raises EngineError; changes nothing."""
        return self.refereed.propose(self.at(now), seat, action)

    def deadline_after(self, proposal: Proposal) -> datetime | None:
        """Return the deadline once ``proposal`` is recorded."""
        record = proposal.record
        clock = self.clock.copy()
        clock.record(record.at, record.seat, self._waiting_in(proposal.position))
        return self.moment(clock.due())

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

    def _note(self, record: Record, events: Sequence[Event]) -> None:
        self.events.append(tuple(events))
        self.hashes.append(self.refereed.last_hash)
        self.waiting = self._waiting_in(self.refereed.position)
        self.clock.record(record.at, record.seat, self.waiting)

    def _waiting_in(self, position: Any) -> tuple[int, ...]:
        return self.refereed.game.to_act(position)


def header_of(
    *,
    game: str,
    rules: Mapping[str, Any],
    game_id: object,
    seats: int,
    commitment: str,
    client_seeds: Sequence[str],
) -> Header:
    """Return the header of a stored game."""
    return Header(
        game=game,
        rules=rules,
        game_id=str(game_id),
        seats=seats,
        commitment=commitment,
        client_seeds=tuple(client_seeds),
    )
