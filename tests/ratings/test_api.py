"""The rating API: JSON and CSV, filters, errors, ETag."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from players.models import Player
from ratings import services
from ratings.models import Rating
from tests.ratings.conftest import MakeGame, MakePlayers

pytestmark = pytest.mark.django_db

BOARD = "/api/v1/ratings/hold-my-bear/"


@pytest.fixture
def games(make_players: MakePlayers, make_game: MakeGame) -> list[Game]:
    """Three players, two rated games."""
    ana, bo, cy = make_players("Ana", "Bo", "=Cy")
    games = [make_game([ana, bo, cy], [1, 2, 2]), make_game([ana, bo], [2, 1])]
    for game in games:
        services.game_rate(game_id=game.pk)
    return games


def get(client: Client, address: str, **query: object) -> Any:
    response = client.get(address, query)
    assert response.status_code == 200, response.content
    assert response["Content-Type"] == "application/json"
    return response.json()


def lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text, newline="")))


def test_pools(client: Client, games: list[Game]) -> None:
    pools = get(client, reverse("api:ratings"))
    assert pools[0] == {
        "slug": "hold-my-bear",
        "name": "Hold my Bear",
        "game": "hold-my-bear",
        "kind": "online",
        "policy": "bearena-elo",
        "version": 2,
        "players": 3,
    }
    assert [pool["players"] for pool in pools] == [3, 0]


def test_the_leaderboard(client: Client, games: list[Game]) -> None:
    found = get(client, BOARD)
    assert (found["count"], found["page"], found["pages"]) == (3, 1, 1)
    best = found["results"][0]
    assert best["last_game_at"] == "2026-03-01T12:01:00Z"
    del best["last_game_at"]
    assert best == {
        "rank": 1,
        "player": "bo",
        "name": "Bo",
        "bot": False,
        "rating": 1519.5,
        "provisional": True,
        "games": 2,
        "wins": 1,
        "change": 35.5,
    }
    assert [row["rank"] for row in found["results"]] == [1, 2, 3]


def test_pages_and_filters(client: Client, games: list[Game]) -> None:
    found = get(client, BOARD, page=2, page_size=2)
    assert [row["rank"] for row in found["results"]] == [3]
    assert (found["count"], found["page"], found["pages"]) == (3, 2, 2)
    Player.objects.filter(name="Ana").update(bot="random")
    assert [row["name"] for row in get(client, BOARD, who="bots")["results"]] == ["Ana"]
    assert [row["rank"] for row in get(client, BOARD, who="people")["results"]] == [1, 2]
    assert [row["rank"] for row in get(client, BOARD, q="cY")["results"]] == [3]
    Rating.objects.filter(player__name="Bo").update(games=20)
    assert [row["name"] for row in get(client, BOARD, provisional="false")["results"]] == ["Bo"]


@pytest.mark.parametrize(
    ("query", "field"),
    [({"who": "cats"}, "who"), ({"page": "x"}, "page"), ({"page_size": 5000}, "page_size"), ({"q": "\0"}, "q")],
)
@pytest.mark.parametrize("form", ["json", "csv"])
def test_a_parameter_that_cannot_be_used_is_refused(
    client: Client, games: list[Game], query: dict[str, object], field: str, form: str
) -> None:
    response = client.get(BOARD, query | {"format": form})
    assert response.status_code == 400
    assert response["Content-Type"] == "application/json"
    error = response.json()["error"]
    assert error["code"] == "invalid"
    assert list(error["fields"]) == [field]


@pytest.mark.parametrize(
    "address",
    [
        "/api/v1/ratings/go/",
        "/api/v1/ratings/go/?format=csv",
        "/api/v1/ratings/hold-my-bear/players/nobody/",
        "/api/v1/ratings/pick-a-polar-bear/players/ana/",
        "/api/v1/ratings/hold-my-bear/players/nobody/history/?format=csv",
    ],
)
def test_what_is_not_there_is_not_found(client: Client, games: list[Game], address: str) -> None:
    response = client.get(address)
    assert response.status_code == 404
    assert response["Content-Type"] == "application/json"
    assert response.json()["error"]["code"] == "not-found"


@pytest.mark.parametrize("ask", [{"query": {"format": "csv"}}, {"headers": {"Accept": "text/csv"}}])
def test_the_leaderboard_as_csv(client: Client, games: list[Game], ask: dict[str, Any]) -> None:
    response = client.get(BOARD, ask.get("query"), headers=ask.get("headers"))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="hold-my-bear-ratings.csv"'
    rows = lines(response.content.decode())
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["rating"] == "1519.5"
    assert rows[0]["last_game_at"] == "2026-03-01T12:01:00Z"
    assert rows[2]["name"] == "'=Cy"
    assert (rows[2]["change"], rows[2]["bot"], rows[2]["provisional"]) == ("-16.0", "no", "yes")


def test_csv_holds_the_whole_list_whatever_the_page(client: Client, games: list[Game]) -> None:
    response = client.get(BOARD, {"format": "csv", "page_size": 1, "page": 2, "q": "o"})
    assert [row["player"] for row in lines(response.content.decode())] == ["bo"]
    response = client.get(BOARD, {"format": "csv", "page_size": 1})
    assert len(lines(response.content.decode())) == 3


def test_a_player_with_history(client: Client, games: list[Game]) -> None:
    found = get(client, f"{BOARD}players/ana/")
    assert (found["rank"], found["rating"], found["wins"]) == (2, 1496.5, 1)
    last, first = found["history"]
    assert last["game"] == str(games[1].pk)
    assert last["at"] == "2026-03-01T12:01:00Z"
    assert (last["before"], last["after"], last["change"]) == (1532.0, 1496.5, -35.5)
    assert first["change"] == pytest.approx(first["k"] * (first["score"] - first["expected"]), abs=0.1)
    assert (first["score"], first["expected"], first["k"], first["policy"]) == (2.0, 1.0, 32.0, "bearena-elo/1")


def test_history_in_pages_and_as_csv(client: Client, games: list[Game]) -> None:
    found = get(client, f"{BOARD}players/ana/history/", page=2, page_size=1)
    assert (found["count"], found["pages"], found["results"][0]["game"]) == (2, 2, str(games[0].pk))
    response = client.get(f"{BOARD}players/ana/history/", {"format": "csv"})
    rows = lines(response.content.decode())
    assert [row["change"] for row in rows] == ["-35.5", "32.0"]
    assert rows[1]["at"] == "2026-03-01T12:00:00Z"


@pytest.mark.parametrize("form", ["json", "csv"])
def test_an_etag_saves_sending_the_same_again(client: Client, games: list[Game], form: str) -> None:
    first = client.get(BOARD, {"format": form})
    known = {"If-None-Match": first["ETag"]}
    assert client.get(BOARD, {"format": form}, headers=known).status_code == 304
    Player.objects.filter(name="Ana").update(name="Anna")
    assert client.get(BOARD, {"format": form}, headers=known).status_code == 200


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_nothing_can_be_written(client: Client, games: list[Game], method: str) -> None:
    assert getattr(client, method)(BOARD).status_code in {403, 405}
