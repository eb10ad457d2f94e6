"""One game from its header and records: what the live server keeps, and what verification and tests replay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from .canonical import canonical
from .deal import Deal, deal_seed, explicit_deal, shuffled
from .frame import Action, EngineError, Event, IllegalAction, Outcome, Seat
from .registry import game as game_called
from .transcript import Header, Record, first_hash, next_hash_of


class ClockBackwards(EngineError):
    """A record that would be earlier than the one before it."""

    code = "clock-backwards"


def deal_of(header: Header, server_seed: bytes | None) -> Deal:
    """Return the deal of a game. ``server_seed`` is None for an explicit deal, and only then."""
    game = game_called(header.game)
    if header.deal is not None:
        return explicit_deal(game, header.rules, header.deal)
    if server_seed is None or header.client_seeds is None:
        raise ValueError("A deal that is not explicit needs the server seed and the client seeds.")
    seed = deal_seed(server_seed, header.game_id, header.client_seeds, header.deal_group)
    return shuffled(game.deck(header.rules), seed)


def opening(header: Header, server_seed: bytes | None) -> Any:
    """Return the first position of a game (of its game's own type)."""
    deal = deal_of(header, server_seed)
    return game_called(header.game).start(header.rules, header.seats, deal.deck, deal.seed, deal.drawn)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A record that would be accepted, with what it leads to. Store the record, then push the proposal."""

    record: Record
    events: tuple[Event, ...]
    position: Any
    written: bytes
    """The action as canonical JSON."""


class Refereed:
    """A running game as one process keeps it: the position and the end of the chain.

    ``propose`` changes nothing, so that a record can be stored first; ``push`` moves on.
    """

    __slots__ = ("at", "game", "header", "last_hash", "n", "position")

    def __init__(self, header: Header, server_seed: bytes | None) -> None:
        """Start the game of ``header``; ``server_seed`` is None for an explicit deal."""
        self.header = header
        self.game = game_called(header.game)
        self.position = opening(header, server_seed)
        self.n = 0
        self.at = 0
        self.last_hash = first_hash(header)

    @classmethod
    def resume(cls, header: Header, server_seed: bytes | None, records: Iterable[Record]) -> Self:
        """Return the game after ``records`` that were accepted before; their hashes are taken as stored.

        Raises IllegalAction where the records are not those of this game.
        """
        refereed = cls(header, server_seed)
        for record in records:
            refereed.follow(record)
        return refereed

    @property
    def outcome(self) -> Outcome:
        """How the game stands or ended."""
        return self.game.outcome(self.position)

    def propose(self, at: int, seat: Seat, action: Action) -> Proposal:
        """Return what ``action``, sent by ``seat`` at ``at`` milliseconds, would do.

        Raises ClockBackwards, IllegalAction, NotYourTurn or GameOver; BadFormat for text that UTF-8 cannot carry.
        """
        if at < self.at:
            raise ClockBackwards(f"The last record is of {self.at} ms, this one would be of {at} ms.")
        step = self.game.apply(self.position, seat, action)
        late = self.game.timing_fault(at, action)
        if late is not None:
            raise IllegalAction(late)
        n = self.n + 1
        written = canonical(step.action)
        digest = next_hash_of(self.last_hash, n, at, seat, written)
        return Proposal(Record(n, at, seat, step.action, digest.hex()), step.events, step.position, written)

    def push(self, proposal: Proposal) -> None:
        """Move on to what ``proposal`` leads to. It must have been made at this point of the game."""
        self._move(proposal.record, proposal.position)

    def _move(self, record: Record, position: Any) -> None:
        if record.n != self.n + 1:
            raise ValueError(f"Record {record.n} cannot follow record {self.n}.")
        self.position = position
        self.n, self.at, self.last_hash = record.n, record.at, bytes.fromhex(record.hash)

    def follow(self, record: Record) -> tuple[Event, ...]:
        """Move on by a ``record`` that was accepted and stored before, and return its events.

        Raises IllegalAction where it cannot be one of this game, and ValueError where it does not come next.
        """
        step = self.game.apply(self.position, record.seat, record.action)
        self._move(record, step.position)
        return step.events
