"""Figures of live play: ``python -m benchmarks.live WHAT``; benchmarks/README.md says what there is."""

from __future__ import annotations

import argparse
import resource
import signal
import sys

from benchmarks.live.site import site

FILES = 65_536
IDLE_GAMES = 100


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("what", choices=["play", "peers", "profile", "idle", "crowd", "polar", "race", "soak"])
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 25, 100, 250])
    parser.add_argument("--seconds", type=float, default=5.0, help="how long a window is")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each kind, of which the median counts")
    parser.add_argument("--processes", type=int, default=1, help="web processes; a game's sockets are spread over them")
    parser.add_argument("--paced", type=float, nargs="+", help="moves a second, instead of a closed loop")
    parser.add_argument("--sockets", type=int, help="for idle (4000) and crowd (2000)")
    parser.add_argument("--pairs", type=int, default=10_000, help="for race")
    parser.add_argument("--minutes", type=float, default=30.0, help="for soak")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, FILES) if hard > 0 else FILES, hard))
    # Whoever ends this wants its servers ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    with site() as running:
        # Models can be imported once there are settings.
        from benchmarks.live import grabbing, lasting, peers, play, spectating

        if options.what == "profile":
            for count in options.tables:
                play.profile(running, count, seconds=options.seconds)
            return
        for _ in range(max(options.processes, 2 if options.what == "race" else 1)):
            running.start_web()
        match options.what:
            case "idle":
                spectating.idle(running, options.sockets or 4000, IDLE_GAMES)
            case "crowd":
                spectating.before_a_crowd(running, options.sockets or 2000)
            case "polar":
                grabbing.report(running, options.tables[0] if len(options.tables) == 1 else 50, seconds=20)
            case "race":
                lasting.race_long(running, options.pairs)
            case "soak":
                lasting.soak_long(running, tables=options.tables[-1], minutes=options.minutes)
            case _:
                measured = {
                    "seconds": options.seconds,
                    "repeat": options.repeat,
                    "rates": options.paced or [None],
                }
                play.report(running, options.tables, **measured)
                if options.what == "peers":
                    peers.report(running, options.tables, **measured)


if __name__ == "__main__":
    main()
