"""The load client: ``python -m benchmarks.live.load`` reads a plan on stdin, plays it, and prints the figures as JSON.

It runs in a process of its own so that its work never stands in the way of what is measured, and says what CPU it
used itself. All times are of its own monotonic clock.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import time
from collections import Counter
from urllib.parse import urlsplit

import msgspec
import psutil
import uvloop

from benchmarks.live.dialects import BearenaSeat, BoardgameSeat, ColyseusSeat, Heard, Seat, open_seat
from benchmarks.live.plan import Deal, Figures, Plan, Usage, spread

OPENING_AT_ONCE = 64
STALLED_SECONDS = 1.0
SETTLE_SECONDS = 5.0
now = time.perf_counter

SEATS: dict[str, type[Seat]] = {"bearena": BearenaSeat, "boardgame.io": BoardgameSeat, "colyseus": ColyseusSeat}


class Run:
    """What all tables measure together."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.acknowledged: list[float] = []
        self.seen: list[float] = []
        self.refused: Counter[str] = Counter()
        self.by_host: Counter[str] = Counter()
        self.bytes = 0
        self.frames = 0
        self.late = 0
        self.is_over = False
        self.ran_out = asyncio.Event()
        self.tables = [Table(self, deals) for deals in plan.tables]

    def clear(self) -> None:
        """Forget what was measured, for the window begins."""
        self.acknowledged, self.seen = [], []
        self.refused.clear()
        self.by_host.clear()
        self.bytes = self.frames = self.late = 0


class Game:
    """One game: who may act, and since when its moves are under way."""

    def __init__(self, table: Table, deal: Deal) -> None:
        self.table = table
        self.run = table.run
        self.lines = deal.lines
        self.moves = deal.moves
        kind = SEATS[self.run.plan.dialect]
        self.seats = [kind(self, number, urlsplit(line.url).netloc) for number, line in enumerate(deal.lines)]
        self._sent: dict[int, list[float]] = {}
        """When a move was sent, and how many seats have not seen it yet."""

    def begin(self) -> None:
        """Let whoever is at turn act."""
        seat = self.seats[self.turn(self.seats[0].shown)]
        self.may_act(seat, seat.shown + 1)

    def turn(self, number: int) -> int:
        """Return the seat that makes the move after move ``number``."""
        return self.moves[number].seat if self.moves else number % len(self.seats)

    def may_act(self, seat: Seat, number: int) -> None:
        """Hear that ``seat`` may make move ``number``."""
        self.table.may_act(self, seat, number)

    def send(self, seat: Seat, number: int, since: float) -> None:
        """Send the move; it counts from ``since``."""
        self._sent[number] = [since, len(self.seats)]
        seat.send(seat.act())

    def acknowledged(self, seat: Seat, number: int) -> None:
        """Hear that move ``number`` is accepted."""
        self.run.acknowledged.append(now() - self._sent[number][0])
        self.run.by_host[seat.host] += 1
        self.table.moved_at = now()

    def saw(self, seat: Seat, number: int, size: int) -> None:
        """Hear that ``seat`` was shown everything up to move ``number``, in a frame of ``size`` bytes."""
        self.run.bytes += size
        self.run.frames += 1
        for move in range(seat.shown + 1, number + 1):
            sent = self._sent[move]
            sent[1] -= 1
            if not sent[1]:
                self.run.seen.append(now() - sent[0])
        seat.shown = number

    def ended(self) -> None:
        """Hear that this game is over; every seat says so."""
        self.table.game_ended(self)

    def refused(self, seat: Seat, heard: Heard) -> None:
        """Hear that a move changed nothing. Only what the server's load explains may be tried again."""
        self.run.refused[heard.code] += 1
        if heard.code not in {"busy", "unavailable"}:
            raise SystemExit(f"a move was refused: {heard.code}: {heard.message}")
        asyncio.get_running_loop().call_later(0.05, self.table.may_act, self, seat, seat.shown + 1)

    def lost(self, seat: Seat) -> None:
        """Hear that a socket was closed."""
        if not self.run.is_over:
            raise SystemExit("the server closed a socket in the middle of the run")

    @property
    def is_settled(self) -> bool:
        """True if all seats show the same."""
        return len({(seat.shown, seat.digest) for seat in self.seats}) == 1


