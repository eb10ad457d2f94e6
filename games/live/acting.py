"""What the seats of one table want recorded: in order, one at a time, into the log; and what each is answered.

One record of a game is on its way into the log at a time; what comes meanwhile waits its turn. Nothing is acknowledged
before it is stored.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from django.conf import settings

from games.engine.frame import EngineError
from games.live import messages
from games.live.actions import Attempt, in_normal_order
from games.live.connection import Connection
from games.live.log import Ending, Entry, Verdict

if TYPE_CHECKING:
    from games.live.table import Table

TRIES = 4
SESSION_ENDED = 4401

SENTENCES = {
    "stale": "The game has gone on since; look again.",
    "not-seated": "You do not sit at this table.",
    "not-running": "This game is not running.",
    "game-over": "The game is over.",
    "paused": "The game is paused; nobody can act.",
    "busy": "Too much is waiting to be stored; try again in a moment.",
    "unavailable": "The database cannot be reached; nothing was stored. Try again in a moment.",
}


class Acting:
    """Belongs to one live table; everything takes effect at once and never waits, the log answers later."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._acks: dict[tuple[int | None, str], int] = {}
        """By seat and message id the record that an action became."""
        self._in_flight: Attempt | None = None
        self._waiting: deque[Attempt] = deque()

    def check(self, connection: Connection, message: messages.Check) -> None:
        """Answer whether an action would be legal."""
        table = self._table
        seat = table.seat_of(connection)
        code, sentence = None, None
        if seat is None:
            code, sentence = "not-seated", SENTENCES["not-seated"]
        elif table.course is None or table.is_broken:
            code, sentence = "not-running", SENTENCES["not-running"]
        else:
            try:
                table.course.propose(table.hub.now(), seat, in_normal_order(message.action))
            except EngineError as error:
                code, sentence = error.code, str(error)
        connection.answer(
            messages.write({"type": "verdict", "id": message.id, "ok": code is None, "code": code, "message": sentence})
        )

    def act(self, connection: Connection, message: messages.Act) -> None:
        """Take an action from a socket."""
        seat = self._table.seat_of(connection)
        if seat is None:
            self._refuse_one(connection, message.id, "not-seated")
            return
        if self._acknowledge_again(connection, seat, message.id):
            return
        for other in self._under_way():
            if other.key == (seat, message.id):
                other.answer_to.append(connection)
                return
        self.attempt(
            Attempt(
                seat=seat,
                seen=message.seen,
                action=in_normal_order(message.action),
                message_id=message.id,
                entitlement=connection.identity.entitlement,
                answer_to=[connection],
            )
        )

    def _under_way(self) -> list[Attempt]:
        """Return every action that has not been answered yet."""
        held = self._table.real_time.held() if self._table.real_time is not None else []
        return [*([self._in_flight] if self._in_flight else []), *self._waiting, *held]

    def attempt(self, attempt: Attempt) -> None:
        """Take an action; it is looked at now, or once those before it are done."""
        table = self._table
        if table.is_healing and table.hub.writer.is_away:
            self._refuse(attempt, "unavailable")
            return
        if len(self._under_way()) > settings.GAME_BACKLOG:
            self._refuse(attempt, "busy")
            return
        if table.real_time is None:
            self.queue(attempt)
        elif attempt.seen <= table.number and (reason := table.real_time.refusal(attempt)) is not None:
            self._refuse(attempt, *reason)
        elif not table.real_time.hold(attempt):
            self.queue(attempt)

    def queue(self, attempt: Attempt) -> None:
        """Look at ``attempt`` once those before it are done."""
        self._waiting.append(attempt)
        self.go_on()

    def go_on(self) -> None:
        """Look at what waits, as far as nothing is on its way into the log and the table does not heal."""
        while self._waiting and self._in_flight is None and not self._table.is_healing:
            self._consider(self._waiting.popleft())

    def _consider(self, attempt: Attempt) -> None:
        """Put ``attempt`` into the log if it is in order now, else refuse it."""
        table, course = self._table, self._table.course
        if attempt.message_id is not None and (attempt.seat, attempt.message_id) in self._acks:
            self._acknowledge(attempt, self._acks[attempt.seat, attempt.message_id])
            return
        if course is None or table.is_broken or not table.head.is_running:
            over = table.head.is_over and course is not None
            self._refuse(attempt, "game-over" if over else "not-running")
            return
        if attempt.seen > course.number and attempt.tries == 0:
            # The sender knows more than this copy does.
            attempt.tries += 1
            self._waiting.appendleft(attempt)
            table.recover(table.reread())
            return
        if table.real_time is not None and (reason := table.real_time.refusal(attempt)) is not None:
            self._refuse(attempt, *reason)
            return
        if not course.fresh_since <= attempt.seen <= course.number and not attempt.is_resignation:
            self._refuse(attempt, "stale")
            return
        now = attempt.arrived or table.hub.now()
        if course.is_paused(now):
            self._refuse(attempt, "paused")
            return
        if course.is_late(now):
            self._waiting.appendleft(attempt)
            table.recover(table.do_due())
            return
        try:
            if attempt.decided_at is None:
                proposal = course.propose(now, attempt.seat, attempt.action)
            else:
                proposal = course.propose_decided(attempt.decided_at, attempt.seat, attempt.action)
        except EngineError as error:
            code = error.code if error.code in {"not-your-turn", "game-over"} else "illegal-action"
            self._refuse(attempt, code, str(error))
            return
        attempt.proposal = proposal
        attempt.tries += 1
        self._in_flight = attempt
        record = proposal.record
        outcome = course.outcome_after(proposal)
        ending = None
        if outcome.is_over:
            ending = Ending(outcome.status, outcome.places or (), outcome.points)
        verdict = table.hub.writer.put(
            Entry(
                game_id=table.head.game_id,
                number=record.n,
                clock=course.clock_number,
                at=record.at,
                seat=attempt.seat,
                action=proposal.written,
                hash=bytes.fromhex(record.hash),
                message_id=attempt.message_id,
                entitlement=attempt.entitlement,
                deadline=course.deadline_after(proposal),
                ending=ending,
                done=self._decided,
            )
        )
        if verdict is not None:
            self._in_flight = None
            self._refuse(attempt, verdict.value)

    def _decided(self, verdict: Verdict) -> None:
        """Hear from the log what became of the attempt in flight."""
        attempt, self._in_flight = self._in_flight, None
        assert attempt is not None, "the log answers once"
        assert attempt.proposal is not None, "what is in the log was proposed"
        if verdict is Verdict.STORED:
            self._stored(attempt)
        elif verdict is Verdict.SESSION_ENDED:
            for connection in attempt.answer_to:
                connection.close(SESSION_ENDED)
        elif verdict in {Verdict.STALE, Verdict.UNSURE}:
            # Only the records can tell. Then the attempt is looked at again: stored after all, stale, or still good.
            if attempt.tries < TRIES:
                self._waiting.appendleft(attempt)
                self._table.recover(self._table.reread())
                return
            self._refuse(attempt, "unavailable", "This action could not be stored. Try again in a moment.")
        else:
            self._refuse(attempt, verdict.value)
        self.go_on()

    def _stored(self, attempt: Attempt) -> None:
        table = self._table
        course, proposal = table.course, attempt.proposal
        assert course is not None
        assert proposal is not None
        record = proposal.record
        if attempt.message_id is not None:
            self._acks[attempt.seat, attempt.message_id] = record.n
        ended = False
        if course.number < record.n:  # else it was read from the records already
            course.push(proposal)
            if course.outcome.is_over:
                ended = True
                table.head = replace(table.head, status=course.outcome.status)
            table.gallery.note()
            self._acknowledge(attempt, record.n)
            table.show_update()
            table.moved()
        else:
            self._acknowledge(attempt, record.n)
        table.hub.bus.tell_game(table.head.game_id, record.n)
        if ended:
            table.hub.game_ended(table.head.game_id)

    def _acknowledge_again(self, connection: Connection, seat: int, message_id: str) -> bool:
        number = self._acks.get((seat, message_id))
        if number is None or self._table.course is None:
            return False
        connection.answer(messages.ack(message_id, number, self._table.course.hashes[number - 1]))
        return True

    def _acknowledge(self, attempt: Attempt, number: int) -> None:
        if attempt.message_id is None or self._table.course is None:
            return
        text = messages.ack(attempt.message_id, number, self._table.course.hashes[number - 1])
        for connection in attempt.answer_to:
            connection.answer(text)

    def _refuse(self, attempt: Attempt, code: str, sentence: str | None = None) -> None:
        for connection in attempt.answer_to:
            self._refuse_one(connection, attempt.message_id, code, sentence)
        if attempt.failed is not None:
            attempt.failed(code)

    def _refuse_one(
        self, connection: Connection, message_id: str | None, code: str, sentence: str | None = None
    ) -> None:
        number = self._table.number_for(connection)
        connection.answer(messages.refused(message_id, code, sentence or SENTENCES[code], number))

    def note(self, seat: int | None, message_id: str, number: int) -> None:
        """Remember that a stored record answers a message, whichever process stored it."""
        self._acks[seat, message_id] = number

    @property
    def is_busy(self) -> bool:
        """True while something is on its way into the log, or waits for that."""
        return self._in_flight is not None or bool(self._waiting)
