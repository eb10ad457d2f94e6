"""Verification of a transcript by a stranger: the faults in the order in which the specification looks for them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from .frame import BadFormat, IllegalAction, Outcome
from .registry import game as game_called
from .replay import opening
from .transcript import Transcript, first_hash, next_hash, parse

FAULTS = (
    "bad-format",
    "commitment-mismatch",
    "chain-broken",
    "illegal-action",
    "clock-backwards",
    "outcome-mismatch",
)
"""Every fault, each looked for over the whole document before the next."""


@dataclass(frozen=True, slots=True)
class Report:
    """What verification found. ``fault`` is None or one of FAULTS; ``at_record`` its record, where one applies.

    ``complete`` is False for a running game, of which only format, chain and clock can be checked. ``places`` are
    the transcript's, None for a running game.
    """

    ok: bool
    fault: str | None
    at_record: int | None
    message: str
    records: int
    complete: bool
    places: tuple[int, ...] | None

    def to_json(self) -> dict[str, Any]:
        """Return the report as in the specification."""
        return {
            "ok": self.ok,
            "fault": self.fault,
            "at_record": self.at_record,
            "message": self.message,
            "records": self.records,
            "complete": self.complete,
            "places": None if self.places is None else list(self.places),
        }


class _Fault(Exception):
    def __init__(self, fault: str, at_record: int | None, message: str) -> None:
        super().__init__(message)
        self.fault, self.at_record, self.message = fault, at_record, message


def unreadable(message: str) -> Report:
    """Return the report on something that is no transcript."""
    return Report(False, "bad-format", None, message, 0, False, None)


def verify(document: Any, *, check_hashes: bool = True) -> Report:
    """Return the report on ``document``, JSON data as :func:`.read_json` gives it, or a :class:`Transcript`.

    Without ``check_hashes`` commitment and chain are taken as right: for records whose hashes were checked before.
    """
    try:
        transcript = document if isinstance(document, Transcript) else parse(document)
        hashes = _chain(transcript) if check_hashes else None
    except BadFormat as error:
        records = document.get("records") if isinstance(document, dict) else None
        return Report(
            False, "bad-format", None, str(error), len(records) if isinstance(records, list) else 0, False, None
        )
    revealed = transcript.server_seed is not None or transcript.header.deal is not None
    complete = revealed and transcript.outcome.is_over
    places = transcript.outcome.places if complete else None
    count = len(transcript.records)
    try:
        if hashes is not None:
            if transcript.server_seed is not None:
                _check_commitment(transcript, transcript.server_seed)
            _check_chain(transcript, hashes)
        reached = _check_actions(transcript) if revealed else None
        _check_clock(transcript)
        if reached is not None:
            _check_outcome(transcript, reached)
    except _Fault as fault:
        return Report(False, fault.fault, fault.at_record, fault.message, count, complete, places)
    message = "Verified." if complete else "The game still runs: what can be checked now is right."
    return Report(True, None, None, message, count, complete, places)


def _chain(transcript: Transcript) -> list[str]:
    """Return what the hash of each record should be."""
    last = first_hash(transcript.header)
    hashes = []
    for n, record in enumerate(transcript.records, start=1):
        last = next_hash(last, n, record.at, record.seat, record.action)
        hashes.append(last.hex())
    return hashes


def _check_commitment(transcript: Transcript, server_seed: str) -> None:
    if hashlib.sha256(bytes.fromhex(server_seed)).hexdigest() != transcript.header.commitment:
        raise _Fault("commitment-mismatch", None, "The server seed is not the one that was committed to.")


def _check_chain(transcript: Transcript, hashes: list[str]) -> None:
    for n, (record, expected) in enumerate(zip(transcript.records, hashes, strict=True), start=1):
        if record.n != n:
            raise _Fault("chain-broken", n, f"Record {n} says that it is number {record.n}.")
        if record.hash != expected:
            raise _Fault("chain-broken", n, f"The hash of record {n} does not follow from what stands before it.")


def _check_actions(transcript: Transcript) -> Outcome:
    """Replay the game and return how it ended."""
    header = transcript.header
    game = game_called(header.game)
    seed = transcript.server_seed
    position = opening(header, None if seed is None else bytes.fromhex(seed))
    for record in transcript.records:
        late = game.timing_fault(record.at, record.action)
        if late is not None:
            raise _Fault("illegal-action", record.n, late)
        try:
            position = game.apply(position, record.seat, record.action).position
        except IllegalAction as error:
            raise _Fault("illegal-action", record.n, str(error)) from None
    return game.outcome(position)


def _check_clock(transcript: Transcript) -> None:
    last = 0
    for record in transcript.records:
        if record.at < last:
            raise _Fault(
                "clock-backwards", record.n, f"Record {record.n} is of {record.at} ms, after one of {last} ms."
            )
        last = record.at


def _check_outcome(transcript: Transcript, reached: Outcome) -> None:
    claimed = transcript.outcome
    if claimed != reached:
        raise _Fault(
            "outcome-mismatch", None, f"The records lead to {_told(reached)}, the transcript says {_told(claimed)}."
        )
    if transcript.server_seed is not None and not reached.is_over:
        raise _Fault("outcome-mismatch", None, "The server seed is revealed, but the records do not end the game.")


def _told(outcome: Outcome) -> str:
    figures = [
        f"{what} {', '.join(map(str, values))}"
        for what, values in (("places", outcome.places), ("points", outcome.points))
        if values is not None
    ]
    return " with ".join([outcome.status, " and ".join(figures)]) if figures else outcome.status
