"""The lobby, and the notice of the reader's own game."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.disclosure import Audience
from games.models import Game, Seat, Spectating
from games.services import game_create, seat_ready
from players.bots import bot_player
from players.models import Player
from tests.tournaments.pages.conftest import MakePerson, MakeTournament, end_open_games
from tournaments.surroundings import match_surroundings

type LogIn = Callable[[Player], Client]

KEY = "7b0f5a38-6b6a-4ad5-9a2f-0d2bb7c7a003"
TABLE = {"seats": "4", "bots": "2", "level": "greedy", "time_control": "normal", "deck": "default", "rated": "on"}


def test_opening_a_table_twice_opens_one(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    answers = [browser.post(reverse("tournaments:lobby_open"), {**TABLE, "key": KEY}) for _ in range(2)]
    game = Game.objects.get()
    assert [answer.headers["Location"] for answer in answers] == [reverse("games:table", args=[game.pk])] * 2
    assert (game.seats, game.rated, game.listed, game.status) == (4, True, True, "seating")
    assert [seat.player and seat.player.bot for seat in game.seat_set.all()] == ["", "greedy", "greedy", None]


def test_a_chosen_deck_is_dealt(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    form = {**TABLE, "key": KEY, "deck": "chosen", "animals": ["cat", "dog", "vole"]}
    assert browser.post(reverse("tournaments:lobby_open"), form).status_code == 302
    assert Game.objects.get().rules["animals"] == ["bear", "cat", "dog", "vole"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seats": "9"}, "is not one of the available choices"),
        ({"seats": "2", "bots": "2"}, "One seat of 2 is yours: at most 1 bots."),
        ({"deck": "chosen", "animals": ["cat"]}, "A deck has 3 to 22 animals, not 2."),
        ({"deck": "chosen", "animals": ["dragon", "cat", "dog"]}, "is not one of the available choices"),
        ({"key": ""}, "This form is incomplete"),
    ],
)
def test_tables_that_cannot_be_are_refused(
    as_player: LogIn, person: MakePerson, changes: dict[str, object], sentence: str
) -> None:
    answer = as_player(person("Ana")).post(reverse("tournaments:lobby_open"), {**TABLE, "key": KEY, **changes})
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert not Game.objects.exists()


def test_playing_bots_begins_at_once_and_is_not_rated(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    for _ in range(2):
        assert browser.post(reverse("tournaments:lobby_bots"), {"key": KEY}).status_code == 302
    game = Game.objects.get()
    assert (game.game, game.status, game.rated, game.seats) == ("hold-my-bear", "running", False, 4)


def test_bots_play_either_game_at_once(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    page = browser.get(reverse("tournaments:lobby")).text
    for name in ("hold-my-bear", "pick-a-polar-bear"):
        assert f'name="game" value="{name}"' in page
        answer = browser.post(reverse("tournaments:lobby_bots"), {"key": str(uuid.uuid4()), "game": name})
        game = Game.objects.get(game=name)
        assert answer.headers["Location"] == reverse("games:table", args=[game.pk])
        assert (game.status, game.rated) == ("running", False)
    assert (
        browser.post(reverse("tournaments:lobby_bots"), {"key": str(uuid.uuid4()), "game": "chess"}).status_code == 400
    )
    assert Game.objects.count() == 2


def test_by_invitation_only_who_has_the_link_sits_down(as_player: LogIn, client: Client, person: MakePerson) -> None:
    ana, ben, eve = person("Ana"), person("Ben"), person("Eve")
    as_player(ana).post(
        reverse("tournaments:lobby_open"), {**TABLE, "seats": "2", "bots": "0", "invited": "on", "key": KEY}
    )
    game = Game.objects.get()
    table = reverse("games:table", args=[game.pk])
    assert not game.listed
    assert table not in as_player(eve).get(reverse("tournaments:lobby")).text
    assert as_player(eve).post(reverse("tournaments:lobby_take", args=[game.pk])).status_code == 404
    inviting = as_player(ana).get(table)
    assert inviting.context["invitation"] == f"http://testserver{table}"
    assert f'value="http://testserver{table}"' in inviting.text
    assert 'aria-label="The link as a QR code"' in inviting.text
    assert f"{reverse('account_signup')}?next={table}" in client.get(table).text
    assert as_player(ben).post(reverse("games:take", args=[game.pk]), {"number": "1"}).status_code == 302
    assert as_player(ana).get(table).context["invitation"] == "", "every seat is taken"
    for player in (ana, ben):
        seat_ready(game=game, player=player)
    assert table not in as_player(eve).get(reverse("tournaments:lobby")).text, "nobody asked for more spectators"
    assert table in as_player(ben).get(reverse("tournaments:lobby")).text


def test_tables_in_play_come_with_the_most_interesting_first(
    client: Client, as_player: LogIn, person: MakePerson, tournament: MakeTournament
) -> None:
    ana, ben, eve = person("Ana"), person("Ben"), person("Eve")

    def begin(*people: Player, bots: int = 0, **terms: Any) -> Game:
        house: list[Player] = []
        for _ in range(bots):
            house.append(bot_player(level="greedy", exclude={bot.pk for bot in house}))
        game = game_create(game="hold-my-bear", rules={}, players=[*people, *house], **terms)
        for player in people:
            seat_ready(game=game, player=player)
        return game

    three = begin(ana, ben, eve, rated=False)
    two_rated = begin(ana, ben)
    two = begin(ana, ben, rated=False)
    bots = begin(bots=2)
    hidden = begin(ana, ben, audience=Audience(spectating=Spectating.NOBODY, circle="x"))
    own = begin(eve, bots=1, listed=False)
    running = tournament(2, start=True)
    event = Game.objects.get(match_game__match__round__stage__tournament=running)
    for entrant in running.entrants.all():
        seat_ready(game=event, player=entrant.player)
    shown = client.get(reverse("tournaments:lobby")).context["running"]
    assert [table.game for table in shown] == [event, three, two_rated, two, bots]
    assert [table.game for table in as_player(eve).get(reverse("tournaments:lobby")).context["running"]][:2] == [
        three,
        own,
    ]
    assert hidden not in [table.game for table in shown]


def test_an_empty_lobby_says_what_to_do(client: Client, db: None) -> None:
    page = client.get(reverse("tournaments:lobby")).text
    assert "Nobody is waiting for players." in page
    assert "No table is in play that can be watched." in page


def test_taking_a_seat(as_player: LogIn, client: Client, person: MakePerson) -> None:
    ana, ben, eve = person("Ana"), person("Ben"), person("Eve")
    game = game_create(game="hold-my-bear", rules={}, players=[ana, None], created_by=ana)
    take = reverse("tournaments:lobby_take", args=[game.pk])
    assert client.post(take).headers["Location"].startswith(reverse("account_login"))
    assert "Take a seat" in as_player(ben).get(reverse("tournaments:lobby")).content.decode()
    assert [as_player(ben).post(take).headers["Location"] for _ in range(2)] == [
        reverse("games:table", args=[game.pk])
    ] * 2
    full = as_player(eve).post(take)
    assert full.status_code == 409
    assert "Every seat of this table is taken." in full.content.decode()
    assert list(game.seat_set.values_list("player__name", flat=True)) == ["Ana", "Ben"]


def test_games_of_events_are_not_open_to_whoever_comes(
    as_player: LogIn, person: MakePerson, tournament: MakeTournament
) -> None:
    running = tournament(2, start=True)
    game = Game.objects.get(match_game__match__round__stage__tournament=running)
    assert as_player(person("Eve")).post(reverse("tournaments:lobby_take", args=[game.pk])).status_code == 404
    assert "Take a seat" not in as_player(person("Eve2")).get(reverse("tournaments:lobby")).content.decode()


def test_the_lobby_costs_the_same_number_of_queries_however_full(client: Client, person: MakePerson) -> None:
    counts = []
    for count in (2, 12):
        for _ in range(count):
            game_create(game="hold-my-bear", rules={}, players=[person("Ana"), None])
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("tournaments:lobby"))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 8


def test_my_game_is_pointed_out_on_every_page_but_its_own(
    as_player: LogIn, person: MakePerson, tournament: MakeTournament
) -> None:
    running = tournament(2, start=True)
    game = Game.objects.get(match_game__match__round__stage__tournament=running)
    browser = as_player(running.entrants.get(player__name="P1").player)
    notice = "the table waits for you"
    assert notice in browser.get(reverse("tournaments:list")).content.decode()
    assert notice in browser.get(reverse("tournaments:my_game")).content.decode()
    table = reverse("games:table", args=[game.pk])
    here = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{table}"}
    assert notice not in browser.get(reverse("tournaments:my_game"), headers=here).content.decode()
    assert notice not in as_player(person("Eve")).get(reverse("tournaments:list")).content.decode()
    Seat.objects.filter(game=game).update(ready=True)
    assert "the others are awaited" in browser.get(reverse("tournaments:list")).content.decode()


def test_a_game_says_which_match_it_belongs_to_and_what_is_next(tournament: MakeTournament, person: MakePerson) -> None:
    running = tournament(4, start=True)
    game = Game.objects.filter(match_game__match__round__stage__tournament=running, match_game__match__table=1).get()
    winner = game.seat_set.get(number=0).player
    match = game.match_game.match
    known = match_surroundings(game, winner)
    assert known == {
        "back_url": reverse("tournaments:match", args=[running.slug, match.pk]),
        "back_label": "Spring Cup: Semi-finals, table 1",
    }
    end_open_games(running)
    game.refresh_from_db()
    final = Game.objects.get(
        match_game__match__round__name="Final", match_game__match__round__stage__tournament=running
    )
    assert match_surroundings(game, winner)["next_url"] == reverse("games:table", args=[final.pk])
    assert match_surroundings(game, person("Eve"))["next_url"] == reverse("tournaments:detail", args=[running.slug])
    casual = game_create(game="hold-my-bear", rules={}, players=[winner, None])
    assert match_surroundings(casual, winner) == {"back_url": reverse("tournaments:lobby"), "back_label": "Lobby"}
