"""Play for long while connections are cut: nothing may be missed, doubled or shown otherwise than it is.

``python -m benchmarks.live soak``; the short form is a test. At each table four seats play, seat 0 has a second device,
and a spectator looks on. Sockets are closed, aborted, aborted in the middle of a message, left half open, and not read
for a while. Whoever lost its connection says hello with the last record it has; what it then holds (old view, log
and events put together) is compared with what a new socket is told.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import msgspec
from picows import WSError, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from benchmarks.live.plan import Deal, Line
from games.models import Game, Record
from games.services import game_verify

PATIENCE_SECONDS = 30.0
"""Nobody who is connected is behind for longer."""
RESEND_SECONDS = 5.0
HALF_OPEN_SECONDS = 25.0
UNREAD_SECONDS = (0.5, 3.0)
AUDIT_SHARE = 0.1
"""How many of the records a viewer is shown are followed by a comparison with a new socket."""
REPEAT_SHARE = 0.1
"""How many acknowledged messages are sent once more."""
CUTS = ("close", "abort", "in mid-message", "half-open", "unread")
decode = msgspec.json.decode
encode = msgspec.json.encode

type Supply = Callable[[], Awaitable[Deal | None]]
"""Gives the next game to play; None when there is no more."""


@dataclass
class Tally:
    """What a soak has counted; ``faults`` must stay empty."""

    games: int = 0
    moves: int = 0
    shown: int = 0
    cuts: Counter[str] = field(default_factory=Counter)
    reconnected: int = 0
    compared: int = 0
    repeated: int = 0
    faults: list[str] = field(default_factory=list)
    acknowledged: dict[str, dict[str, tuple[int, str]]] = field(default_factory=dict)
    """By game and message id: record number and hash."""
    hashes: dict[str, dict[int, str]] = field(default_factory=dict)
    """By game and record number, as shown."""


class Link(WSListener):
    """One connection of a viewer; after a cut it is deaf."""

    def __init__(self, hear: Callable[[Link, dict[str, Any]], None], seen: int | None) -> None:
        self._hear = hear
        self._seen = seen
        self.gone = asyncio.Event()
        self.transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        self.send({"type": "hello", "seen": self._seen})

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT and not self.gone.is_set():
            self._hear(self, decode(frame.get_payload_as_bytes()))

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.gone.set()

    def send(self, message: dict[str, Any]) -> None:
        """Send ``message``, if there still is a connection."""
        if self.transport is not None and not self.gone.is_set():
            self.transport.send(WSMsgType.TEXT, encode(message))

    async def close(self) -> None:
        """Close the connection, if there is one, and wait until it is."""
        self.gone.set()
        if self.transport is not None:
            self.transport.disconnect()
            await self.transport.wait_disconnected()

    async def cut(self, how: str) -> None:
        """Do something to the connection; all but ``unread`` end it."""
        assert self.transport is not None
        wire = self.transport.underlying_transport
        if how == "unread":
            wire.pause_reading()
            await asyncio.sleep(random.uniform(*UNREAD_SECONDS))
            if not self.gone.is_set():
                wire.resume_reading()
            return
        if how == "half-open":
            # The server hears nothing of it, and what it sends fills up on the way.
            self.gone.set()
            wire.pause_reading()
            await asyncio.sleep(HALF_OPEN_SECONDS)
            wire.abort()
            return
        if how == "in mid-message":
            # The head of a masked text frame of 100 bytes, and a few of them.
            wire.write(bytes([0x81, 0x80 | 100, 1, 2, 3, 4]) + b"half a me")
            await asyncio.sleep(0.01)
        self.gone.set()
        if how == "close":
            self.transport.send_close()
            await self.close()
        else:
            wire.abort()


class Viewer:
    """One person's eyes: keeps what it was told through all its connections."""

    def __init__(self, table: Table, line: Line, seat: int | None, *, plays: bool) -> None:
        self.table = table
        self.line = line
        self.seat = seat
        self.plays = plays
        self.shown = -1
        self.status = ""
        self.log: list[tuple[int, str]] = []
        self.view: dict[str, Any] = {}
        self.scenes: dict[int, tuple[Any, Any]] = {}
        """View and options by record number, as far as it was shown that record as the newest."""
        self.moved = asyncio.Condition()
        self.link: Link | None = None
        self.over = asyncio.Event()
        self._wishes: dict[str, dict[str, Any]] = {}

    @property
    def name(self) -> str:
        """For faults."""
        return f"{self.table.game_id} seat {self.seat}{'' if self.plays else ', looking on'}"

    async def live(self) -> None:
        """Be connected until the game is over."""
        while not self.over.is_set():
            link = Link(self.hear, self.shown if self.shown >= 0 else None)
            try:
                await connect(link, self.line)
            except (OSError, TimeoutError, WSError):
                await asyncio.sleep(0.2)
                continue
            if self.shown >= 0:
                self.table.tally.reconnected += 1
            self.link = link
            ended = asyncio.create_task(self.over.wait())
            lost = asyncio.create_task(link.gone.wait())
            await asyncio.wait({ended, lost}, return_when=asyncio.FIRST_COMPLETED)
            for waiting in (ended, lost):
                waiting.cancel()
        if self.link is not None:
            await self.link.close()

    def hear(self, link: Link, message: dict[str, Any]) -> None:
        """Take a message in."""
        kind = message["type"]
        if link is not self.link and kind != "state":
            return  # its first state makes a connection the one that counts
        if kind == "state":
            self.link = link
            self._take(message, self._new_lines(message["log"]))
            for wish in list(self._wishes.values()):
                link.send(wish)
        elif kind == "update":
            if message["n"] <= self.shown:
                self.fault(f"record {message['n']} shown again after {self.shown}")
            self._check_numbers(message["n"], {event["n"] for event in message["events"]})
            self._take(message, message["log"])
        elif kind == "ack":
            self._acknowledged(message)
        elif kind == "refused":
            self._refused(message)

    def _new_lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the lines of a state that follow what was told before; those it repeats must be the same."""
        again = [(line["n"], line["text"]) for line in lines if line["n"] <= self.shown]
        if again and again != self.log:
            self.fault(f"the log up to {self.shown} was told again otherwise")
        return [line for line in lines if line["n"] > self.shown]

    def _take(self, message: dict[str, Any], lines: list[dict[str, Any]]) -> None:
        number = message["n"]
        if number < self.shown:
            self.fault(f"shown record {number} after {self.shown}")
            return
        self._check_numbers(number, {line["n"] for line in lines})
        self.log += [(line["n"], line["text"]) for line in lines]
        self.view |= message["view"]
        self.scenes[number] = (dict(self.view), message["options"])
        if message["hash"] is not None:
            known = self.table.hashes.setdefault(number, message["hash"])
            if known != message["hash"]:
                self.fault(f"record {number} has two hashes")
        is_new = number > self.shown
        self.shown, self.status = number, message["status"]
        if is_new:
            self.table.tally.shown += 1
            self.table.progressed(self)
        if self.status != "running":
            self.table.ended(self)

    def _check_numbers(self, number: int, told: set[int]) -> None:
        missing = set(range(max(self.shown, 0) + 1, number + 1)) ^ told
        if missing:
            self.fault(f"from {self.shown} to {number}: records {sorted(missing)} missing or told again")

    def act(self, number: int, action: Any) -> None:
        """Wish to make move ``number``, until it is acknowledged."""
        message_id = f"m{number}"
        if message_id in self._wishes or self.table.was_acknowledged(message_id):
            return
        wish = {"type": "act", "id": message_id, "seen": number - 1, "action": action}
        self._wishes[message_id] = wish
        if self.link is not None:
            self.link.send(wish)

    def insist(self) -> None:
        """Send again whatever was not answered."""
        for wish in list(self._wishes.values()):
            if self.link is not None:
                self.link.send(wish)

    def _acknowledged(self, message: dict[str, Any]) -> None:
        wish = self._wishes.pop(message["id"], None)
        self.table.acknowledged(self, message["id"], message["n"], message["hash"])
        if wish is not None and self.link is not None and random.random() < REPEAT_SHARE:
            self.table.tally.repeated += 1
            self.link.send(wish)

    def _refused(self, message: dict[str, Any]) -> None:
        if message["code"] not in {"busy", "unavailable"}:
            self.fault(f"refused {message['id']}: {message['code']}: {message['message']}")
            self._wishes.pop(message["id"], None)

    async def audit(self) -> None:
        """Compare what this viewer holds with what a new socket is told."""
        fresh: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

        def hear(_link: Link, message: dict[str, Any]) -> None:
            if message["type"] == "state" and not fresh.done():
                fresh.set_result(message)

        link = Link(hear, None)
        try:
            await connect(link, self.line)
            async with asyncio.timeout(PATIENCE_SECONDS):
                state = await fresh
        except (OSError, TimeoutError, WSError) as error:
            self.fault(f"a new socket was not told the game: {error!r}")
            return
        finally:
            await link.close()
        end = asyncio.get_running_loop().time() + PATIENCE_SECONDS
        while self.shown < state["n"]:
            if asyncio.get_running_loop().time() > end:
                self.fault(f"still at {self.shown} when a new socket has long been at {state['n']}")
                return
            await asyncio.sleep(0.02)
        log = [(number, text) for number, text in self.log if number <= state["n"]]
        if log != [(line["n"], line["text"]) for line in state["log"]]:
            self.fault(f"at {state['n']}: the log differs from a new socket's")
        scene = self.scenes.get(state["n"])
        if scene is None:
            return  # it was told of this record together with later ones
        self.table.tally.compared += 1
        if scene != (state["view"], state["options"]):
            self.fault(f"at {state['n']}: shown {scene}, a new socket {(state['view'], state['options'])}")

    def fault(self, what: str) -> None:
        """Note something that must not be."""
        self.table.tally.faults.append(f"{self.name}: {what}")


class Table:
    """One game with all its viewers."""

    def __init__(self, deal: Deal, tally: Tally, pause: float) -> None:
        self.deal = deal
        self.tally = tally
        self.game_id = urlsplit(deal.lines[0].url).path.strip("/").rpartition("/")[2]
        self.hashes = tally.hashes.setdefault(self.game_id, {})
        spectator = Line(deal.lines[-1].url, {"Origin": deal.lines[-1].headers["Origin"]})
        self.players = [Viewer(self, line, seat, plays=True) for seat, line in enumerate(deal.lines)]
        second = Viewer(self, deal.lines[0], 0, plays=False)
        self.viewers = [*self.players, second, Viewer(self, spectator, None, plays=False)]
        self._pause = pause
        self._acknowledged = tally.acknowledged.setdefault(self.game_id, {})
        self._beside: set[asyncio.Task[None]] = set()
        self._ended: set[Viewer] = set()

    async def play(self) -> None:
        """Play the game to its end."""
        tasks = [asyncio.create_task(viewer.live()) for viewer in self.viewers]
        try:
            done = 0
            while len(self._ended) < len(self.viewers):
                before = sum(viewer.shown for viewer in self.viewers)
                await asyncio.sleep(RESEND_SECONDS / 10)
                done = done + 1 if before == sum(viewer.shown for viewer in self.viewers) else 0
                if done and done % 10 == 0:
                    for viewer in self.players:
                        viewer.insist()
                if done * RESEND_SECONDS / 10 > PATIENCE_SECONDS + self._pause:
                    self.tally.faults.append(f"{self.game_id}: stands still at {[one.shown for one in self.viewers]}")
                    return
            await asyncio.gather(*list(self._beside))
            for viewer in self.viewers:
                await viewer.audit()
        finally:
            for viewer in self.viewers:
                viewer.over.set()
            await asyncio.gather(*tasks)
        self.tally.games += 1

    def progressed(self, viewer: Viewer) -> None:
        """Hear that ``viewer`` is shown a record for the first time."""
        number = viewer.shown
        if viewer.plays and viewer.status == "running" and self.deal.moves[number].seat == viewer.seat:
            self.beside(self._act_later(viewer, number))
        if random.random() < AUDIT_SHARE:
            self.beside(viewer.audit())

    async def _act_later(self, viewer: Viewer, number: int) -> None:
        await asyncio.sleep(random.uniform(0, 2 * self._pause))
        viewer.act(number + 1, decode(bytes(self.deal.moves[number].action)))

    def beside(self, work: Any) -> None:
        """Do ``work`` beside the game."""
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    def was_acknowledged(self, message_id: str) -> bool:
        """Return whether this message has been acknowledged, whoever heard it."""
        return message_id in self._acknowledged

    def acknowledged(self, viewer: Viewer, message_id: str, number: int, digest: str) -> None:
        """Hear that a message is stored as record ``number``."""
        known = self._acknowledged.setdefault(message_id, (number, digest))
        if known != (number, digest):
            viewer.fault(f"{message_id} acknowledged as {known[0]} and as {number}")
        if message_id != f"m{number}":
            viewer.fault(f"{message_id} acknowledged as record {number}")

    def ended(self, viewer: Viewer) -> None:
        """Hear that ``viewer`` knows of the end."""
        if viewer not in self._ended and viewer.plays and viewer.seat == 0:
            self.tally.moves += viewer.shown
        self._ended.add(viewer)


async def connect(link: Link, line: Line) -> None:
    """Open ``link``. Raises OSError or TimeoutError."""
    try:
        await ws_connect(
            lambda: link, line.url, extra_headers=line.headers, websocket_handshake_timeout=PATIENCE_SECONDS
        )
    except Exception as error:
        raise ConnectionError(str(error)) from error


async def soak(supplies: Iterable[Supply], *, pause: float, cuts_a_second: float, tally: Tally) -> Tally:
    """Play at one table for each of ``supplies`` until it gives no more, ``pause`` seconds between moves on average."""
    playing: dict[int, Table] = {}
    cut_links: deque[Link] = deque(maxlen=1000)

    async def one_table(place: int, supply: Supply) -> None:
        while (deal := await supply()) is not None:
            table = playing[place] = Table(deal, tally, pause)
            await table.play()
        playing.pop(place, None)

    async def cut() -> None:
        kinds = itertools.cycle(CUTS)
        under_way: set[asyncio.Task[None]] = set()
        while True:
            await asyncio.sleep(random.expovariate(cuts_a_second))
            if not playing:
                continue
            viewer = random.choice(random.choice(list(playing.values())).viewers)
            link = viewer.link
            if link is None or link.transport is None or link.gone.is_set() or viewer.shown < 0:
                continue
            how = next(kinds)
            tally.cuts[how] += 1
            cut_links.append(link)
            task = asyncio.create_task(link.cut(how))
            under_way.add(task)
            task.add_done_callback(under_way.discard)

    cutting = asyncio.create_task(cut())
    try:
        await asyncio.gather(*(one_table(place, supply) for place, supply in enumerate(supplies)))
    finally:
        cutting.cancel()
        await asyncio.gather(cutting, return_exceptions=True)
        for link in cut_links:
            await link.close()
    return tally


def check_stored(tally: Tally) -> None:
    """Add to the faults whatever was acknowledged or shown and is not stored just so."""
    for game_id, acknowledged in tally.acknowledged.items():
        records = list(Record.objects.filter(game_id=game_id).order_by("number"))
        stored = {record.number: (record.message_id, bytes(record.hash).hex()) for record in records}
        if list(stored) != list(range(1, len(records) + 1)):
            tally.faults.append(f"{game_id}: numbers {list(stored)}")
        for message_id, (number, digest) in acknowledged.items():
            if stored.get(number) != (message_id, digest):
                tally.faults.append(
                    f"{game_id}: {message_id} was acknowledged as {number}, stored {stored.get(number)}"
                )
        for number, digest in tally.hashes[game_id].items():
            if number and (number not in stored or stored[number][1] != digest):
                tally.faults.append(f"{game_id}: record {number} was shown, but is not stored so")
        verified = game_verify(Game.objects.get(pk=game_id))
        if not (verified.ok and verified.complete):
            tally.faults.append(f"{game_id}: verification: {verified}")
