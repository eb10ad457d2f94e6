"""The whole way of an evening: sign up, make a tournament, play its match, see bracket and ratings move, verify."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from games.models import Game
from ratings.models import LedgerEntry
from ratings.services import pool_for
from tests.browser.conftest import Open
from tests.processes import Worker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HAND = "#table-hand .pcard"
ACTIONS_AT_MOST = 300


class Line:
    """The line of one browser to the live server, which can be cut and mended."""

    def __init__(self, page: Page) -> None:
        self._down = False
        self._routes: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/ws/games/"), self._take)

    def _take(self, route: WebSocketRoute) -> None:
        if self._down:
            route.close(code=3001, reason="no line")
            return
        route.connect_to_server()
        self._routes.append(route)

    def cut(self) -> None:
        self._down = True
        for route in self._routes:
            route.close(code=3001, reason="the line broke")
        self._routes.clear()

    def mend(self) -> None:
        self._down = False


def sign_up(page: Page, name: str, email: str) -> None:
    page.goto("/accounts/signup/")
    page.fill("[name=email]", email)
    page.fill("[name=name]", name)
    page.fill("[name=password1]", "spruce-and-honey-41")
    page.locator("main").get_by_role("button", name="Sign up").click()
    expect(page.locator("body")).to_contain_text(name)


def newest(page: Page) -> str:
    """Return the number of the newest line of the log."""
    return page.locator("#table-log li").first.inner_text().split()[0] if page.locator("#table-log li").count() else ""


def act(page: Page) -> None:
    """Do what the game asks of this player now: the strongest play, else what must be."""
    before = newest(page)
    if page.locator("#do-force-bear").count():
        page.locator(f"{HAND}[aria-label^='bear']").first.click()
        page.click("#do-force-bear")
    elif page.locator("#do-steal").count():
        while page.locator("#do-steal").is_disabled():
            page.locator("[id^=steal-more-]:enabled").first.click()
        page.click("#do-steal")
    elif page.locator("#do-play").count():
        page.click("#do-show-plays")
        page.locator(".plays__play").last.click()
        expect(page.locator("#verdict.verdict--yes")).to_be_visible()
        page.click("#do-play")
    else:
        needed = int(re.search(r"\d+", page.locator("#do-start-give").inner_text())[0])  # type: ignore[index]
        for place in range(needed):
            page.locator(HAND).nth(-1 - place).click()
        page.click("#do-start-give")
        for row in page.locator(".gifts__row").all():
            row.get_by_role("button").first.click()
        page.click("#do-give")
    page.wait_for_function(
        """before => {
            const line = document.querySelector("#table-log li");
            return line && line.innerText.split(/\\s/)[0] !== before || !document.querySelector("#dock");
        }""",
        arg=before,
    )


def test_two_people_and_a_bot_play_a_tournament_match(open_page: Open, celery_worker: Worker, tmp_path: Path) -> None:
    pool_for(game="hold-my-bear")  # a migration made it, and the test before may have emptied the database
    ana, bo, watcher, leaders = open_page(), open_page(width=390), open_page(), open_page()
    sign_up(ana, "Ana", "ana@example.org")
    sign_up(bo, "Bo", "bo@example.org")

    ana.goto("/tournaments/new/")
    ana.fill("#id_name", "Polar Night Cup")
    ana.check("[name=format][value=table-elimination]")
    ana.select_option("#id_table_size", "3")
    ana.select_option("#id_advance", "1")
    ana.get_by_role("button", name="Make the tournament").click()
    expect(ana.locator("h1")).to_have_text("Polar Night Cup")
    event = ana.url
    ana.get_by_role("button", name="Join", exact=True).click()
    bo.goto(event)
    bo.get_by_role("button", name="Join", exact=True).click()
    ana.goto(event)
    ana.locator("form:has(#bot-count)").get_by_role("button", name="Add").click()

    watcher.goto(event)
    leaders.goto("/leaderboards/hold-my-bear/")
    for page in (watcher, leaders):
        page.evaluate("window.notReloaded = true")
    expect(watcher.locator("#entrants tbody tr")).to_have_count(3)
    ana.goto(event)
    ana.get_by_role("button", name="Start the tournament").click()

    line = Line(bo)
    expect(watcher.locator(".bracket")).to_contain_text("Bo")
    for page in (ana, bo):
        page.goto("/")
        page.get_by_role("link", name="your table").first.click()
        page.wait_for_url("**/games/**")
        page.get_by_role("button", name="I am ready").click()
    for page in (ana, bo):
        expect(page.locator(HAND).first).to_be_visible()

    acted = {ana: 0, bo: 0}
    was_cut = False
    for _ in range(ACTIONS_AT_MOST):
        ana.locator("#dock, #table-result:visible").or_(ana.locator(".act__head--calm")).first.wait_for()
        if ana.locator("#table-result").is_visible():
            break
        for page in (ana, bo):
            if page.locator("#dock").count() and not page.locator("#table-result").is_visible():
                act(page)
                acted[page] += 1
        if acted[bo] and not was_cut:
            was_cut = True
            line.cut()
            expect(bo.locator("#table-line")).to_be_visible()
            if ana.locator("#dock").count():
                act(ana)
                acted[ana] += 1
            line.mend()
            expect(bo.locator("#table-line")).to_be_hidden(timeout=20_000)
        ana.wait_for_timeout(50)
    assert was_cut
    for page in (ana, bo):
        expect(page.locator("#table-result")).to_be_visible()

    game = Game.objects.get()
    winner = game.seat_set.get(number=game.places.index(1)).player
    assert winner is not None
    expect(watcher.locator("main")).to_contain_text("Winner")
    expect(watcher.locator("main")).to_contain_text(f"{winner.name} won the tournament")
    expect(leaders.locator("main tbody tr").first).to_contain_text(winner.name)
    for page in (watcher, leaders):
        assert page.evaluate("window.notReloaded"), "the page moves by itself"
    assert LedgerEntry.objects.count() == 3

    with ana.expect_download() as download:
        ana.get_by_role("link", name="Download the transcript").click()
    path = tmp_path / "transcript.json"
    download.value.save_as(path)
    verified = subprocess.run(
        [sys.executable, "-m", "games.engine", "verify", str(path)], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stdout + verified.stderr
    ana.get_by_role("link", name="Verify this game").click()
    expect(ana.locator("main")).to_contain_text(re.compile("verified", re.IGNORECASE))
