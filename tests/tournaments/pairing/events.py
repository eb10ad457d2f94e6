"""A made-up Swiss event for the tests: results, byes, walkovers, who comes and goes, corrections."""

from __future__ import annotations

import random
from dataclasses import replace

from tournaments.pairing.field import POINT, Kind, Pairing, Past, Person

WORTH = {Kind.WALKOVER_WON: POINT, Kind.ALLOCATED: POINT, Kind.FULL: POINT, Kind.HALF: POINT // 2}


class Event:
    """Entrants 1 to ``entrants`` and their rounds; ids are ten times the seeds, so that none is taken for the other."""

    def __init__(self, entrants: int, seed: int, walkovers: float = 0.0, draws: float = 0.3) -> None:
        self.random = random.Random(seed)
        self.walkovers, self.draws = walkovers, draws
        self.people = tuple(Person(id=10 * seed, seed=seed) for seed in range(1, entrants + 1))
        self.number = 0

    def prepare(self, byes: float, leave: float, come: float) -> None:
        """Let some ask for byes, some leave, some come (with the next seed)."""
        people = []
        for person in self.people:
            kind = self.random.choice((Kind.FULL, Kind.HALF, Kind.ZERO)) if self.random.random() < byes else None
            gone = person.withdrawn or self.random.random() < leave
            people.append(replace(person, bye=None if gone else kind, withdrawn=gone))
        if self.random.random() < come:
            seed = len(people) + 1
            people.append(Person(id=10 * seed, seed=seed))
        self.people = tuple(people)

    def play(self, pairing: Pairing) -> None:
        """Give every table a result and everybody its points."""
        self.number += 1
        by_id = {person.id: person for person in self.people}

        def give(entrant: int, kind: Kind, won: int, seats: tuple[int, ...] = ()) -> None:
            person = by_id[entrant]
            past = Past(self.number, kind, person.points, seats)
            by_id[entrant] = replace(person, points=person.points + won, past=(*person.past, past), bye=None)

        for table in pairing.tables:
            first, second = table.seats
            if self.random.random() < self.walkovers:
                won, lost = (first, second) if self.random.random() < 0.5 else (second, first)
                give(won, Kind.WALKOVER_WON, POINT, table.seats)
                give(lost, Kind.WALKOVER_LOST, 0, table.seats)
                continue
            edge = 1 / (1 + 10 ** ((by_id[first].seed - by_id[second].seed) / len(by_id) * 2))
            drawn = self.random.random() < self.draws
            points = POINT // 2 if drawn else POINT * (self.random.random() < edge)
            give(first, Kind.PLAYED, points, table.seats)
            give(second, Kind.PLAYED, POINT - points, table.seats)
        for bye in pairing.byes:
            give(bye.entrant, bye.kind, WORTH.get(bye.kind, 0))
        self.people = tuple(by_id[person.id] for person in self.people)

    def correct(self) -> None:
        """Turn the result of one table that was played into the opposite, with everything that follows from it."""
        played = [(p, past) for p in self.people for past in p.past if past.kind is Kind.PLAYED]
        if not played:
            return
        _, chosen = self.random.choice(played)
        people = []
        for person in self.people:
            gained = [b - a for a, b in zip((p.before for p in person.past), self._after(person), strict=True)]
            for at, past in enumerate(person.past):
                if past.round == chosen.round and past.seats == chosen.seats:
                    gained[at] = POINT - gained[at]
            past_now, points = [], 0
            for past, won in zip(person.past, gained, strict=True):
                past_now.append(replace(past, before=points))
                points += won
            people.append(replace(person, past=tuple(past_now), points=points))
        self.people = tuple(people)

    @staticmethod
    def _after(person: Person) -> list[int]:
        return [past.before for past in person.past[1:]] + ([person.points] if person.past else [])
