"""The entrants to be seated at tables, in the order of the standing, and what the search is asked about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.pairing.field import Kind, Person
from tournaments.pairing.table_question import Question, TableKind
from tournaments.pairing.table_sizes import TableSizes, Uneven


@dataclass(frozen=True, slots=True)
class SeatedField:
    """The standing (most points first, equal ones as drawn), how often each two met, and the question."""

    standing: tuple[Person, ...]
    meetings: Mapping[int, Mapping[int, int]]
    short_before: Mapping[int, int]
    question: Question

    @classmethod
    def of(cls, standing: Sequence[Person], split: Sequence[int], sizes: TableSizes) -> SeatedField:
        """Return the field for people in the order of the standing and tables of the sizes in ``split``."""
        place = {person.id: at for at, person in enumerate(standing)}
        own = {person.id: person.meetings() for person in standing}
        # Two have met where both came to the table.
        meetings = {
            one: {other: times for other in met if other in own and (times := min(met[other], own[other].get(one, 0)))}
            for one, met in own.items()
        }
        most = max((times for met in meetings.values() for times in met.values()), default=0)
        layers = tuple(
            tuple(
                sum(1 << place[other] for other, times in meetings[person.id].items() if times >= level)
                for person in standing
            )
            for level in range(1, max(most, 1) + 1)
        )
        groups: dict[str, int] = {}
        for person in standing:
            for group in person.apart:
                groups[group] = groups.get(group, 0) | 1 << place[person.id]
        apart = []
        for person in standing:
            kept = 0
            for group in person.apart:
                kept |= groups[group]
            apart.append(kept & ~(1 << place[person.id]))
        short_before = {person.id: _short_tables(person, sizes.preferred) for person in standing}
        question = Question(
            points=tuple(person.points for person in standing),
            met=layers,
            apart=tuple(apart),
            short_before=tuple(short_before[person.id] for person in standing),
            tables=_kinds(split, sizes),
        )
        return cls(tuple(standing), meetings, short_before, question)


def _short_tables(person: Person, preferred: int) -> int:
    """Return how often a person has sat at a table smaller than the preferred size."""
    return sum(past.kind is Kind.PLAYED and len(past.seats) < preferred for past in person.past)


def _kinds(split: Sequence[int], sizes: TableSizes) -> tuple[TableKind, ...]:
    """Return the tables: those of another size than preferred belong to an end, unless all tables are alike."""
    alike = len(set(split)) < 2 or sizes.uneven is Uneven.BYES
    smaller_end = 1 if sizes.uneven is Uneven.HIGH else -1
    kinds = []
    for size in split:
        short = size < sizes.preferred
        end = 0 if alike or size == sizes.preferred else smaller_end if short else -smaller_end
        kinds.append(TableKind(size, short, end))
    return tuple(kinds)
