"""Two-seat Swiss: properties over random events, brute force for small fields, and what single rules say."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.tournaments.pairing.events import Event
from tournaments.pairing import matching
from tournaments.pairing.field import (
    POINT,
    REQUESTED,
    BadField,
    Bye,
    Kind,
    Pairing,
    Past,
    Person,
    Table,
    as_of,
    differences,
)
from tournaments.pairing.priorities import PRIORITIES, Ranking, floats_of
from tournaments.pairing.swiss import swiss

EVENTS = int(os.environ.get("SWISS_EVENTS", "40"))
"""How many random events are played; thousands on request."""


def check(people: tuple[Person, ...], pairing: Pairing) -> None:
    """What holds for every pairing, by the words of the rules and no code of the engine."""
    by_id = {person.id: person for person in people}
    seated = [entrant for table in pairing.tables for entrant in table.seats]
    resting = [bye.entrant for bye in pairing.byes]
    here = [person.id for person in people if not person.withdrawn]
    assert sorted(seated + resting) == sorted(here)
    assert all(len(table.seats) == 2 for table in pairing.tables)
    assert [table.number for table in pairing.tables] == list(range(1, len(pairing.tables) + 1))
    for bye in pairing.byes:
        assert bye.kind in REQUESTED or bye.kind is Kind.ALLOCATED
        assert by_id[bye.entrant].bye == (None if bye.kind is Kind.ALLOCATED else bye.kind)
    to_pair = sum(by_id[one].bye is None for one in here)
    assert sum(bye.kind is Kind.ALLOCATED for bye in pairing.byes) == to_pair % 2
    flagged = {frozenset(note.entrants) for note in pairing.warnings if note.code == "rematch"}
    rematches = {frozenset(table.seats) for table in pairing.tables if met(by_id[table.seats[0]], table.seats[1])}
    assert flagged == rematches
    assert (pairing.cost["rematch"] > 0) == bool(rematches)
    again = [bye.entrant for bye in pairing.byes if bye.kind is Kind.ALLOCATED and unearned(by_id[bye.entrant])]
    assert [note.entrants for note in pairing.warnings if note.code == "second_bye"] == [(one,) for one in again]
    assert pairing.explanation is not None
    assert pairing.explanation.keys() == set(here)
    names = {person.id: f"<{person.id}>" for person in people}
    sentences = [note.sentence(names) for notes in pairing.explanation.values() for note in notes]
    sentences += [note.sentence(names) for note in pairing.warnings]
    assert all("{" not in sentence for sentence in sentences)


def met(person: Person, other: int) -> int:
    return sum(past.kind is Kind.PLAYED and other in past.seats for past in person.past)


def unearned(person: Person) -> int:
    return sum(past.kind in (Kind.ALLOCATED, Kind.FULL, Kind.WALKOVER_WON) for past in person.past)


@pytest.mark.parametrize("number", range(EVENTS))
def test_random_events(number: int) -> None:
    source = random.Random(number)
    entrants = source.choice((source.randint(3, 16), source.randint(3, 60), source.randint(3, 200)))
    event = Event(entrants, seed=number, walkovers=source.choice((0, 0.05)), draws=source.choice((0, 0.3)))
    wild = source.choice((0, 0, 1))
    for _ in range(source.randint(1, 9)):
        event.prepare(byes=0.05 * wild, leave=0.03 * wild, come=0.3 * wild)
        pairing = swiss(event.people, seed=number)
        check(event.people, pairing)
        if entrants <= 20:
            unsorted = list(event.people)
            source.shuffle(unsorted)
            assert swiss(unsorted, seed=number) == pairing
        event.play(pairing)
        if source.random() < 0.2 * wild:
            event.correct()


def rounds_of(entrants: tuple[int, ...]) -> Iterator[tuple[tuple[int, int | None], ...]]:
    """Every way to put positions at tables of two; one of an odd number rests."""
    if len(entrants) % 2:
        for one in entrants:
            rest = tuple(other for other in entrants if other != one)
            yield from (((one, None), *tables) for tables in rounds_of(rest))
        return
    if not entrants:
        yield ()
        return
    first, *others = entrants
    for other in others:
        rest = tuple(one for one in others if one != other)
        yield from (((first, other), *tables) for tables in rounds_of(rest))


@pytest.mark.parametrize("number", range(EVENTS))
def test_brute_force_finds_nothing_better(number: int) -> None:
    """Among all rounds of a small field none is better, told by the rules alone for rematches and second byes."""
    source = random.Random(-1 - number)
    entrants = source.randint(2, 8)
    event = Event(entrants, seed=number, walkovers=0.1)
    event.people = tuple(
        replace(person, apart=frozenset(f"g{source.randint(1, 3)}" for _ in range(source.randint(0, 1))))
        for person in event.people
    )
    for _ in range(entrants + 1):
        event.prepare(byes=0.05, leave=0.02, come=0.1 if len(event.people) < 9 else 0)
        pairing = swiss(event.people, seed=number)
        check(event.people, pairing)
        present = [person for person in event.people if not person.withdrawn and person.bye is None]
        ranking = Ranking(present, event.people)
        everything = list(rounds_of(tuple(range(len(ranking)))))
        assert pairing.proven == PRIORITIES
        if present:
            assert tuple(pairing.cost.values()) == min(
                tuple(sum(column) for column in zip(*(ranking.cost(*table) for table in tables), strict=True))
                for tables in everything
            )
        person = [one.person for one in ranking.standings]

        def flaws(tables: tuple[tuple[int, int | None], ...], person: list[Person] = person) -> tuple[int, int]:
            again = sum(met(person[one], person[other].id) ** 2 for one, other in tables if other is not None)
            return again, sum(unearned(person[one]) ** 2 for one, other in tables if other is None)

        ours = (pairing.cost["rematch"], pairing.cost["second bye"])
        assert ours == min(flaws(tables) for tables in everything)
        event.play(pairing)


@pytest.mark.parametrize("number", range(EVENTS))
def test_what_is_called_proven_is_the_best(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same fields among promising pairs and among all pairs: equal wherever the first claims a proof."""
    source = random.Random(number)
    event = Event(source.randint(10, 60), seed=number, walkovers=0.05)
    claimed = 0
    for _ in range(9):
        everybody = swiss(event.people, seed=number)
        monkeypatch.setattr(matching, "ALL_PAIRS_AT_ONCE", 0)
        monkeypatch.setattr(matching, "ALL_PAIRS_FOR_PROOF", 0)
        monkeypatch.setattr(matching, "REACHES", (4, 8))
        promising = swiss(event.people, seed=number)
        monkeypatch.undo()
        check(event.people, promising)
        proven = len(promising.proven)
        claimed += proven
        assert tuple(promising.cost.values())[:proven] == tuple(everybody.cost.values())[:proven]
        assert tuple(everybody.cost.values()) <= tuple(promising.cost.values())
        event.prepare(byes=0.05, leave=0.02, come=0)
        event.play(swiss(event.people, seed=number))
    assert claimed > 9 * 4


