"""In a browser: a leaderboard and a profile that are open change by themselves when a game has been rated."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from ratings import services
from tests.processes import WebServer
from tests.ratings.conftest import MakeGame, MakePlayers

NOTE_THE_SOCKET = """
    const Plain = WebSocket;
    window.WebSocket = class extends Plain {
        constructor(...given) {
            super(...given);
            this.addEventListener("open", () => { window.listening = true; });
        }
    };
"""

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page on a phone."""
    context = chromium.new_context(viewport={"width": 390, "height": 800})
    context.add_init_script(NOTE_THE_SOCKET)
    yield context.new_page()
    context.close()


def test_open_pages_follow_a_rated_game(
    web_server: WebServer, page: Page, make_players: MakePlayers, make_game: MakeGame
) -> None:
    ana, bo = make_players("Ana", "Bo")
    services.game_rate(game_id=make_game([ana, bo], [1, 2]).pk)
    profile = page.context.new_page()
    page.goto(f"{web_server.url}/leaderboards/hold-my-bear/")
    profile.goto(f"{web_server.url}/players/bo/")
    for opened in (page, profile):
        opened.wait_for_function("() => window.listening")
        opened.evaluate("window.notReloaded = true")
    expect(page.locator("tbody tr").first).to_contain_text("Ana")
    expect(profile.locator(".recent tbody tr")).to_have_count(1)

    services.game_rate(game_id=make_game([ana, bo], [2, 1]).pk)
    page.bring_to_front()
    expect(page.locator("tbody tr").first).to_contain_text("Bo", timeout=20_000)
    profile.bring_to_front()
    expect(profile.locator(".recent tbody tr")).to_have_count(2, timeout=20_000)
    assert page.evaluate("window.notReloaded")
    assert profile.evaluate("window.notReloaded")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert profile.evaluate("document.documentElement.scrollWidth") <= 390
