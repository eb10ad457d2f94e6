"""The table of Pick-a-Polar-Bear: what a player sees and does.

The test itself is the other end of the sockets (``Dealer``), so that it decides what comes when; once it is the real
server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.engine.pick_a_polar_bear.cards import KINDS
from games.models import Game, Record
from games.services import game_create, seat_ready
from games.templatetags.cards import layers, spoken
from players.models import Player
from tests.browser.conftest import Open
from tests.browser.polar_dealer import Dealer
from tests.browser.test_table import person
from tests.processes import PATIENCE_MS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GRID = ["LAW--", "L-WG-", "SAOGF", "L-W--", "S-OGF", "SAOG-"] + [None] * 24
"""On L-W-- of seat 0 the places 0, 1 and 3 fit."""
PILE = ["LAWGF", "L-OGF", "SAW--", "S-W-F"] * 9
type Sit = Callable[..., Page]
NAMES = ["Ana", "Bo <i>", "Cy"]


def position(**changed: Any) -> dict[str, Any]:
    stacks = [["L-W--"], ["S-W--"], ["SAOGF"]]
    return {"grid": GRID, "stacks": stacks, "pile": PILE, "points": [7, 0, 3], "round": 2, **changed}


@pytest.fixture
def ana() -> Player:
    return person(1, "Ana")


@pytest.fixture
def sit(live_server: LiveServer, chromium: Browser, ana: Player) -> Iterator[Sit]:
    """A function that opens Ana's page of a game whose sockets end at ``dealer``; errors on any page fail the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []
    client = Client()
    assert ana.user is not None
    client.force_login(ana.user)

    def sit(
        dealer: Dealer, seat: int | None = 0, *, width: int = 1280, rated: bool = False, own_time: bool = False
    ) -> Page:
        others: list[Player | None] = [None] * (len(dealer.names) - 1)
        game = game_create(game="pick-a-polar-bear", rules=dealer.rules, players=[ana, *others], rated=rated)
        context = chromium.new_context(base_url=live_server.url, viewport={"width": width, "height": 860})
        contexts.append(context)
        session = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        if own_time:
            page.clock.install()
        dealer.serve(page, seat)
        page.goto(f"/games/{game.pk}/")
        expect(page.locator("#table-grid")).to_be_visible()
        return page

    yield sit
    for context in contexts:
        context.close()
    assert errors == []


def wait_for_action(page: Page, dealer: Dealer, count: int = 1) -> dict[str, Any]:
    """Return the newest of ``count`` actions that the page has sent."""
    wait_until(page, lambda: len(dealer.received) >= count)
    assert len(dealer.received) == count
    return dealer.received[-1]


