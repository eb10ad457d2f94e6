"""Bots without turns: legal plans from the view alone, human times, and levels that differ by strength."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from games.engine.bots import LEVELS, PLANNERS, Plan, choose, plan
from games.engine.frame import BadFormat
from games.engine.hold_my_bear import HoldMyBear
from games.engine.simulate import Simulation
from tests.engine.pick_a_polar_bear.builders import GAME, RESIGN, STOP, grab, position, walk

ALL_THE_WAY = {"bonus": True, "different": True}


@pytest.mark.parametrize("name", PLANNERS)
def test_every_plan_is_legal_and_follows_from_its_arguments(name: str) -> None:
    planned = set()
    for seats in (1, 4, 6):
        for number, here in enumerate(walk(seats, seats, ALL_THE_WAY)):
            for seat in GAME.to_act(here):
                view = GAME.view(here, seat)
                seed = 10 * number + seat
                made = plan(name, GAME, view, Random(seed))
                assert made == plan(name, GAME, view, Random(seed))
                assert made.after > 0
                planned.add(made.action["type"] if made.action else None)
                if made.action is not None:
                    GAME.apply(here, seat, made.action)
    assert {"grab", "answer", "stop"} <= planned


@pytest.mark.parametrize("name", LEVELS)
def test_levels_take_their_time(name: str) -> None:
    """A first card of a full grid takes from a third of a second to some seconds, and the stronger the less."""
    grid = " ".join(list(GAME.deck({}))[::3][:30])
    here = position("SAOGF", "SAOGF", grid=grid)
    times = [plan(name, GAME, GAME.view(here, 0), Random(seed)).after for seed in range(200)]
    level = LEVELS[name]
    assert min(times) >= (level.reaction + level.glance) * 0.65
    assert max(times) <= (level.reaction + 30 * level.glance) * 1.35
    assert len(set(times)) > 50


def test_levels_stand_from_weak_to_strong_and_have_names_for_people() -> None:
    levels = list(LEVELS.values())
    assert [level.title for level in levels] == ["Cub", "Grizzly", "Kodiak"]
    for weak, strong in pairwise(levels):
        assert (weak.reaction, weak.glance, weak.slips) > (strong.reaction, strong.glance, strong.slips)
    assert all(level.about.endswith(".") for level in levels)


def test_by_level_and_above_random_they_score() -> None:
    totals = {"random": 0, "cub": 0, "grizzly": 0, "kodiak": 0}
    for transcript in Simulation("pick-a-polar-bear", 4, 12, "levels", list(totals)).run():
        for name, points in zip(totals, transcript.outcome.points or (), strict=True):
            totals[name] += points
    assert totals["random"] * 3 < totals["cub"]
    assert totals["cub"] * 1.2 < totals["grizzly"]
    assert totals["grizzly"] * 1.2 < totals["kodiak"]


def test_greedy_beats_random() -> None:
    first = 0
    for transcript in Simulation(
        "pick-a-polar-bear", 4, 12, "strength", ("greedy", "random", "random", "random")
    ).run():
        places = transcript.outcome.places
        assert places is not None
        first += places[0] == 1
    assert first == 12


def test_greedy_takes_what_leads_on_best_and_stops_when_nothing_fits() -> None:
    here = position("L-W--", "SAOGF", grid="L-W-F SAOG- LAW-- LAWG- LAWGF")
    assert plan("greedy", GAME, GAME.view(here, 0), Random(1)).action == grab(2)
    here = position("L-W--", "SAOGF", grid="LAO-- SAOG-")
    assert plan("greedy", GAME, GAME.view(here, 0), Random(1)).action == STOP


def test_a_restricted_seat_takes_no_identical_card() -> None:
    here = position("L-W--", "SAOGF", grid="L-W-- L-WG-", rules={"different": True}, restricted=0)
    for name in ("greedy", "kodiak"):
        plans = [plan(name, GAME, GAME.view(here, 0), Random(seed)) for seed in range(40)]
        assert grab(0) not in [made.action for made in plans]
        assert grab(1) in [made.action for made in plans]


def test_what_a_bot_cannot_see_does_not_matter() -> None:
    here = walk(3, 3)[10]
    hidden = here._replace(setting=here.setting._replace(pile=here.setting.pile[::-1]))
    for name in PLANNERS:
        plans = [plan(name, GAME, GAME.view(each, 1), Random(4)) for each in (here, hidden)]
        assert plans[0] == plans[1]


def test_unknown_bots_and_bots_of_the_other_kind() -> None:
    with pytest.raises(BadFormat, match="no bot 'clever'; there are random"):
        plan("clever", GAME, {}, Random(0))
    with pytest.raises(BadFormat, match="Hold my Bear has no bot 'cub'"):
        plan("cub", HoldMyBear(), {}, Random(0))
    with pytest.raises(ValueError, match="they choose"):
        plan("greedy", HoldMyBear(), {}, Random(0))
    with pytest.raises(ValueError, match="they plan"):
        choose("random", GAME, {}, [RESIGN], Random(0))
    assert Plan(None, 1) == Plan(None, 1)