class Table:
    """One table: its games, one after another, and the move that is due next."""

    def __init__(self, run: Run, deals: list[Deal]) -> None:
        self.run = run
        self.games = [Game(self, deal) for deal in deals]
        self.playing = 0
        self.moved_at = 0.0
        self._prepared: tuple[Game, Seat, int] | None = None
        self._owed_since: float | None = None

    def may_act(self, game: Game, seat: Seat, number: int) -> None:
        """Send the move at once, or when the pace says so."""
        if self.run.is_over:
            return
        if self.run.plan.rate is None:
            game.send(seat, number, now())
        elif self._owed_since is not None:
            since, self._owed_since = self._owed_since, None
            game.send(seat, number, since)
        else:
            self._prepared = (game, seat, number)

    def due(self) -> None:
        """Make a move now, or as soon as the table can; then its time counts from now all the same."""
        if self._prepared is not None:
            game, seat, number = self._prepared
            self._prepared = None
            game.send(seat, number, now())
            return
        self.run.late += 1
        if self._owed_since is None:
            self._owed_since = now()

    def game_ended(self, game: Game) -> None:
        """Go on with the next game."""
        if game is not self.games[self.playing]:
            return
        if self.playing + 1 == len(self.games):
            self.run.ran_out.set()
            return
        self.playing += 1
        self.games[self.playing].begin()


async def open_all(run: Run) -> None:
    """Open every socket, some at once."""
    at_once = asyncio.Semaphore(OPENING_AT_ONCE)

    async def open_game(game: Game) -> None:
        async with at_once:
            for seat, line in zip(game.seats, game.lines, strict=True):
                await open_seat(seat, line)

    async with asyncio.TaskGroup() as group:
        for table in run.tables:
            for game in table.games:
                group.create_task(open_game(game))


async def pace(run: Run, rate: float) -> None:
    """Make moves due, ``rate`` a second, table after table."""
    begun, made = now(), 0
    while not run.is_over:
        while made < (now() - begun) * rate:
            run.tables[made % len(run.tables)].due()
            made += 1
        await asyncio.sleep(0.0005)


def usage(watched: dict[str, list[int]]) -> dict[str, Usage]:
    """Return what the watched processes and all their children have used so far."""
    used = {}
    for name, pids in watched.items():
        processes = [psutil.Process(pid) for pid in pids]
        family = processes + [child for process in processes for child in process.children(recursive=True)]
        cpu, memory = 0.0, 0
        for process in family:
            try:
                times, resident = process.cpu_times(), process.memory_info().rss
            except psutil.NoSuchProcess:  # ended just now; its parent has counted its time
                continue
            cpu += times.user + times.system
            memory += resident
        for process in processes:
            times = process.cpu_times()
            cpu += times.children_user + times.children_system
        used[name] = Usage(cpu, memory)
    return used


async def play(plan: Plan) -> Figures:
    """Play ``plan`` and return the figures of its window."""
    run = Run(plan)
    await open_all(run)
    gc.collect()
    gc.freeze()
    gc.disable()
    for table in run.tables:
        table.games[0].begin()
    pacer = asyncio.create_task(pace(run, plan.rate)) if plan.rate is not None else None
    await asyncio.sleep(plan.warm_up)
    before = usage(plan.watched)
    for pid in plan.sampled:
        os.kill(pid, signal.SIGUSR1)
    run.clear()
    begun, own = now(), time.process_time()
    try:
        async with asyncio.timeout(plan.seconds):
            await run.ran_out.wait()
    except TimeoutError:
        pass
    seconds, own = now() - begun, time.process_time() - own
    acknowledged, seen, late = run.acknowledged, run.seen, run.late
    run.acknowledged, run.seen = [], []
    mean_bytes = run.bytes / max(1, run.frames)
    refused, by_host = dict(run.refused), dict(run.by_host)
    stalled = sum(table.moved_at < now() - STALLED_SECONDS for table in run.tables)
    after = usage(plan.watched)
    for pid in plan.sampled:
        os.kill(pid, signal.SIGUSR2)
    run.is_over = True
    if pacer is not None:
        await pacer
    playing = [table.games[table.playing] for table in run.tables]
    end = now() + SETTLE_SECONDS
    while now() < end and not all(game.is_settled for game in playing):
        await asyncio.sleep(0.05)
    return Figures(
        moves=len(acknowledged),
        seconds=seconds,
        acknowledged=spread(acknowledged),
        seen=spread(seen),
        frame_bytes=mean_bytes,
        own_cpu_seconds=own,
        usage={
            name: Usage(after[name].cpu_seconds - before[name].cpu_seconds, after[name].memory_bytes) for name in after
        },
        refused=refused,
        late=late,
        stalled=stalled,
        differing=sum(not game.is_settled for game in playing),
        by_host=by_host,
        ran_out=run.ran_out.is_set(),
    )


def main() -> None:
    plan = msgspec.json.decode(sys.stdin.buffer.read(), type=Plan)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(play(plan))))


if __name__ == "__main__":
    main()
