"""Figures of live play: ``python -m benchmarks.live WHAT``; benchmarks/README.md says what there is."""

from __future__ import annotations

import argparse
import resource

from benchmarks.live.site import site

FILES = 65_536


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("what", choices=["play", "profile", "idle", "crowd", "peers"])
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 25, 100, 250])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--repeat", type=int, default=1, help="runs of each kind, of which the median counts")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--rates", type=float, nargs="+", default=[500, 2000])
    parser.add_argument("--sockets", type=int, help="for idle (4000) and crowd (2000)")
    parser.add_argument("--paced", action="store_true", help="so many moves a second as --rates say, not a closed loop")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, FILES) if hard > 0 else FILES, hard))
    with site() as running:
        from benchmarks.live import peers, play, spectating  # models can be imported once there are settings

        if options.what == "profile":
            for count in options.tables:
                play.profile(running, count, seconds=options.seconds)
            return
        for _ in range(options.processes):
            running.start_web()
        if options.what == "idle":
            spectating.idle(running, options.sockets or 4000, games=100)
            return
        if options.what == "crowd":
            spectating.before_a_crowd(running, options.sockets or 2000)
            return
        rates = options.rates if options.paced else [None]
        measured = {"seconds": options.seconds, "repeat": options.repeat, "rates": rates}
        play.report(running, options.tables, **measured)
        if options.what == "peers":
            peers.report(running, options.tables, **measured)


if __name__ == "__main__":
    main()
