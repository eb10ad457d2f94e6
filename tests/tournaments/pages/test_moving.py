"""A tournament's page in a real browser: it moves by itself and keeps the reader's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games.announcing import announce
from tests.processes import WebServer
from tests.tournaments.pages.conftest import MakePerson, MakeTournament, end_open_games

if TYPE_CHECKING:
    from playwright.sync_api import Browser

UNTIL_IT_STANDS = """async () => {
    const bracket = document.querySelector('.bracket');
    for (let before = null, same = 0; same < 10; before = bracket.scrollLeft) {
        await new Promise(requestAnimationFrame);
        same = bracket.scrollLeft === before ? same + 1 : 0;
    }
}"""
"""Waits until the bracket has not moved for ten frames."""


@pytest.mark.browser
def test_the_bracket_moves_by_itself_and_keeps_its_place(
    web_server: WebServer, chromium: Browser, tournament: MakeTournament, person: MakePerson
) -> None:
    evil = "<img src=x onerror=document.title='broken'>"
    running = tournament([person(evil[:40]), *(person(f"P{n}") for n in range(2, 9))], start=True)
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{web_server.url}/tournaments/{running.slug}/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.evaluate("document.querySelector('.bracket').scrollLeft = 300")
    page.evaluate("window.scrollTo(0, 200)")
    page.evaluate(UNTIL_IT_STANDS)  # the column snaps into place
    place = "[document.querySelector('.bracket').scrollLeft, window.scrollY]"
    before = page.evaluate(place)
    assert before[0] > 200
    assert before[1] == 200
    page.evaluate("window.unreloaded = true")
    end_open_games(running)
    moved = page.get_by_text("Game 1: P2 won").first
    for _ in range(60):  # the page may have opened its socket after the change; it is told again
        announce(f"tournament.{running.pk}")
        page.wait_for_timeout(500)
        if moved.count():
            break
    assert moved.count()
    assert page.evaluate("window.unreloaded") is True
    assert page.evaluate(place) == before
    assert "broken" not in page.title()
    assert faults == []
    context.close()
