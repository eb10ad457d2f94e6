"""Fixed schedules for tables: all rounds known before the first, no look at points.

Where a construction of :mod:`tournaments.pairing.constructions` has enough rounds, it is used, for fewer players too:
seats of people who never meet are left empty. Otherwise all rounds are searched at once: swaps within a round, as in
:mod:`tournaments.pairing.table_search`, but what is weighed are the meetings of the whole schedule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

from tournaments.pairing.constructions import constructions
from tournaments.pairing.field import Table
from tournaments.pairing.lots import shuffled, words
from tournaments.pairing.seat_order import seat_order
from tournaments.pairing.table_sizes import Split, TableSizes

STEPS_EACH = 8000
LEAST_STEPS = 400_000
MOST_STEPS = 3_000_000
"""How many swaps a search looks at: so many for each player and round, within these bounds."""
LEGS = 100
"""In so many steps what is allowed comes down to nothing."""
DEAR = 3
"""A meeting counts as much as so many seats at a short table, while it walks."""


@dataclass(frozen=True, slots=True)
class ScheduledRound:
    """The tables of one round (players are numbers from 1), and who has none."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """All rounds; how often two meet who have met, and how often that must be at least; the construction, if any."""

    rounds: tuple[ScheduledRound, ...]
    repeats: int
    bound: int
    construction: str | None


def fixed_schedule(players: int, rounds: int, *, sizes: TableSizes, seed: int, effort: int = 100) -> Schedule:
    """Return a schedule for players 1 to ``players``, who are drawn by lot from ``seed``.

    Repeats are as few as could be found, and short tables and byes go round. Which end of the field has the smaller
    tables does not matter here. ``effort`` is in per cent of the usual search. Raises ValueError for fewer than one
    round, or for fewer players than the smallest table has seats.
    """
    if rounds < 1:
        raise ValueError("A schedule has one round at least.")
    split = sizes.split(players)
    if not split.sizes:
        raise ValueError(f"{players} players are too few for a table of {sizes.smallest}.")
    drawn = shuffled(range(1, players + 1), f"{seed}:schedule")
    bound = least_repeats(players, rounds, split)
    made = _constructed(players, rounds, split)
    if made is not None:
        name, tables = made
        byes: list[tuple[int, ...]] = [()] * rounds
    else:
        name = None
        byes = list(_rotating(players, rounds, split.byes))
        search = _Search(players, split, byes, sizes.preferred)
        steps = max(LEAST_STEPS, min(MOST_STEPS, STEPS_EACH * players * rounds)) * effort // 100
        tables = search.run(f"{seed}:search", steps, bound)
    before: dict[int, list[int]] = {player: [] for player in range(players)}
    scheduled = []
    for number in range(rounds):
        seated = [seat_order(table, before) for table in tables[number]]
        for table in seated:
            for seat, player in enumerate(table):
                before[player].append(seat)
        named = tuple(Table(at, tuple(drawn[one] for one in table)) for at, table in enumerate(seated, start=1))
        scheduled.append(ScheduledRound(named, tuple(sorted(drawn[one] for one in byes[number]))))
    return Schedule(tuple(scheduled), repeats_of(scheduled), bound, name)


def repeats_of(rounds: Sequence[ScheduledRound]) -> int:
    """Return how often two sit at a table who have met before."""
    met = [pair for each in rounds for table in each.tables for pair in combinations(sorted(table.seats), 2)]
    return len(met) - len(set(met))


def least_repeats(players: int, rounds: int, split: Split) -> int:
    """Return a number of repeats below which no schedule comes.

    There are only so many pairs; who sits down has only so many others to meet, at the smallest tables too; and at a
    table with more seats than a round has tables there are some who met in the round before.
    """
    by_pairs = rounds * sum(comb(size, 2) for size in split.sizes) - comb(players, 2)
    seats = rounds * (players - split.byes)
    # All sit down as evenly as can be, at the smallest tables: fewer repeats are not possible for anybody.
    often, more = divmod(seats, players)
    others = min(split.sizes) - 1
    missing = more * max(0, (often + 1) * others - (players - 1))
    missing += (players - more) * max(0, often * others - (players - 1))
    tables = len(split.sizes)
    again = 0 if split.byes else sum(_crowded(size, tables) for size in split.sizes) * (rounds - 1)
    return max(0, by_pairs, -(-missing // 2), again)


def _crowded(size: int, tables: int) -> int:
    """Return how many pairs of ``size`` people come from one table, at least, if they come from so many tables."""
    each, more = divmod(size, tables)
    return more * comb(each + 1, 2) + (tables - more) * comb(each, 2)


def _rotating(players: int, rounds: int, byes: int) -> Iterator[tuple[int, ...]]:
    """Yield who has no table in each round: all players in turn."""
    for number in range(rounds):
        yield tuple((number * byes + at) % players for at in range(byes))


def _constructed(players: int, rounds: int, split: Split) -> tuple[str, list[list[list[int]]]] | None:
    """Return a construction's name and rounds for this split, with seats left empty if the tables are not full."""
    size, tables = max(split.sizes), len(split.sizes)
    if split.byes or min(split.sizes) < size - 1:
        return None
    for known in constructions(tables, size):
        if len(known.rounds) < rounds:
            continue
        used = known.rounds[:rounds]
        met = [set[int]() for _ in range(tables * size)]
        for each in used:
            for table in each:
                for player in table:
                    met[player].update(table)
        empty = _strangers(met, tables * size - players)
        if empty is not None:
            staying = [player for player in range(tables * size) if player not in empty]
            number = {player: at for at, player in enumerate(staying)}
            return known.name, [
                [[number[player] for player in table if player in number] for table in each] for each in used
            ]
    return None


