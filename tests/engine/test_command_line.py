"""The command line: exit codes, what is printed, no traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def engine(*arguments: str, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "games.engine", *arguments], cwd=ROOT, input=stdin, capture_output=True, check=False
    )
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def games() -> bytes:
    code, out, _ = engine(
        "simulate", "--game", "hold-my-bear", "--seats", "3", "--games", "3", "--seed", "7", "--out", "-"
    )
    assert code == 0
    return out


def test_simulated_games_verify_from_a_pipe(games: bytes) -> None:
    code, out, _ = engine("verify", "-", "--json", stdin=games)
    reports = [json.loads(line) for line in out.splitlines()]
    assert (code, [report["ok"] for report in reports]) == (0, [True] * 3)
    code, out, _ = engine("verify", "-", stdin=games)
    assert out.startswith(b"-:1: ok, ")


def test_a_folder_of_games_holds_the_same_bytes(games: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "games"
    asked = ("--game", "hold-my-bear", "--seats", "3", "--games", "3", "--seed", "7", "--out", str(folder))
    assert engine("simulate", *asked)[0] == 0
    files = sorted(folder.iterdir())
    assert b"".join(file.read_bytes() for file in files) == games
    assert engine("verify", *map(str, files))[0] == 0


def test_a_document_over_many_lines(games: bytes, tmp_path: Path) -> None:
    file = tmp_path / "pretty.json"
    file.write_text(json.dumps(json.loads(games.splitlines()[0]), indent=2))
    code, out, _ = engine("verify", "--json", str(file))
    assert (code, json.loads(out)["ok"]) == (0, True)


def test_a_fault_and_what_cannot_be_read(games: bytes, tmp_path: Path) -> None:
    forged = json.loads(games.splitlines()[0])
    forged["outcome"]["places"] = [1, 1, 1]
    file = tmp_path / "forged.json"
    file.write_text(json.dumps(forged))
    code, out, _ = engine("verify", "--json", str(file))
    assert (code, json.loads(out)["fault"]) == (1, "outcome-mismatch")
    assert engine("verify", str(tmp_path / "none.json"))[0] == 2
    assert engine("verify", str(tmp_path))[0] == 2
    for source in (b"", b"{", b"\xff", b"not json\nat all"):
        code, out, _ = engine("verify", "-", "--json", stdin=source)
        assert (code, json.loads(out)["fault"]) == (2, "bad-format")
    for source in (b"{}", b"null", b'{"a": 1, "a": 2}'):
        code, out, _ = engine("verify", "-", "--json", stdin=source)
        assert (code, json.loads(out)["fault"]) == (1, "bad-format")
    code, out, _ = engine("verify", "-", "--json", stdin=games + b"{\n" + games)
    assert (code, [json.loads(line)["ok"] for line in out.splitlines()]) == (2, [True] * 3 + [False] + [True] * 3)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--seats", "9"],
        ["--seats", "x"],
        ["--games", "-1"],
        ["--bots", "clever"],
        ["--quit", "2"],
        ["--rules", "{"],
        ["--rules", "[]"],
        ["--rules", '{"animals": ["bear"]}'],
        ["--game", "poker"],
        ["--out", "/dev/null/folder"],
    ],
)
def test_what_cannot_be_simulated_is_said(arguments: list[str]) -> None:
    asked = ["--game", "hold-my-bear", "--seats", "3", "--games", "1", "--seed", "7", "--out", "-", *arguments]
    code, out, err = engine("simulate", *asked)
    assert (code, out) == (2, b"")
    assert err.strip()


def test_a_reader_that_goes_away_ends_the_run_quietly() -> None:
    command = [sys.executable, "-m", "games.engine", "simulate", "--game", "hold-my-bear", "--seats", "2"]
    command += ["--games", "100000", "--seed", "7", "--out", "-"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) != 0


def test_the_judge_answers_line_by_line() -> None:
    code, out, _ = engine("judge", stdin=b"{}\nx\n")
    assert code == 0
    assert [json.loads(line)["error"]["code"] for line in out.splitlines()] == ["bad-format"] * 2


def test_bench_prints_a_figure_a_line() -> None:
    code, out, _ = engine("bench", "--games", "2")
    assert code == 0
    assert all(float(line.rpartition(b": ")[2]) > 0 for line in out.splitlines())
    assert len(out.splitlines()) >= 5


def test_no_command_and_an_unknown_one() -> None:
    assert engine()[0] == 2
    assert engine("play")[0] == 2
