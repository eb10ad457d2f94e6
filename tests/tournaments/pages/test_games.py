"""The choice of the game: from the forms of the lobby and of events into the games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from players.models import Player
from tests.tournaments.pages.conftest import MakePerson
from tests.tournaments.pages.test_events import FORM, page
from tests.tournaments.pages.test_lobby import KEY, TABLE
from tournaments.models import Tournament
from tournaments.services.starting import tournament_start

type LogIn = Callable[[Player], Client]

POLAR = "pick-a-polar-bear"
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("seats", "changes", "rules", "words"),
    [
        ("4", {}, {"decks": 1, "different": False, "bonus": False}, "Base game"),
        ("8", {"bonus": "on"}, {"decks": 2, "different": False, "bonus": True}, "With bonus cards"),
        (
            "5",
            {"different": "on", "bonus": "on"},
            {"decks": 1, "different": True, "bonus": True},
            "With different cards and bonus cards",
        ),
    ],
)
def test_a_table_is_opened(
    as_player: LogIn, person: MakePerson, seats: str, changes: dict[str, str], rules: dict[str, Any], words: str
) -> None:
    browser = as_player(person("Ana"))
    form = {**TABLE, "key": KEY, "game": POLAR, "seats": seats, **changes}
    assert browser.post(reverse("tournaments:lobby_open"), form).status_code == 302
    game = Game.objects.get()
    assert (game.game, game.seats, game.rules, game.status) == (POLAR, int(seats), rules, "seating")
    text = page(browser, "lobby")
    assert "Everybody at once" in text
    assert f"<br>{words}</p>" in text


def test_alone_one_plays_at_once_but_not_hold_my_bear(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    alone = {**TABLE, "key": KEY, "seats": "1", "bots": "0"}
    refused = browser.post(reverse("tournaments:lobby_open"), alone)
    assert refused.status_code == 400
    assert "Alone one plays Pick-a-Polar-Bear" in refused.content.decode()
    assert browser.post(reverse("tournaments:lobby_open"), {**alone, "game": POLAR}).status_code == 302
    game = Game.objects.get()
    assert (game.seats, game.status) == (1, "running")


def test_bots_play_either_game_at_once(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    assert browser.post(reverse("tournaments:lobby_bots"), {"key": KEY, "game": POLAR}).status_code == 302
    game = Game.objects.get()
    assert (game.game, game.seats, game.status, game.rated) == (POLAR, 4, "running", False)
    assert browser.post(reverse("tournaments:lobby_bots"), {"key": KEY[::-1], "game": "chess"}).status_code == 400
    assert Game.objects.count() == 1


def test_an_event_is_played_edited_and_its_games_made(as_player: LogIn, person: MakePerson) -> None:
    ana, bo = person("Ana"), person("Bo")
    browser = as_player(ana)
    form = {**FORM, "game": POLAR, "different": "on"}
    assert browser.post(reverse("tournaments:create"), form).status_code == 302
    made = Tournament.objects.get()
    assert (made.game, made.rules) == (POLAR, {"decks": 1, "different": True, "bonus": False})
    text = page(browser, "detail", made.slug)
    assert "With different cards" in text
    assert "Everybody at once" in text
    edit = page(browser, "edit", made.slug)
    assert f'<option value="{POLAR}" selected>' in edit
    assert 'id="id_different" checked' in edit
    changed = {**form, "different": "", "bonus": "on", "version": made.version}
    assert browser.post(reverse("tournaments:edit", args=[made.slug]), changed).status_code == 302
    made.refresh_from_db()
    assert made.rules == {"decks": 1, "different": False, "bonus": True}
    for player in (ana, bo):
        as_player(player).post(reverse("tournaments:register", args=[made.slug]), {"version": made.version})
        made.refresh_from_db()
    tournament_start(tournament_id=made.pk, seen_version=made.version, by=ana.user)
    game = Game.objects.get()
    assert (game.game, game.rules) == (POLAR, made.rules)


def test_an_event_changes_from_one_game_to_the_other(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    browser.post(reverse("tournaments:create"), {**FORM, "deck": "questions"})
    made = Tournament.objects.get()
    changed = {**FORM, "game": POLAR, "version": made.version}
    assert browser.post(reverse("tournaments:edit", args=[made.slug]), changed).status_code == 302
    made.refresh_from_db()
    assert (made.game, made.rules) == (POLAR, {"decks": 1, "different": False, "bonus": False})
