"""Ratings in the administration: shown, searched, not changed."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratings import services
from ratings.models import LedgerEntry, Rating, RatingPool
from tests.ratings.conftest import MakeGame, MakePlayers

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client) -> Client:
    """A client of somebody who may do everything."""
    client.force_login(get_user_model().objects.create_superuser("head@example.org"))
    return client


def lists(name: str) -> str:
    return f"/admin/ratings/{name}/"


def test_lists_and_search(staff: Client, make_players: MakePlayers, make_game: MakeGame) -> None:
    ana, bo, cy = make_players("Ana", "Bo", "Cy")
    first, second = make_game([ana, bo], [1, 2]), make_game([ana, cy], [1, 2])
    for game in (first, second):
        services.game_rate(game_id=game.pk)
    assert "Hold my Bear" in staff.get(lists("ratingpool")).content.decode()
    assert "1532.0" in staff.get(lists("ledgerentry")).content.decode()
    found = staff.get(lists("rating"), {"q": "cy"}).context["cl"].result_list
    assert [rating.player for rating in found] == [cy]
    found = staff.get(lists("ledgerentry"), {"q": str(first.pk)}).context["cl"].result_list
    assert {entry.cause for entry in found} == {first.pk}


@pytest.mark.parametrize("model", [RatingPool, Rating, LedgerEntry])
def test_nothing_can_be_written(
    staff: Client, make_players: MakePlayers, make_game: MakeGame, model: type[Rating]
) -> None:
    services.game_rate(game_id=make_game(make_players("Ana", "Bo"), [1, 2]).pk)
    row = model.objects.first()
    assert row is not None
    address = lists(model.__name__.lower())
    assert staff.get(f"{address}{row.pk}/change/").status_code == 200
    for refused in (f"{address}{row.pk}/change/", f"{address}{row.pk}/delete/", f"{address}add/"):
        assert staff.post(refused, {"post": "yes"}).status_code == 403
    assert model.objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize("name", ["rating", "ledgerentry"])
def test_the_number_of_queries_does_not_grow(
    staff: Client, make_players: MakePlayers, make_game: MakeGame, name: str
) -> None:
    players = make_players(*(f"Player {number}" for number in range(10)))
    counts = []
    for number in range(8):
        services.game_rate(game_id=make_game([players[number], players[number + 1]], [1, 2]).pk)
        if number in {1, 7}:
            with CaptureQueriesContext(
                connection,
            ) as queries:
                staff.get(lists(name))
            counts.append(len(queries))
    assert counts[0] == counts[1]
