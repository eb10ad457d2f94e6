"""The page that explains the rules to newcomers."""

from __future__ import annotations

import pytest
from django.test import Client

from games.engine.hold_my_bear.sets import beats, worth
from games.rules_examples import EXAMPLES, Example
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


def test_home_waiting_room_and_table_lead_to_the_rules(client: Client) -> None:
    link = 'href="/rules/hold-my-bear/"'
    main = client.get("/").content.decode().split("<footer")[0]
    assert link in main
    waiting = game_create(game="hold-my-bear", rules={}, players=[None, None])
    page = client.get(f"/games/{waiting.pk}/").content.decode().split("<footer")[0]
    assert page.count(link) == 2
