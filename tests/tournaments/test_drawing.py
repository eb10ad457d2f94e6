"""The draw in a process of its own: the same as in this one, and ended when it takes too long."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from tournaments.drawing import Question, Undrawable, draw, drawn_apart
from tournaments.pairing.field import Kind, Past, Person
from tournaments.pairing.table_sizes import TableSizes

FIELD = tuple(Person(number, number, apart=frozenset({"x"} if number < 3 else ())) for number in range(1, 14))
FOURS = TableSizes()


@pytest.mark.parametrize(
    "question",
    [
        Question("swiss", 1, 5, FIELD, seed=7),
        Question("fide-dutch", 1, 5, FIELD, seed=7),
        Question("table-swiss", 1, 5, FIELD, seed=7, sizes=FOURS),
        Question("table-schedule", 1, 3, FIELD, seed=7, sizes=FOURS),
    ],
    ids=lambda question: question.format,
)
def test_another_process_draws_the_same(question: Question) -> None:
    assert drawn_apart(question, seconds=60) == draw(question)


def test_a_draw_is_ended_at_the_time_limit() -> None:
    long = Question("table-schedule", 1, 40, tuple(Person(n, n) for n in range(1, 401)), seed=1, sizes=FOURS)
    began = time.monotonic()
    with pytest.raises(Undrawable, match=r"within 1 second"):
        drawn_apart(long, seconds=1)
    assert time.monotonic() - began < 10


def test_what_has_no_answer_is_said_in_a_sentence() -> None:
    twice = (Person(1, 1), Person(1, 2))
    with pytest.raises(Undrawable, match="named twice"):
        drawn_apart(Question("swiss", 1, 5, twice, seed=1), seconds=60)
    with pytest.raises(Undrawable, match="too few"):
        drawn_apart(Question("table-schedule", 1, 5, FIELD[:2], seed=1, sizes=FOURS), seconds=60)


def test_a_fault_is_no_refusal() -> None:
    with pytest.raises(RuntimeError, match="status 1"):
        drawn_apart(Question("swiss", 1, 5, ("nobody",), seed=1), seconds=60)  # type: ignore[arg-type]


def test_a_question_is_known_by_its_digest() -> None:
    question = Question("swiss", 2, 5, FIELD, seed=7)
    assert question.digest() == replace(question, people=FIELD[::-1]).digest()
    changed = [
        replace(question, seed=8),
        replace(question, number=3),
        replace(question, rounds=6),
        replace(question, format="fide-dutch"),
        replace(question, sizes=FOURS),
        *(
            replace(question, people=(replace(FIELD[0], **{name: value}), *FIELD[1:]))  # type: ignore[arg-type]
            for name, value in {
                "points": 840,
                "withdrawn": True,
                "bye": Kind.HALF,
                "apart": frozenset(),
                "past": (Past(1, Kind.ZERO, 0),),
            }.items()
        ),
    ]
    assert len({each.digest() for each in [question, *changed]}) == len(changed) + 1
