"""The course of a game: what it keeps between records is what working it out anew gives."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from games.clock import ThinkingTime
from games.course import Course, StoredEvent, Terms, header_of
from games.engine import game as game_called
from games.engine.deal import commitment_of
from games.engine.transcript import Record
from tests.games.conftest import any_action

START = datetime(2026, 1, 1, tzinfo=UTC)
SEED = bytes(range(32))
HOLD_MY_BEAR = game_called("hold-my-bear")


def course() -> Course:
    header = header_of(
        game="hold-my-bear",
        rules=HOLD_MY_BEAR.rules({}, 3),
        game_id="6f0f4a0e-0000-4000-8000-000000000001",
        seats=3,
        commitment=commitment_of(SEED),
        client_seeds=["", "", ""],
        deal_group=None,
    )
    thinking = ThinkingTime(bank_ms=60_000, increment_ms=1_000, absence="forfeit", absence_ms=20_000)
    return Course(header, SEED, Terms(START, thinking))


def any_action_of(one: Course, seat: int) -> dict[str, Any]:
    game, position = one.refereed.game, one.refereed.position
    return any_action({"view": game.view(position, seat), "options": game.options(position, seat, plays=True)})


@given(
    st.lists(
        st.tuples(st.integers(0, 5_000), st.sampled_from(["", "before", "between"]), st.integers(0, 2)), max_size=8
    )
)
def test_the_clock_is_the_same_whether_records_were_proposed_here_or_read(
    moves: list[tuple[int, str, int]],
) -> None:
    here, elsewhere = course(), course()
    records: list[Record] = []
    events: list[StoredEvent] = []
    now = START

    def away(seat: int) -> None:
        kind = "back" if seat in here.clock.away else "away"
        event = StoredEvent(len(events) + 1, len(records), now, kind, seat)
        events.append(event)
        here.note(event)

    for wait, when, seat in moves:
        now += timedelta(milliseconds=wait)
        if here.outcome.is_over:
            break
        if when == "before":
            away(seat)
        acting = here.waiting[0]
        proposal = here.propose(now, acting, any_action_of(here, acting))
        deadline = here.deadline_after(proposal)
        if when == "between":
            away(seat)
        here.push(proposal)
        records.append(proposal.record)
        if when != "between":
            assert here.deadline() == deadline
    elsewhere.follow_all(records, events)
    assert here.deadline() == elsewhere.deadline()
    assert here.clock.both_left(90_000) == elsewhere.clock.both_left(90_000)
    assert (here.number, here.waiting, here.hashes) == (elsewhere.number, elsewhere.waiting, elsewhere.hashes)
    assert here.is_late(now + timedelta(minutes=5)) is (not here.outcome.is_over)