def wait_for_answer(page: Page, dealer: Dealer) -> None:
    """Wait until the page has taken in all that it was told."""
    probe = f"p{len(dealer.probes)}"
    dealer.tell(0, {"type": "probe", "id": probe})
    wait_until(page, lambda: probe in dealer.probes)


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Let the page go on until what it sends makes something hold."""
    for _ in range(PATIENCE_MS // 20):
        if holds():
            break
        page.wait_for_timeout(20)
    assert holds()


def top_card(page: Page) -> str:
    return page.locator("#table-top .pb-lying").get_attribute("aria-label") or ""


def test_a_grab_is_shown_at_once_and_stays_when_it_is_stored(sit: Sit) -> None:
    dealer = Dealer(position(), NAMES)
    page = sit(dealer)
    page.click("#place-0")
    expect(page.locator("#place-0")).to_have_class("pb-cell is-empty")
    assert top_card(page) == "large bear, arm raised, winter"
    expect(page.locator("#table-top")).to_have_class("pb-top is-pending")
    message = wait_for_action(page, dealer)
    assert message["action"] == {"type": "grab", "place": 0}
    dealer.accept(message)
    expect(page.locator("#table-top")).to_have_class("pb-top")
    expect(page.locator("#table-height")).to_have_text("2 cards in your stack")
    assert top_card(page) == "large bear, arm raised, winter"


def test_several_grabs_are_on_their_way_and_one_is_taken_back(sit: Sit) -> None:
    dealer = Dealer(position(), NAMES)
    page = sit(dealer)
    page.click("#place-0")
    page.click("#place-1")
    page.click("#place-3")
    expect(page.locator("#table-height")).to_have_text("4 cards in your stack")
    wait_for_action(page, dealer, 3)
    first, second, third = dealer.received
    assert len({message["id"] for message in dealer.received}) == 3
    dealer.happen(1, {"type": "grab", "place": 1})
    dealer.accept(first)
    dealer.refuse(second, "place-empty", "Bo <i> was faster.")
    expect(page.locator("#table-notice")).to_have_text("Taken back: Bo <i> was faster.")
    expect(page.locator("#place-1")).to_have_class("pb-cell is-empty is-taken-back")
    dealer.accept(third)
    expect(page.locator("#table-height")).to_have_text("3 cards in your stack")
    assert top_card(page) == "large bear, winter"


def test_a_grab_that_comes_too_late_is_taken_back_with_the_round(sit: Sit) -> None:
    dealer = Dealer(position(), NAMES)
    page = sit(dealer)
    page.click("#place-0")
    message = wait_for_action(page, dealer)
    dealer.happen(1, {"type": "stop"})
    dealer.refuse(message, "not-now", "The round has not begun: wait for go.")
    expect(page.locator("#table-notice")).to_have_text("Too late: the round was over before your grab arrived.")
    expect(page.locator("#table-height")).to_have_text("Round 2: +1, a sound stack.")
    assert top_card(page) == "Your start card, face down until go"


def test_only_the_places_that_changed_are_drawn_again(sit: Sit) -> None:
    dealer = Dealer(position(), NAMES)
    page = sit(dealer)
    page.evaluate(
        """() => {
            window.touched = new Set();
            new MutationObserver((changes) => {
                for (const { target } of changes) window.touched.add(target.closest('.pb-cell')?.id ?? target.id);
            }).observe(document.getElementById('table-grid'), { subtree: true, childList: true, attributes: true });
        }"""
    )
    dealer.happen(1, {"type": "grab", "place": 5})
    expect(page.locator("#place-5")).to_have_class("pb-cell is-empty")
    page.click("#place-3")
    dealer.accept(wait_for_action(page, dealer))
    expect(page.locator("#table-top")).to_have_class("pb-top")
    assert set(page.evaluate("[...window.touched]")) <= {
        "place-5",
        "place-3",
        "place-0",
    }  # place-0 gives up the tab stop


def test_keyboard_alone(sit: Sit) -> None:
    dealer = Dealer(position(), NAMES)
    page = sit(dealer)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#place-0")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#place-1")).to_be_focused()
    assert page.locator("#place-1").get_attribute("aria-label") == "Row 1, column 2: large bear, winter, goggles"
    page.keyboard.press("Enter")
    dealer.accept(wait_for_action(page, dealer))
    expect(page.locator("#place-1")).to_be_focused()
    assert page.locator("#place-1").get_attribute("aria-label") == "Row 1, column 2: empty"
    page.keyboard.press("ArrowUp")
    expect(page.locator("#place-25")).to_be_focused()
    page.keyboard.press("s")
    assert wait_for_action(page, dealer)["action"] == {"type": "stop"}
    expect(page.locator("#table-stop")).to_be_disabled()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    assert len(dealer.received) == 1, "a grab after the own stop"


def test_the_countdown_leaves_the_grid_open_and_go_turns_the_card_up(sit: Sit) -> None:
    dealer = Dealer(position(phase="ready"), NAMES)
    dealer.clock = {"go": None, "idle": None, "question": None, "missing": [2], "stands": None}
    page = sit(dealer, own_time=True)
    expect(page.locator("#table-status")).to_have_text("Round 2 waits for Cy.")
    # From here the page's time goes on as the test says; a moment ahead, for it can only be stopped in the future.
    page.clock.pause_at((page.evaluate("Date.now()") + 20_000) / 1000)
    dealer.clock |= {"go": 2900, "missing": []}
    dealer.show_again()
    wait_for_answer(page, dealer)
    page.clock.run_for(500)
    expect(page.locator(".pb-count")).to_have_text("3")
    page.clock.run_for(1000)
    expect(page.locator(".pb-count")).to_have_text("2")
    expect(page.locator("#place-4 .pb-card")).to_be_visible()
    page.click("#place-0")
    page.wait_for_timeout(100)
    assert dealer.received == []
    dealer.clock |= {"go": None, "idle": 9000}
    dealer.happen(None, {"type": "go"})
    wait_for_answer(page, dealer)
    page.clock.run_for(500)
    expect(page.locator("#table-status")).to_contain_text("The round ends in 9")
    assert top_card(page) == "large bear, winter"
    expect(page.locator("#table-announce")).to_contain_text("Go! Your card: large bear, winter.")


def test_the_check_says_of_everybody_why(sit: Sit) -> None:
    dealer = Dealer(position(), NAMES)
    page = sit(dealer)
    dealer.happen(1, {"type": "grab", "place": 4})
    dealer.happen(0, {"type": "grab", "place": 0})
    page.click("#table-stop")
    dealer.accept(wait_for_action(page, dealer))
    expect(page.locator("#claim")).to_have_text("You said stop, and were wrong: 1 card still fitted. ")
    assert page.locator("#claim .pb-lying").get_attribute("aria-label") == "large bear, winter"
    expect(page.locator("#score-0")).to_contain_text("✕ 0")
    expect(page.locator("#score-0")).to_contain_text("The stop was wrong: 2 cards lost.")
    expect(page.locator("#score-1")).to_contain_text(
        "Cards 1 and 2 differ in 3 attributes: background, goggles and fish can."
    )
    expect(page.locator("#score-1 .is-faulty")).to_have_count(2)
    expect(page.locator("#score-2")).to_contain_text("✓ +1")
    expect(page.locator("#score-2")).to_contain_text("4 points in all")
    expect(page.locator("#table-announce")).to_contain_text(
        "Round 2 is over: your stop was wrong. You score 0, 7 in all."
    )


def test_a_bonus_question_is_answered_by_typing(sit: Sit) -> None:
    asked = position(phase="bonus", question="bonus:arm+goggles", grid=[*GRID[:6], *["LAWGF"] * 3, *["S-W--"] * 21])
    asked["pile"] = PILE[:8]
    dealer = Dealer(asked, NAMES, {"bonus": True})
    dealer.clock |= {"question": 15000}
    page = sit(dealer)
    expect(page.locator("#table-question")).to_contain_text("How many cards show both raised arm and goggles?")
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator("#answer-12")).to_be_focused()
    page.keyboard.press("Enter")
    message = wait_for_action(page, dealer)
    assert message["action"] == {"type": "answer", "count": 12}
    expect(page.locator("#answer-5")).to_be_disabled()
    dealer.accept(message)
    expect(page.locator("#table-question")).to_contain_text("Your 12 was wrong: 2 points lost.")
    dealer.happen(1, {"type": "answer", "count": 5})
    expect(page.locator("#table-question")).to_be_hidden()
    expect(page.locator("#table-announce")).to_contain_text("Bo <i> answers 5, which is right")
    expect(page.locator("#table-announce")).not_to_contain_text("Round 2 begins")


def test_help_marks_what_fits_and_is_not_there_in_rated_games(sit: Sit) -> None:
    dealer = Dealer(position(), NAMES)
    page = sit(dealer)
    page.click("#table-help")
    expect(page.locator(".pb-hint--fits")).to_have_count(3)
    expect(page.locator("#place-2 .pb-hint")).to_have_text("5")
    assert (page.locator("#place-4").get_attribute("aria-label") or "").endswith(
        "differs in size, background, goggles and fish can"
    )
    page.click("#place-1")
    expect(page.locator("#place-0 .pb-hint")).to_have_text("2")
    rated = sit(Dealer(position(), NAMES), rated=True)
    expect(rated.locator("#table-stop")).to_be_visible()
    expect(rated.locator("#table-help")).to_be_hidden()


def test_whoever_scored_most_is_told_what_is_not_allowed(sit: Sit) -> None:
    dealer = Dealer(position(restricted=0), NAMES, {"different": True})
    page = sit(dealer)
    expect(page.locator("#table-restricted")).to_be_visible()
    page.click("#table-help")
    expect(page.locator("#place-3 .pb-hint")).to_have_text("=")


def test_probes_are_answered_and_a_gap_is_healed(sit: Sit) -> None:
    dealer = Dealer(position(), NAMES)
    page = sit(dealer)
    expect(page.locator("#table-live")).to_have_text("live")
    wait_for_answer(page, dealer)
    assert dealer.probes == ["p0"]
    dealer.happen(1, {"type": "grab", "place": 2}, announce=False)
    dealer.happen(1, {"type": "grab", "place": 5}, announce=False)
    dealer.log = dealer.log[1:]
    dealer.happen(2, {"type": "grab", "place": 4})
    expect(page.locator("#place-5")).to_have_class("pb-cell is-empty")
    expect(page.locator("#table-live")).to_have_text("live")


def test_a_broken_line_is_said_and_nothing_is_taken_meanwhile(sit: Sit) -> None:
    dealer = Dealer(position(), NAMES)
    page = sit(dealer)
    page.click("#place-0")
    message = wait_for_action(page, dealer)
    dealer.received.clear()
    dealer.break_line()
    expect(page.locator("#table-line")).to_contain_text("Connection lost")
    dealer.mend_line()
    expect(page.locator("#table-line")).to_be_hidden()
    again = wait_for_action(page, dealer)
    assert again["id"] == message["id"], "what was not answered is sent again, once it can be"
    dealer.accept(again)
    expect(page.locator("#table-height")).to_have_text("2 cards in your stack")


@pytest.mark.parametrize(("seats", "width"), [(5, 390), (8, 390), (8, 1280)])
def test_the_whole_table_fits_into_the_window(sit: Sit, seats: int, width: int) -> None:
    decks = 1 if seats <= 5 else 2
    deck = list(KINDS[decks]) * 3
    places = 30 if decks == 1 else 49
    stacks = [[card] for card in deck[places : places + seats]]
    table = {"grid": deck[:places], "stacks": stacks, "pile": deck[places + seats :], "points": [23] * seats}
    page = sit(Dealer(table, [f"Somebody with a long name {seat}" for seat in range(seats)]), width=width)
    expect(page.locator(".pb-cell")).to_have_count(places)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    grid = page.locator("#table-grid").bounding_box()
    top = page.locator("#table-top .pb-lying").bounding_box()
    mine = page.locator("#table-mine").bounding_box()
    assert grid is not None
    assert top is not None
    assert mine is not None
    assert top["width"] > 60
    assert mine["y"] + mine["height"] <= 861
    covered = width == 390 and grid["y"] + grid["height"] > mine["y"]
    assert not covered, "one's own place hides a part of the grid"


def test_a_pause_is_said_and_takes_no_card(sit: Sit) -> None:
    dealer = Dealer(position(), NAMES)
    page = sit(dealer)
    stands = {"kind": "pause", "who": "Ilse", "reason": "fire alarm", "in": None}
    dealer.tell(0, {"type": "clock", "clock": {**dealer.clock, "stands": stands}})
    expect(page.locator("#table-stands")).to_have_text("Paused by Ilse: fire alarm. Every clock stands.")
    expect(page.locator("#table-stop")).to_be_disabled()
    page.click("#place-0")
    page.wait_for_timeout(100)
    assert dealer.received == []
    dealer.tell(0, {"type": "clock", "clock": dealer.clock})
    expect(page.locator("#table-stands")).to_be_hidden()
    page.click("#place-0")
    wait_for_action(page, dealer)


def test_spectators_see_all_tops_and_cannot_act(sit: Sit) -> None:
    dealer = Dealer(position(), NAMES)
    page = sit(dealer, None)
    expect(page.locator(".pb-seat")).to_have_count(3)
    expect(page.locator("#table-mine")).to_be_hidden()
    expect(page.locator("#table-watching")).to_be_visible()
    page.click("#place-0")
    page.wait_for_timeout(100)
    assert dealer.received == []


def test_the_end_shows_places_and_points_and_solo_the_score(sit: Sit) -> None:
    last = Dealer(position(pile=[], grid=[*GRID[2:3], *[None] * 29]), NAMES)
    page = sit(last)
    last.happen(0, {"type": "stop"})
    expect(page.locator("#result-title")).to_have_text("You win!")
    expect(page.locator(".places li").first).to_contain_text("You9 points")
    alone = Dealer(position(pile=[], stacks=[["L-W--"]], points=[40], grid=[None] * 30), ["Ana"])
    page = sit(alone)
    expect(page.locator("#table-seats")).to_be_hidden()
    alone.happen(0, {"type": "stop"})
    expect(page.locator("#result-title")).to_have_text("You score 41 points")
    expect(page.locator(".places")).to_have_count(0)


def test_page_and_server_name_and_draw_every_card_alike(sit: Sit) -> None:
    page = sit(Dealer(position(), NAMES))
    cards = [*KINDS[1], *KINDS[2]]
    drawn = page.evaluate(
        """async (cards) => {
            const { drawing, spoken } = await import('/static/games/polar/cards.js');
            const layer = (use) => [use.getAttribute('href').split('#')[1], use.getAttribute('transform') ?? ''];
            return cards.map((card) => [spoken(card), [...drawing(card).children].map(layer)]);
        }""",
        cards,
    )
    assert drawn == [[spoken(card), [list(layer) for layer in layers(card)]] for card in cards]
    symbols = page.evaluate("fetch('/static/games/polar/drawings.svg').then((answer) => answer.text())")
    for name in {name for card in cards for name, _ in layers(card)}:
        assert f'id="{name}"' in symbols


def test_a_solo_game_on_the_real_server(open_page: Open, ana: Player) -> None:
    game = game_create(game="pick-a-polar-bear", rules={}, players=[ana], rated=False)
    seat_ready(game=game, player=ana)
    page = open_page(ana)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#table-status")).to_have_text(
        "Round 1: take what differs from your card in one thing at most."
    )
    page.click("#table-help")
    taken = page.locator(".pb-hint--fits").first
    expect(taken).to_be_visible()
    page.locator(".pb-cell:has(.pb-hint--fits)").first.click()
    expect(page.locator("#table-height")).to_have_text("2 cards in your stack")
    expect(page.locator("#table-top")).to_have_class("pb-top")
    page.click("#table-stop")
    expect(page.locator("#table-check")).to_contain_text("Check of round 1")
    assert list(Record.objects.filter(game=game).order_by("number").values_list("action__type", flat=True)) == [
        "go",
        "grab",
        "stop",
    ]
    page.click("#table-resign-button")
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#result-title")).to_contain_text("You score")
    assert Game.objects.get(pk=game.pk).status == "finished"
    page.get_by_role("link", name="Verify this game").click()
    expect(page.locator("h1")).to_have_text("This game is verified")
