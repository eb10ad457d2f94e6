"""Bots: legal in every position, from the view alone, and the greedy one better by far."""

from __future__ import annotations

from random import Random

import pytest

from games.engine.bots import choose
from games.engine.frame import BadFormat
from games.engine.simulate import Simulation
from tests.engine.builders import EFFECTS, GAME, MORE_EFFECTS, walk


@pytest.mark.parametrize("name", ["random", "greedy"])
@pytest.mark.parametrize("rules", [None, EFFECTS, MORE_EFFECTS], ids=["base", "effects", "more effects"])
def test_every_choice_is_legal_and_follows_from_its_arguments(name: str, rules: dict | None) -> None:
    for seed in range(3):
        for here in walk(seed, 4, rules)[:-1]:
            (seat,) = GAME.to_act(here)
            view, (legal, _) = GAME.view(here, seat), GAME.legal(here, seat)
            action = choose(name, GAME, view, legal, Random(seed))
            assert action == choose(name, GAME, view, legal, Random(seed))
            GAME.apply(here, seat, action)


def test_an_unknown_bot_and_nothing_to_choose() -> None:
    with pytest.raises(BadFormat, match="clever"):
        choose("clever", GAME, {}, [{"type": "resign"}], Random(0))
    with pytest.raises(ValueError, match="at least one"):
        choose("random", GAME, {}, [], Random(0))


@pytest.mark.parametrize(("seats", "least"), [(2, 0.85), (4, 0.4)])
def test_greedy_beats_random(seats: int, least: float) -> None:
    """Games with one greedy seat each; by chance it would win one in ``seats``."""
    games, wins = 60, 0
    bots = ("greedy", *["random"] * (seats - 1))
    for transcript in Simulation("hold-my-bear", seats, games, "strength", bots).run():
        assert transcript.outcome.places is not None
        wins += transcript.outcome.places[0] == 1 and transcript.outcome.status == "finished"
    assert wins / games >= least
