"""The search for good tables: who sits with whom, by strict priorities.

A set of tables is scored by its :class:`~tournaments.pairing.table_question.Score`, whose parts count in their order:
nothing of a later part makes up for the least of an earlier one. The search is threshold accepting: it swaps two people
of different tables, takes what is better and, less and less, what is a little worse, and keeps the best that it has
seen. While it walks, meetings and points are on one scale, because a strict scale has too many valleys; what is *kept*
is decided by the strict score. Where the tables without a repeat are few (a small field in a late round) they are all
tried afterwards, which finds what swaps cannot, and proves what cannot be had; so are all tables of a very small field.

All numbers are integers and the lots follow from the seed, so the result is the same everywhere. There is no clock: the
work is bounded by counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.pairing.few_tables import best_cover
from tournaments.pairing.lots import words
from tournaments.pairing.table_question import Question, Score, Tables

STEPS_EACH = 2500
LEAST_STEPS = 100_000
MOST_STEPS = 750_000
"""How many swaps are looked at: so many for each entrant, within these bounds."""
LEGS = 100
"""In so many steps what is allowed comes down to nothing."""
HEAT = 6
"""How much worse a swap may be at first: so many times the spread of a table cut from the standing, roughly."""
WINDOW = 64
"""Swaps are tried with people no further away than this in the order of points."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The tables found, their score, and a score below which no tables are.

    A part of ``bound`` holds for tables that are as good as these in all earlier parts.
    """

    tables: Tables
    score: Score
    bound: Score


def seat_tables(question: Question, order: Sequence[int], seed: str, *, effort: int = 100) -> Answer:
    """Return good tables for ``question``.

    ``order`` names all entrants, in which the tables are filled at first; ``effort`` is in per cent of the usual work.
    Raises ValueError if there are not as many seats as entrants.
    """
    if sum(kind.size for kind in question.tables) != len(question.points) or len(order) != len(question.points):
        raise ValueError("There must be a seat for each entrant.")
    if not question.tables:
        return Answer((), Score(0, 0, 0, 0), Score(0, 0, 0, 0))
    bound = Score(_fewest_repeats(question), 0, _least_spread(question), 0)
    steps = max(LEAST_STEPS, min(MOST_STEPS, STEPS_EACH * len(order))) * effort // 100
    tables = _walk(question, order, seed, steps, bound)
    score = question.score(tables)
    if score[:3] == bound[:3]:
        return Answer(tables, score, bound)
    cover = best_cover(question, score if score.repeats == 0 else None, effort)
    if cover.tables is not None:
        tables = cover.tables
        score = question.score(tables)
    if not cover.complete:
        return Answer(tables, score, bound)
    if score.repeats == 0:
        return Answer(tables, score, score)
    # Nobody can be seated without a repeat.
    bound = bound._replace(repeats=max(bound.repeats, 1))
    cover = best_cover(question, score, effort, again=True)
    if cover.tables is not None:
        tables = cover.tables
        score = question.score(tables)
    if cover.complete:
        bound = score
    return Answer(tables, score, bound)


def _fewest_repeats(question: Question) -> int:
    """Return how many repeats there must be because somebody has too few left whom they have not met."""
    smallest = min((kind.size for kind in question.tables), default=1)
    others = len(question.points) - 1
    missing = sum(max(0, smallest - 1 - (others - layer.bit_count())) for layer in question.met[0])
    return -(-missing // 2)


def _least_spread(question: Question) -> int:
    """Return a sum of spreads below which no tables are, whoever has met whom.

    Between two neighbours in the order of points somebody must sit with somebody from the other side unless whole
    tables fill each side; and of tables that belong to an end, those that do not fit between the gap and that end lie
    across it.
    """
    points = sorted(question.points)
    fills = {0}
    for kind in question.tables:
        fills |= {filled + kind.size for filled in fills}
    low_ends = sorted(kind.size for kind in question.tables if kind.end < 0)
    high_ends = sorted(kind.size for kind in question.tables if kind.end > 0)
    least = 0
    for below in range(1, len(points)):
        gap = points[below] - points[below - 1]
        if gap:
            across = _unfitting(low_ends, below) + _unfitting(high_ends, len(points) - below)
            least += gap * max(across, 0 if below in fills else 1)
    return least


def _unfitting(sizes: Sequence[int], seats: int) -> int:
    """Return how many tables of ``sizes`` (ascending) do not fit into ``seats``, at least."""
    for number, size in enumerate(sizes):
        seats -= size
        if seats < 0:
            return len(sizes) - number
    return 0


class _Walk:
    """The tables while the search walks, with what each swap needs kept at hand.

    On the walk's own scale a meeting costs ``dear``, half of all that points differ by; points count ``fine`` so that
    short tables, which count 1, never outweigh them.
    """

    def __init__(self, question: Question, order: Sequence[int]) -> None:
        self.question = question
        self.points = question.points
        low, high = question.edges()
        self.fine = 1 + sum(question.short_before)
        self.dear = max(1, (high - low) // 2) * self.fine
        self.heat = min(self.dear // 2, HEAT * (high - low) * self.fine // max(1, len(question.tables)))
        layers = [((2 * level + 1) * self.dear, layer) for level, layer in enumerate(question.met) if any(layer)]
        if any(question.apart):
            layers.append((self.dear, question.apart))
        self.layers = layers
        self.held = [point * self.fine for point in question.points]
        self.edges = (low * self.fine, high * self.fine)
        count = len(question.points)
        self.tables: list[list[int]] = []
        self.sets = [0] * len(question.tables)
        self.at = [0] * count
        self.clash, self.low, self.high = [0] * count, [0] * count, [0] * count
        self.span = [0] * len(question.tables)
        seats = iter(order)
        for number, kind in enumerate(question.tables):
            table = [next(seats) for _ in range(kind.size)]
            self.tables.append(table)
            for entrant in table:
                self.at[entrant] = number
                self.sets[number] |= 1 << entrant
        self.scores = [self._look_at(number) for number in range(len(self.tables))]

    def clashes(self, entrant: int, others: int) -> int:
        """Return what it costs that ``entrant`` sits with ``others`` (bits)."""
        return sum(weight * (layer[entrant] & others).bit_count() for weight, layer in self.layers)

    def _look_at(self, number: int) -> Score:
        """Reckon anew what is kept about a table; return its part of the score."""
        table, members, kind = self.tables[number], self.sets[number], self.question.tables[number]
        held = sorted(self.held[entrant] for entrant in table)
        least, next_least, most, next_most = held[0], held[min(1, len(held) - 1)], held[-1], held[max(-2, -len(held))]
        if kind.end < 0:
            least = next_least = self.edges[0]
        if kind.end > 0:
            most = next_most = self.edges[1]
        self.span[number] = most - least
        only_least = only_most = True
        repeats = together = 0
        for entrant in table:
            mine = self.held[entrant]
            self.low[entrant], self.high[entrant] = least, most
            if mine == least and only_least:
                self.low[entrant], only_least = next_least, False
            if mine == most and only_most:
                self.high[entrant], only_most = next_most, False
            self.clash[entrant] = self.clashes(entrant, members)
            if self.clash[entrant]:
                for level, layer in enumerate(self.question.met):
                    repeats += (2 * level + 1) * (layer[entrant] & members).bit_count()
                together += (self.question.apart[entrant] & members).bit_count()
        short = sum(self.question.short_before[entrant] for entrant in table) if kind.short else 0
        return Score(repeats // 2, together // 2, (most - least) // self.fine, short)

    def swap(self, one: int, other: int) -> tuple[int, int]:
        """Let two entrants change places; return the numbers of their tables."""
        here, there = self.at[one], self.at[other]
        for number, leaving, coming in ((here, one, other), (there, other, one)):
            table = self.tables[number]
            table[table.index(leaving)] = coming
            self.sets[number] ^= 1 << leaving | 1 << coming
            self.at[coming] = number
        self.scores[here], self.scores[there] = self._look_at(here), self._look_at(there)
        return here, there

    def score(self) -> Score:
        """Return the score of all tables together."""
        return Score(*(sum(part) for part in zip(*self.scores, strict=True)))


def _walk(question: Question, order: Sequence[int], seed: str, steps: int, bound: Score) -> Tables:
    """Return the best tables on a walk of ``steps`` looks at a swap."""
    walk = _Walk(question, order)
    score = best = walk.score()
    kept = tuple(tuple(table) for table in walk.tables)
    if best <= bound:
        return kept
    count = len(order)
    window = min(count - 1, WINDOW)
    ranked = sorted(order, key=lambda entrant: -question.points[entrant])
    rank = {entrant: place for place, entrant in enumerate(ranked)}
    at, held, low, high, span, clash, sets = walk.at, walk.held, walk.low, walk.high, walk.span, walk.clash, walk.sets
    kinds, short_before = question.tables, question.short_before
    uneven = any(kind.short for kind in kinds)
    # It ends at nothing, so the last steps only go down.
    reach = [walk.heat * (LEGS - leg) ** 2 // LEGS**2 for leg in range(1, LEGS + 1)]
    for step, (first, second) in enumerate(words(seed, steps)):
        one = first * count >> 32
        other = ranked[(rank[one] + 1 + (second * window >> 32)) % count]
        here, there = at[one], at[other]
        if here == there:
            continue
        allowed = reach[step * LEGS // steps]
        mine, theirs = held[one], held[other]
        lowest, highest = low[one], high[one]
        change = (theirs if theirs > highest else highest) - (theirs if theirs < lowest else lowest)
        lowest, highest = low[other], high[other]
        change += (mine if mine > highest else highest) - (mine if mine < lowest else lowest)
        change -= span[here] + span[there] + clash[one] + clash[other]
        if uneven and kinds[here].short != kinds[there].short:
            more = short_before[other] - short_before[one]
            change += more if kinds[here].short else -more
        if change > allowed:
            continue
        change += walk.clashes(one, sets[there] ^ 1 << other) + walk.clashes(other, sets[here] ^ 1 << one)
        if change > allowed:
            continue
        before = walk.scores[here], walk.scores[there]
        walk.swap(one, other)
        after = walk.scores[here], walk.scores[there]
        score = Score(*(s - b - c + d + e for s, b, c, d, e in zip(score, *before, *after, strict=True)))
        if score < best:
            best, kept = score, tuple(tuple(table) for table in walk.tables)
            if best <= bound:
                break
    return kept
