"""Simulated games: the same bytes everywhere, every one verified."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine.canonical import canonical
from games.engine.frame import BadFormat, BadRules
from games.engine.simulate import Simulation
from games.engine.verify import verify

ROOT = Path(__file__).parents[2]
ARGUMENTS = ["simulate", "--game", "hold-my-bear", "--seats", "4", "--games", "12", "--seed", "7", "--out", "-"]
ARGUMENTS += ["--bots", "greedy,random", "--quit", "0.02"]


def written(simulation: Simulation) -> list[bytes]:
    return [canonical(transcript.to_json()) for transcript in simulation.run()]


@pytest.mark.parametrize("seats", range(2, 9))
def test_every_number_of_seats_plays_and_verifies(seats: int) -> None:
    for transcript in Simulation("hold-my-bear", seats, 4, "seats", ("random", "greedy")).run():
        assert transcript.outcome.is_over
        assert verify(transcript).ok


def test_the_same_arguments_give_the_same_bytes_and_others_do_not() -> None:
    asked = ("hold-my-bear", 3, 3)
    games = written(Simulation(*asked, "7"))
    assert games == written(Simulation(*asked, "7"))
    assert len(set(games)) == 3
    assert not set(games) & set(written(Simulation(*asked, "8")))
    assert written(Simulation("hold-my-bear", 3, 1, "7")) == games[:1]


def test_seats_leave_when_asked_to() -> None:
    kinds = {
        record.action["type"]
        for transcript in Simulation("hold-my-bear", 5, 30, "quit", quit_chance=0.2).run()
        for record in transcript.records
    }
    assert {"resign", "forfeit", "play", "give"} <= kinds


def test_expansion_animals_and_own_sport_are_played_too() -> None:
    rules = {"animals": ["aardvark", "bear", "bison", "giraffe", "kangaroo", "turtle"], "bears_alone": "own-sport"}
    kinds = set()
    for transcript in Simulation("hold-my-bear", 3, 30, "more", ("greedy", "random"), rules=rules).run():
        assert verify(transcript).ok
        kinds |= {record.action["type"] for record in transcript.records}
        kinds |= {need for record in transcript.records for need in record.action.get("do", {})}
    assert {"respond", "aardvark", "giraffe", "kangaroo"} <= kinds


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (BadFormat, {"game": "poker"}),
        (BadFormat, {"seats": 9}),
        (BadFormat, {"seats": 1}),
        (BadFormat, {"games": -1}),
        (BadFormat, {"bots": ("clever",)}),
        (BadFormat, {"bots": ()}),
        (BadFormat, {"bots": ("random",) * 5}),
        (BadFormat, {"quit_chance": 1.5}),
        (BadFormat, {"quit_chance": float("nan")}),
        (BadFormat, {"seed": "\ud800"}),
        (BadRules, {"rules": {"animals": []}}),
    ],
)
def test_what_cannot_be_played(error: type[Exception], arguments: dict) -> None:
    with pytest.raises(error):
        Simulation(**{"game": "hold-my-bear", "seats": 4, "games": 1, "seed": "s", **arguments})


def run_by(interpreter: str, version: str, hash_seed: str) -> bytes | None:
    """Return what ``interpreter`` writes, or None where it does not exist or is not of ``version``."""
    if shutil.which(interpreter) is None:
        return None
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYENV_VERSION": version}
    found = subprocess.run([interpreter, "--version"], env=environment, capture_output=True, check=False)
    if found.returncode or not found.stdout.startswith(f"Python {version}.".encode()):
        return None
    command = [interpreter, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); "]
    command[-1] += "from games.engine.__main__ import main; sys.exit(main())"
    done = subprocess.run([*command, *ARGUMENTS], env=environment, capture_output=True, check=True)
    return done.stdout


def test_every_python_version_writes_the_same_bytes() -> None:
    here = subprocess.run(
        [sys.executable, "-m", "games.engine", *ARGUMENTS],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
    ).stdout
    assert here.count(b"\n") == 12
    versions = {version: run_by(f"python{version}", version, "2") for version in ("3.12", "3.13", "3.14")}
    assert all(output in (None, here) for output in versions.values()), [v for v, out in versions.items() if out]
