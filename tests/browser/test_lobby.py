"""The lobby in the browser: it moves by itself, keeps out of the way, brings people together by a link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from players.models import Player, User
from tests.browser.conftest import Open

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def player(name: str) -> Player:
    user = User.objects.create_user(f"{name.lower()}@example.org", "a long enough one")
    return Player.objects.create(name=name, slug=name.lower(), user=user)


def fits(page: Page) -> None:
    """Fail if the page is wider than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_new_table_appears_while_somebody_fills_the_form_and_takes_nothing_away(open_page: Open) -> None:
    ana, ben = open_page(player("Ana")), open_page(player("Ben"), width=390)
    ana.goto("/lobby/")
    expect(ana.get_by_text("Nobody is waiting for players.")).to_be_visible()
    ana.get_by_label("Seats", exact=True).select_option("6")
    ana.get_by_label("By invitation").check()
    ana.wait_for_load_state("networkidle")
    ben.goto("/lobby/")
    fits(ben)
    ben.get_by_role("button", name="Open the table").click()
    expect(ben.get_by_text("Invite somebody.")).to_be_visible()
    card = ana.locator(".table-card", has_text="Ben")
    expect(card).to_be_visible()
    expect(card).to_contain_text("Hold my Bear")
    expect(ana.get_by_label("Seats", exact=True)).to_have_value("6")
    expect(ana.get_by_label("By invitation")).to_be_checked()
    fits(ben)


def test_a_link_brings_a_friend_to_a_table_that_the_lobby_does_not_show(open_page: Open) -> None:
    ana, ben = open_page(player("Ana")), open_page(player("Ben"), width=390)
    ana.goto("/lobby/")
    ana.get_by_label("By invitation").check()
    ana.get_by_label("Seats", exact=True).select_option("2")
    ana.get_by_role("button", name="Open the table").click()
    link = ana.get_by_label("Link to this table").input_value()
    ana.get_by_text("Show as QR code").click()
    expect(ana.get_by_role("img", name="The link as a QR code")).to_be_visible()
    ana.get_by_role("button", name="Copy").click()
    expect(ana.get_by_label("Link to this table")).to_be_visible()
    ben.goto("/lobby/")
    expect(ben.get_by_text("Nobody is waiting for players.")).to_be_visible()
    ben.goto(link)
    ben.get_by_role("button", name="Take this seat").click()
    fits(ben)
    expect(ana.get_by_text("Invite somebody.")).to_have_count(0)
    for page in (ana, ben):
        page.get_by_role("button", name="I am ready").click()
    for page in (ana, ben):
        expect(page.locator("#table-play")).to_be_visible()


@pytest.mark.parametrize("name", ["Hold my Bear", "Pick-a-Polar-Bear"])
def test_one_click_and_the_bots_play(open_page: Open, name: str) -> None:
    page = open_page(player("Ana"), width=390)
    page.goto("/lobby/")
    page.get_by_role("group", name="Play against bots now").get_by_role("button", name=name).click()
    page.wait_for_url(re.compile("/games/"))
    expect(page.locator("h1")).to_have_text(name)
    fits(page)


def test_a_person_makes_a_bot_and_a_key_for_it(open_page: Open) -> None:
    page = open_page(player("Ana"), width=390)
    page.goto("/account/")
    page.get_by_role("link", name="Programs").click()
    page.get_by_label("Name of the bot").fill("Robot")
    page.get_by_role("button", name="Make a bot account").click()
    page.get_by_label("What the key is for").fill("laptop")
    page.get_by_role("button", name="Make a key").click()
    expect(page.get_by_label("The new key")).to_have_value(re.compile(r"^bearena_[-\w]{43}$"))
    fits(page)
    page.goto("/account/programs/")
    expect(page.get_by_label("The new key")).to_have_count(0)
    page.get_by_role("button", name="Revoke the key laptop").click()
    expect(page.get_by_text("No key yet")).to_be_visible()
