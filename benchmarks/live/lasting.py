"""The long forms of the soak and of the race; their short forms are tests."""

from __future__ import annotations

import asyncio
import time

import psutil
import uvloop

from benchmarks.live.people import deals, people
from benchmarks.live.plan import Deal
from benchmarks.live.race import check_stored as check_race
from benchmarks.live.race import race, twins
from benchmarks.live.site import Site
from benchmarks.live.soak import Supply, Tally, soak
from benchmarks.live.soak import check_stored as check_soak

SEATS = 4
FEWEST_MOVES = 15
"""Nearly every game has more."""
RACERS = 40
PAUSE_SECONDS = 1.0
CUTS_A_TABLE = 0.2
"""A second: each table loses one of its six connections every five seconds."""
LOOKS = 12
FAULTS_SHOWN = 20


def race_long(site: Site, pairs: int) -> None:
    """Race ``pairs`` times between two web processes, and print what came of it."""
    crowd = people(SEATS * RACERS)
    tables = [crowd[SEATS * table : SEATS * (table + 1)] for table in range(RACERS)]
    games: list[Deal] = []
    while len(games) * FEWEST_MOVES < pairs:
        games += deals(tables, site.hosts[:1])
    outcome = uvloop.run(race(twins(games, site.hosts), pairs))
    check_race(outcome)
    acknowledged = sum(map(len, outcome.acknowledged.values()))
    print(f"race: {outcome.pairs} pairs, {acknowledged} acknowledged and stored once; won: {dict(outcome.won)}")
    _print_faults(outcome.faults)


def soak_long(site: Site, *, tables: int, minutes: float) -> None:
    """Soak for ``minutes`` with so many tables, and print what came of it."""
    crowd = people(SEATS * tables)
    end = time.monotonic() + 60 * minutes
    tally = Tally()
    web = psutil.Process(site.web[0].pid)

    def supply(table: int) -> Supply:
        seated = crowd[SEATS * table : SEATS * (table + 1)]

        async def next_deal() -> Deal | None:
            if time.monotonic() > end:
                return None
            [deal] = await asyncio.to_thread(deals, [seated], site.hosts)
            return deal

        return next_deal

    async def watch() -> None:
        while True:
            await asyncio.sleep(60 * minutes / LOOKS)
            left = max(0.0, end - time.monotonic()) / 60
            print(f"    {left:.1f} minutes left: {_so_far(tally, web)}, {len(tally.faults)} faults", flush=True)

    async def run() -> None:
        watching = asyncio.create_task(watch())
        try:
            supplies = [supply(table) for table in range(tables)]
            await soak(supplies, pause=PAUSE_SECONDS, cuts_a_second=CUTS_A_TABLE * tables, tally=tally)
        finally:
            watching.cancel()

    uvloop.run(run())
    check_soak(tally)
    print(
        f"soak, {tables} tables, {minutes:g} minutes: {_so_far(tally, web)} ({dict(tally.cuts)});"
        f" {tally.reconnected} reconnected, {tally.compared} views compared with fresh ones,"
        f" {tally.repeated} messages sent twice"
    )
    _print_faults(tally.faults)


def _so_far(tally: Tally, web: psutil.Process) -> str:
    memory = web.memory_info().rss / 2**20
    cuts = sum(tally.cuts.values())
    return f"web process {memory:.0f} MiB, {tally.games} games, {tally.moves} moves, {cuts} cuts"


def _print_faults(faults: list[str]) -> None:
    print(f"faults: {len(faults)}")
    for fault in faults[:FAULTS_SHOWN]:
        print(f"    {fault[:1000]}")
    if faults:
        raise SystemExit(1)