def _strangers(met: Sequence[set[int]], count: int) -> tuple[int, ...] | None:
    """Return ``count`` players of whom no two meet, or None if a search from each player on finds none."""
    for start in range(len(met)):
        found: list[int] = []
        for player in [*range(start, len(met)), *range(start)]:
            if len(found) == count:
                break
            if all(other not in met[player] for other in found):
                found.append(player)
        if len(found) == count:
            return tuple(found)
    return None


class _Search:
    """Threshold accepting over a whole schedule.

    Two who meet for the m-th time cost m - 1, and a short table costs an entrant how often it had one: both grow faster
    than linearly when added up. What is kept has the least meetings, then the least short tables; while it walks, a
    meeting counts ``DEAR``.
    """

    def __init__(self, players: int, split: Split, byes: Sequence[Sequence[int]], preferred: int) -> None:
        self.players = players
        self.short = [size < preferred and len(set(split.sizes)) > 1 for size in split.sizes]
        self.met = [[0] * players for _ in range(players)]
        self.times_short = [0] * players
        self.sitting: list[list[int]] = []
        self.tables: list[list[list[int]]] = []
        self.at: list[list[int]] = []
        for number, without in enumerate(byes):
            sitting = [player for player in range(players) if player not in without]
            # Each round begins with another order, else it would begin with nothing but repeats.
            order = shuffled(sitting, f"round {number}")
            tables, at, start = [], [-1] * players, 0
            for table, size in enumerate(split.sizes):
                tables.append(order[start : start + size])
                start += size
                for player in tables[table]:
                    at[player] = table
                    self.times_short[player] += self.short[table]
                for one, other in combinations(tables[table], 2):
                    self.met[one][other] += 1
                    self.met[other][one] += 1
            self.sitting.append(sitting)
            self.tables.append(tables)
            self.at.append(at)

    def cost(self) -> tuple[int, int]:
        """Return what the meetings and the short tables cost."""
        meetings = sum(comb(times, 2) for row in self.met for times in row) // 2
        return meetings, sum(comb(times, 2) for times in self.times_short)

    def run(self, seed: str, steps: int, bound: int) -> list[list[list[int]]]:
        """Return the best schedule on a walk of so many looks at a swap."""
        meetings, shorts = best = self.cost()
        kept = [[list(table) for table in tables] for tables in self.tables]
        seats_each, more = divmod(sum(self.times_short), self.players)
        least = (bound, more * comb(seats_each + 1, 2) + (self.players - more) * comb(seats_each, 2))
        if best <= least:
            return kept
        rounds = len(self.tables)
        reach = [DEAR * (LEGS - leg) for leg in range(1, LEGS + 1)]
        met, times_short, short = self.met, self.times_short, self.short
        for step, (first, second) in enumerate(words(seed, steps)):
            number = first * rounds >> 32
            sitting, at = self.sitting[number], self.at[number]
            one = sitting[(second >> 16) * len(sitting) >> 16]
            other = sitting[(second & 0xFFFF) * len(sitting) >> 16]
            here, there = at[one], at[other]
            if here == there:
                continue
            mine, theirs = met[one], met[other]
            change = 0
            for beside in self.tables[number][here]:
                if beside != one:
                    change += theirs[beside] - mine[beside] + 1
            for beside in self.tables[number][there]:
                if beside != other:
                    change += mine[beside] - theirs[beside] + 1
            fairer = 0
            if short[here] != short[there]:
                leaving, coming = (one, other) if short[here] else (other, one)
                fairer = times_short[coming] - times_short[leaving] + 1
            # The low bits of ``first`` are zeros as often as a geometric law says: so much worse is let pass.
            if 4 * LEGS * (change * DEAR + fairer) > (first & -first).bit_length() * reach[step * LEGS // steps]:
                continue
            self._swap(number, one, other)
            meetings += change
            shorts += fairer
            if (meetings, shorts) < best:
                best, kept = (meetings, shorts), [[list(table) for table in tables] for tables in self.tables]
                if best <= least:
                    break
        return kept

    def _swap(self, number: int, one: int, other: int) -> None:
        """Let two players change their tables in a round."""
        at, met = self.at[number], self.met
        here, there = at[one], at[other]
        for table, leaving, coming in ((here, one, other), (there, other, one)):
            sitting = self.tables[number][table]
            for beside in sitting:
                if beside != leaving:
                    met[leaving][beside] -= 1
                    met[beside][leaving] -= 1
                    met[coming][beside] += 1
                    met[beside][coming] += 1
            sitting[sitting.index(leaving)] = coming
            at[coming] = table
            if self.short[table]:
                self.times_short[leaving] -= 1
                self.times_short[coming] += 1
