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
SIMULATE = ["simulate", "--games", "12", "--seed", "7", "--out", "-", "--quit", "0.02"]
GAMES = {
    "hold-my-bear": [*SIMULATE, "--game", "hold-my-bear", "--seats", "4", "--bots", "greedy,random"],
    "hold-my-bear with a bot that searches": [
        *(*SIMULATE, "--games", "2", "--game", "hold-my-bear", "--seats", "4", "--bots", "search,greedy,random"),
    ],
    "pick-a-polar-bear": [
        *(*SIMULATE, "--game", "pick-a-polar-bear", "--seats", "6", "--bots", "random,greedy,cub,grizzly,kodiak"),
        *("--rules", '{"bonus": true, "different": true}'),
    ],
}


def written(simulation: Simulation) -> list[bytes]:
    return [canonical(transcript.to_json()) for transcript in simulation.run()]


@pytest.mark.parametrize(
    ("game", "seats"), [*(("hold-my-bear", n) for n in range(2, 9)), *(("pick-a-polar-bear", n) for n in range(1, 9))]
)
def test_every_number_of_seats_plays_and_verifies(game: str, seats: int) -> None:
    for transcript in Simulation(game, seats, 4, "seats", ("random", "greedy")[:seats]).run():
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


def test_a_real_time_table_ends_rounds_and_questions_itself_and_its_clock_goes_on() -> None:
    kinds = set()
    for transcript in Simulation("pick-a-polar-bear", 3, 20, "table", quit_chance=0.01, rules={"bonus": True}).run():
        kinds |= {(record.action["type"], record.seat is None) for record in transcript.records}
        times = [record.at for record in transcript.records]
        assert times == sorted(times)
    seats_and_table = {("resign", False), ("forfeit", True)}
    seats_and_table |= {(kind, False) for kind in ("grab", "stop", "answer")}
    seats_and_table |= {(kind, True) for kind in ("go", "idle", "close")}
    assert kinds == seats_and_table


def test_solo_the_table_says_only_go() -> None:
    for transcript in Simulation("pick-a-polar-bear", 1, 10, "solo", ("cub",), rules={"bonus": True}).run():
        assert {record.action["type"] for record in transcript.records if record.seat is None} == {"go"}


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
        (BadFormat, {"bots": ("cub",)}),
        (BadFormat, {"game": "pick-a-polar-bear", "seats": 0}),
        (BadFormat, {"game": "pick-a-polar-bear", "bots": ("clever",)}),
        (BadRules, {"rules": {"animals": []}}),
        (BadRules, {"game": "pick-a-polar-bear", "rules": {"decks": 2}}),
    ],
)
def test_what_cannot_be_played(error: type[Exception], arguments: dict) -> None:
    with pytest.raises(error):
        Simulation(**{"game": "hold-my-bear", "seats": 4, "games": 1, "seed": "s", **arguments})


def run_by(command: list[str], hash_seed: str, **environment: str) -> bytes:
    """Return what an interpreter writes that sees nothing but the project."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    surroundings = {**inherited, **environment, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, check=True).stdout


def interpreters() -> dict[str, dict[str, str]]:
    """Return the interpreters of other versions that there are, each with the environment that it needs."""
    found = {}
    for version in ("3.12", "3.13", "3.14"):
        environment = {"PYENV_VERSION": version}
        command = [f"python{version}", "--version"]
        if shutil.which(command[0]) is not None:
            done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=False)
            if done.stdout.startswith(f"Python {version}.".encode()):
                found[command[0]] = environment
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_python_version_and_hash_seed_writes_the_same_bytes(game: str) -> None:
    arguments = ["-m", "games.engine", *GAMES[game]]
    here = {run_by([sys.executable, *arguments], seed) for seed in ("0", "1", "2")}
    assert len(here) == 1
    assert next(iter(here)).count(b"\n") == (2 if "search" in game else 12)
    for interpreter, environment in interpreters().items():
        assert {run_by([interpreter, *arguments], "3", **environment)} == here, interpreter
