"""The page that verifies a transcript in the browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.engine.simulate import Simulation
from tests.browser.conftest import Open

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

type Choose = Callable[[Any], None]


@pytest.fixture
def document() -> dict[str, Any]:
    [transcript] = Simulation(game="hold-my-bear", seats=3, games=1, seed="browser", bots=("greedy",)).run()
    return transcript.to_json()


@pytest.fixture
def page(open_page: Open) -> Page:
    page = open_page(width=390)
    page.goto("/")
    page.get_by_role("link", name="Verify a game").click()
    return page


@pytest.fixture
def choose(page: Page) -> Choose:
    """A function that gives the page a file with some JSON."""

    def choose(document: Any) -> None:
        page.set_input_files(
            "#transcript",
            {"name": "t.json", "mimeType": "application/json", "buffer": json.dumps(document).encode()},
        )

    return choose


def test_a_right_transcript_is_verified_and_dealt_again(page: Page, choose: Choose, document: dict[str, Any]) -> None:
    choose(document)
    expect(page.locator("#report h2")).to_have_text("This transcript is verified")
    expect(page.locator("#report .checks__mark--yes")).to_have_count(3)
    # The first play comes out of a hand that the browser dealt.
    first = document["records"][0]
    hand = page.locator("#dealt dd").nth(1 + first["seat"]).inner_text().split()
    assert set(first["action"]["cards"]) <= set(hand)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["fairness"].update(server_seed="00" * 32), "commitment-mismatch"),
        (lambda d: d["records"][4].update(at=d["records"][4]["at"] + 1), "chain is broken at record 5"),
        (lambda d: d["outcome"]["places"].reverse(), "outcome-mismatch"),
        (lambda d: d.pop("records"), "cannot be read as a transcript"),
    ],
)
def test_what_was_changed_is_found(
    page: Page, choose: Choose, document: dict[str, Any], change: Callable[[dict[str, Any]], None], words: str
) -> None:
    change(document)
    choose(document)
    expect(page.locator("#report")).to_contain_text(words)
    expect(page.locator("#report h2")).not_to_have_text("This transcript is verified")
    expect(page.locator("#dealt")).to_be_hidden()
