"""A whole game in a moment: dealt as always, played by the engine's bots, stored with every record and its hash."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from random import Random

from django.db import transaction

from games.course import Course
from games.engine.bots import choose
from games.engine.real_time import RealTimeTable, Sent
from games.models import Game, GameStatus, Record
from games.services import rows

QUICKEST_MS, SLOWEST_MS = 1_200, 6_500
LISTED_PLAYS = 60
"""Of so many legal plays the bots choose; more take long to list and make no better game."""


LEVELS = ("cub", "grizzly", "kodiak")
"""The engine's bots for games without turns, from weak to strong."""


@transaction.atomic
def game_play_out(*, game: Game, started_at: datetime, skills: Mapping[int, float], chance: Random) -> Game:
    """Play ``game``, which has full seats and no records, as if it had begun at ``started_at``; return it ended.

    ``skills`` says by player how often the better of the two bots moves for them (0 to 1), or in a game without turns
    how good a bot plays for them. The transcript verifies like
    any other. Nobody is told that it has ended: whoever calls settles what follows. Raises Conflict for a game that has
    been played.
    """
    row = rows.locked(game)
    if row.status != GameStatus.RUNNING:
        rows.require_status(row, GameStatus.SEATING, "This game is over.", "not-seating")
    seats = rows.seats_of(row)
    row.started_at = started_at
    course = rows.course_of(row, seats)
    assert course.number == 0, "the game has been played"
    levels = [skills.get(seat.player_id or 0, 0.5) for seat in seats]
    records = _records(row, course, levels, chance)
    Record.objects.bulk_create(records)
    outcome = course.outcome
    row.status = GameStatus(outcome.status)
    row.places = None if outcome.places is None else list(outcome.places)
    row.points = None if outcome.points is None else list(outcome.points)
    row.record_count = course.number
    row.deadline = None
    row.finished_at = started_at + timedelta(milliseconds=records[-1].at)
    row.created_at = started_at - timedelta(minutes=1)
    row.save()
    row.seat_set.update(ready=True)
    return row


def _records(row: Game, course: Course, levels: list[float], chance: Random) -> list[Record]:
    refereed = course.refereed
    play = _grabs if refereed.game.real_time else _turns
    records = []
    for at, seat, action in play(course, levels, chance):
        proposal = refereed.propose(at, seat, action)
        course.push(proposal)
        record = proposal.record
        records.append(
            Record(
                game=row,
                number=record.n,
                at=record.at,
                seat=record.seat,
                action=dict(record.action),
                hash=bytes.fromhex(record.hash),
            )
        )
    return records


def _turns(course: Course, levels: list[float], chance: Random) -> Iterator[Sent]:
    """Yield one action after the other until the game is over, each once the one before has been taken in."""
    refereed = course.refereed
    at = 0
    while not refereed.outcome.is_over:
        seat = refereed.game.to_act(refereed.position)[0]
        legal, _ = refereed.game.legal(refereed.position, seat, LISTED_PLAYS)
        bot = "greedy" if chance.random() < levels[seat] else "random"
        action = choose(bot, refereed.game, refereed.game.view(refereed.position, seat), legal, chance)
        at += chance.randint(QUICKEST_MS, SLOWEST_MS)
        yield Sent(at, seat, action)


def _grabs(course: Course, levels: list[float], chance: Random) -> Iterator[Sent]:
    """The same for a game without turns."""
    names = [LEVELS[min(len(LEVELS) - 1, int(level * len(LEVELS)))] for level in levels]
    table = RealTimeTable(names, chance)
    while not course.outcome.is_over:
        yield table.next(course.refereed)
