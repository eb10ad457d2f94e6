"""Thinking time, worked out from the times of records and clock events alone. Pure.

Everything is milliseconds since the game's start, by the server's clock. A fold: the same records and events give
the same numbers, in whichever process and however often.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, cast

type Kind = Literal["pause", "resume", "outage", "away", "back", "house"]
type Absence = Literal["wait", "turn", "house", "forfeit"]
"""What happens to a seat that is due and gone: its clock runs; the house plays this turn; the house plays until it is
back; it is put out."""

FOREVER = 1 << 62
WEEK_MS = 7 * 24 * 3_600_000
"""What a game without a clock allows for each action, so that none waits for ever."""


@dataclass(frozen=True, slots=True)
class ThinkingTime:
    """What the seats may use. ``bank_ms`` is a seat's time for the game or, if ``per_turn``, for each turn.

    ``spare_ms`` is the disconnect bank: used first while a seat has no socket. ``absence`` and ``absence_ms`` say what
    happens to a seat that is to act and has had no socket for so long. ``untimed`` seats are house bots: if they are
    slow, that is the server's doing, and nobody is to win by it.
    """

    bank_ms: int
    increment_ms: int = 0
    per_turn: bool = False
    spare_ms: int = 0
    absence: Absence = "wait"
    absence_ms: int = 0
    untimed: Collection[int] = ()

    @classmethod
    def stored(
        cls,
        *,
        time_control: str,
        bank_ms: int,
        increment_ms: int,
        disconnect_ms: int,
        absence: str,
        absence_ms: int,
        untimed: Collection[int],
    ) -> ThinkingTime:
        """Return what the fields of a stored game mean."""
        by_game = time_control == "bank"
        return cls(
            bank_ms=WEEK_MS if time_control == "untimed" else bank_ms,
            increment_ms=increment_ms if by_game else 0,
            per_turn=not by_game,
            spare_ms=disconnect_ms,
            absence=cast("Absence", absence),
            absence_ms=absence_ms,
            untimed=untimed,
        )


@dataclass(frozen=True, slots=True)
class ClockEvent:
    """What stops a clock or lets it go on, besides the records; holds from ``at`` on.

    ``pause`` stops every clock until ``until`` (None: until resumed), ``resume`` lets them go on at ``until``,
    ``outage`` takes out the time from ``at`` to ``until`` in which the server could store nothing; ``away`` and
    ``back`` say that a seat has no socket or has one again, ``house`` that the house plays for it.
    """

    at: int
    kind: Kind
    seat: int | None = None
    until: int | None = None


class Clock:
    """The seats' time in one game, as far as its records and events were folded in.

    The bank of a seat shrinks while the game waits for it and grows by the increment with each of its own actions; by
    turns, it is full again whenever a turn begins.
    """

    def __init__(self, *, seats: int, terms: ThinkingTime) -> None:
        self.terms = terms
        self.banks = [terms.bank_ms] * seats
        self.spares = [terms.spare_ms] * seats
        self.waiting: tuple[int, ...] = ()
        """Timed seats that the game waits for."""
        self.at = 0
        self.stands_until = 0
        """No time runs before this."""
        self.is_closed = False
        """True while ``stands_until`` stems from a pause: then no action is accepted before it either."""
        self.away: dict[int, int] = {}
        """Seats without a socket, and since when."""
        self.house: frozenset[int] = frozenset()
        """Seats that the house plays for."""
        self._turn_since = [0] * seats

    @property
    def running(self) -> tuple[int, ...]:
        """The seats whose time runs unless every clock stands."""
        return self.waiting if not self.house else tuple([seat for seat in self.waiting if seat not in self.house])

    def wait_for(self, seats: Sequence[int]) -> None:
        """Let the time of ``seats`` run from now on, and of no other."""
        untimed = self.terms.untimed
        self._wait(tuple([seat for seat in seats if seat not in untimed]), None)

    def record(self, at: int, seat: int | None, waiting: Sequence[int]) -> None:
        """Fold in a record made at ``at`` by ``seat``, after which the game waits for the seats ``waiting``."""
        self._go_to(at)
        terms = self.terms
        if seat in self.house:
            # The house gains no time for whom it plays.
            if terms.absence == "turn":
                self.house -= {seat}
        elif seat is not None and seat not in terms.untimed:
            self.banks[seat] += terms.increment_ms
        self._wait(tuple([one for one in waiting if one not in terms.untimed]), seat)

    def _wait(self, waiting: tuple[int, ...], acted: int | None) -> None:
        for seat in waiting:
            if seat == acted or seat not in self.waiting:
                self._turn_since[seat] = self.at
                if self.terms.per_turn:
                    self.banks[seat] = self.terms.bank_ms
        self.waiting = waiting

    def note(self, event: ClockEvent) -> None:
        """Fold in a clock event. One that holds from before the last record holds from that record on."""
        self._go_to(event.at)
        match event.kind:
            case "pause":
                self.stands_until, self.is_closed = FOREVER if event.until is None else event.until, True
            case "resume":
                self.stands_until = self.at if event.until is None else event.until
            case "outage":
                if event.until is not None and event.until > self.stands_until:
                    self.stands_until, self.is_closed = event.until, False
            case "away":
                if event.seat is not None:
                    self.away.setdefault(event.seat, self.at)
            case "back":
                if event.seat is not None:
                    self.away.pop(event.seat, None)
                    self.house -= {event.seat}
            case "house":
                if event.seat is not None:
                    self.house |= {event.seat}

    def _go_to(self, at: int) -> None:
        if at > self.at:
            self.banks, self.spares = self.both_left(at)
            self.at = at

    def _spent(self, at: int) -> int:
        return max(0, at - max(self.at, self.stands_until))

    def both_left(self, at: int) -> tuple[list[int], list[int]]:
        """Return what each seat has left of its bank and of its disconnect bank at ``at``."""
        banks, spares, spent = list(self.banks), list(self.spares), self._spent(at)
        for seat in self.running:
            of_spare = min(spent, spares[seat]) if seat in self.away else 0
            spares[seat] -= of_spare
            banks[seat] = max(0, banks[seat] - (spent - of_spare))
        return banks, spares

    def left(self, at: int) -> list[int]:
        """Return what each seat has left at ``at``, never below 0."""
        return self.both_left(at)[0]

    def spare(self, at: int) -> list[int]:
        """Return what each seat has left of its disconnect bank at ``at``."""
        return self.both_left(at)[1]

    def is_paused(self, at: int) -> bool:
        """Return whether actions are refused at ``at`` because of a pause, its countdown included."""
        return self.is_closed and at < self.stands_until

    def _ends(self) -> dict[int, int]:
        """Return when each running seat has nothing left; empty while every clock stands without an end."""
        if self.stands_until == FOREVER:
            return {}
        start = max(self.at, self.stands_until)
        return {
            seat: start + self.banks[seat] + (self.spares[seat] if seat in self.away and self.banks[seat] else 0)
            for seat in self.running
        }

    def due(self) -> int | None:
        """Return when the first of the running seats has nothing left, or None if nobody's time runs."""
        return min(self._ends().values(), default=None)

    def overdue(self, at: int) -> int | None:
        """Return the seat whose time is up at ``at``, the one that was first (then the lowest), or None."""
        ends = [(end, seat) for seat, end in self._ends().items() if end <= at]
        return min(ends)[1] if ends else None

    def _absences(self) -> dict[int, int]:
        """Return when each seat that is to act and away has been away for too long."""
        if self.terms.absence == "wait" or self.stands_until == FOREVER:
            return {}
        return {
            seat: max(self.away[seat], self._turn_since[seat], self.stands_until) + self.terms.absence_ms
            for seat in self.running
            if seat in self.away
        }

    def absence_due(self) -> int | None:
        """Return when the first seat that is to act will have been away for too long, or None."""
        return min(self._absences().values(), default=None)

    def absent(self, at: int) -> int | None:
        """Return a seat that is to act and has been away for too long at ``at``, or None."""
        ends = [(end, seat) for seat, end in self._absences().items() if end <= at]
        return min(ends)[1] if ends else None

    def next_due(self) -> int | None:
        """Return when time alone makes something happen: a bank is used up, or an absence has lasted too long."""
        return min((one for one in (self.due(), self.absence_due()) if one is not None), default=None)

    def copy(self) -> Clock:
        """Return a clock that goes its own way."""
        twin = object.__new__(Clock)
        twin.__dict__.update(self.__dict__)
        twin.banks, twin.spares, twin.away = list(self.banks), list(self.spares), dict(self.away)
        twin._turn_since = list(self._turn_since)
        return twin
