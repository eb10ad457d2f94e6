"""Tables of four in Hold my Bear, every seat a socket: moves a second and how long they take."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from statistics import median

import msgspec

from benchmarks.live.limits import limits
from benchmarks.live.people import deals, people
from benchmarks.live.plan import Figures, Plan
from benchmarks.live.site import ROOT, Site

SEATS = 4
MOVES_A_GAME = 30
"""About as many moves has a game of four that always make their weakest play."""
FASTEST = 6000
"""Moves a second for which games are dealt ahead, so that no table runs out of them."""
FASTEST_TABLE = 900
"""The same for a single table, which has to wait for its own answers."""


def load(plan: Plan) -> Figures:
    """Let the load client play ``plan`` in a process of its own. Raises SystemExit if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.live.load"],
        cwd=ROOT,
        input=msgspec.json.encode(plan),
        stdout=subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"the load client ended with {done.returncode}")
    return msgspec.json.decode(done.stdout, type=Figures)


def games_a_table(tables: int, seconds: float, rate: float | None) -> int:
    """Return how many games each table needs for a window of ``seconds``."""
    moves = min(FASTEST / tables, FASTEST_TABLE) if rate is None else rate / tables
    return math.ceil(moves * seconds / MOVES_A_GAME) + 1


def run(site: Site, tables: int, *, seconds: float, rate: float | None = None, sampled: bool = False) -> Figures:
    """Deal what is needed, play one window with ``tables`` tables, and return its figures."""
    warm_up = 1.0
    count = games_a_table(tables, seconds + warm_up, rate)
    crowd = people(SEATS * tables)
    seated = [crowd[SEATS * table : SEATS * (table + 1)] for table in range(tables)]
    dealt = [deals(seated, site.hosts) for _ in range(count)]
    return load(
        Plan(
            dialect="bearena",
            tables=[list(of_a_table) for of_a_table in zip(*dealt, strict=True)],
            seconds=seconds,
            warm_up=warm_up,
            rate=rate,
            watched=site.watched,
            sampled=[process.pid for process in site.web] if sampled else [],
        )
    )


def describe(label: str, runs: Sequence[Figures]) -> str:
    """Return one line about several runs of the same; every figure is the median of the runs."""

    def middle(values: Sequence[float]) -> float:
        return float(median(values))

    rate = middle([one.moves / one.seconds for one in runs])
    spreads = {
        name: "/".join(
            f"{middle([getattr(getattr(one, name), share) for one in runs]):.1f}" for share in ("p50", "p99")
        )
        for name in ("acknowledged", "seen")
    }
    parts = [
        f"{label}: {rate:.0f} moves a second",
        f"to acknowledgement p50/p99 {spreads['acknowledged']} ms, to the last seat {spreads['seen']} ms",
    ]
    used = []
    for name in runs[0].usage:
        cpu = middle([1e6 * one.usage[name].cpu_seconds / max(1, one.moves) for one in runs])
        share = middle([one.usage[name].cpu_seconds / one.seconds for one in runs])
        used.append(f"{name} {cpu:.0f} us a move ({share:.0%} of a core)")
    own = middle([1e6 * one.own_cpu_seconds / max(1, one.moves) for one in runs])
    own_share = middle([one.own_cpu_seconds / one.seconds for one in runs])
    parts.append(f"CPU: {', '.join(used)}, load client {own:.0f} us ({own_share:.0%})")
    parts.append(
        "memory "
        + ", ".join(
            f"{name} {middle([one.usage[name].memory_bytes / 2**20 for one in runs]):.0f} MiB"
            for name in runs[0].usage
            if name != "postgres"  # its processes share most of theirs
        )
    )
    parts.append(f"{middle([one.frame_bytes for one in runs]):.0f} bytes a view")
    parts.append(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    text = "; ".join(parts)
    warnings = []
    for one in runs:
        if one.refused:
            warnings.append(f"refused {one.refused}")
        if one.stalled:
            warnings.append(f"{one.stalled} tables waited for over a second for an answer when the window ended")
        if one.differing:
            warnings.append(f"{one.differing} tables whose seats did not show the same at the end")
        if one.ran_out:
            warnings.append(f"a table had no more games after {one.seconds:.1f} s")
        if one.late:
            warnings.append(f"{one.late} moves came due before the table was ready")
        if len(one.by_host) > 1:
            warnings.append(f"taken by {one.by_host}")
    if len(runs) > 1:
        each = ", ".join(f"{one.moves / one.seconds:.0f}" for one in runs)
        warnings.append(f"the runs: {each}")
    return text + "".join(f"\n    {warning}" for warning in warnings)


def report(
    site: Site, tables: Sequence[int], *, seconds: float, repeat: int, rates: Sequence[float | None] = (None,)
) -> None:
    """Print a line for each number of tables at each rate (None: as fast as it goes)."""
    for rate in rates:
        for count in tables:
            runs = []
            for _ in range(repeat):
                print(f"    {limits()}")
                runs.append(run(site, count, seconds=seconds, rate=rate))
            pace = "closed loop" if rate is None else f"paced at {rate:.0f} a second"
            processes = f", {len(site.web)} web processes" if len(site.web) > 1 else ""
            print(describe(f"{count} tables, {pace}{processes}", runs), flush=True)


def profile(site: Site, tables: int, *, seconds: float) -> None:
    """Print where the web process spends its time a move; a run of its own, so that it disturbs no other figure."""
    samples = site.folder / "samples.json"
    site.start_web("benchmarks.live.sampling:application", {"BENCH_SAMPLES": str(samples)})
    figures = run(site, tables, seconds=seconds, sampled=True)
    end = time.monotonic() + 5
    while not samples.exists() and time.monotonic() < end:
        time.sleep(0.05)
    site.stop_web()
    counted = json.loads(samples.read_text())
    whole = sum(counted["parts"].values())
    cost = 1e6 * figures.usage["web"].cpu_seconds / figures.moves
    shares = sorted(counted["parts"].items(), key=lambda item: -item[1])
    print(
        f"{tables} tables, where the web process's {cost:.0f} us a move go: "
        + ", ".join(f"{part} {cost * count / whole:.0f} us" for part, count in shares)
        + f"; PostgreSQL {1e6 * figures.usage['postgres'].cpu_seconds / figures.moves:.0f} us"
        + f" (from {whole} samples at {figures.moves / figures.seconds:.0f} moves a second)"
    )
    print(
        "    most often in: " + ", ".join(f"{place} {count / whole:.0%}" for place, count in counted["places"].items())
    )
