"""Thinking time: a bank per seat, worked out from the times of the records alone. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence


class Clock:
    """The seats' banks of one game. All times are milliseconds since the game's start.

    The bank of a seat shrinks while the game waits for it and grows by the increment with each of its own actions.
    House bots are untimed: if they are slow, that is the server's doing, and nobody is to win by it.
    """

    def __init__(self, *, seats: int, bank_ms: int, increment_ms: int, untimed: Collection[int]) -> None:
        self.increment_ms = increment_ms
        self.banks = [bank_ms] * seats
        self.untimed = frozenset(untimed)
        self.running: tuple[int, ...] = ()
        self.at = 0

    def wait_for(self, seats: Sequence[int]) -> None:
        """Let the time of ``seats`` run from now on, and of no other."""
        self.running = tuple([seat for seat in seats if seat not in self.untimed])

    def record(self, at: int, seat: int | None, waiting: Sequence[int]) -> None:
        """Fold in a record made at ``at`` by ``seat``, after which the game waits for the seats ``waiting``."""
        self.banks = self.left(at)
        self.at = at
        if seat is not None and seat not in self.untimed:
            self.banks[seat] += self.increment_ms
        self.wait_for(waiting)

    def left(self, at: int) -> list[int]:
        """Return what each seat has left at ``at``, never below 0."""
        spent = at - self.at
        return [max(0, bank - spent) if seat in self.running else bank for seat, bank in enumerate(self.banks)]

    def due(self) -> int | None:
        """Return when the first of the running seats has nothing left, or None if nobody's time runs."""
        return self.at + min(self.banks[seat] for seat in self.running) if self.running else None

    def overdue(self, at: int) -> int | None:
        """Return the seat whose time is up at ``at``, the one with the smallest bank first, or None."""
        due = self.due()
        if due is None or at < due:
            return None
        return min(self.running, key=lambda seat: (self.banks[seat], seat))

    def copy(self) -> Clock:
        """Return a clock that goes its own way."""
        twin = Clock(seats=0, bank_ms=0, increment_ms=self.increment_ms, untimed=self.untimed)
        twin.banks, twin.running, twin.at = list(self.banks), self.running, self.at
        return twin
