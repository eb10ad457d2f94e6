"""Tournaments over the API."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournaments.pages.conftest import MakePerson, MakeTournament, end_open_games

LIST = "/api/v1/tournaments/"


def test_the_list_filters_and_pages(client: Client, tournament: MakeTournament) -> None:
    tournament(4, start=True, name="On Now")
    open_one = tournament(2, name="Join Me")
    everything = client.get(LIST).json()
    assert [each["name"] for each in everything["results"]] == ["Join Me", "On Now"]
    assert everything["results"][0]["entrant_count"] == 2
    assert [each["slug"] for each in client.get(LIST, {"status": "open"}).json()["results"]] == [open_one.slug]
    assert client.get(LIST, {"limit": 1}).json()["count"] == 2
    player = open_one.entrants.get(player__name="P1").player
    assert [each["slug"] for each in client.get(LIST, {"player": player.slug}).json()["results"]] == [open_one.slug]
    refused = client.get(LIST, {"status": "soon"})
    assert refused.status_code == 400
    assert refused.json()["error"]["fields"]["status"]


def test_one_tournament_has_its_bracket(client: Client, tournament: MakeTournament) -> None:
    running = tournament(3, start=True)
    data = client.get(f"{LIST}{running.slug}/").json()
    assert [each["name"] for each in data["rounds"]] == ["Semi-finals", "Final"]
    semi, final = data["rounds"][0]["matches"][0], data["rounds"][1]["matches"][0]
    assert [slot["seed"] for slot in semi["slots"]] == [2, 3]
    assert semi["games"][0]["status"] == "seating"
    assert final["slots"][0]["seed"] == 1
    assert (final["slots"][1]["player"], final["slots"][1]["source_match"]) == (None, semi["id"])
    entrants = client.get(f"{LIST}{running.slug}/entrants/").json()
    assert [each["player"]["name"] for each in entrants["results"]] == ["P1", "P2", "P3"]


def test_nothing_is_written(client: Client, tournament: MakeTournament) -> None:
    cup = tournament(2)
    assert client.post(LIST, {"name": "x"}).status_code in {403, 405}
    assert client.delete(f"{LIST}{cup.slug}/").status_code in {403, 405}
    missing = client.get(f"{LIST}nothing/")
    assert missing.status_code == 404
    assert missing.json()["error"]["code"] == "not-found"
    assert client.get(f"{LIST}nothing/entrants/").status_code == 404


@pytest.mark.django_db
def test_a_tournament_costs_the_same_number_of_queries_whatever_its_size(
    client: Client, tournament: MakeTournament, person: MakePerson
) -> None:
    counts = []
    for size in (4, 32):
        running = tournament([person(f"P{n}") for n in range(size)], start=True)
        end_open_games(running)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"{LIST}{running.slug}/")
        counts.append(len(queries))
    assert counts[0] == counts[1]
