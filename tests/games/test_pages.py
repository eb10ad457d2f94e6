"""Pages, API and admin of games."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.test import Client

from games import services
from games.engine import canonical, read_json, verify
from games.models import Game, GameStatus, Record
from games.observing import register
from players.models import Player, User
from tests.games.conftest import Person

pytestmark = pytest.mark.django_db

type People = Callable[[str], Person]
type Deal = Callable[..., Game]


def open_table(*players: Player | None, **more: object) -> Game:
    return services.game_create(**{"game": "hold-my-bear", "rules": {}, "players": players, **more})


def test_the_table_is_for_everybody_and_shows_no_card(person: People, deal: Deal, client: Client) -> None:
    ana = person("Ana")
    game = deal(ana, bots=2)
    seed = bytes(game.server_seed).hex()
    for who in (client, ana.client):
        response = who.get(f"/games/{game.pk}/")
        assert response.status_code == 200
        page = response.content.decode()
        assert game.commitment in page
        assert seed not in page
        assert "bear-" not in page.replace("hold-my-bear-", "").replace("hold-my-bear", "")
    assert ana.client.get(f"/games/{game.pk}/").context["my_seat"] == 0
    assert client.get(f"/games/{game.pk}/").context["my_seat"] is None
    assert client.get("/games/00000000-0000-4000-8000-000000000000/").status_code == 404


def test_script_in_a_name_is_text(person: People, client: Client) -> None:
    ana = person("Ana")
    Player.objects.filter(pk=ana.player.pk).update(name="<script>alert(1)</script>")
    game = open_table(ana.player, None, created_by=ana.player)
    page = client.get(f"/games/{game.pk}/").content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_from_the_open_table_to_the_deal_by_pages(person: People) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = open_table(ana.player, None, None, created_by=ana.player)
    at = f"/games/{game.pk}"
    for _ in range(2):  # every click doubled
        assert bo.client.post(f"{at}/take/", {"number": 1}).status_code == 302
    assert ana.client.post(f"{at}/bot/", {"number": 2, "level": "greedy"}).status_code == 302
    assert ana.client.post(f"{at}/bot/", {"number": 2, "level": "greedy"}).status_code == 409
    assert ana.client.post(f"{at}/seed/", {"client_seed": "a b "}, headers={"HX-Request": "true"}).status_code == 204
    for _ in range(2):
        assert ana.client.post(f"{at}/ready/").status_code == 302
    assert bo.client.post(f"{at}/ready/", {"client_seed": "bo"}).status_code == 302
    assert bo.client.post(f"{at}/ready/").status_code == 302
    game.refresh_from_db()
    assert game.status == GameStatus.RUNNING
    assert list(game.seat_set.values_list("client_seed", flat=True)) == ["a b ", "bo", ""]
    assert ana.client.post(f"{at}/cancel/").status_code == 409


@pytest.mark.parametrize("deed", ["take", "leave", "bot", "seed", "ready", "cancel"])
def test_only_who_is_logged_in_by_post_with_a_player_changes_anything(
    deed: str, person: People, client: Client
) -> None:
    ana = person("Ana")
    game = open_table(ana.player, None, created_by=ana.player)
    before = list(game.seat_set.values())
    path, data = f"/games/{game.pk}/{deed}/", {"number": 1, "level": "greedy", "client_seed": "x"}
    response = client.post(path, data)
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")
    assert ana.client.get(path).status_code == 405
    nobody = User.objects.create_user("nobody@people.example", "a long password")
    client.force_login(nobody)
    assert client.post(path, data).status_code == 403
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana.user)
    assert strict.post(path, data).status_code == 403
    game.refresh_from_db()
    assert game.status == GameStatus.SEATING
    assert list(game.seat_set.values()) == before


@pytest.mark.parametrize(
    ("deed", "data"),
    [
        ("take", {}),
        ("take", {"number": "two"}),
        ("take", {"number": 99}),
        ("bot", {"number": 1, "level": "genius"}),
        ("seed", {"client_seed": "x" * 65}),
        ("seed", {"client_seed": "ü" * 40}),
    ],
)
def test_bad_input_is_refused_with_a_sentence(deed: str, data: dict[str, object], person: People) -> None:
    ana = person("Ana")
    game = open_table(ana.player, None, created_by=ana.player)
    response = ana.client.post(f"/games/{game.pk}/{deed}/", data)
    assert response.status_code == 400
    assert game.seat_set.get(number=0).client_seed == ""


def test_the_transcript_downloads_and_verifies(person: People, deal: Deal, client: Client) -> None:
    game = deal(person("Ana"), person("Bo"))
    running = client.get(f"/games/{game.pk}/transcript.json")
    assert json.loads(running.content)["fairness"]["server_seed"] is None
    assert client.get(f"/games/{game.pk}/verify/").status_code == 409
    services.game_forfeit(game=game, seat=0, reason="left")
    response = client.get(f"/games/{game.pk}/transcript.json")
    assert response["Content-Disposition"] == f'attachment; filename="hold-my-bear-{game.pk}.json"'
    document = read_json(response.content)
    assert canonical(document) == response.content
    report = verify(document)
    assert report.ok
    assert report.complete
    page = client.get(f"/games/{game.pk}/verify/")
    assert page.status_code == 200
    assert page.context["report"].ok
    assert client.get(f"/games/{open_table(None, None).pk}/transcript.json").status_code == 409


def test_the_api_tells_what_is_public(person: People, deal: Deal, client: Client) -> None:
    ana = person("Ana")
    game = deal(ana, bots=1)
    data = client.get(f"/api/v1/games/{game.pk}/").json()
    assert data["commitment"] == game.commitment
    assert "server_seed" not in json.dumps(data)
    assert data["seats"][0] == {"number": 0, "name": "Ana", "slug": "ana", "bot": False, "ready": True, "place": None}
    assert data["seats"][1]["bot"] is True
    assert client.get(f"/api/v1/games/{game.pk}/transcript/").json()["fairness"]["server_seed"] is None
    services.game_forfeit(game=game, seat=1, reason="arbiter")
    data = client.get(f"/api/v1/games/{game.pk}/").json()
    assert [seat["place"] for seat in data["seats"]] == [1, 2]
    assert verify(client.get(f"/api/v1/games/{game.pk}/transcript/").json()).ok
    opened = open_table(ana.player, None)
    refused = client.get(f"/api/v1/games/{opened.pk}/transcript/")
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "not-dealt"
    assert client.get(f"/api/v1/games/{opened.pk}/").json()["seats"][1]["name"] is None
    missing = client.get("/api/v1/games/00000000-0000-4000-8000-000000000000/")
    assert missing.status_code == 404
    assert client.delete(f"/api/v1/games/{game.pk}/").status_code in {403, 405}


def test_the_admin_only_looks_and_keeps_the_secret(person: People, deal: Deal, client: Client) -> None:
    game = deal(person("Ana"), person("Bo"), person("Cy"))
    services.game_forfeit(game=game, seat=1, reason="left")
    client.force_login(User.objects.create_superuser("root@people.example", "a long password"))
    record = Record.objects.get()
    game_path, record_path = f"/admin/games/game/{game.pk}/change/", f"/admin/games/record/{record.pk}/change/"
    secret = bytes(game.server_seed).hex()
    for path in (
        "/admin/games/game/",
        "/admin/games/record/",
        f"/admin/games/record/?q={game.pk}",
        game_path,
        record_path,
    ):
        response = client.get(path)
        assert response.status_code == 200, path
        assert secret not in response.content.decode()
    assert client.get("/admin/games/record/?q=nonsense").status_code == 200
    for path in (game_path, record_path):
        assert client.post(path, {"status": "void"}).status_code == 403
    assert client.get("/admin/games/game/add/").status_code == 403
    assert client.post(f"/admin/games/game/{game.pk}/delete/", {"post": "yes"}).status_code == 403
    services.game_forfeit(game=game, seat=2, reason="left")
    assert secret in client.get(game_path).content.decode()


def test_others_may_add_to_the_page_without_being_known(person: People, client: Client) -> None:
    game = open_table(person("Ana").player, None)

    def know(seen: Game, player: Player | None) -> dict[str, str]:
        return {"back_url": "/somewhere/", "back_label": "The final"} if seen.pk == game.pk else {}

    register(know)
    register(know)
    page = client.get(f"/games/{game.pk}/")
    assert page.context["game_context"] == {"back_url": "/somewhere/", "back_label": "The final"}
    assert "The final" in page.content.decode()
