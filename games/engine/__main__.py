"""The command line: ``python -m games.engine COMMAND`` (verify, simulate, judge, bench)."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from .bench import figures
from .canonical import NotJson, canonical, read_json
from .frame import EngineError
from .judge import judged
from .registry import GAMES
from .simulate import Simulation
from .transcript import Transcript
from .verify import Report, unreadable, verify

OK, FAULT_FOUND, UNREADABLE = 0, 1, 2


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has gone; Python would complain again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREADABLE
    except KeyboardInterrupt:
        return 130
    except (EngineError, OSError) as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return UNREADABLE
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games.engine", description="The engine of Bearena.")
    commands = parser.add_subparsers(dest="command", required=True)

    command = commands.add_parser("verify", help="check transcripts: exit 0 all verified, 1 a fault, 2 unreadable")
    command.add_argument("files", nargs="+", metavar="FILE", help="a transcript or JSON Lines; - for standard input")
    command.add_argument("--json", action="store_true", help="print a report a line")
    command.add_argument("--whole", action="store_true", help="take each file as one transcript, never as JSON Lines")
    command.set_defaults(run=_verify)

    command = commands.add_parser("simulate", help="play games between bots and write their transcripts")
    command.add_argument("--game", required=True, help=f"one of {', '.join(GAMES)}")
    command.add_argument("--seats", type=int, required=True)
    command.add_argument("--games", type=int, required=True)
    command.add_argument("--seed", required=True, help="any text; the same seed gives the same games")
    command.add_argument("--bots", default="random", help="names with commas between, in the order of the seats")
    command.add_argument(
        "--quit", type=float, default=0.0, metavar="P", help="how likely a seat leaves before an action"
    )
    command.add_argument("--rules", default="{}", metavar="JSON")
    command.add_argument("--out", required=True, metavar="DIR", help="a folder, or - for JSON Lines on standard output")
    command.set_defaults(run=_simulate)

    command = commands.add_parser("judge", help="answer questions about positions, JSON Lines in and out")
    command.set_defaults(run=_judge)

    command = commands.add_parser("bench", help="measure the speed on this machine, one figure a line")
    command.add_argument("--games", type=int, default=200, help="how many games to play")
    command.set_defaults(run=_bench)
    return parser


# verify


def _verify(options: argparse.Namespace) -> int:
    worst = OK
    for name in options.files:
        for where, report, readable in _reports(name, whole=options.whole):
            if options.json:
                _write(canonical(report.to_json()))
            else:
                _write(f"{where}: {_summary(report)}".encode(errors="backslashreplace"))
            worst = max(worst, OK if report.ok else FAULT_FOUND if readable else UNREADABLE)
    return worst


def _reports(name: str, *, whole: bool) -> Iterator[tuple[str, Report, bool]]:
    """Yield where each transcript of a file stands, the report on it, and whether it could be read at all."""
    try:
        if name == "-":
            yield from _reports_of("-", sys.stdin.buffer, whole=whole)
        else:
            with Path(name).open("rb") as file:
                yield from _reports_of(name, file, whole=whole)
    except (OSError, ValueError) as error:
        yield name, unreadable(f"Cannot be read: {getattr(error, 'strerror', None) or error}."), False


def _reports_of(name: str, file: IO[bytes], *, whole: bool) -> Iterator[tuple[str, Report, bool]]:
    """Yield a report for each line of ``file``, or one for the ``whole`` of it, as if its first line is no JSON."""
    if whole:
        yield name, *_report(file.read())
        return
    first = file.readline()
    while first and not first.strip():
        first = file.readline()
    try:
        read_json(first)
    except NotJson:
        yield name, *_report(first + file.read())
        return
    except EngineError:
        pass  # a line of JSON all the same; its report says what is wrong
    for number, line in enumerate(_chained(first, file), start=1):
        if line.strip():
            yield f"{name}:{number}", *_report(line)


def _chained(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _report(source: bytes) -> tuple[Report, bool]:
    try:
        return verify(read_json(source)), True
    except NotJson as error:
        return unreadable(str(error)), False
    except EngineError as error:
        return unreadable(str(error)), True


def _summary(report: Report) -> str:
    if report.ok:
        return f"ok, {report.records} records. {report.message}"
    place = "" if report.at_record is None else f" at record {report.at_record}"
    return f"{report.fault}{place}. {report.message}"


# simulate, judge, bench


def _simulate(options: argparse.Namespace) -> int:
    rules = read_json(options.rules)
    if not isinstance(rules, dict):
        raise NotJson("--rules must be a JSON object.")
    simulation = Simulation(
        game=options.game,
        seats=options.seats,
        games=options.games,
        seed=options.seed,
        bots=tuple(options.bots.split(",")),
        quit_chance=options.quit,
        rules=rules,
    )
    if options.out == "-":
        for transcript in simulation.run():
            _write(canonical(transcript.to_json()))
        return OK
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    for number, transcript in enumerate(simulation.run(), start=1):
        (folder / f"game-{number:06}.json").write_bytes(_line(transcript))
    return OK


def _line(transcript: Transcript) -> bytes:
    return canonical(transcript.to_json()) + b"\n"


def _judge(options: argparse.Namespace) -> int:
    for answer in judged(sys.stdin.buffer):
        _write(answer)
        sys.stdout.buffer.flush()
    return OK


def _bench(options: argparse.Namespace) -> int:
    for name, value in figures(max(1, options.games)).items():
        print(f"{name}: {json.dumps(value)}")
    return OK


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")


if __name__ == "__main__":
    sys.exit(main())
