"""Figures of live play: ``python -m benchmarks.live WHAT``; benchmarks/README.md says what there is."""

from __future__ import annotations

import argparse
import resource

from benchmarks.live.site import site

FILES = 65_536


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("what", choices=["play", "paced", "profile"])
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 25, 100, 250])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--repeat", type=int, default=1, help="runs of each kind, of which the median counts")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--rates", type=float, nargs="+", default=[500, 2000])
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, FILES) if hard > 0 else FILES, hard))
    with site() as running:
        from benchmarks.live import play  # models can be imported once there are settings

        if options.what == "profile":
            for count in options.tables:
                play.profile(running, count, seconds=options.seconds)
            return
        for _ in range(options.processes):
            running.start_web()
        rates = options.rates if options.what == "paced" else [None]
        play.report(running, options.tables, seconds=options.seconds, repeat=options.repeat, rates=rates)


if __name__ == "__main__":
    main()
