"""Live play on one real web process: moves a second, and how long until a move is acknowledged and seen by the others.

``python benchmarks/live.py [--tables 25 100] [--moves N]``

Starts PostgreSQL (fsync on), Valkey and uvicorn of its own in a temporary folder. At each table four sockets play in a
closed loop: whoever is at turn acts as soon as it sees the position. A window ends when the first table has played
all its games. Beside it stands what the machine can do at most in the same minutes: rows that one connection inserts
with a commit each, and in batches of 64. Clients share the machine with the servers.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import resource
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import psutil
import psycopg
import uvloop
from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from config.stack import commands  # noqa: E402
from config.stack.postgres import Postgres  # noqa: E402
from config.stack.valkey import Valkey  # noqa: E402

SEATS = 4
MOVES_A_GAME = 30
LIMIT_SECONDS = 60
encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode


@contextlib.contextmanager
def servers() -> Iterator[tuple[str, psutil.Process]]:
    """Run everything on servers of our own; yields the web server's host and port, and its process."""
    folder = Path(tempfile.mkdtemp(prefix="bearena-bench-", dir="/tmp"))
    postgres = Postgres(data=folder / "postgres", sockets=folder, log=folder / "postgres.log", tied=True)
    valkey = Valkey(data=folder / "valkey", sockets=folder, log=folder / "valkey.log", tied=True)
    web = None
    try:
        postgres.start()
        valkey.start()
        os.environ |= {
            "DATABASE_URL": postgres.url,
            "REDIS_URL": valkey.url,
            "BEARENA_SECRET_KEY": secrets.token_hex(32),
            "BEARENA_VAR": str(folder),
            "BEARENA_DEBUG": "1",
            "BEARENA_SOCKET_MESSAGES": "1000000",
            "BEARENA_LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        with (folder / "web.log").open("wb") as log:
            web = subprocess.Popen(commands.web("127.0.0.1", port), cwd=ROOT, stdout=log, stderr=log)
        wait_for(f"http://127.0.0.1:{port}/healthz")
        yield f"127.0.0.1:{port}", psutil.Process(web.pid)
        troubles = (folder / "web.log").read_text()
        if troubles:
            print(f"the web process said:\n{troubles[-3000:]}")
    finally:
        if web is not None:
            web.terminate()
            web.wait(20)
        valkey.stop()
        postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(url: str) -> None:
    """Wait until ``url`` answers."""
    end = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def people(count: int) -> list[tuple[Any, str]]:
    """Make players with sessions; returns each with its cookie."""
    from django.conf import settings
    from django.test import Client

    from players.models import Player, User

    made = []
    for number in range(count):
        name = secrets.token_hex(6)
        user = User.objects.create_user(f"{name}@bench.example")
        player = Player.objects.create(name=f"Player {number}", slug=name, user=user)
        client = Client()
        client.force_login(user)
        made.append((player, f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"))
    return made


def deal(players: list[Any]) -> str:
    """Deal a game among ``players`` and return its id."""
    from games.models import Seat
    from games.services import game_create, seat_ready

    game = game_create(game="hold-my-bear", rules={}, players=players, bank_ms=3_600_000)
    Seat.objects.filter(game=game).exclude(player=players[0]).update(ready=True)
    return str(seat_ready(game=game, player=players[0]).pk)


def action_for(view: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the weakest play, else a gift, so that a game takes a while."""
    if options["force_bear"]:
        return {"type": "force-bear", "card": options["force_bear"][-1]}
    if options["steal"]:
        victims = [int(seat) for seat, held in options["steal"]["from"].items() for _ in range(held)]
        return {"type": "steal", "from": sorted(victims[: options["steal"]["take"]])}
    if options["plays"]:
        return options["plays"][0]
    to = view["owner"] if view["owner"] in options["give"]["to"] else options["give"]["to"][0]
    bears_first = sorted(view["hand"])[: options["give"]["cards"]]
    return {"type": "give", "gifts": [{"card": card, "to": to} for card in bears_first]}


class Measure:
    """What all tables of one run measure together."""

    def __init__(self) -> None:
        self.acknowledged: list[float] = []
        self.seen: list[float] = []
        self.done = asyncio.Event()


class LiveGame:
    """One game with its four sockets, opened before the measuring begins."""

    def __init__(self, game_id: str, cookies: list[str]) -> None:
        self.game_id = game_id
        self.cookies = cookies
        self.lines: list[ClientConnection] = []
        self.states: list[dict[str, Any]] = []

    async def open(self, host: str) -> None:
        """Open the sockets and say hello."""
        for cookie in self.cookies:
            line = await connect(
                f"ws://{host}/ws/games/{self.game_id}/",
                additional_headers={"Cookie": cookie},
                origin=f"http://{host}",
                compression=None,
                ping_interval=None,
            )
            await line.send('{"type":"hello","seen":null}')
            self.lines.append(line)
        for line in self.lines:
            while (message := decode(await line.recv()))["type"] != "state":
                pass
            self.states.append(message)

    async def play(self, measure: Measure) -> None:
        """Play to the end, each seat in its own task."""
        sent: dict[int, float] = {}
        await asyncio.gather(*(self._seat(seat, sent, measure) for seat in range(SEATS)))

    async def _seat(self, seat: int, sent: dict[int, float], measure: Measure) -> None:
        line, message = self.lines[seat], self.states[seat]
        mine = -1
        while True:
            if message["options"] and mine != message["n"]:
                mine = message["n"]
                action = action_for(message["view"], message["options"])
                text = encode({"type": "act", "id": f"{mine}", "seen": mine, "action": action}).decode()
                sent[mine + 1] = time.perf_counter()
                await line.send(text)
            if message["status"] != "running" or measure.done.is_set():
                return
            while True:
                heard = decode(await line.recv(decode=False))
                now = time.perf_counter()
                if heard["type"] == "update":
                    if mine != heard["n"] - 1:
                        measure.seen.append(now - sent[heard["n"]])
                    message = heard
                    break
                if heard["type"] == "ack":
                    measure.acknowledged.append(now - sent[heard["n"]])
                elif heard["type"] == "refused":
                    raise SystemExit(f"a move was refused: {heard}")


async def run(host: str, web: psutil.Process, tables: list[list[LiveGame]]) -> None:
    """Play all tables until the first has no game left, and print the figures."""
    measure = Measure()
    for games in tables:
        for game in games:
            await game.open(host)

    async def play_table(games: list[LiveGame]) -> None:
        for game in games:
            await game.play(measure)
            if measure.done.is_set():
                return
        measure.done.set()

    begun, own, served = time.perf_counter(), time.process_time(), cpu_seconds(web)
    players = [asyncio.create_task(play_table(games)) for games in tables]
    async with asyncio.timeout(LIMIT_SECONDS):
        await measure.done.wait()
    seconds = time.perf_counter() - begun
    own, served = time.process_time() - own, cpu_seconds(web) - served
    moves, acknowledged, seen = len(measure.acknowledged), measure.acknowledged[:], measure.seen[:]
    for player in players:
        player.cancel()
    results = await asyncio.gather(*players, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
            raise result
    for games in tables:
        await asyncio.gather(*(line.close() for game in games for line in game.lines))
    print(
        f"{len(tables)} tables: {moves / seconds:.0f} moves a second ({moves} in {seconds:.1f} s);"
        f" acknowledged p50/p99 {percentiles(acknowledged)} ms; seen by the others p50/p99 {percentiles(seen)} ms;"
        f" CPU a move: web {1e6 * served / moves:.0f} us, clients {1e6 * own / moves:.0f} us;"
        f" {sum(os.getloadavg()[:1]):.1f} processes wanted the machine's {os.cpu_count()} cores"
    )


def cpu_seconds(process: psutil.Process) -> float:
    """Return the CPU time that ``process`` has used."""
    times = process.cpu_times()
    return times.user + times.system


def percentiles(seconds: list[float]) -> str:
    """Return median and 99th percentile in milliseconds."""
    ordered = sorted(seconds)
    return "/".join(f"{1000 * ordered[int(len(ordered) * share)]:.1f}" for share in (0.5, 0.99))


def limit() -> None:
    """Print how many rows a second one connection inserts: a commit each, and 64 to a commit."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as session:
        session.execute(
            "CREATE TABLE IF NOT EXISTS bench (game uuid, n int, action jsonb, hash bytea, PRIMARY KEY (game, n))"
        )
        session.execute("TRUNCATE bench")
        row = ("00000000-0000-4000-8000-000000000000", '{"type": "play", "cards": ["bear-1", "tiger-4"]}', bytes(32))
        begun, rows = time.perf_counter(), 0
        while time.perf_counter() - begun < 2:
            session.execute("INSERT INTO bench VALUES (%s, %s, %s, %s)", (row[0], rows, *row[1:]), prepare=True)
            rows += 1
        single = rows / (time.perf_counter() - begun)
        begun, rows = time.perf_counter(), 1_000_000
        while time.perf_counter() - begun < 2:
            session.execute(
                "INSERT INTO bench SELECT %s, n, %s, %s FROM unnest(%s::int[]) n",
                (*row, list(range(rows, rows + 64))),
                prepare=True,
            )
            rows += 64
        batched = (rows - 1_000_000) / (time.perf_counter() - begun)
    print(f"limit: {single:.0f} rows a second with a commit each, {batched:.0f} with 64 to a commit")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[25, 100])
    parser.add_argument("--moves", type=int, default=6000, help="moves a run, roughly")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536) if hard > 0 else 65536, hard))
    with servers() as (host, web):
        crowd = people(SEATS * max(options.tables))
        for count in options.tables:
            games = max(1, options.moves // (MOVES_A_GAME * count))
            tables = []
            for table in range(count):
                sitting = crowd[SEATS * table : SEATS * (table + 1)]
                cookies = [cookie for _, cookie in sitting]
                tables.append([LiveGame(deal([player for player, _ in sitting]), cookies) for _ in range(games)])
            limit()
            uvloop.run(run(host, web, tables))


if __name__ == "__main__":
    main()
