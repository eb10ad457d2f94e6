"""What a pairing function is told, and what it answers: the field before a round, and the pairing of that round.

Shared by every way to pair a round of a Swiss stage. Ids are whatever the caller calls its entrants by; seeds are the
numbers from 1 (the best) that order a field. Points are integers of 1/840 point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

POINT = 840
"""One point."""


class Kind(StrEnum):
    """What a round was for one entrant."""

    PLAYED = "played"
    WALKOVER_WON = "walkover won"
    WALKOVER_LOST = "walkover lost"
    VOID = "void"
    ALLOCATED = "allocated bye"
    FULL = "full-point bye"
    HALF = "half-point bye"
    ZERO = "zero-point bye"

    @property
    def is_bye(self) -> bool:
        """Return whether the entrant had no table at all."""
        return self in _BYES

    @property
    def is_unearned(self) -> bool:
        """Return whether it gave the points of a win without play (who had that is not given an allocated bye)."""
        return self in (Kind.WALKOVER_WON, Kind.ALLOCATED, Kind.FULL)


_BYES = frozenset({Kind.ALLOCATED, Kind.FULL, Kind.HALF, Kind.ZERO})
REQUESTED = (Kind.FULL, Kind.HALF, Kind.ZERO)
"""The byes that an entrant can have asked for."""


@dataclass(frozen=True, slots=True)
class Past:
    """A past round of one entrant: the points it had before, and its table in seat order (nobody for a bye)."""

    round: int
    kind: Kind
    before: int
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of an entrant when a round is paired.

    ``past`` holds its rounds in order; one in which it was not there (before it came, after it left) may be missing.
    ``bye`` is the bye it asked for in the round to be paired, ``withdrawn`` that it is not paired any more. Entrants
    that share a group of ``apart`` are kept from meeting as long as that costs neither a rematch nor a second bye.
    """

    id: int
    seed: int
    points: int = 0
    past: tuple[Past, ...] = ()
    bye: Kind | None = None
    withdrawn: bool = False
    apart: frozenset[str] = frozenset()

    def meetings(self) -> dict[int, int]:
        """Return how often this entrant has met each other one. A walkover or a void match is no meeting."""
        met: dict[int, int] = {}
        for past in self.past:
            if past.kind is Kind.PLAYED:
                for other in past.seats:
                    if other != self.id:
                        met[other] = met.get(other, 0) + 1
        return met

    def had(self, *kinds: Kind) -> int:
        """Return in how many past rounds one of ``kinds`` was this entrant's."""
        return sum(past.kind in kinds for past in self.past)

    def seats_played(self) -> tuple[int, ...]:
        """Return the seats (0 is the first) of the matches that were played, in order."""
        return tuple(past.seats.index(self.id) for past in self.past if past.kind is Kind.PLAYED)


@dataclass(frozen=True, slots=True)
class Table:
    """The entrants (ids) at one table, in the order of their seats. Tables count from 1."""

    number: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bye:
    """An entrant that has no table in the round."""

    entrant: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Note:
    """A code for programs, and a sentence for people in which ``{0}``, ``{1}`` stand for names of ``entrants``."""

    code: str
    text: str
    entrants: tuple[int, ...] = ()

    def sentence(self, names: Mapping[int, str]) -> str:
        """Return the sentence with the names of the entrants in it."""
        return self.text.format(*(names[entrant] for entrant in self.entrants))


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round: tables, byes, what an organizer must know before publishing it, and per entrant why it is so.

    ``proven`` names the priorities for which no other pairing can be better (given that those before it are kept);
    ``cost`` is what the pairing costs at each, ``bound`` what none can undercut at those where that is reckoned.
    """

    tables: tuple[Table, ...]
    byes: tuple[Bye, ...]
    warnings: tuple[Note, ...] = ()
    explanation: Mapping[int, tuple[Note, ...]] | None = None
    proven: tuple[str, ...] = ()
    cost: Mapping[str, int] = field(default_factory=dict)
    bound: Mapping[str, int] = field(default_factory=dict)


class BadField(ValueError):
    """The field cannot be paired as it was given; the message says what is wrong. Owner: whoever calls."""

    code = "bad_field"


def check_field(people: Sequence[Person]) -> dict[int, Person]:
    """Return the entrants by id. Raises BadField for double ids or seeds, a bye nobody can ask for, a broken past."""
    by_id = {person.id: person for person in people}
    if len(by_id) != len(people):
        raise BadField("An entrant is named twice.")
    if len({person.seed for person in people}) != len(people):
        raise BadField("Two entrants have the same seed.")
    named: dict[tuple[int, tuple[int, ...]], int] = {}
    for person in people:
        if person.bye is not None and person.bye not in REQUESTED:
            raise BadField(f"Entrant {person.id} asks for a bye of the kind “{person.bye}”.")
        rounds = [past.round for past in person.past]
        if rounds != sorted(set(rounds)):
            raise BadField(f"The past rounds of entrant {person.id} are not in order.")
        for past in person.past:
            if past.kind.is_bye == bool(past.seats):
                raise BadField(f"Round {past.round} of entrant {person.id} is a bye with a table, or lacks its table.")
            if past.seats and (person.id not in past.seats or len(set(past.seats)) != len(past.seats)):
                raise BadField(f"The table of round {past.round} of entrant {person.id} is not its own.")
            if past.seats:
                named[past.round, past.seats] = named.get((past.round, past.seats), 0) + 1
    for (number, seats), times in named.items():
        if times != len(seats):
            raise BadField(f"Not all of table {seats} of round {number} are in the field and name that table.")
    return by_id


def as_of(people: Iterable[Person], number: int) -> tuple[Person, ...]:
    """Return the field as it was before round ``number``, from the pasts of a later one.

    Who has no past in that round counts as withdrawn; a bye that had been asked for is asked for again.
    """
    earlier = []
    for person in people:
        this = next((past for past in person.past if past.round == number), None)
        earlier.append(
            replace(
                person,
                points=person.points if this is None else this.before,
                past=tuple(past for past in person.past if past.round < number),
                bye=this.kind if this is not None and this.kind in REQUESTED else None,
                withdrawn=this is None,
            )
        )
    return tuple(earlier)


@dataclass(frozen=True, slots=True)
class Difference:
    """A table or bye of round ``round`` that was made but would not be drawn (or the reverse), as seats or one id."""

    round: int
    made: tuple[int, ...] | None
    drawn: tuple[int, ...] | None


def differences(
    people: Sequence[Person], rounds: Iterable[int], pair: Callable[[tuple[Person, ...], int], Pairing]
) -> tuple[Difference, ...]:
    """Pair every round of a finished stage again, and return what differs, a line for each table or bye.

    ``pair`` is told the field before a round and the number of the round. Seats count: the same entrants in another
    order differ.
    """
    found: list[Difference] = []
    for number in rounds:
        made = {
            past.seats or (person.id,)
            for person in people
            for past in person.past
            if past.round == number and past.kind not in REQUESTED
        }
        pairing = pair(as_of(people, number), number)
        drawn = {table.seats for table in pairing.tables}
        drawn |= {(bye.entrant,) for bye in pairing.byes if bye.kind is Kind.ALLOCATED}
        found += [Difference(number, seats, None) for seats in sorted(made - drawn)]
        found += [Difference(number, None, seats) for seats in sorted(drawn - made)]
    return tuple(found)