def test_a_field_of_hundreds_is_proven_up_to_the_floats_or_says_so() -> None:
    event = Event(240, seed=3)
    for _ in range(7):
        pairing = swiss(event.people, seed=3)
        check(event.people, pairing)
        unproven = [note for note in pairing.warnings if note.code == "unproven"]
        assert bool(unproven) == (len(pairing.proven) <= PRIORITIES.index("float"))
        event.play(pairing)


@pytest.mark.parametrize("entrants", [2, 3, 9, 14, 25])
def test_a_field_too_large_for_all_pairs_has_a_round_even_if_everybody_has_met(
    entrants: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("ALL_PAIRS_AT_ONCE", "ALL_PAIRS_FOR_PROOF", "ALL_PAIRS_FOR_LEGALITY"):
        monkeypatch.setattr(matching, limit, 0)
    monkeypatch.setattr(matching, "REACHES", (4,))
    monkeypatch.setattr(matching, "LAST_REACH", 4)
    event = Event(entrants, seed=entrants, walkovers=0.1)
    for _ in range(entrants + 4):
        pairing = swiss(event.people, seed=1)
        check(event.people, pairing)
        if pairing.cost["rematch"]:
            assert pairing.proven == ()
            assert "unproven" in {note.code for note in pairing.warnings}
        event.play(pairing)


def test_the_same_draw_on_every_machine() -> None:
    """Figures of a round that was drawn once, in another process than this one."""
    event = Event(101, seed=8, walkovers=0.05)
    for _ in range(5):
        pairing = swiss(event.people, seed=2026)
        event.play(pairing)
    drawn = repr([table.seats for table in pairing.tables]) + repr(pairing.byes)
    assert hashlib.sha256(drawn.encode()).hexdigest()[:16] == "34c931fb1ed68e30"


def test_a_finished_stage_is_drawn_again_and_what_was_changed_is_found() -> None:
    event = Event(31, seed=5, walkovers=0.1)

    def pair(field: tuple[Person, ...], number: int) -> Pairing:
        return swiss(field, seed=77)

    for _ in range(6):
        event.prepare(byes=0.1, leave=0.02, come=0.3)
        event.play(pair(event.people, event.number + 1))
    assert differences(event.people, range(1, 7), pair) == ()
    one, other = (next(p for p in person.past if p.round == 4) for person in as_of(event.people, 5)[:2])
    if one.seats == other.seats or not one.seats or not other.seats:
        pytest.fail("The case lost its point: the first two were to be at different tables in round 4.")
    exchange = {one.seats: (other.seats[0], one.seats[1]), other.seats: (one.seats[0], other.seats[1])}
    firsts = {one.seats[0]: exchange[other.seats], other.seats[0]: exchange[one.seats]}
    changed = tuple(
        replace(
            person,
            past=tuple(
                replace(past, seats=firsts.get(person.id, exchange.get(past.seats, past.seats)))
                if past.round == 4
                else past
                for past in person.past
            ),
        )
        for person in event.people
    )
    found = differences(changed, range(1, 5), pair)
    assert {line.made for line in found if line.made} == set(exchange.values())
    assert {line.drawn for line in found if line.drawn} == set(exchange)


def test_another_seed_is_another_draw() -> None:
    people = tuple(Person(n, n) for n in range(1, 21))
    assert len({swiss(people, seed=seed).tables for seed in range(8)}) == 2  # round one is in order; seats are drawn


def test_round_one_meets_half_against_half_with_seats_in_turn() -> None:
    pairing = swiss(tuple(Person(n, n) for n in range(1, 9)), seed=0)
    assert [frozenset(table.seats) for table in pairing.tables] == [frozenset({n, n + 4}) for n in range(1, 5)]
    assert [table.seats.index(n) for n, table in enumerate(pairing.tables, start=1)] in ([0, 1, 0, 1], [1, 0, 1, 0])


def played(number: int, first: int, second: int, before: tuple[int, int]) -> dict[int, Past]:
    return {one: Past(number, Kind.PLAYED, before[at], (first, second)) for at, one in enumerate((first, second))}


def test_two_who_have_met_meet_again_and_it_is_said() -> None:
    past = played(1, 1, 2, (0, 0))
    people = (Person(1, 1, POINT, (past[1],)), Person(2, 2, 0, (past[2],)))
    pairing = swiss(people, seed=1)
    assert pairing.tables == (Table(1, (2, 1)),)
    (warning,) = pairing.warnings
    assert warning.code == "rematch"
    assert warning.sentence({1: "Ada", 2: "Ben"}).startswith("Ada and Ben, who have met once, meet again")


def test_the_bye_goes_to_the_fewest_byes_then_the_lowest_points() -> None:
    rested = Past(1, Kind.HALF, 0)
    people = (
        Person(1, 1, 2 * POINT),
        Person(2, 2, POINT),
        Person(3, 3, POINT // 2, (rested,)),
    )
    assert swiss(people, seed=1).byes == (Bye(2, Kind.ALLOCATED),)


def test_a_second_bye_is_better_than_a_rematch() -> None:
    past = played(2, 1, 2, (0, 0))
    had = Past(1, Kind.ALLOCATED, 0)
    people = (
        Person(1, 1, 0, (past[1],)),
        Person(2, 2, POINT, (Past(1, Kind.FULL, 0), replace(past[2], before=POINT))),
        Person(3, 3, POINT, (had,)),
    )
    assert swiss(people, seed=1).byes == (Bye(1, Kind.ALLOCATED),)
    everybody = tuple(replace(person, past=(had, *[p for p in person.past if p.round == 2])) for person in people)
    pairing = swiss(everybody, seed=1)
    assert not pairing.cost["rematch"]
    assert [note.code for note in pairing.warnings] == ["second_bye"]


def test_kept_apart_costs_score_but_no_rematch() -> None:
    family = frozenset({"family"})
    people = (
        Person(1, 1, POINT, apart=family),
        Person(2, 2, POINT, apart=family),
        Person(3, 3, 0),
        Person(4, 4, 0),
    )
    assert {frozenset(table.seats) for table in swiss(people, seed=1).tables} == {frozenset({1, 3}), frozenset({2, 4})}
    past = played(1, 1, 3, (0, 0))
    other = played(1, 2, 4, (0, 0))
    third = played(2, 1, 4, (0, 0))
    fourth = played(2, 2, 3, (0, 0))
    pasts = {1: (past[1], third[1]), 3: (past[3], fourth[3]), 2: (other[2], fourth[2]), 4: (other[4], third[4])}
    met_all = tuple(replace(person, past=pasts[person.id]) for person in people)
    pairing = swiss(met_all, seed=1)
    assert frozenset({1, 2}) in {frozenset(table.seats) for table in pairing.tables}
    assert [note.code for note in pairing.warnings] == ["apart"]


def test_a_walkover_or_a_void_match_is_no_meeting() -> None:
    for mine, theirs in ((Kind.WALKOVER_WON, Kind.WALKOVER_LOST), (Kind.VOID, Kind.VOID)):
        people = (Person(1, 1, 0, (Past(1, mine, 0, (1, 2)),)), Person(2, 2, 0, (Past(1, theirs, 0, (1, 2)),)))
        pairing = swiss(people, seed=1)
        assert len(pairing.tables) == 1
        assert pairing.warnings == ()


def test_floats_are_those_of_the_last_two_rounds() -> None:
    pasts = played(1, 1, 2, (POINT, 0)) | {3: Past(1, Kind.ALLOCATED, 0), 4: Past(1, Kind.WALKOVER_LOST, 0, (4, 5))}
    pasts[5] = Past(1, Kind.WALKOVER_WON, 0, (4, 5))
    people = [Person(n, n, 0, (pasts[n],)) for n in range(1, 6)]
    assert floats_of(people) == {1: (-1, 0), 2: (1, 0), 3: (-1, 0), 4: (0, 0), 5: (-1, 0)}
    later = [*people, Person(6, 6, 0, (Past(2, Kind.ZERO, 0),))]
    assert floats_of(later) == {1: (0, -1), 2: (0, 1), 3: (0, -1), 4: (0, 0), 5: (0, -1), 6: (0, 0)}


def test_empty_and_tiny_fields() -> None:
    assert swiss((), seed=1).tables == ()
    assert swiss((Person(5, 1),), seed=1).byes == (Bye(5, Kind.ALLOCATED),)
    asked = swiss((Person(5, 1, bye=Kind.HALF), Person(6, 2, withdrawn=True)), seed=1)
    assert asked.byes == (Bye(5, Kind.HALF),)
    assert asked.tables == ()


def test_fields_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(BadField, match="named twice"):
        swiss((Person(1, 1), Person(1, 2)), seed=1)
    with pytest.raises(BadField, match="same seed"):
        swiss((Person(1, 1), Person(2, 1)), seed=1)
    with pytest.raises(BadField, match="asks for a bye"):
        swiss((Person(1, 1, bye=Kind.ALLOCATED),), seed=1)
    with pytest.raises(BadField, match="not in order"):
        swiss((Person(1, 1, past=(Past(2, Kind.ZERO, 0), Past(1, Kind.ZERO, 0))),), seed=1)
    with pytest.raises(BadField, match="lacks its table"):
        swiss((Person(1, 1, past=(Past(1, Kind.PLAYED, 0),)),), seed=1)
    with pytest.raises(BadField, match="not its own"):
        swiss((Person(1, 1, past=(Past(1, Kind.PLAYED, 0, (2, 3)),)),), seed=1)
    with pytest.raises(BadField, match="name that table"):
        swiss((Person(1, 1, past=(Past(1, Kind.PLAYED, 0, (1, 2)),)), Person(2, 2)), seed=1)
    with pytest.raises(BadField, match="too far apart"):
        swiss((Person(1, 1, points=10**30), Person(2, 2), Person(3, 3, points=1), Person(4, 4)), seed=1)
