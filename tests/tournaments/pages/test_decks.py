"""Decks: those with a name, and the way of a deck from a form into the games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from games.engine import game as engine_game
from games.models import Game
from players.models import Player
from tests.tournaments.pages.conftest import MakePerson, MakeTournament
from tests.tournaments.pages.test_events import FORM, page
from tests.tournaments.pages.test_lobby import KEY, TABLE
from tournaments import decks
from tournaments.models import Tournament
from tournaments.services.starting import tournament_start

type LogIn = Callable[[Player], Client]

STYLES = Path("tournaments/static/tournaments/events.css")
QUESTIONS = ["aardvark", "bear", "ferret", "giraffe", "hamster", "kangaroo", "tiger", "vole"]


@pytest.mark.parametrize("deck", decks.DECKS, ids=lambda deck: deck.key)
def test_a_named_deck_can_be_played_by_any_number_and_is_known_again(deck: decks.Deck) -> None:
    for seats in range(2, 9):
        assert engine_game("hold-my-bear").rules({"animals": deck.animals}, seats)["animals"] == sorted(deck.animals)
    assert decks.key_of(reversed(deck.animals)) == deck.key
    assert decks.words(deck.animals).startswith(f"{deck.name}: ")
    assert f'.deck-why[data-deck="{deck.key}"]' in STYLES.read_text(), "the form would never say why to take it"


def test_animals_chosen_one_by_one_have_no_name() -> None:
    assert decks.key_of(["bear", "cat", "dog"]) == decks.CHOSEN
    assert decks.words(["dog", "cat", "bear"]) == "bear, cat, dog"
    assert decks.animals_of(decks.CHOSEN, ["walrus", "cat"]) == ["bear", "cat", "walrus"]


@pytest.mark.django_db
def test_a_table_is_opened_with_a_named_deck(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    answer = browser.post(reverse("tournaments:lobby_open"), {**TABLE, "key": KEY, "deck": "questions"})
    assert answer.status_code == 302
    assert Game.objects.get().rules["animals"] == QUESTIONS
    assert "Questions: aardvark, bear" in page(browser, "lobby")


@pytest.mark.django_db
def test_a_tournament_keeps_its_deck_and_waiting_time_and_its_games_have_them(
    as_player: LogIn, person: MakePerson
) -> None:
    ana, bo = person("Ana"), person("Bo")
    browser = as_player(ana)
    assert browser.post(reverse("tournaments:create"), {**FORM, "deck": "questions"}).status_code == 302
    made = Tournament.objects.get()
    assert made.rules["animals"] == QUESTIONS
    text = page(browser, "detail", made.slug)
    assert "Questions: aardvark, bear" in text
    assert "5 min for its players" in text
    for player in (ana, bo):
        as_player(player).post(reverse("tournaments:register", args=[made.slug]), {"version": made.version})
        made.refresh_from_db()
    tournament_start(tournament_id=made.pk, seen_version=made.version, by=ana.user)
    game = Game.objects.get()
    assert game.rules["animals"] == QUESTIONS
    assert game.start_by is not None
    assert 290 < (game.start_by - game.created_at).total_seconds() <= 300


@pytest.mark.django_db
def test_editing_shows_the_deck_and_changes_nothing_else_of_the_rules(
    as_player: LogIn, tournament: MakeTournament
) -> None:
    rules = {"animals": ["bear", "cat", "walrus"], "bears_alone": "own-sport"}
    made = tournament(2, name="Cup", rules=rules, ready_seconds=77)
    assert made.organizer is not None
    browser = as_player(made.organizer)
    form = browser.get(reverse("tournaments:edit", args=[made.slug])).context["form"]
    assert [form[name].value() for name in ("deck", "animals", "ready_seconds")] == ["chosen", rules["animals"], 77]
    sent = {**FORM, "version": made.version, "deck": "chosen", "animals": ["cat", "sheep"], "ready_seconds": "77"}
    assert browser.post(reverse("tournaments:edit", args=[made.slug]), sent).status_code == 302
    made.refresh_from_db()
    assert made.rules == {"animals": ["bear", "cat", "sheep"], "bears_alone": "own-sport"}
    assert made.ready_seconds == 77


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"deck": "chosen", "animals": ["cat"]}, "A deck has 3 to 22 animals, not 2."),
        ({"deck": "chosen", "animals": ["dragon", "cat", "dog"]}, "is not one of the available choices"),
        ({"deck": "huge"}, "is not one of the available choices"),
        ({"ready_seconds": "5"}, "is not one of the available choices"),
    ],
)
def test_what_no_tournament_can_have_is_refused(
    as_player: LogIn, person: MakePerson, changes: dict[str, object], sentence: str
) -> None:
    answer = as_player(person("Ana")).post(reverse("tournaments:create"), {**FORM, **changes})
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not Tournament.objects.exists()
