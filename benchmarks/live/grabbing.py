"""Tables of five in Pick-a-Polar-Bear, every seat a socket that grabs so many times a second: how long grabs take.

As ``python -m benchmarks.live.grabbing`` this is the client, in a process of its own: a plan on stdin, figures on
stdout.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from collections import Counter

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from benchmarks.live.load import OPENING_AT_ONCE, usage
from benchmarks.live.plan import Line, Spread, Usage, spread
from benchmarks.live.site import ROOT, Site

SEATS = 5
GRABS_A_SECOND = 3.0
GAMES_A_TABLE = 2
PATIENCE_SECONDS = 60.0
ANSWER_SECONDS = 0.3
now = time.perf_counter


class Plan(msgspec.Struct):
    """Each table plays its games one after another; a game is its lines by seat."""

    tables: list[list[list[Line]]]
    rate: float
    """Grabs a second of each seat, while a round runs."""
    seconds: float
    warm_up: float
    watched: dict[str, list[int]]


class Figures(msgspec.Struct):
    """What one run measured."""

    acknowledged: Spread
    """From sending a grab to hearing that it is stored."""
    refused: dict[str, Spread]
    """The same for grabs that were too late and other refusals, by code."""
    seconds: float
    playing_share: float
    """How much of the time seats saw a round running, and grabbed."""
    rounds: int
    own_cpu_seconds: float
    usage: dict[str, Usage]
    ran_out: bool


class View(msgspec.Struct):
    """The keys of the view that matter here."""

    phase: str
    grid: list[str | None]
    round: int = 0
    answered: list[int] = []


class Heard(msgspec.Struct):
    """The keys of the messages that matter here."""

    type: str
    n: int = 0
    id: str | None = None
    code: str = ""
    message: str = ""
    status: str = ""
    view: View | None = None


read = msgspec.json.Decoder(Heard).decode


class Run:
    """What all seats measure together."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.acknowledged: list[float] = []
        self.refused: dict[str, list[float]] = {}
        self.turns: Counter[str] = Counter()
        self.rounds: set[tuple[int, int, int]] = set()
        self.ran_out = asyncio.Event()
        self.opening = asyncio.Semaphore(OPENING_AT_ONCE)

    def clear(self) -> None:
        """Forget what was measured, for the window begins."""
        self.acknowledged, self.refused = [], {}
        self.turns.clear()
        self.rounds.clear()


class Seat(WSListener):
    """One seat's socket."""

    def __init__(self, run: Run, number: int, name: tuple[int, int]) -> None:
        self.run = run
        self.number = number
        self.name = name
        self.seen = 0
        self.view: View | None = None
        self.over = asyncio.Event()
        self._sent: dict[str, float] = {}
        self._answered_at = -1
        self._messages = 0
        self.transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        transport.send(WSMsgType.TEXT, b'{"type":"hello","seen":null}')

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        if not self.over.is_set():
            raise SystemExit("the server closed a socket in the middle of the run")

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type != WSMsgType.TEXT:
            return
        heard = read(frame.get_payload_as_bytes())
        if heard.type in {"state", "update"}:
            self.seen, self.view = heard.n, heard.view
            if heard.status not in {"running", "seating"}:
                self.over.set()
        elif heard.type == "ack":
            sent = self._sent.pop(str(heard.id), None)
            if sent is not None:
                self.run.acknowledged.append(now() - sent)
        elif heard.type == "refused":
            sent = self._sent.pop(str(heard.id), None)
            if heard.code not in {"place-empty", "not-now", "stale", "busy", "game-over", "not-running"}:
                raise SystemExit(f"refused: {heard.code}: {heard.message}")
            if sent is not None:
                self.run.refused.setdefault(heard.code, []).append(now() - sent)
        elif heard.type == "probe":
            transport.send(WSMsgType.TEXT, b'{"type":"probe","id":"%b"}' % str(heard.id).encode())

    async def play(self) -> None:
        """Do something every so often until the game is over."""
        await asyncio.sleep(random.uniform(0, 1 / self.run.plan.rate))
        while not self.over.is_set():
            self._do()
            await asyncio.sleep(random.uniform(0.9, 1.1) / self.run.plan.rate)

    def _do(self) -> None:
        view = self.view
        if view is None:
            return
        self.run.turns[view.phase] += 1
        if view.phase == "bonus":
            if self.number not in view.answered and self._answered_at != self.seen:
                self._answered_at = self.seen
                self._act(b'{"type":"answer","count":%d}' % random.randint(0, 3), timed=False)
        elif view.phase == "grab":
            self.run.rounds.add((*self.name, view.round))
            lying = [place for place, card in enumerate(view.grid) if card is not None]
            if lying:
                self._act(b'{"type":"grab","place":%d}' % random.choice(lying), timed=True)
            elif self.number == 0:
                self._act(b'{"type":"stop"}', timed=False)

    def _act(self, action: bytes, *, timed: bool) -> None:
        assert self.transport is not None
        self._messages += 1
        message_id = f"{self.number}.{self._messages}"
        if timed:
            self._sent[message_id] = now()
        text = b'{"type":"act","id":"%b","seen":%d,"action":%b}' % (message_id.encode(), self.seen, action)
        self.transport.send(WSMsgType.TEXT, text)


