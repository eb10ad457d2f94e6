"""A pause and an absence, as people at the table and the organizer see them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from games.models import Game, Record
from games.services import game_create, seat_ready
from players.models import Player, User
from players.services import player_create_for_user
from tests.browser.conftest import Open
from tests.processes import PATIENCE_MS
from tests.tournaments.conftest import deal, make_tournament, open_games, start
from tournaments.models import MatchGame

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HAND = "#table-hand .pcard"
STANDS = "#table-stands"


def sit(open_page: Open, game: Game) -> tuple[Page, Page]:
    """Return the pages of whoever is to act and of the other."""
    pages = [open_page(seat.player) for seat in game.seat_set.select_related("player__user").order_by("number")]
    for page in pages:
        page.goto(f"/games/{game.pk}/")
        expect(page.locator(HAND).first).to_be_visible()
    acting = next(page for page in pages if page.locator("#do-play").count())
    return acting, next(page for page in pages if page is not acting)


def note_what_is_said(page: Page) -> None:
    """Let ``page`` keep whatever it says from now on of why clocks stand: some of it stays for seconds only."""
    page.locator(STANDS).evaluate(
        """(stands) => {
            window.said = [];
            const note = () => window.said.push(stands.textContent);
            new MutationObserver(note).observe(stands, { childList: true, characterData: true, subtree: true });
        }"""
    )


def was_said(page: Page, pattern: str) -> bool:
    """Return whether ``page`` has said what ``pattern`` finds."""
    return any(re.search(pattern, text) for text in page.evaluate("window.said"))


def test_the_organizer_stops_a_table_and_lets_it_go_on(open_page: Open) -> None:
    event = start(make_tournament(2))
    game = deal(open_games(event)[0])
    acting, other = sit(open_page, game)
    watcher = open_page()
    watcher.goto(f"/games/{game.pk}/")
    organizer = open_page(event.organizer)
    match = MatchGame.objects.get(game=game).match
    organizer.goto(f"/tournaments/{event.slug}/matches/{match.pk}/")
    organizer.get_by_text("Pause", exact=True).first.click()
    organizer.get_by_label("Why (shown to everybody)").fill("The lights went out")
    organizer.get_by_role("button", name="Pause", exact=True).click()
    for page in (acting, other, watcher):
        expect(page.locator(STANDS)).to_have_text("Paused by Olga: The lights went out. Every clock stands.")
    expect(acting.locator("#do-play")).to_have_count(0)
    clock = acting.locator("#table-me .clock")
    stood = clock.inner_text()
    acting.wait_for_timeout(1500)
    assert clock.inner_text() == stood, "time ran in a pause"
    acting.reload()
    expect(acting.locator(STANDS)).to_contain_text("The lights went out")
    for page in (acting, other, watcher):
        note_what_is_said(page)
    organizer.get_by_role("button", name="Let it go on").click()
    for page in (acting, other, watcher):
        expect(page.locator(STANDS)).to_be_hidden(timeout=2 * PATIENCE_MS)
        assert was_said(page, r"The game goes on in \d")
    acting.click("#do-show-plays")
    acting.locator(".plays__play").first.click()
    acting.click("#do-play")
    expect(other.locator("#table-log li").first).to_contain_text("plays")
    assert Record.objects.filter(game=game).count() == 1
    organizer.goto(f"/tournaments/{event.slug}/")
    expect(organizer.locator("#log-title ~ ol")).to_contain_text("The lights went out")


def test_who_goes_away_is_announced_and_finds_back(open_page: Open) -> None:
    people = []
    for name in ("Ana", "Bo"):
        user = User.objects.create_user(f"{name}@example.org", "spruce-and-honey-41")
        people.append(player_create_for_user(user=user, name=name))
    game = game_create(game="hold-my-bear", rules={}, players=people, rated=False, absence="house", absence_ms=9_000)
    for player in people:
        game = seat_ready(game=game, player=player)
    acting, other = sit(open_page, game)
    gone: Player = people[0] if acting.locator("#table-me").inner_text().startswith("Ana") else people[1]
    note_what_is_said(other)
    acting.goto("/")
    expect(other.locator(STANDS)).to_contain_text(f"{gone.name} is away; the house plays until they are back")
    assert was_said(other, rf"{gone.name} is away. In \d.* the house plays until they are back")
    expect(other.locator("#table-log li").first).to_contain_text(gone.name)
    acting.goto(f"/games/{game.pk}/")
    expect(acting.locator(HAND).first).to_be_visible()
    expect(other.locator(STANDS)).to_be_hidden()
    game.refresh_from_db()
    assert game.seat_set.get(player=gone).house_played
