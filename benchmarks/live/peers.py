"""boardgame.io and Colyseus on the same work, driven by the same load client. Their servers: ``benchmarks/peers``."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from urllib.request import Request, urlopen

import msgspec

from benchmarks.live.plan import Deal, Dialect, Line, Plan
from benchmarks.live.play import SEATS, describe, load
from benchmarks.live.site import ROOT, Site, free_port, wait_for

FOLDER = ROOT / "benchmarks" / "peers"


@dataclass(frozen=True)
class Peer:
    """One way to run a peer."""

    title: str
    dialect: Dialect
    script: str
    stores: bool
    table: Callable[[str, str], list[Line]]
    """The sockets of a new table at a host; the second argument is a name that no other table has."""


def boardgame_table(host: str, name: str) -> list[Line]:
    """Return the sockets of a match, which boardgame.io makes when the first of them asks for it."""
    return [Line(f"ws://{host}/socket.io/?EIO=4&transport=websocket#{name}") for _ in range(SEATS)]


class _Reserved(msgspec.Struct):
    sessionId: str  # noqa: N815  # Colyseus' names
    roomId: str  # noqa: N815
    processId: str  # noqa: N815


def colyseus_table(host: str, _name: str) -> list[Line]:
    """Reserve the seats of a new room, and return their sockets."""

    def ask(path: str) -> _Reserved:
        request = Request(f"http://{host}/matchmake/{path}", b"{}", {"Content-Type": "application/json"})
        with urlopen(request, timeout=10) as answer:
            return msgspec.json.decode(answer.read(), type=_Reserved)

    first = ask("create/bench")
    seats = [first, *(ask(f"joinById/{first.roomId}") for _ in range(SEATS - 1))]
    return [Line(f"ws://{host}/{seat.processId}/{seat.roomId}?sessionId={seat.sessionId}") for seat in seats]


PEERS = (
    Peer("boardgame.io, in memory", "boardgame.io", "boardgame.mjs", False, boardgame_table),
    Peer("Colyseus, in memory", "colyseus", "colyseus.mjs", False, colyseus_table),
    Peer("Colyseus, an awaited INSERT a move", "colyseus", "colyseus.mjs", True, colyseus_table),
)


@contextlib.contextmanager
def server(site: Site, peer: Peer) -> Iterator[tuple[str, int]]:
    """Run the server of ``peer``; yields its host and process id."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment["NODE_ENV"] = "production"
    if peer.stores:
        environment["DATABASE_URL"] = site.postgres.url
    with (site.folder / "peer.log").open("wb") as log:
        process = subprocess.Popen(
            ["node", peer.script, str(port)], cwd=FOLDER, env=environment, stdout=log, stderr=log
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/", process)
        yield f"127.0.0.1:{port}", process.pid
    finally:
        process.kill()
        process.wait()


def install() -> str | None:
    """Bring the peers' packages, if that was not done; return why it cannot be done, or None."""
    if (FOLDER / "node_modules").exists():
        return None
    if shutil.which("npm") is None or shutil.which("node") is None:
        return "there is no node and npm here (Debian: apt-get install nodejs npm)"
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--silent"],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        check=False,
    )
    return None if done.returncode == 0 else f"npm install failed: {done.stderr[-500:]}"


def report(
    site: Site, tables: Sequence[int], *, seconds: float, repeat: int, rates: Sequence[float | None] = (None,)
) -> None:
    """Print a line for each peer, each rate and each number of tables."""
    reason = install()
    if reason is not None:
        print(f"peers are not measured: {reason}")
        return
    for rate in rates:
        for count in tables:
            for peer in PEERS:
                runs = []
                for _ in range(repeat):
                    with server(site, peer) as (host, pid):
                        plan = Plan(
                            dialect=peer.dialect,
                            tables=[[Deal(peer.table(host, f"table{number}"))] for number in range(count)],
                            seconds=seconds,
                            rate=rate,
                            watched={"server": [pid]} | ({"postgres": site.watched["postgres"]} if peer.stores else {}),
                        )
                        runs.append(load(plan))
                pace = "closed loop" if rate is None else f"paced at {rate:.0f} a second"
                print(describe(f"{peer.title}: {count} tables, {pace}", runs), flush=True)
