"""Speed of the engine on one core: the median of several runs, one figure a line.

``python benchmarks/engine.py [--games N] [--runs N]``
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.engine.bench import figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games of four bots a run")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    runs = [figures(options.games) for _ in range(options.runs)]
    for name in runs[0]:
        values = [run[name] for run in runs]
        print(f"{name}: {median(values)} ({min(values)} to {max(values)}, {options.runs} runs)")


if __name__ == "__main__":
    main()
