"""Leaderboard and profile pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from players.models import Player
from ratings import services
from ratings.leaderboards import Choice, leaderboard, page_of
from ratings.models import Rating, RatingPool
from tests.ratings.conftest import NOON, MakeGame, MakePlayers

pytestmark = pytest.mark.django_db

BOARD = "/leaderboards/hold-my-bear/"


@pytest.fixture
def pool(db: None) -> RatingPool:
    return services.pool_for(game="hold-my-bear")


def give_ratings(pool: RatingPool, values: dict[str, int], bot: str = "") -> None:
    for name, value in values.items():
        player = Player.objects.create(name=name, slug=name.lower(), bot=bot)
        Rating.objects.create(pool=pool, player=player, value=value, games=30, last_game_at=NOON)


def ranks(*, page: int = 1, size: int = 50, **asked: Any) -> list[tuple[int, str]]:
    found = leaderboard(Choice(RatingPool.objects.get(slug="hold-my-bear"), **asked), page=page, size=size)
    return [(row.rank, row.rating.player.name) for row in found.rows]


def test_equal_ratings_share_a_rank_also_across_pages(pool: RatingPool) -> None:
    give_ratings(pool, {"Ana": 16_000, "Bo": 15_500, "Cy": 15_500, "Di": 15_500, "Ed": 14_000})
    assert ranks(size=2, page=1) == [(1, "Ana"), (2, "Bo")]
    assert ranks(size=2, page=2) == [(2, "Cy"), (2, "Di")]
    assert ranks(size=2, page=3) == [(5, "Ed")]
    assert ranks(size=2, page=99) == [(5, "Ed")]


def test_a_search_keeps_the_ranks_of_the_whole_list(pool: RatingPool) -> None:
    give_ratings(pool, {"Ana": 16_000, "Bo": 15_500, "Anatol": 15_500, "Hanan": 14_000})
    assert ranks(search="ana") == [(1, "Ana"), (2, "Anatol"), (4, "Hanan")]


def test_people_and_bots_are_ranked_among_themselves(pool: RatingPool) -> None:
    give_ratings(pool, {"Ana": 15_000, "Bo": 14_000})
    give_ratings(pool, {"Grizzly": 16_000, "Cub": 14_500}, bot="greedy")
    assert ranks() == [(1, "Grizzly"), (2, "Ana"), (3, "Cub"), (4, "Bo")]
    assert ranks(who="people") == [(1, "Ana"), (2, "Bo")]
    assert ranks(who="bots") == [(1, "Grizzly"), (2, "Cub")]


def test_provisional_ratings_can_be_left_out(pool: RatingPool) -> None:
    give_ratings(pool, {"Ana": 15_000, "Bo": 14_000})
    Rating.objects.filter(player__name="Ana").update(games=19)
    assert ranks(provisional=False) == [(2, "Bo")]
    assert ranks(provisional=True) == [(1, "Ana")]


def test_my_page_is_the_one_i_stand_on(pool: RatingPool) -> None:
    give_ratings(pool, {"Ana": 16_000, "Bo": 15_500, "Cy": 15_500})
    assert [page_of(pool, player, size=1) for player in Player.objects.order_by("name")] == [1, 2, 3]
    stranger = Player.objects.create(name="Zoe", slug="zoe")
    assert page_of(pool, stranger) is None


def test_the_address_of_all_lists_leads_to_the_busiest(client: Client, pool: RatingPool) -> None:
    RatingPool.objects.filter(slug="pick-a-polar-bear").update(version=3)
    assert client.get("/leaderboards/")["Location"] == "/leaderboards/pick-a-polar-bear/"
    RatingPool.objects.all().delete()
    assert "Nothing is rated yet" in client.get("/leaderboards/").content.decode()


def test_an_empty_list_says_so(client: Client, pool: RatingPool) -> None:
    assert "Nobody has a Hold my Bear rating yet" in client.get(BOARD).content.decode()
    give_ratings(pool, {"Ana": 15_000})
    text = client.get(BOARD, {"q": "xyz"}).content.decode()
    assert "Nobody in this list has “xyz” in the name" in text


def test_the_list_shows_rank_rating_change_and_marks(
    client: Client, make_players: MakePlayers, make_game: MakeGame
) -> None:
    services.game_rate(game_id=make_game(make_players("Ana", "Bo"), [1, 2]).pk)
    text = client.get(BOARD).content.decode()
    assert "1532.0" in text
    assert "+32.0" in text
    assert "−32.0" in text
    assert text.count('<span class="visually-hidden"> provisional</span>') == 2
    assert 'data-watch="pool.hold-my-bear"' in text


def test_a_script_in_a_name_is_text(client: Client, pool: RatingPool) -> None:
    player = Player.objects.create(name="<script>alert(1)</script>", slug="x")
    Rating.objects.create(pool=pool, player=player, value=15_000, games=1, last_game_at=NOON)
    for address in (BOARD, "/players/x/"):
        text = client.get(address).content.decode()
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text
    assert "<script>" not in client.get(BOARD, {"q": "<script>"}).content.decode().partition("board-form")[2]


@pytest.mark.parametrize("query", [{"page": "x"}, {"page": "-1"}, {"page": "9" * 30}, {"who": "cats"}, {"q": "\0"}])
def test_senseless_questions_are_answered(client: Client, pool: RatingPool, query: dict[str, str]) -> None:
    give_ratings(pool, {"Ana": 15_000})
    response = client.get(BOARD, query)
    assert response.status_code == 200
    assert "Ana" in response.content.decode()


def test_htmx_gets_the_part_that_changes_alone(client: Client, pool: RatingPool) -> None:
    give_ratings(pool, {"Ana": 15_000})
    for address in (BOARD, "/players/ana/"):
        part = client.get(address, headers={"HX-Request": "true"})
        assert "<html" not in part.content.decode()
        assert "Ana" in part.content.decode() or "1500.0" in part.content.decode()
        assert "HX-Request" in part["Vary"]
        assert "<html" in client.get(address).content.decode()


def test_my_row_is_marked_and_can_be_found(client: Client, pool: RatingPool) -> None:
    give_ratings(pool, {f"P{number}": 16_000 - number for number in range(60)})
    user = get_user_model().objects.create_user("ana@example.org")
    Player.objects.filter(name="P59").update(user=user)
    client.force_login(user)
    assert 'href="?page=2#me"' in client.get(BOARD).content.decode()
    assert '<tr class="is-me" id="me">' in client.get(BOARD, {"page": 2}).content.decode()


@pytest.mark.parametrize("address", ["/leaderboards/go/", "/players/nobody/"])
def test_unknown_addresses_are_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_profile_without_games_says_so(client: Client, make_players: MakePlayers) -> None:
    make_players("Ana")
    assert "Ana has not finished a rated game yet" in client.get("/players/ana/").content.decode()


def test_a_profile_of_another_pool_is_not_found(client: Client, pool: RatingPool) -> None:
    give_ratings(pool, {"Ana": 15_000})
    assert client.get("/players/ana/", {"pool": "hold-my-bear"}).status_code == 200
    assert client.get("/players/ana/", {"pool": "pick-a-polar-bear"}).status_code == 404


def test_a_profile_shows_games_chart_and_opponents(
    client: Client, make_players: MakePlayers, make_game: MakeGame
) -> None:
    ana, bo, cy = make_players("Ana", "Bo", "Cy")
    games = [
        make_game([ana, bo, cy], [1, 2, 2]),
        make_game([bo, ana, cy], [1, 2, 2]),
        make_game([cy, ana], [1, 1]),
    ]
    for game in games:
        services.game_rate(game_id=game.pk)
    response = client.get("/players/ana/")
    text = response.content.decode()
    assert '<title id="chart-title">Ana’s Hold my Bear rating over time</title>' in text
    assert all(f"/games/{game.pk}/" in text for game in games)
    assert [tuple(record)[1:] for record in response.context["records"]] == [(3, 1, 2, 0), (2, 1, 0, 1)]
    assert [record.opponent for record in response.context["records"]] == [cy, bo]
    assert [game.result for game in response.context["recent"]] == ["draw", "lost", "won"]
    assert (response.context["rank"], response.context["of"]) == (2, 3)
    assert response.context["games_left"] == 17


def test_a_void_game_is_gone_from_the_profile(client: Client, make_players: MakePlayers, make_game: MakeGame) -> None:
    ana, bo = make_players("Ana", "Bo")
    kept, gone = make_game([ana, bo], [1, 2]), make_game([ana, bo], [2, 1])
    for game in (kept, gone):
        services.game_rate(game_id=game.pk)
    gone.status = "void"
    gone.save()
    services.game_settle(game_id=gone.pk)
    text = client.get("/players/ana/").content.decode()
    assert f"/games/{kept.pk}/" in text
    assert f"/games/{gone.pk}/" not in text


def test_the_number_of_queries_does_not_grow(
    client: Client,
    make_players: MakePlayers,
    make_game: MakeGame,
    django_assert_max_num_queries: pytest.FixtureRequest,
) -> None:
    players = make_players(*(f"Player {number}" for number in range(12)))
    for number in range(30):
        table = [players[number % 12], players[(number + 1) % 12], players[(number + 5) % 12]]
        services.game_rate(game_id=make_game(table, [1, 2, 2]).pk)
    with django_assert_max_num_queries(6):
        client.get(BOARD)
    with django_assert_max_num_queries(12):
        client.get("/players/player-0/")