async def play_table(run: Run, table: int, games: list[list[Line]]) -> None:
    """Play one game after another."""
    for game, lines in enumerate(games):
        seats = [Seat(run, number, (table, game)) for number in range(len(lines))]
        for seat, line in zip(seats, lines, strict=True):
            async with run.opening:
                await ws_connect(
                    lambda seat=seat: seat,
                    line.url,
                    extra_headers=line.headers,
                    websocket_handshake_timeout=PATIENCE_SECONDS,
                )
        await asyncio.gather(*(seat.play() for seat in seats))
        for seat in seats:
            assert seat.transport is not None
            seat.transport.disconnect()
    run.ran_out.set()


async def client(plan: Plan) -> Figures:
    """Play ``plan`` and return the figures of its window."""
    run = Run(plan)
    tables = [asyncio.create_task(play_table(run, number, games)) for number, games in enumerate(plan.tables)]
    await asyncio.sleep(plan.warm_up)
    before = usage(plan.watched)
    run.clear()
    begun, own = now(), time.process_time()
    over = asyncio.create_task(run.ran_out.wait())
    await asyncio.wait([over, *tables], timeout=plan.seconds, return_when=asyncio.FIRST_COMPLETED)
    for table in tables:
        if table.done():
            table.result()
    seconds, own = now() - begun, time.process_time() - own
    after = usage(plan.watched)
    figures = Figures(
        acknowledged=spread(run.acknowledged),
        refused={code: spread(times) for code, times in run.refused.items()},
        seconds=seconds,
        playing_share=run.turns["grab"] / max(1, run.turns.total()),
        rounds=len(run.rounds),
        own_cpu_seconds=own,
        usage={
            name: Usage(after[name].cpu_seconds - before[name].cpu_seconds, after[name].memory_bytes) for name in after
        },
        ran_out=run.ran_out.is_set(),
    )
    for task in [over, *tables]:
        task.cancel()
    return figures


def report(site: Site, tables: int, *, seconds: float) -> None:
    """Print how long grabs take at so many tables of five."""
    from benchmarks.live.people import dealt_games, people

    crowd = people(SEATS * tables)
    seated = [crowd[SEATS * table : SEATS * (table + 1)] for table in range(tables)]
    games = [dealt_games(seated, game="pick-a-polar-bear") for _ in range(GAMES_A_TABLE)]
    hosts = site.hosts
    plan = Plan(
        tables=[
            [
                [person.line(hosts[seat % len(hosts)], dealt[table]) for seat, person in enumerate(sitting)]
                for dealt in games
            ]
            for table, sitting in enumerate(seated)
        ],
        rate=GRABS_A_SECOND,
        seconds=seconds,
        warm_up=8.0,
        watched=site.watched,
    )
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.live.grabbing"],
        cwd=ROOT,
        input=msgspec.json.encode(plan),
        stdout=subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"the client ended with {done.returncode}")
    figures = msgspec.json.decode(done.stdout, type=Figures)
    taken = figures.acknowledged
    grabs = taken.count + sum(one.count for one in figures.refused.values())
    used = ", ".join(f"{name} {one.cpu_seconds / figures.seconds:.0%}" for name, one in figures.usage.items())
    print(
        f"Pick-a-Polar-Bear, {tables} tables of {SEATS}, {GRABS_A_SECOND:g} grabs a second each while a round runs"
        f" ({figures.playing_share:.0%} of the time): {grabs / figures.seconds:.0f} grabs a second in"
        f" {figures.rounds} rounds, of which {taken.count / figures.seconds:.0f} taken;"
        f" to acknowledgement p50 {taken.p50:.1f}, p99 {taken.p99:.1f}, worst {taken.worst:.1f} ms;"
        f" CPU of a core: {used}, client {figures.own_cpu_seconds / figures.seconds:.0%}"
    )
    for code, one in sorted(figures.refused.items()):
        print(f"    refused {code}: {one.count}, p50 {one.p50:.1f}, p99 {one.p99:.1f} ms")
    if figures.ran_out:
        print(f"    a table had no more games after {figures.seconds:.1f} s")


if __name__ == "__main__":
    sys.stdout.buffer.write(
        msgspec.json.encode(uvloop.run(client(msgspec.json.decode(sys.stdin.buffer.read(), type=Plan))))
    )
