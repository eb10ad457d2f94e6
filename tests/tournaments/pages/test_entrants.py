"""Registering and withdrawing, and the organizer's ways to add and take out."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.tournaments.pages.conftest import MakePerson, MakeTournament
from tournaments.models import Entrant, LogLine

type LogIn = Callable[[Player], Client]

KEY = "7b0f5a38-6b6a-4ad5-9a2f-0d2bb7c7a002"


def test_register_and_withdraw_act_once(as_player: LogIn, person: MakePerson, tournament: MakeTournament) -> None:
    cup = tournament(1)
    browser = as_player(person("Ana"))
    register = reverse("tournaments:register", args=[cup.slug])
    assert [browser.post(register).status_code for _ in range(2)] == [302, 302]
    assert cup.entrants.filter(player__name="Ana").count() == 1
    assert LogLine.objects.filter(tournament=cup, text__contains="Ana").count() == 1
    withdraw = reverse("tournaments:withdraw", args=[cup.slug])
    assert browser.post(withdraw).status_code == 302
    assert not cup.entrants.filter(player__name="Ana").exists()
    again = browser.post(withdraw)
    assert again.status_code == 409
    assert "You are not in this tournament" in again.content.decode()


def test_whoever_is_not_logged_in_comes_back_to_the_tournament(client: Client, tournament: MakeTournament) -> None:
    cup = tournament(1)
    answer = client.post(reverse("tournaments:register", args=[cup.slug]))
    assert answer.status_code == 302
    assert answer.headers["Location"].endswith(f"?next={reverse('tournaments:detail', args=[cup.slug])}")
    assert cup.entrants.count() == 1


def test_a_full_or_running_tournament_says_so(as_player: LogIn, person: MakePerson, tournament: MakeTournament) -> None:
    browser = as_player(person("Ana"))
    for cup, sentence in (
        (tournament(2, capacity=2), "The tournament is full."),
        (tournament(2, start=True), "Registration for this tournament is closed."),
    ):
        answer = browser.post(reverse("tournaments:register", args=[cup.slug]))
        assert answer.status_code == 409
        assert sentence in answer.content.decode()
        assert cup.entrants.count() == 2


def test_others_may_not_manage(as_player: LogIn, person: MakePerson, tournament: MakeTournament) -> None:
    cup = tournament(2)
    eve = as_player(person("Eve"))
    entrant = cup.entrants.first()
    assert entrant is not None
    answers = [
        eve.get(reverse("tournaments:entrant_search", args=[cup.slug]), {"q": "P"}),
        eve.post(reverse("tournaments:entrant_add", args=[cup.slug]), {"player": entrant.player_id}),
        eve.post(reverse("tournaments:entrant_bots", args=[cup.slug]), {"count": "2", "level": "greedy", "key": KEY}),
        eve.post(reverse("tournaments:entrant_remove", args=[cup.slug, entrant.pk])),
    ]
    assert [answer.status_code for answer in answers] == [403] * 4
    assert cup.entrants.count() == 2


def test_the_organizer_finds_adds_and_takes_out(
    as_player: LogIn, organizer: Player, person: MakePerson, tournament: MakeTournament
) -> None:
    cup = tournament(1)
    wanted = person("Žofie <b>")
    browser = as_player(organizer)
    search = reverse("tournaments:entrant_search", args=[cup.slug])
    found = browser.get(search, {"q": "žof"}, headers={"HX-Request": "true"}).content.decode()
    assert "Žofie &lt;b&gt;" in found
    assert "<html" not in found
    assert "<html" in browser.get(search, {"q": "žof"}).content.decode()
    add = reverse("tournaments:entrant_add", args=[cup.slug])
    assert [browser.post(add, {"player": wanted.pk}).status_code for _ in range(2)] == [302, 302]
    assert "Nobody who is not in already" in browser.get(search, {"q": "žof"}).content.decode()
    assert browser.post(add, {"player": "999999999"}).status_code == 404
    assert browser.post(add, {"player": "one"}).status_code == 404
    entrant = Entrant.objects.get(tournament=cup, player=wanted)
    remove = reverse("tournaments:entrant_remove", args=[cup.slug, entrant.pk])
    assert [browser.post(remove).status_code for _ in range(2)] == [302, 302]
    assert cup.entrants.count() == 1


def test_bots_are_added_once_a_form(as_player: LogIn, organizer: Player, tournament: MakeTournament) -> None:
    cup = tournament(1, capacity=8)
    browser = as_player(organizer)
    address = reverse("tournaments:entrant_bots", args=[cup.slug])
    form = {"count": "3", "level": "greedy", "key": KEY}
    assert [browser.post(address, form).status_code for _ in range(2)] == [302, 302]
    assert cup.entrants.count() == 4
    for wrong, status in (({"count": "0"}, 400), ({"count": "99"}, 400), ({"level": "god"}, 400), ({"key": ""}, 400)):
        assert browser.post(address, {**form, "key": KEY[:-1] + "9", **wrong}).status_code == status
    assert browser.post(address, {**form, "count": "5", "key": KEY[:-1] + "8"}).status_code == 409
    assert cup.entrants.count() == 4


def test_withdrawing_in_play_gives_the_match_away(
    as_player: LogIn, organizer: Player, tournament: MakeTournament
) -> None:
    running = tournament(2, start=True)
    leaver = running.entrants.get(player__name="P2").player
    browser = as_player(leaver)
    assert browser.post(reverse("tournaments:withdraw", args=[running.slug])).status_code == 302
    running.refresh_from_db()
    assert running.status == "finished"
    text = browser.get(reverse("tournaments:detail", args=[running.slug])).content.decode()
    assert "withdrew" in text
    assert 'class="winner"' in text


def test_whatever_is_searched_for_finds_somebody_or_nobody(
    as_player: LogIn, person: MakePerson, tournament: MakeTournament
) -> None:
    cup = tournament(2)
    organizer = as_player(cup.organizer)
    person("Zoe Quill")
    search = reverse("tournaments:entrant_search", args=[cup.slug])
    assert "Zoe Quill" in organizer.get(search, {"q": " quill "}).content.decode()
    for wanted in ("Zoe\0Quill", "%", "\\", "x" * 5000):
        answer = organizer.get(search, {"q": wanted})
        assert answer.status_code == 200
        assert "Zoe Quill" not in answer.content.decode()


def test_no_number_of_bots_but_a_small_one(as_player: LogIn, tournament: MakeTournament) -> None:
    cup = tournament(1)
    organizer = as_player(cup.organizer)
    for count in ("0", "17", "", "-1", "1.0", "1\0", "000000001" + "0" * 5000, "000000001999"):
        answer = organizer.post(
            reverse("tournaments:entrant_bots", args=[cup.slug]), {"count": count, "level": "random", "key": KEY}
        )
        assert answer.status_code == 400, count
        assert "Add 1 to 16 bots at a time." in answer.content.decode()
    assert cup.entrants.count() == 1
