"""All tables that there can be, and the best way to seat everybody at them: for fields where they are few.

A table without a repeat is a clique among those who have not met. Where nobody can be seated without a repeat, any
table may do. If there are no more than :data:`MOST_TABLES` of them, the seatings are gone through by branch and bound:
first whoever has the fewest tables left, at the cheapest of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import lcm

from tournaments.pairing.table_question import Question, Score, TableKind, Tables

MOST_TABLES = 4000
MOST_LOOKS = 3000
"""After so many part seatings the trying ends; what is missing then is the proof, or something better."""
SHARES = lcm(*range(1, 9))
"""Costs are counted in shares that tables of 1 to 8 divide among their seats."""


class _TooMany(Exception):
    """There are more tables, or part seatings, than are tried."""


@dataclass(frozen=True, slots=True)
class Cover:
    """The best seating that was found, if any, and whether it is certain that there is no better one of its sort."""

    tables: Tables | None
    complete: bool


@dataclass(frozen=True, slots=True)
class _Table:
    """A possible table: its entrants as bits, the kind (an index), its cost, and the share of that for each seat."""

    members: int
    kind: int
    cost: int
    share: int


@dataclass(slots=True)
class _Trying:
    """Branch and bound, and the best that it has found: cheaper than ``limit``."""

    limit: int | None
    looks: int
    best: list[_Table] = field(default_factory=list)

    def go_on(self, live: dict[int, list[_Table]], left: list[int], taken: list[_Table], cost: int) -> None:
        """Seat whoever is still in ``live`` (entrant -> tables left, cheapest first), ``left`` tables of each kind."""
        if not live:
            self.limit, self.best = cost, list(taken)
            return
        self.looks -= 1
        if self.looks < 0:
            raise _TooMany
        if self.limit is not None and cost + sum(tables[0].share for tables in live.values()) >= self.limit:
            return
        entrant = min(live, key=lambda one: (len(live[one]), one))
        for table in live[entrant]:
            left[table.kind] -= 1
            full = left[table.kind] == 0
            rest = {
                one: [
                    other
                    for other in tables
                    if not other.members & table.members and not (full and other.kind == table.kind)
                ]
                for one, tables in live.items()
                if not table.members >> one & 1
            }
            if all(rest.values()):
                self.go_on(rest, left, [*taken, table], cost + table.cost)
            left[table.kind] += 1


def best_cover(question: Question, known: Score | None, effort: int, *, again: bool = False) -> Cover:
    """Return the best seating that is better than ``known``, if the tables that there can be are few.

    With ``again`` they may have repeats, else not. ``effort`` is in per cent of the usual number of looks.
    """
    kinds = sorted(set(question.tables), key=lambda kind: (kind.size, kind.short, kind.end))
    weigh = _Weights.of(question)
    try:
        tables = [
            table for number, kind in enumerate(kinds) for table in _cliques(question, kind, number, weigh, again)
        ]
    except _TooMany:
        return Cover(None, complete=False)
    tables.sort(key=lambda table: (table.share, table.kind, table.members))
    live = {one: [table for table in tables if table.members >> one & 1] for one in range(len(question.points))}
    if not all(live.values()):
        return Cover(None, complete=True)
    limit = None if known is None else SHARES * weigh.whole(known)
    trying = _Trying(limit, MOST_LOOKS * effort // 100)
    complete = True
    try:
        trying.go_on(live, [question.tables.count(kind) for kind in kinds], [], 0)
    except _TooMany:
        complete = False
    if not trying.best:
        return Cover(None, complete)
    found = {kind: [table for table in trying.best if kinds[table.kind] == kind] for kind in kinds}
    return Cover(tuple(_entrants(found[kind].pop().members) for kind in question.tables), complete)


@dataclass(frozen=True, slots=True)
class _Weights:
    """One number for the parts of a score behind the repeats, in which their order is strict."""

    repeats: int
    together: int
    spread: int

    @classmethod
    def of(cls, question: Question) -> _Weights:
        """Return weights that no sum over all tables of the later parts reaches."""
        low, high = question.edges()
        spread = 1 + sum(question.short_before)
        together = (1 + len(question.tables) * (high - low)) * spread
        pairs = sum(kind.size * kind.size for kind in question.tables)
        return cls((1 + pairs) * together, together, spread)

    def whole(self, score: Score) -> int:
        """Return the number for a score."""
        later = score.together * self.together + score.spread * self.spread + score.short
        return score.repeats * self.repeats + later


def _cliques(question: Question, kind: TableKind, number: int, weigh: _Weights, again: bool) -> Iterator[_Table]:
    """Yield every table of ``kind``, without ``again`` those at which nobody meets again. Raises _TooMany."""
    everybody = (1 << len(question.points)) - 1
    fresh = [everybody & ~(0 if again else layer | 1 << one) for one, layer in enumerate(question.met[0])]
    seen = 0
    stack: list[tuple[tuple[int, ...], int]] = [
        ((one,), fresh[one] >> (one + 1) << (one + 1)) for one in range(len(question.points))
    ]
    while stack:
        table, partners = stack.pop()
        if len(table) == kind.size:
            seen += 1
            if seen > MOST_TABLES:
                raise _TooMany
            members = sum(1 << one for one in table)
            repeats = sum(
                (2 * level + 1) * (layer[one] & members).bit_count()
                for level, layer in enumerate(question.met)
                for one in table
            )
            together = sum((question.apart[one] & members).bit_count() for one in table) // 2
            short = sum(question.short_before[one] for one in table) if kind.short else 0
            cost = SHARES * weigh.whole(Score(repeats // 2, together, question.span(kind, table), short))
            yield _Table(members, number, cost, cost // kind.size)
            continue
        while partners:
            one = partners.bit_length() - 1
            partners ^= 1 << one
            stack.append(((*table, one), fresh[one] & partners))


def _entrants(members: int) -> tuple[int, ...]:
    """Return the entrants of a set of bits."""
    return tuple(one for one in range(members.bit_length()) if members >> one & 1)
