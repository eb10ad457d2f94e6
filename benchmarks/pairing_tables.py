"""Prints how good multi-seat Swiss rounds are, and what they take of processor time.

    python -m benchmarks.pairing_tables [--seeds 10] [--effort 100] [--only 32]

Each event has entrants of normally distributed strength; at a table whoever has the most of strength and a normally
distributed form of the day wins. Places of a table of four bring 5, 3, 2 and 1 points. *Repeats* are pairs who meet
that met before, in the whole event; *spread* is the most less the fewest points at a table, the mean over all tables of
all rounds, both the mean of the events. Beside our rounds stand two that need no search: tables cut from the standing
(no look at who has met), and tables filled from the top with the next who has met nobody there.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from statistics import mean

from tournaments.pairing.field import POINT, Kind, Past, Person
from tournaments.pairing.lots import shuffled
from tournaments.pairing.table_sizes import TableSizes
from tournaments.pairing.table_swiss import table_swiss

EVENTS = ((32, 7), (100, 8), (400, 8))
PLACES = (5 * POINT, 3 * POINT, 2 * POINT, POINT)
SEATS = len(PLACES)

type Tables = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Told:
    """What came of one event: repeats and mean spread of each round, and the seconds that each took."""

    repeats: list[int]
    spreads: list[float]
    seconds: list[float]


def by_standing(people: Sequence[Person], seed: int) -> Tables:
    """Cut the standing into tables."""
    order = _standing(people, seed)
    return [order[start : start + SEATS] for start in range(0, len(order), SEATS)]


def from_the_top(people: Sequence[Person], seed: int) -> Tables:
    """Fill each table from the top with the next who has met the fewest there."""
    met = {person.id: person.meetings() for person in people}
    order = _standing(people, seed)
    tables = []
    while order:
        table = [order.pop(0)]
        while len(table) < SEATS:
            table.append(min(order, key=lambda one: sum(other in met[one] for other in table)))
            order.remove(table[-1])
        tables.append(table)
    return tables


def ours(effort: int) -> Callable[[Sequence[Person], int], Tables]:
    """Return our way to pair, at so many per cent of the usual search."""
    sizes = TableSizes(preferred=4, smallest=4, largest=4)

    def pair(people: Sequence[Person], seed: int) -> Tables:
        return [table.seats for table in table_swiss(people, sizes=sizes, seed=seed, effort=effort).tables]

    return pair


def event(entrants: int, rounds: int, seed: int, pair: Callable[[Sequence[Person], int], Tables]) -> Told:
    """Play one event."""
    chance = Random(seed)
    strength = [chance.gauss() for _ in range(entrants)]
    people = {one: Person(one, one + 1) for one in range(entrants)}
    met: set[tuple[int, int]] = set()
    told = Told([], [], [])
    for number in range(1, rounds + 1):
        started = time.process_time()
        tables = pair(list(people.values()), seed)
        told.seconds.append(time.process_time() - started)
        pairs = [pair for table in tables for pair in combinations(sorted(table), 2)]
        told.repeats.append(sum(pair in met for pair in pairs))
        met.update(pairs)
        held = [[people[one].points for one in table] for table in tables]
        told.spreads.append(mean(max(points) - min(points) for points in held) / POINT)
        for table in tables:
            form = {one: strength[one] + chance.gauss() for one in sorted(table)}
            for one, points in zip(sorted(table, key=lambda one: -form[one]), PLACES, strict=True):
                me = people[one]
                past = Past(number, Kind.PLAYED, me.points, tuple(table))
                people[one] = replace(me, points=me.points + points, past=(*me.past, past))
    return told


def _standing(people: Sequence[Person], seed: int) -> list[int]:
    drawn = shuffled(people, f"{seed}:{len(people[0].past)}")
    return [person.id for person in sorted(drawn, key=lambda person: -person.points)]


def main() -> None:
    """Print a line for each event and way to pair, and our figures round by round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--effort", type=int, default=100)
    parser.add_argument("--only", type=int, help="the event with so many entrants")
    asked = parser.parse_args()
    ways = {"by standing": by_standing, "from the top": from_the_top, "ours": ours(asked.effort)}
    for entrants, rounds in EVENTS:
        if asked.only not in (None, entrants):
            continue
        print(f"{entrants} entrants, {entrants // SEATS} tables, {rounds} rounds, {asked.seeds} events")
        for name, way in ways.items():
            told = [event(entrants, rounds, seed, way) for seed in range(asked.seeds)]
            seconds = sorted(second for one in told for second in one.seconds)
            print(
                f"  {name:13} repeats {mean(sum(one.repeats) for one in told):6.1f}"
                f"  spread {mean(mean(one.spreads) for one in told):5.2f}"
                f"  seconds a round: median {seconds[len(seconds) // 2]:.2f}, most {seconds[-1]:.2f}",
                flush=True,
            )
        print("  ours, by round: repeats", *(f"{mean(one.repeats[at] for one in told):.1f}" for at in range(rounds)))
        print("                  spread ", *(f"{mean(one.spreads[at] for one in told):.1f}" for at in range(rounds)))


if __name__ == "__main__":
    main()
