"""Prints what it costs to pair one round of Swiss for two, and how good it is, with gacrux' FIDE Dutch beside it.

    python -m benchmarks.pairing [--sizes 200 1000 4000] [--odd] [--history dutch] [--repeat 5]

Five events of each size are played six rounds (results by strength, three in ten drawn), and the seventh is paired by
both on the very same field. Seconds are CPU time, medians; counts are sums over the five. gacrux pairs up to 1,000
entrants. The first six rounds are paired by our engine, or by gacrux with ``--history dutch``.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from tournaments.pairing.dutch import MOST_ENTRANTS, dutch
from tournaments.pairing.field import POINT, Kind, Pairing, Past, Person
from tournaments.pairing.seats import ABSOLUTE, seat_due
from tournaments.pairing.swiss import swiss

ROUNDS = 6
LIMITS = {200: 0.03, 1000: 0.4, 4000: 7.0}
"""CPU seconds that a round may take at most."""


@dataclass(frozen=True, slots=True)
class Quality:
    """A round in numbers: tables of entrants who have met, with different points, the sum of the differences (and of
    their squares) in points, tables at which both are due the same seat, and of those the ones due absolutely."""

    rematches: int
    floats: int
    difference: float
    squares: float
    clashes: int
    absolute: int


def played(entrants: int, seed: int, pair: Callable[[Sequence[Person], int], Pairing]) -> tuple[Person, ...]:
    """Return a field after six rounds."""
    source = Random(seed)
    strength = {n: source.gauss(1500 - 300 * n / entrants, 120) for n in range(1, entrants + 1)}
    people = {n: Person(n, n) for n in strength}
    for number in range(1, ROUNDS + 1):
        pairing = pair(tuple(people.values()), number)
        given = [(bye.entrant, bye.kind, POINT, ()) for bye in pairing.byes]
        for table in pairing.tables:
            first, second = table.seats
            edge = 1 / (1 + 10 ** ((strength[second] - strength[first]) / 400))
            won = POINT // 2 if source.random() < 0.3 else POINT * (source.random() < edge)
            given += [(first, Kind.PLAYED, won, table.seats), (second, Kind.PLAYED, POINT - won, table.seats)]
        for entrant, kind, won, seats in given:
            person = people[entrant]
            past = Past(number, kind, person.points, seats)
            people[entrant] = replace(person, points=person.points + won, past=(*person.past, past))
    return tuple(people.values())


def quality(people: Sequence[Person], pairing: Pairing) -> Quality:
    """Judge a round by the field alone."""
    by_id = {person.id: person for person in people}
    rematches = floats = clashes = absolute = 0
    difference = squares = 0.0
    for table in pairing.tables:
        one, other = (by_id[entrant] for entrant in table.seats)
        rematches += other.id in one.meetings()
        apart = abs(one.points - other.points) / POINT
        floats += apart > 0
        difference += apart
        squares += apart * apart
        dues = [seat_due(person.seats_played()) for person in (one, other)]
        if dues[0].seat is not None and dues[0].seat == dues[1].seat:
            clashes += 1
            absolute += min(due.strength for due in dues) == ABSOLUTE
    return Quality(rematches, floats, difference, squares, clashes, absolute)


def timed(pair: Callable[[], Pairing]) -> tuple[float, Pairing]:
    """Return the CPU seconds of this process that a round took, and the round."""
    start = time.process_time()
    pairing = pair()
    return time.process_time() - start, pairing


def total(name: str, seconds: list[float], rounds: list[Quality], remark: str) -> str:
    """Return a line of the table."""
    sums = [f"{sum(getattr(one, field) for one in rounds):>10g}" for field in Quality.__slots__]
    return f"{name:<24}{statistics.median(seconds):>9.3f}{max(seconds):>9.3f}{''.join(sums)}  {remark}"


def compare(entrants: int, repeat: int, history: str) -> None:
    """Print both engines' lines for one size."""
    with_dutch = entrants <= MOST_ENTRANTS
    ours: list[tuple[float, Pairing, Quality]] = []
    theirs: list[tuple[float, Pairing, Quality]] = []
    for seed in range(1, repeat + 1):
        if history == "dutch":
            people = played(entrants, seed, lambda p, number, s=seed: dutch(p, number=number, rounds=9, seed=s))
        else:
            people = played(entrants, seed, lambda p, number, s=seed: swiss(p, seed=s))
        seconds, pairing = timed(lambda people=people, s=seed: swiss(people, seed=s))
        ours.append((seconds, pairing, quality(people, pairing)))
        if with_dutch:
            seconds, pairing = timed(lambda people=people, s=seed: dutch(people, number=ROUNDS + 1, rounds=9, seed=s))
            theirs.append((seconds, pairing, quality(people, pairing)))
    proofs = [pairing.proven[-1] if pairing.proven else "nothing" for _, pairing, _ in ours]
    limit = LIMITS.get(entrants)
    remark = f"proven up to: {', '.join(sorted(set(proofs)))}" + (f"; limit {limit} s" if limit else "")
    print(total(f"{entrants} bearena", [s for s, _, _ in ours], [q for _, _, q in ours], remark))
    if theirs:
        refused = sum(any(note.code == "no_dutch_pairing" for note in pairing.warnings) for _, pairing, _ in theirs)
        remark = f"no Dutch pairing: {refused}" if refused else ""
        print(total(f"{entrants} gacrux FIDE Dutch", [s for s, _, _ in theirs], [q for _, _, q in theirs], remark))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[200, 1000, 4000])
    parser.add_argument("--odd", action="store_true", help="one entrant more, so that there is a bye")
    parser.add_argument("--history", choices=["bearena", "dutch"], default="bearena")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    print(f"{'entrants, engine':<24}{'CPU s':>9}{'most':>9}", end="")
    print("".join(f"{field:>10}" for field in Quality.__slots__))
    for size in options.sizes:
        compare(size + options.odd, options.repeat, options.history)


if __name__ == "__main__":
    main()
