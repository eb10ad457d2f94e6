"""Many sockets that only look on: what each keeps in memory, and how soon the last of a crowd has heard of a move.

As ``python -m benchmarks.live.spectating`` this is the client: a plan on stdin's first line, then it goes on until
stdin ends; results on stdout.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

import msgspec
import psutil
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from benchmarks.live.dialects import read
from benchmarks.live.plan import Deal, Line, Spread, spread
from benchmarks.live.site import ROOT, Site

SEATS = 4
OPENING_AT_ONCE = 64
SETTLE_SECONDS = 5.0
PAUSE_SECONDS = 0.3
"""Between one move that a crowd has seen and the next."""
PATIENCE_SECONDS = 30.0
now = time.perf_counter


class Crowd(msgspec.Struct):
    """What the client is told: where to look on, and the game to play for them, if any."""

    lines: list[Line]
    deal: Deal | None = None


class Heard(msgspec.Struct):
    """What the client tells of a game played before a crowd."""

    last: Spread
    """From sending a move until the last spectator has it."""
    first: Spread
    own_cpu_share: float


class Socket(WSListener):
    """One socket; a spectator's or a player's."""

    def __init__(self) -> None:
        self.opened = asyncio.get_running_loop().create_future()
        self.shown = -1
        self.awaited = 0
        self.arrival: asyncio.Future[float] | None = None
        self.transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        transport.send(WSMsgType.TEXT, b'{"type":"hello","seen":null}')

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            raise SystemExit(f"the server closed a socket with {frame.get_close_code()}")
        if frame.msg_type != WSMsgType.TEXT:
            return
        heard = read(frame.get_payload_as_bytes())
        if heard.type not in {"state", "update"}:
            return
        self.shown = heard.n
        if not self.opened.done():
            self.opened.set_result(None)
        if self.arrival is not None and self.shown >= self.awaited and not self.arrival.done():
            self.arrival.set_result(now())

    def arrives(self, number: int) -> asyncio.Future[float]:
        """Return when this socket is shown move ``number``."""
        self.awaited = number
        self.arrival = asyncio.get_running_loop().create_future()
        return self.arrival


async def open_sockets(lines: list[Line]) -> list[Socket]:
    """Open them all, and wait until each is shown its game."""
    at_once = asyncio.Semaphore(OPENING_AT_ONCE)

    async def open_one(line: Line) -> Socket:
        async with at_once:
            socket = Socket()
            await ws_connect(lambda: socket, line.url, extra_headers=line.headers, websocket_handshake_timeout=60)
            async with asyncio.timeout(PATIENCE_SECONDS):
                await socket.opened
            return socket

    return list(await asyncio.gather(*(open_one(line) for line in lines)))


async def client(crowd: Crowd) -> None:
    """Open the crowd's sockets; play the game before them, if there is one; wait until stdin ends."""
    spectators = await open_sockets(crowd.lines)
    print("open", flush=True)
    if crowd.deal is not None:
        print(msgspec.json.encode(await play_before(spectators, crowd.deal)).decode(), flush=True)
    await asyncio.to_thread(sys.stdin.read)


async def play_before(spectators: list[Socket], deal: Deal) -> Heard:
    """Play ``deal`` to the end, each move after the whole crowd has seen the one before."""
    seats = await open_sockets(deal.lines)
    first, last = [], []
    begun, own = now(), time.process_time()
    for number, move in enumerate(deal.moves, start=1):
        arrivals = [socket.arrives(number) for socket in (*spectators, *seats)]
        transport = seats[move.seat].transport
        assert transport is not None
        sent = now()
        action = b'{"type":"act","id":"%d","seen":%d,"action":%b}' % (number, number - 1, bytes(move.action))
        transport.send(WSMsgType.TEXT, action)
        async with asyncio.timeout(PATIENCE_SECONDS):
            times = [time - sent for time in (await asyncio.gather(*arrivals))[: len(spectators)]]
        first.append(min(times))
        last.append(max(times))
        await asyncio.sleep(PAUSE_SECONDS)
    return Heard(spread(last), spread(first), (time.process_time() - own) / (now() - begun))


def start(crowd: Crowd) -> subprocess.Popen[bytes]:
    """Start the client and wait until its sockets are open."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.live.spectating"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(msgspec.json.encode(crowd) + b"\n")
    process.stdin.flush()
    if process.stdout.readline() != b"open\n":
        raise SystemExit("the client could not open its sockets")
    return process


def memory(site: Site) -> int:
    """Return the resident memory of the web process."""
    return int(psutil.Process(site.web[0].pid).memory_info().rss)


def idle(site: Site, sockets: int, games: int) -> None:
    """Print what an idle socket costs: hello said, ``sockets`` spread over ``games`` running games."""
    from benchmarks.live.people import deals, people

    crowd = people(SEATS * games)
    host = site.hosts[0]
    dealt = deals([crowd[SEATS * table : SEATS * (table + 1)] for table in range(games)], [host])
    places = [Line(deal.lines[0].url, {"Origin": f"http://{host}"}) for deal in dealt]
    # One socket at each game first, so that the games are loaded before the sockets are counted.
    warm = start(Crowd(places))
    time.sleep(SETTLE_SECONDS / 5)
    before = memory(site)
    process = start(Crowd([places[number % games] for number in range(sockets)]))
    time.sleep(SETTLE_SECONDS)
    cost = (memory(site) - before) / sockets / 1024
    for client_process in (warm, process):
        client_process.communicate()
    print(f"{sockets} idle sockets at {games} games: {cost:.1f} KiB each (web process from {before / 2**20:.0f} MiB)")


def before_a_crowd(site: Site, sockets: int) -> None:
    """Print how long it takes until the last of ``sockets`` spectators of one game has heard of a move."""
    from benchmarks.live.people import deals, people

    host = site.hosts[0]
    [deal] = deals([people(SEATS)], [host])
    spectator = Line(deal.lines[0].url, {"Origin": f"http://{host}"})
    process = start(Crowd([spectator] * sockets, deal))
    assert process.stdout is not None
    heard = msgspec.json.decode(process.stdout.readline(), type=Heard)
    process.communicate()
    print(
        f"1 game before {sockets} spectators: the last one has a move p50 {heard.last.p50:.0f} ms, worst"
        f" {heard.last.worst:.0f} ms after it was sent (the first one {heard.first.p50:.1f} ms); {heard.last.count}"
        f" moves; the client used {heard.own_cpu_share:.0%} of a core"
    )


if __name__ == "__main__":
    uvloop.run(client(msgspec.json.decode(sys.stdin.readline(), type=Crowd)))
