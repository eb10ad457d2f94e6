"""FIDE Dutch: every round of the outside cases, and the way there from a field."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tournaments.pairing.events import Event
from tournaments.pairing.dutch import MOST_ENTRANTS, NoDutchPairing, dutch, dutch_pairs, report_file
from tournaments.pairing.field import POINT, BadField, Bye, Kind, Pairing, Past, Person, differences

DATA = Path(__file__).parents[2] / "data" / "tournaments" / "dutch"
ROUNDS = [json.loads(line) for line in (DATA / "rounds.jsonl").read_text().splitlines()]


def test_all_rounds_of_the_cases_are_there() -> None:
    assert len(ROUNDS) == 131


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: f"{case['file']}-{case['round']}")
def test_rounds_equal_the_outside_cases(case: dict) -> None:
    assert sorted(dutch_pairs(case["trf"], case["round"])) == sorted(tuple(pair) for pair in case["pairs"])


@pytest.mark.parametrize(("criterion", "number"), [("C5", 3), ("C9", 2)])
def test_criteria_of_the_bye(criterion: str, number: int) -> None:
    trf = (DATA / f"dutch_2025_{criterion}.input").read_text()
    expected = (DATA / f"dutch_2025_{criterion}.output.expected").read_text().split("\n")[1:]
    pairs = [tuple(int(one) for one in line.split()) for line in expected if line]
    assert dutch_pairs(trf, number, odd_white=True) == pairs


def test_a_file_without_the_draw_for_colours_is_refused() -> None:
    trf = ROUNDS[0]["trf"].replace("XXC black1\n", "")
    assert trf != ROUNDS[0]["trf"]
    with pytest.raises(BadField, match="colour was drawn"):
        dutch_pairs(trf, 1)


def people_of(trf: str, number: int) -> tuple[Person, ...]:
    """Read a report file of the cases as a field, by other code than what writes them."""
    people = []
    worth = {"1": POINT, "=": POINT // 2, "0": 0, "+": POINT, "-": 0, "U": POINT, "F": POINT, "H": POINT // 2, "Z": 0}
    byes = {"U": Kind.ALLOCATED, "F": Kind.FULL, "H": Kind.HALF, "Z": Kind.ZERO}
    for line in trf.splitlines():
        if not line.startswith("001"):
            continue
        own = int(line[4:8])
        points = 0
        past: list[Past] = []
        bye = None
        for at, column in enumerate(re.findall(r"  (....) (.) (.)", line[89:]), start=1):
            other, colour, result = int(column[0]), column[1], column[2]
            if at == number:
                bye = byes[result]
                continue
            kind = byes.get(result, Kind.PLAYED)
            if result in "+-" and other:
                kind = Kind.WALKOVER_WON if result == "+" else Kind.WALKOVER_LOST
            elif result == "-":
                kind = Kind.ZERO
            seats = () if not other else ((own, other) if colour == "w" else (other, own))
            past.append(Past(at, kind, points, seats))
            points += worth[result]
        people.append(Person(id=own, seed=own, points=points, past=tuple(past), bye=bye))
    return tuple(people)


@pytest.mark.parametrize("case", ROUNDS[::5], ids=lambda case: f"{case['file']}-{case['round']}")
def test_a_field_leads_to_the_same_round(case: dict) -> None:
    people = people_of(case["trf"], case["round"])
    rounds = int(re.search(r"^XXR (\d+)", case["trf"], re.MULTILINE)[1])
    black_first = "XXC black1" in case["trf"]
    seed = 1 if black_first else 0
    pairing = dutch(people, number=case["round"], rounds=rounds, seed=seed)
    ours = {table.seats for table in pairing.tables} | {
        (b.entrant, 0) for b in pairing.byes if b.kind is Kind.ALLOCATED
    }
    assert ours == {tuple(pair) for pair in case["pairs"]}
    assert pairing.explanation.keys() == {person.id for person in people if not person.withdrawn}


def test_a_stage_is_checked_round_by_round() -> None:
    event = Event(entrants=13, seed=4)

    def pair(field: tuple[Person, ...], number: int) -> Pairing:
        return dutch(field, number=number, rounds=4, seed=9)

    for number in range(1, 5):
        event.play(pair(event.people, number))
    assert differences(event.people, range(1, 5), pair) == ()
    first, second = event.people[0].past[2].seats
    swapped = tuple(
        replace(
            person,
            past=tuple(replace(p, seats=p.seats[::-1]) if p.seats == (first, second) else p for p in person.past),
        )
        for person in event.people
    )
    found = differences(swapped, range(1, 4), pair)
    assert {(one.round, one.made, one.drawn) for one in found} == {
        (3, (second, first), None),
        (3, None, (first, second)),
    }


def test_kept_apart_never_meet() -> None:
    people = tuple(Person(n, n, apart=frozenset({"family"}) if n in (1, 3) else frozenset()) for n in range(1, 5))
    pairing = dutch(people, number=1, rounds=3, seed=1)
    assert {frozenset(table.seats) for table in pairing.tables} == {frozenset({1, 4}), frozenset({2, 3})}
    assert {frozenset(table.seats) for table in dutch(
        tuple(Person(n, n) for n in range(1, 5)), number=1, rounds=3, seed=1
    ).tables} == {frozenset({1, 3}), frozenset({2, 4})}  # fmt: skip


def test_when_the_rules_allow_nothing_the_least_bad_is_offered_and_said() -> None:
    event = Event(entrants=4, seed=1)
    for number in range(1, 4):
        event.play(dutch(event.people, number=number, rounds=4, seed=1))
    with pytest.raises(NoDutchPairing):
        dutch_pairs(report_file(event.people, 4, 4), 4, odd_white=True)
    pairing = dutch(event.people, number=4, rounds=4, seed=1)
    assert [note.code for note in pairing.warnings] == ["no_dutch_pairing", "rematch", "rematch"]
    assert len(pairing.tables) == 2


def test_small_and_empty_fields() -> None:
    assert dutch((), number=1, rounds=1, seed=1).tables == ()
    one = dutch((Person(7, 3),), number=1, rounds=1, seed=1)
    assert one.byes == (Bye(7, Kind.ALLOCATED),)
    resting = dutch((Person(7, 3, bye=Kind.HALF), Person(8, 4), Person(9, 5)), number=1, rounds=1, seed=1)
    assert resting.byes == (Bye(7, Kind.HALF),)
    assert len(resting.tables) == 1


def test_what_the_rules_do_not_know_is_refused() -> None:
    with pytest.raises(BadField, match="at most"):
        dutch([Person(n, n) for n in range(1, MOST_ENTRANTS + 2)], number=1, rounds=1, seed=1)
    threes = (
        Person(1, 1, points=3 * POINT, past=(Past(1, Kind.PLAYED, 0, (1, 2)),)),
        Person(2, 2, past=(Past(1, Kind.PLAYED, 0, (1, 2)),)),
    )
    with pytest.raises(BadField, match="other points"):
        dutch(threes, number=2, rounds=3, seed=1)
    with pytest.raises(BadField, match="no round has given"):
        dutch((Person(1, 1, points=POINT), Person(2, 2)), number=2, rounds=3, seed=1)
