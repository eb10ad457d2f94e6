"""The options of Hold my Bear, and the games by name."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import GAMES, BadFormat, BadRules, game
from games.engine.hold_my_bear.cards import ANIMALS
from tests.engine.builders import GAME

DEFAULT = {"animals": ["bear", "ferret", "hamster", "tiger", "vole"], "bears_alone": "named"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, DEFAULT),
        ({"bears_alone": "own-sport"}, {**DEFAULT, "bears_alone": "own-sport"}),
        ({"animals": ["walrus", "bear", "cat"]}, {"animals": ["bear", "cat", "walrus"], "bears_alone": "named"}),
        ({"animals": list(ANIMALS)}, {"animals": list(ANIMALS), "bears_alone": "named"}),
    ],
)
def test_defaults_are_written_out(options: dict[str, Any], expected: dict[str, Any]) -> None:
    assert GAME.rules(options, 3) == expected
    assert GAME.rules(expected, 3) == expected
    assert len(GAME.deck(expected)) == 8 * len(expected["animals"])


@pytest.mark.parametrize(
    "options",
    [
        {"speed": 1},
        {"bears_alone": None},
        {"bears_alone": ["named"]},
        {"animals": None},
        {"animals": "bear"},
        {"animals": ["bear", "cat"]},
        {"animals": ["ape", "cat", "dog"]},
        {"animals": ["bear", "cat", "cat"]},
        {"animals": ["bear", "cat", "hare"]},
        {"animals": ["bear", "cat", ["dog"]]},
        {"animals": ["bear", "cat", 3]},
        [],
        7,
    ],
)
def test_what_is_refused(options: Any) -> None:
    with pytest.raises(BadRules) as caught:
        GAME.rules(options, 3)
    assert caught.value.code == "bad-rules"


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_seats_that_do_not_fit(seats: int) -> None:
    with pytest.raises(BadRules):
        GAME.rules({}, seats)


def test_games_by_name() -> None:
    assert game("hold-my-bear") is GAMES["hold-my-bear"]
    for name in ("poker", None, ["hold-my-bear"]):
        with pytest.raises(BadFormat):
            game(name)
