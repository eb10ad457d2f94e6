"""One round of Swiss for two: the best round under the strict priorities of ``priorities``, seated and explained."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from tournaments.pairing.explanation import explained, warnings
from tournaments.pairing.field import Bye, Kind, Pairing, Person, Table, check_field
from tournaments.pairing.matching import best_round
from tournaments.pairing.priorities import PRIORITIES, Ranking
from tournaments.pairing.seats import seated


def swiss(people: Sequence[Person], *, seed: int) -> Pairing:
    """Return the pairing of the next round; ``people`` is everybody in the stage, those who left it among them.

    Works for every number of entrants and every set of requested byes. When a rematch, a second allocated bye or a
    kept-apart pair cannot be avoided, the least of them is in the pairing and a warning says so. ``seed`` is the
    stage's: it draws who begins with which seat and whatever is equal otherwise; the same people (in any order) and
    seed give the same pairing. Raises BadField for a field that contradicts itself.
    """
    by_id = check_field(people)
    everybody = sorted(people, key=lambda person: person.seed)
    present = [person for person in everybody if not person.withdrawn and person.bye is None]
    ranking = Ranking(present, everybody)
    best = best_round(ranking, seed)
    odd_seeds_first = first_seats_to_odd_seeds(seed)
    matches = []
    for upper, lower in best.pairs:
        one, other = (ranking.standings[position].person for position in (upper, lower))
        matches.append(seated(one, other, odd_seeds_first=odd_seeds_first))
    byes = [Bye(person.id, person.bye) for person in everybody if person.bye is not None and not person.withdrawn]
    if best.bye is not None:
        byes.append(Bye(ranking.standings[best.bye].person.id, Kind.ALLOCATED))
    tables = numbered([(one.id, other.id) for one, other in matches], by_id.values())
    return Pairing(
        tables=tables,
        byes=tuple(byes),
        warnings=warnings(ranking, best),
        explanation=explained(ranking, best, tables, byes),
        proven=best.proven,
        cost=dict(zip(PRIORITIES, best.cost, strict=True)),
    )


def first_seats_to_odd_seeds(seed: int) -> bool:
    """Return what ``seed`` draws: whether odd seeds begin with the first seat, or even ones."""
    return random.Random(seed).getrandbits(1) == 1  # noqa: S311 a draw that can be repeated is what is wanted


def numbered(matches: Iterable[tuple[int, int]], people: Iterable[Person]) -> tuple[Table, ...]:
    """Return the matches (ids in seat order) as tables: the most points first, then the most together, then seeds."""
    by_id = {person.id: person for person in people}

    def key(match: tuple[int, int]) -> tuple[int, int, int]:
        points = [by_id[one].points for one in match]
        return -max(points), -sum(points), min(by_id[one].seed for one in match)

    return tuple(Table(number, match) for number, match in enumerate(sorted(matches, key=key), start=1))
