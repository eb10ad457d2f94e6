"""Two web processes act on one game at the same instant: the same seat, at two devices, makes its move at both.

``python -m benchmarks.live race``; the short form is a test. Of each pair exactly one may be acknowledged, and it must
be the one that is stored.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from benchmarks.live.dialects import Heard, read
from benchmarks.live.plan import Deal, Line, Move
from games.models import Game, Record
from games.services import game_verify

PATIENCE_SECONDS = 30.0
GAMES_AT_ONCE = 20


@dataclass
class Twin:
    """One game with two sockets a seat: at the first process and at the second."""

    game_id: str
    lines: list[tuple[Line, Line]]
    moves: list[Move]


@dataclass
class Outcome:
    """What came of all pairs."""

    pairs: int = 0
    won: Counter[str] = field(default_factory=Counter)
    """How often each process was the one that acknowledged, and how often the message that was sent first won."""
    acknowledged: dict[str, dict[int, tuple[str, str]]] = field(default_factory=dict)
    """By game and record number: the message's id and the hash."""
    faults: list[str] = field(default_factory=list)


class Device(WSListener):
    """One socket of a seat; answers are awaited one at a time."""

    def __init__(self) -> None:
        self.shown = -1
        self.answer: asyncio.Future[Heard] = asyncio.get_running_loop().create_future()
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.moved = asyncio.Event()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        transport.send(WSMsgType.TEXT, b'{"type":"hello","seen":null}')

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        heard = read(frame.get_payload_as_bytes())
        if heard.type in {"state", "update"}:
            self.shown = heard.n
            self.moved.set()
            if not self.opened.done():
                self.opened.set_result(None)
        elif heard.type in {"ack", "refused"} and not self.answer.done():
            self.answer.set_result(heard)

    def act(self, message_id: str, number: int, action: bytes) -> None:
        """Make a move; ``answer`` is what came of it."""
        self.answer = asyncio.get_running_loop().create_future()
        text = b'{"type":"act","id":"%b","seen":%d,"action":%b}' % (message_id.encode(), number - 1, action)
        self.transport.send(WSMsgType.TEXT, text)

    async def reach(self, number: int) -> None:
        """Wait until this socket is shown move ``number``."""
        while self.shown < number:
            self.moved.clear()
            await self.moved.wait()


async def race(twins: Sequence[Twin], pairs: int) -> Outcome:
    """Let every game's seats act twice at once, until there were ``pairs`` of that or no game is left."""
    outcome = Outcome()
    at_once = asyncio.Semaphore(GAMES_AT_ONCE)

    async def play(twin: Twin) -> None:
        async with at_once:
            if outcome.pairs < pairs:
                await _play(twin, pairs, outcome)

    await asyncio.gather(*(play(twin) for twin in twins))
    return outcome


async def _open(line: Line) -> Device:
    device = Device()
    await ws_connect(lambda: device, line.url, extra_headers=line.headers, websocket_handshake_timeout=60)
    await device.opened
    return device


async def _play(twin: Twin, pairs: int, outcome: Outcome) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        seats = [(await _open(here), await _open(there)) for here, there in twin.lines]
    try:
        await _make_moves(twin, seats, pairs, outcome)
    finally:
        for device in (device for pair in seats for device in pair):
            device.transport.disconnect()
            await device.transport.wait_disconnected()


async def _make_moves(twin: Twin, seats: Sequence[tuple[Device, Device]], pairs: int, outcome: Outcome) -> None:
    stored = outcome.acknowledged.setdefault(twin.game_id, {})
    for number, move in enumerate(twin.moves, start=1):
        if outcome.pairs >= pairs:
            break
        outcome.pairs += 1
        devices = seats[move.seat]
        first = number % 2
        for place in (first, 1 - first):
            devices[place].act(f"{number}-{place}", number, bytes(move.action))
        async with asyncio.timeout(PATIENCE_SECONDS):
            answers = await asyncio.gather(*(device.answer for device in devices))
            await asyncio.gather(*(device.reach(number) for pair in seats for device in pair))
        winners = [place for place, answer in enumerate(answers) if answer.type == "ack"]
        others = [answer.code for answer in answers if answer.type != "ack"]
        late = {"stale", "game-over"} if number == len(twin.moves) else {"stale"}
        if len(winners) != 1 or not late.issuperset(others):
            said = [(answer.type, answer.code, answer.n) for answer in answers]
            outcome.faults.append(f"{twin.game_id}, move {number}: answered {said}")
            return
        [winner] = winners
        answer = answers[winner]
        if answer.n != number or answer.id != f"{number}-{winner}":
            outcome.faults.append(f"{twin.game_id}, move {number}: acknowledged as {answer.n} of message {answer.id}")
        stored[answer.n] = (str(answer.id), str(answer.hash))
        outcome.won[f"process {winner + 1}"] += 1
        outcome.won["sent first"] += winner == first


def twins(games: Sequence[Deal], hosts: Sequence[str]) -> list[Twin]:
    """Return ``games`` with every seat at the first and at the second of ``hosts``."""
    here, there = hosts
    return [
        Twin(
            urlsplit(deal.lines[0].url).path.strip("/").rpartition("/")[2],
            [(_at(line, here), _at(line, there)) for line in deal.lines],
            deal.moves,
        )
        for deal in games
    ]


def _at(line: Line, host: str) -> Line:
    path = urlsplit(line.url).path
    return Line(f"ws://{host}{path}", line.headers | {"Origin": f"http://{host}"})


def check_stored(outcome: Outcome) -> None:
    """Add to the faults whatever of the acknowledged is not stored just so, and whatever is stored besides."""
    for game_id, acknowledged in outcome.acknowledged.items():
        records = Record.objects.filter(game_id=game_id).order_by("number")
        stored = {record.number: (record.message_id, bytes(record.hash).hex()) for record in records}
        if [record.number for record in records] != list(range(1, len(records) + 1)):
            outcome.faults.append(f"{game_id}: numbers {[record.number for record in records]}")
        if stored != acknowledged:
            outcome.faults.append(f"{game_id}: stored {stored}, acknowledged {acknowledged}")
        game = Game.objects.get(pk=game_id)
        verified = game_verify(game)
        if game.record_count != len(records) or not verified.ok:
            outcome.faults.append(f"{game_id}: {game.record_count} records by its row; verification: {verified}")
