"""What a round is drawn from, and the drawing of it in a process of its own.

A draw can take long and holds the interpreter meanwhile, so that only another process can be stopped at a time limit.
``python -m tournaments.drawing`` is that process: a question on standard input, the answer on standard output. It does
not know Django.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tournaments.pairing.dutch import dutch
from tournaments.pairing.field import BadField, Bye, Kind, Pairing, Person, Table
from tournaments.pairing.schedules import fixed_schedule
from tournaments.pairing.swiss import swiss
from tournaments.pairing.table_sizes import TableSizes
from tournaments.pairing.table_swiss import table_swiss

BASE = Path(__file__).resolve().parent.parent
REFUSED = 3
"""The status with which the process ends if the question has no answer; the reason is on its standard output."""


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that round ``number`` of a stage is worked out from; of a schedule all rounds from the first on.

    ``people`` is everybody in the stage, those who left it among them; ``format`` as in ``tournaments.models.Format``;
    ``sizes`` those of the tables, where there are any; ``seed`` what all lots follow.
    """

    format: str
    number: int
    rounds: int
    people: tuple[Person, ...]
    seed: int
    sizes: TableSizes | None = None

    def digest(self) -> str:
        """Return what tells this question from any other, whatever the order of its people."""
        people = sorted(self.people, key=lambda person: person.id)
        plain = [self.format, self.number, self.rounds, self.seed, self.sizes, people]
        return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()


class Undrawable(Exception):
    """There is no answer: the field contradicts itself, or the time was over. The message is a sentence for people."""


def draw(question: Question) -> tuple[Pairing, ...]:
    """Return the pairing of the round, or of all rounds of a schedule. Raises Undrawable."""
    try:
        if question.sizes is None:
            if question.format == "fide-dutch":
                drawn = dutch(question.people, number=question.number, rounds=question.rounds, seed=question.seed)
            else:
                drawn = swiss(question.people, seed=question.seed)
        elif question.format == "table-swiss":
            drawn = table_swiss(question.people, sizes=question.sizes, seed=question.seed)
        else:
            return _schedule(question, question.sizes)
    except BadField as error:
        raise Undrawable(str(error)) from error
    return (drawn,)


def drawn_apart(question: Question, *, seconds: float) -> tuple[Pairing, ...]:
    """Return what :func:`draw` returns, worked out in another process that is ended after ``seconds``.

    Raises Undrawable, also for a time out; RuntimeError if the process failed in any other way, which is a bug or a
    machine without memory.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tournaments.drawing"],
            input=msgspec.json.encode(question),
            capture_output=True,
            cwd=BASE,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Undrawable(f"The draw was not finished within {seconds:g} seconds.") from error
    if done.returncode == REFUSED:
        raise Undrawable(done.stdout.decode())
    if done.returncode:
        raise RuntimeError(f"The draw ended with status {done.returncode}: {done.stderr.decode()[-2000:]}")
    return msgspec.json.decode(done.stdout, type=tuple[Pairing, ...])


def _schedule(question: Question, sizes: TableSizes) -> tuple[Pairing, ...]:
    """Return all rounds of a fixed schedule; its players are the entrants in the order of their seeds."""
    playing = [person.id for person in sorted(question.people, key=lambda person: person.seed) if not person.withdrawn]
    try:
        schedule = fixed_schedule(len(playing), question.rounds, sizes=sizes, seed=question.seed)
    except ValueError as error:
        raise Undrawable(str(error)) from error
    return tuple(
        Pairing(
            tables=tuple(Table(table.number, tuple(playing[one - 1] for one in table.seats)) for table in each.tables),
            byes=tuple(Bye(playing[one - 1], Kind.ALLOCATED) for one in each.byes),
            cost={"repeat": schedule.repeats},
            bound={"repeat": schedule.bound},
        )
        for each in schedule.rounds
    )


def _main() -> int:
    question = msgspec.json.decode(sys.stdin.buffer.read(), type=Question)
    try:
        answer = draw(question)
    except Undrawable as error:
        sys.stdout.write(str(error))
        return REFUSED
    sys.stdout.buffer.write(msgspec.json.encode(answer))
    return 0


if __name__ == "__main__":
    sys.exit(_main())
