"""Parts of a page that move by themselves keep out of the way of whoever types."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Open
from tests.browser.test_tournament import sign_up

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_what_is_typed_while_a_part_is_on_its_way_stays(open_page: Open) -> None:
    page = open_page()
    sign_up(page, "Ana", "ana@example.org")
    page.goto("/tournaments/new/")
    page.fill("#id_name", "Polar Night Cup")
    page.get_by_role("button", name="Make the tournament").click()
    expect(page.locator("h1")).to_have_text("Polar Night Cup")
    page.wait_for_load_state("networkidle")

    held: list[Route] = []
    page.route(re.compile("/live/"), lambda route: held.append(route))
    with page.expect_request(re.compile("/live/")):
        page.evaluate("htmx.trigger('#tournament-live', 'watched')")
    page.fill("#bot-count", "6")
    page.evaluate("document.body.addEventListener('htmx:afterOnLoad', () => { window.partCame = true; })")
    held.pop().continue_()
    page.wait_for_function("window.partCame")
    expect(page.locator("#bot-count")).to_have_value("6")
