"""The page that explains the rules to newcomers."""

from __future__ import annotations

import pytest
from django.test import Client

from games.animals import EFFECTS
from games.engine.hold_my_bear.cards import EXPANSION_ANIMALS
from games.engine.hold_my_bear.sets import beats, worth
from games.engine.pick_a_polar_bear.cards import FITTING
from games.engine.pick_a_polar_bear.check import judge_stack
from games.rules_examples import EXAMPLES, FITS, STACKS, Example, Fit, Stack
from games.services import game_create

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.play} on {example.table}")
def test_the_engine_agrees_with_every_example(example: Example) -> None:
    on_the_table = worth(tuple(sorted(example.table.split())))
    played = worth(tuple(sorted(example.play.split())), example.named)
    assert beats(played, on_the_table) is example.beats


def test_the_rules_are_there_for_everybody_with_drawn_cards(client: Client) -> None:
    page = client.get("/rules/hold-my-bear/")
    assert page.status_code == 200
    text = page.content.decode()
    for example in EXAMPLES:
        assert example.why in text
    assert 'aria-label="tiger 3, blocked"' in text
    assert "#vole" in text
    assert client.get("/rules/snap/").status_code == 404


def test_the_effect_of_every_animal_is_told(client: Client) -> None:
    assert sorted(effect.animal for effect in EFFECTS) == list(EXPANSION_ANIMALS)
    text = client.get("/rules/hold-my-bear/").content.decode()
    for effect in EFFECTS:
        assert text.count(effect.text) == 1
    waiting = game_create(game="hold-my-bear", rules={"animals": ["bear", "cat", "walrus"]}, players=[None, None])
    page = client.get(f"/games/{waiting.pk}/").content.decode()
    told = [effect.animal for effect in EFFECTS if f"<dd>{effect.text}</dd>" in page]
    assert told == ["walrus"]


def test_home_waiting_room_and_table_lead_to_the_rules(client: Client) -> None:
    link = 'href="/rules/hold-my-bear/"'
    main = client.get("/").content.decode().split("<footer")[0]
    assert link in main
    waiting = game_create(game="hold-my-bear", rules={}, players=[None, None])
    page = client.get(f"/games/{waiting.pk}/").content.decode().split("<footer")[0]
    assert page.count(link) == 2


@pytest.mark.parametrize("fit", FITS, ids=lambda fit: f"{fit.card} on {fit.top}")
def test_the_engine_agrees_with_what_fits(fit: Fit) -> None:
    assert (fit.card in FITTING[fit.top]) is fit.fits


@pytest.mark.parametrize("stack", STACKS, ids=lambda stack: stack.cards)
def test_the_engine_agrees_with_every_score(stack: Stack) -> None:
    assert judge_stack(0, tuple(stack.cards.split()), restricted=False).score == stack.score


def test_the_rules_of_pick_a_polar_bear_are_there_and_the_waiting_room_leads_to_them(client: Client) -> None:
    page = client.get("/rules/pick-a-polar-bear/")
    assert page.status_code == 200
    text = page.content.decode()
    for example in (*FITS, *STACKS):
        assert example.why in text
    assert 'aria-label="small bear, arm raised, autumn, goggles, fish can"' in text
    assert 'aria-label="large seal, winter"' in text
    waiting = game_create(game="pick-a-polar-bear", rules={}, players=[None, None])
    page = client.get(f"/games/{waiting.pk}/")
    assert 'href="/rules/pick-a-polar-bear/"' in page.content.decode().split("<footer")[0]
