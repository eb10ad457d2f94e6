"""A table that is closed to who looks on says so, and opens by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.disclosure import Audience
from games.models import Spectating
from games.services import game_create, game_forfeit, seat_ready
from tests.browser.conftest import Open
from tests.browser.test_table import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("name", ["hold-my-bear", "pick-a-polar-bear"])
def test_a_closed_table_opens_by_itself(open_page: Open, name: str) -> None:
    people = [person(1, "Ana"), person(2, "Bo")]
    audience = Audience(spectating=Spectating.NOBODY)
    game = game_create(game=name, rules={}, players=people, rated=False, audience=audience)
    for player in people:
        game = seat_ready(game=game, player=player)
    page = open_page(width=360)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#table")).not_to_have_class("is-offline")
    expect(page.locator("#table-closed")).to_have_text("This event shows its games when they are over.")
    expect(page.locator("#table-play")).to_be_hidden()
    game_forfeit(game=game, seat=1, reason="arbiter")
    expect(page.locator("#table-result")).to_be_visible()
    expect(page.locator("#table-closed")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone"
