"""The table as people use it: by hand, by keyboard, in two tabs, over a line that breaks."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from games.models import Game, Record
from games.services import game_create, seat_ready
from players.models import Player, User
from players.services import player_create_for_user
from tests.browser.conftest import Open
from tests.processes import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HAND = "#table-hand .pcard"


def person(number: int, name: str) -> Player:
    user = User.objects.create_user(f"p{number}@example.org", "spruce-and-honey-41")
    return player_create_for_user(user=user, name=name)


@pytest.fixture
def people() -> list[Player]:
    """Two players, one with a name that no page may take for HTML."""
    return [person(1, "Ana <i>🐻"), person(2, "Bo")]


@pytest.fixture
def game(people: list[Player]) -> Game:
    """A game of the two that has been dealt."""
    game = game_create(game="hold-my-bear", rules={}, players=people, rated=False)
    for player in people:
        game = seat_ready(game=game, player=player)
    return game


def sit(open_page: Open, game: Game, people: list[Player]) -> tuple[Page, Page]:
    """Return the pages of whoever is to act and of the other."""
    pages = [open_page(player) for player in people]
    for page in pages:
        page.goto(f"/games/{game.pk}/")
        expect(page.locator(HAND).first).to_be_visible()
    acting = next(page for page in pages if page.locator("#do-play").count())
    return acting, next(page for page in pages if page is not acting)


def choose_a_play(page: Page) -> None:
    page.click("#do-show-plays")
    page.locator(".plays__play").first.click()
    expect(page.locator("#verdict.verdict--yes")).to_be_visible()


def test_two_people_take_seats_and_the_deal_begins_by_itself(open_page: Open, people: list[Player]) -> None:
    game = game_create(game="hold-my-bear", rules={}, players=[None, None], rated=False, created_by=people[0])
    ana, bo = (open_page(player, width) for player, width in zip(people, (1280, 360), strict=True))
    for page in (ana, bo):
        page.goto(f"/games/{game.pk}/")
        expect(page.locator("#seating")).to_contain_text(game.commitment)
    ana.get_by_role("button", name="Take this seat").first.click()
    expect(bo.locator(".seating__seat").first).to_contain_text("Ana <i>🐻")
    bo.get_by_role("button", name="Take this seat").click()
    ana.fill("#client-seed", "my letters")
    bo.get_by_role("button", name="I am ready").click()
    expect(ana.locator(".seating__seat").nth(1).get_by_text("ready", exact=True)).to_be_visible()
    expect(ana.locator("#client-seed")).to_have_value("my letters")
    ana.get_by_role("button", name="I am ready").click()
    for page in (ana, bo):
        expect(page.locator(HAND).first).to_be_visible()
    expect(bo.locator("#seating")).to_be_hidden()
    assert bo.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a phone"
    first, second = game.seat_set.order_by("number")
    assert first.client_seed == "my letters"
    assert len(second.client_seed) == 12


def test_play_by_keyboard_alone(open_page: Open, game: Game, people: list[Player]) -> None:
    acting, other = sit(open_page, game, people)
    plays = acting.locator(".plays__play")
    acting.click("#do-show-plays")
    plays.first.wait_for()  # the server is asked for them
    wanted = plays.first.locator(".chip").all_inner_texts()
    acting.click("#do-show-plays")
    hand = [card.get_attribute("aria-label") or "" for card in acting.locator(HAND).all()]
    acting.locator(f"{HAND}[tabindex='0']").focus()
    here = 0
    for card in sorted(
        wanted, key=lambda card: next(place for place, name in enumerate(hand) if name.startswith(card))
    ):
        at = next(place for place, name in enumerate(hand) if name.startswith(card))
        hand[at] = ""
        for _ in range(at - here):
            acting.keyboard.press("ArrowRight")
        here = at
        acting.keyboard.press("Space")
    expect(acting.locator("#verdict.verdict--yes")).to_be_visible()
    acting.keyboard.press("Enter")
    for page in (acting, other):
        expect(page.locator("#table-log li").first).to_contain_text("plays")
    assert Record.objects.filter(game=game).count() == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_the_buttons_hide_no_card_that_has_the_focus(
    open_page: Open, game: Game, people: list[Player], width: int
) -> None:
    for player in people:
        page = open_page(player, width)
        page.goto(f"/games/{game.pk}/")
        expect(page.locator(HAND).first).to_be_visible()
        page.locator(f"{HAND}[tabindex='0']").press("Space")
        page.locator(HAND).first.press("End")
        last = page.locator(HAND).last
        expect(last).to_be_focused()
        page.wait_for_function(
            """([card, dock]) => {
                const { bottom } = [...document.querySelectorAll(card)].at(-1).getBoundingClientRect();
                return bottom <= (document.querySelector(dock)?.getBoundingClientRect().top ?? innerHeight);
            }""",
            arg=[HAND, "#dock"],
        )


def test_an_illegal_choice_is_explained_before_it_is_played(open_page: Open, game: Game, people: list[Player]) -> None:
    acting, _ = sit(open_page, game, people)
    for card in acting.locator(HAND).all()[:6]:
        card.click()
    expect(acting.locator("#verdict.verdict--no")).to_be_visible()
    expect(acting.locator("#do-play")).to_be_disabled()
    acting.keyboard.press("Escape")
    expect(acting.locator("#verdict")).to_have_count(0)


def test_a_second_tab_follows_and_a_spectator_sees_no_hand(open_page: Open, game: Game, people: list[Player]) -> None:
    acting, other = sit(open_page, game, people)
    tab = acting.context.new_page()
    watcher = open_page(width=390)
    for page in (tab, watcher):
        page.goto(f"/games/{game.pk}/")
        expect(page.locator("#table-middle .pcard").first).to_be_visible()
    expect(watcher.locator("#table-watching")).to_be_visible()
    expect(watcher.locator(HAND)).to_have_count(0)
    expect(watcher.locator("#table-resign-button")).to_be_hidden()
    choose_a_play(tab)
    tab.click("#do-play")
    for page in (acting, other, tab, watcher):
        expect(page.locator("#table-log li").first).to_contain_text("plays")
    expect(acting.locator("#do-play")).to_have_count(0)


def test_an_action_whose_answer_was_lost_is_done_once(open_page: Open, game: Game, people: list[Player]) -> None:
    """The line breaks after the server stored the action and before the player hears of it."""
    sent: list[str] = []
    broken: list[WebSocketRoute] = []

    def break_once(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        acted = False

        def to_server(text: str | bytes) -> None:
            nonlocal acted
            message = json.loads(text)
            if message["type"] == "act":
                acted = True
                sent.append(message["id"])
            server.send(text)

        def to_page(text: str | bytes) -> None:
            if acted and not broken:
                broken.append(route)
                route.close(code=3001, reason="the line broke")
            elif route not in broken:
                route.send(text)

        route.on_message(to_server)
        server.on_message(to_page)

    pages = [open_page(player) for player in people]
    for page in pages:
        page.route_web_socket("**/ws/games/**", break_once)
        page.goto(f"/games/{game.pk}/")
        expect(page.locator(HAND).first).to_be_visible()
    acting = next(page for page in pages if page.locator("#do-play").count())
    choose_a_play(acting)
    acting.click("#do-play")
    expect(acting.locator("#table-log li").first).to_contain_text("plays")
    expect(acting.locator("#table-actions")).to_contain_text("Waiting for")
    expect(acting.locator("#table-line")).to_be_hidden()
    assert len(broken) == 1
    assert sent == [sent[0]] * 2
    assert list(Record.objects.filter(game=game).values_list("message_id", flat=True)) == sent[:1]


def test_a_server_that_went_away_is_found_again(
    open_page: Open, game: Game, people: list[Player], web_server: WebServer
) -> None:
    acting, other = sit(open_page, game, people)
    web_server.kill()
    expect(acting.locator("#table-line")).to_contain_text("Connection lost")
    web_server.start()
    expect(acting.locator("#table-line")).to_be_hidden(timeout=20_000)
    choose_a_play(acting)
    acting.click("#do-play")
    expect(other.locator("#table-log li").first).to_contain_text("plays", timeout=20_000)


def test_resigning_asks_first_and_ends_the_duel(open_page: Open, game: Game, people: list[Player]) -> None:
    acting, other = sit(open_page, game, people)
    acting.click("#table-resign-button")
    acting.get_by_role("button", name="Keep playing").click()
    assert not Record.objects.filter(game=game).exists()
    acting.click("#table-resign-button")
    acting.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(other.locator("#result-title")).to_have_text("You win!")
    expect(acting.locator("#result-title")).to_contain_text("wins")
    other.get_by_role("link", name="Verify this game").click()
    expect(other.locator("h1")).to_have_text("This game is verified")
