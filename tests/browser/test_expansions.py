"""Animals with an effect as people play them: chosen through the pickers, answered, remembered at every seat; and
decks as people choose them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from games.engine import game as engine_game
from games.engine.deal import commitment_of
from games.engine.hold_my_bear import Position
from games.models import Game, GameStatus, Record
from games.services import game_create, rows, seat_ready
from players.models import Player, User
from players.services import player_create_for_user
from tests.browser.conftest import Open
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HAND = "#table-hand .pcard"
SEEDS = 5000
ENGINE = engine_game("hold-my-bear")


@pytest.fixture
def people() -> list[Player]:
    """Two players."""
    users = [User.objects.create_user(f"p{number}@example.org", "spruce-and-honey-41") for number in range(2)]
    return [player_create_for_user(user=user, name=name) for user, name in zip(users, ("Ana", "Bo"), strict=True)]


def deal(people: Sequence[Player], animals: list[str], wanted: Callable[[Position, int], bool]) -> tuple[Game, int]:
    """Return a dealt game whose first position and seat to act are ``wanted``, and that seat.

    The secret is looked for, in order, so that the deal is one that the server could have made by itself.
    """
    game = game_create(game="hold-my-bear", rules={"animals": ["bear", *animals]}, players=people, rated=False)
    for number in range(SEEDS):
        game.server_seed = number.to_bytes(len(bytes(game.server_seed)))
        game.commitment = commitment_of(game.server_seed)
        game.started_at = game.created_at
        position = rows.course_of(game).refereed.position
        (seat,) = ENGINE.to_act(position)
        if wanted(position, seat):
            Game.objects.filter(pk=game.pk).update(server_seed=game.server_seed, commitment=game.commitment)
            for player in people:
                game = seat_ready(game=game, player=player)
            assert game.status == GameStatus.RUNNING
            return game, seat
    raise AssertionError("no secret gives such a deal")


def position_of(game: Game) -> Position:
    """Return the position that the stored records lead to."""
    return rows.course_of(Game.objects.get(pk=game.pk)).refereed.position


def sit(open_page: Open, game: Game, people: Sequence[Player], acting: int, width: int) -> tuple[Page, Page]:
    """Return the pages of the seat that acts and of the other, both open."""
    pages = [open_page(player, width) for player in people]
    for page in pages:
        page.goto(f"/games/{game.pk}/")
        expect(page.locator(HAND).first).to_be_visible()
    return pages[acting], pages[1 - acting]


def choose(page: Page, *cards: str) -> None:
    """Choose cards of the hand, by name."""
    for card in cards:
        name = card.replace("-", " ")
        page.locator(f"{HAND}[aria-label^='{name}'][aria-pressed='false']").first.click()


def lowest(position: Position, seat: int, animal: str) -> str | None:
    """Return the lowest card of ``animal`` that the seat holds and no bear blocks."""
    hand = position.hands[seat]
    free = [card for card in hand if card.startswith(animal) and f"bear-{card[-1]}" not in hand]
    return free[0] if free else None


def three_that_ask(position: Position, seat: int) -> tuple[str, ...] | None:
    """Return an aardvark, a giraffe and a kangaroo that the seat may play as one set, if it holds them."""
    cards = [lowest(position, seat, animal) for animal in ("aardvark", "giraffe", "kangaroo")]
    play = tuple(card for card in cards if card is not None)
    if len(play) < len(cards):
        return None
    return (
        play
        if {"type": "play", "cards": list(play), "needs": ["aardvark", "giraffe", "kangaroo"]}
        in (ENGINE.legal(position, seat)[0])
        else None
    )


@pytest.mark.parametrize("width", [390, 1280])
def test_three_animals_that_ask_are_played_through_their_pickers(
    open_page: Open, people: list[Player], width: int
) -> None:
    def wanted(position: Position, seat: int) -> bool:
        return three_that_ask(position, seat) is not None and "bear-1" not in position.hands[1 - seat]

    game, seat = deal(people, ["aardvark", "giraffe", "kangaroo"], wanted)
    before = position_of(game)
    cards = three_that_ask(before, seat)
    assert cards is not None
    acting, other = sit(open_page, game, people, seat, width)
    choose(acting, *cards)
    verdict = acting.locator("#verdict")
    expect(verdict).to_contain_text("It beats the table set. Choose for the aardvark, giraffe and kangaroo above.")
    expect(acting.locator("#effect-giraffe")).to_contain_text("everybody learns how many of it each player holds")
    expect(acting.locator("#do-play")).to_have_count(0)
    acting.click("#do-next-choice")
    acting.click(f"#effect-aardvark-card-{cards[0]}")
    expect(verdict).to_contain_text("Choose for the giraffe and kangaroo above.")
    acting.get_by_label("Count", exact=True).select_option("kangaroos")
    # Of two players there is only one to ask.
    expect(acting.locator("#effect-kangaroo-seat button")).to_have_attribute("aria-pressed", "true")
    acting.get_by_label("Animal", exact=True).select_option("bear")
    expect(acting.locator("#do-play")).to_have_count(0)
    acting.locator("#effect-kangaroo-number").get_by_role("button", name="1", exact=True).click()
    acting.get_by_role("button", name="Play 3 cards").click()
    expect(acting.locator("#table-log li").first).to_contain_text(f"{people[seat].name} asks")
    record = Record.objects.get(game=game)
    assert record.action == {
        "type": "play",
        "cards": list(cards),
        "do": {
            "aardvark": {"card": cards[0]},
            "giraffe": {"animal": "kangaroo"},
            "kangaroo": {"seat": 1 - seat, "card": "bear-1"},
        },
    }
    after = position_of(game)
    held = [sum(card.startswith("kangaroo") for card in hand) for hand in after.hands]
    for page, viewer in ((acting, seat), (other, 1 - seat)):
        for shown in (seat, 1 - seat):
            place = page.locator("#table-me" if shown == viewer else f"#seat-{shown}")
            expect(place.locator(".seat__told")).to_contain_text(re.compile(rf"{held[shown] or 'no'} kangaroos?"))
        denied = other.locator("#table-me") if viewer != seat else acting.locator(f"#seat-{1 - seat}")
        expect(denied.locator(".seat__told")).to_contain_text("not bear 1")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the window"


def test_a_kangaroo_is_played_by_keyboard_alone(open_page: Open, people: list[Player]) -> None:
    def kangaroo(position: Position, seat: int) -> str | None:
        plays = [play["cards"] for play in ENGINE.legal(position, seat)[0] if play.get("needs") == ["kangaroo"]]
        return next((cards[0] for cards in plays if len(cards) == 1), None)

    def wanted(position: Position, seat: int) -> bool:
        return kangaroo(position, seat) is not None and "tiger-2" in position.hands[1 - seat]

    game, seat = deal(people, ["kangaroo", "tiger"], wanted)
    card = kangaroo(position_of(game), seat)
    assert card is not None
    acting, other = sit(open_page, game, people, seat, 390)
    hand = [each.get_attribute("aria-label") for each in acting.locator(HAND).all()]
    acting.locator(f"{HAND}[tabindex='0']").focus()
    for _ in range(hand.index(card.replace("-", " "))):
        acting.keyboard.press("ArrowRight")
    acting.keyboard.press("Space")
    expect(acting.locator("#do-next-choice")).to_be_visible()
    acting.keyboard.press("Enter")
    expect(acting.locator("#effect-kangaroo-animal")).to_be_focused()
    acting.keyboard.type("tig")
    expect(acting.locator("#effect-kangaroo-animal")).to_have_value("tiger")
    for _ in range(2):
        acting.keyboard.press("Tab")
    acting.keyboard.press("Space")
    expect(acting.locator("#effect-kangaroo-number-2")).to_be_focused()
    expect(acting.locator("#effect-kangaroo-number-2")).to_have_attribute("aria-pressed", "true")
    while not acting.evaluate("document.activeElement.id === 'do-play'"):
        acting.keyboard.press("Tab")
    acting.keyboard.press("Enter")
    for page in (acting, other):
        expect(page.locator("#table-log li").first).to_contain_text("asks")
    expect(other.locator(f"#seat-{seat} .seat__known")).to_contain_text("tiger 2")
    assert "tiger-2" in position_of(game).hands[seat]


def test_a_turtle_and_a_beaver_given_away_ask_their_receiver(open_page: Open, people: list[Player]) -> None:
    def gifts(position: Position, seat: int) -> list[str]:
        """Return the first beaver and the first turtle of the seat, as far as it holds them."""
        hand = position.hands[seat]
        found = [[card for card in hand if card.startswith(animal)][:1] for animal in ("beaver", "turtle")]
        return [card for cards in found for card in cards]

    game, starter = deal(people, ["beaver", "turtle"], lambda position, seat: len(gifts(position, 1 - seat)) == 2)
    before = position_of(game)
    beaver, turtle = gifts(before, 1 - starter)
    receiver, giver = sit(open_page, game, people, starter, 390)
    choose(receiver, *next(play["cards"] for play in ENGINE.legal(before, starter)[0] if "as" not in play))
    receiver.get_by_role("button", name=re.compile("Play .* card")).click()
    expect(giver.locator("#table-actions")).to_contain_text("Your turn.")
    choose(giver, beaver, turtle)
    giver.click("#do-start-give")
    expect(giver.locator("#effects")).to_contain_text("gives you back a card of their choice")
    giver.get_by_role("button", name="Give", exact=True).click()
    expect(giver.locator("#table-actions")).to_contain_text(
        f"Waiting for {people[starter].name} to choose the card that you get for the turtle"
    )
    spoken = turtle.replace("-", " ")
    expect(receiver.locator("#table-actions")).to_contain_text(f"any but {spoken}")
    expect(receiver.locator("#table-me")).to_contain_text("must give")
    choose(receiver, turtle)
    expect(receiver.locator("#verdict")).to_contain_text(f"Not the {spoken}")
    expect(receiver.locator("#do-respond")).to_be_disabled()
    choose(receiver, beaver)
    receiver.get_by_role("button", name=f"Give back {beaver.replace('-', ' ')}").click()
    for page in (receiver, giver):
        expect(page.locator("#table-log")).to_contain_text("for the turtle")
    assert Record.objects.get(game=game, number=3).action == {"type": "respond", "card": beaver}


def test_a_deck_is_chosen_for_a_table_and_for_a_tournament(open_page: Open, people: list[Player]) -> None:
    page = open_page(people[0], 390)
    page.goto("/lobby/")
    animals = page.get_by_role("group", name="Animals")
    expect(animals).to_be_hidden()
    page.get_by_label("Deck").select_option("Questions")
    expect(page.get_by_text("for players who remember")).to_be_visible()
    expect(page.get_by_text("learn the game")).to_be_hidden()
    page.get_by_label("Deck").select_option("Choose the animals")
    for name in ("ferret", "hamster", "tiger"):
        animals.get_by_label(name).uncheck()
    animals.get_by_label("vole").uncheck()
    animals.get_by_label("walrus").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("A deck has 3 to 22 animals, not 2.")).to_be_visible()
    page.get_by_role("group", name="Animals").get_by_label("squid").check()
    page.get_by_role("button", name="Open the table").click()
    page.get_by_text("The deck: 3 animals, 2 of them with an effect").click()
    expect(page.locator("#seating").get_by_text("Only walruses may lie with it")).to_be_visible()
    assert Game.objects.get().rules["animals"] == ["bear", "squid", "walrus"]
    page.goto("/tournaments/new/")
    page.get_by_label("Name").fill("Remember")
    page.get_by_label("Deck").select_option("Questions")
    page.get_by_label("A game waits for its players").select_option("15 minutes")
    page.get_by_role("button", name="Make the tournament").click()
    expect(page.locator(".facts")).to_contain_text("Questions: aardvark, bear")
    expect(page.locator(".facts")).to_contain_text("15 min for its players")
    assert Tournament.objects.get().ready_seconds == 900
