"""The stack's command line: ``python -m config.stack run`` and ``python -m config.stack manage COMMAND``."""

from __future__ import annotations

import argparse
import signal
import sys

# Until something has been started, Ctrl-C ends this without a word.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from config.stack.errors import StackError  # noqa: E402
from config.stack.runner import manage, run  # noqa: E402


def main(arguments: list[str]) -> int:
    """Do what the arguments say and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m config.stack", description="Bearena's local stack.")
    tasks = parser.add_subparsers(dest="task", required=True)
    running = tasks.add_parser("run", help="run everything until Ctrl-C")
    running.add_argument(
        "--demo",
        action=argparse.BooleanOptionalAction,
        help="load the demo club; without a word it is loaded into the stack's own database alone",
    )
    managing = tasks.add_parser("manage", help="run a management command on the stack's servers", prefix_chars="\0")
    managing.add_argument("arguments", nargs="+", metavar="COMMAND")
    chosen = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return run(demo=chosen.demo) if chosen.task == "run" else manage(chosen.arguments)
    except StackError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
