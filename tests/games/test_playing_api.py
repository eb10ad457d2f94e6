"""Programs: tables over the API with a key, sockets by ticket, and that both end with the key."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from websockets.sync.client import connect

from games.live.tickets import TICKET_BYTES
from games.models import Game, Record
from games.services import game_create
from players.models import ApiKey, Player
from players.programs import api_key_create, api_key_revoke, bot_account_create
from tests.games.conftest import SECONDS, Line, Person, any_action
from tests.processes import WebServer

type People = Callable[[str], Person]
type Open = Callable[..., Line]


@dataclass(frozen=True)
class Program:
    """A bot account with a key, and a client that shows it."""

    player: Player
    key: ApiKey
    owner: Person
    headers: dict[str, str]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return the answer of the API."""
        send = getattr(Client(headers=self.headers), method)
        if method == "get":
            return send(f"/api/v1/{path}")
        return send(f"/api/v1/{path}", data=json.dumps(body or {}), content_type="application/json")

    def ticket(self, game: Game) -> str:
        """Return the address of a socket to ``game``."""
        answer = self.ask("post", f"games/{game.pk}/ticket/")
        assert answer.status_code == 201, answer.content
        address: str = answer.json()["address"]
        return address


@pytest.fixture
def program(person: People) -> Callable[[str], Program]:
    """A function that makes a bot account with a key."""

    def make(name: str) -> Program:
        owner = person(f"{name}s-owner")
        bot = bot_account_create(owner=owner.user, name=name)
        key, text = api_key_create(player=bot, by=owner.user, name="test")
        return Program(bot, key, owner, {"Authorization": f"Bearer {text}"})

    return make


type Programs = Callable[[str], Program]


class Plain(Line):
    """A program's socket: no cookie, no Origin header."""

    def __init__(self, server: WebServer, address: str) -> None:
        self._open = ExitStack()
        opening = connect(f"{server.socket_url}{address}", compression=None, open_timeout=SECONDS)
        self.socket = self._open.enter_context(opening)
        self.heard: list[dict[str, Any]] = []
        self.state: dict[str, Any] = {}


@pytest.mark.django_db
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer bearena_nothing"}, {"Authorization": "Basic eDp5"}])
def test_without_a_good_key_nothing_is_answered(valkey: object, headers: dict[str, str]) -> None:
    game = game_create(game="hold-my-bear", rules={}, players=[None, None])
    for method, path in (("post", "games/"), ("get", "games/mine/"), ("post", f"games/{game.pk}/ticket/")):
        answer = getattr(Client(headers=headers), method)(f"/api/v1/{path}")
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"] == "Bearer"
        assert answer.json()["error"]["code"] in {"login-required", "bad-credentials"}
    assert Game.objects.count() == 1


def test_a_session_is_no_key(valkey: object, person: People) -> None:
    assert person("Ana").client.post("/api/v1/games/").status_code == 401


def test_a_key_is_for_playing_alone(valkey: object, program: Programs) -> None:
    """Elsewhere it does not stand for its maker."""
    robot = program("Robot")
    assert Client(headers=robot.headers).get("/account/").status_code == 302
    ApiKey.objects.update(scopes=["other"])
    assert robot.ask("get", "games/mine/").status_code == 403


def test_a_table_from_opening_to_the_deal(valkey: object, program: Programs) -> None:
    robot, other = program("Robot"), program("Other")
    made = robot.ask("post", "games/", {"game": "hold-my-bear", "seats": 3, "bots": ["greedy"], "bank_ms": 60_000})
    assert made.status_code == 201
    table = made.json()
    assert [(seat["name"], seat["bot"], seat["ready"]) for seat in table["seats"]] == [
        ("Robot", True, False),
        (table["seats"][1]["name"], True, True),
        (None, False, False),
    ]
    assert (table["rated"], table["status"], table["bank_ms"]) == (False, "seating", 60_000)
    assert [game["id"] for game in other.ask("get", "games/").json()] == [table["id"]]
    here = f"games/{table['id']}"
    assert other.ask("post", f"{here}/bot/", {"number": 2, "level": "random"}).status_code == 403
    for _ in range(2):
        assert other.ask("post", f"{here}/seat/").json()["seats"][2]["name"] == "Other"
    assert other.ask("delete", f"{here}/seat/").json()["seats"][2]["name"] is None
    assert other.ask("post", f"{here}/seat/", {"number": 0}).json()["error"]["code"] == "seat-taken"
    assert other.ask("post", f"{here}/seat/", {"number": 2}).status_code == 200
    assert [game["id"] for game in other.ask("get", "games/mine/").json()] == [table["id"]]
    assert other.ask("post", f"{here}/ready/", {"client_seed": "x" * 65}).status_code == 400
    assert other.ask("post", f"{here}/ready/", {"client_seed": "letters"}).json()["status"] == "seating"
    assert robot.ask("post", f"{here}/ready/").json()["status"] == "running"
    assert Game.objects.get().seat_set.get(number=2).client_seed == "letters"
    assert other.ask("get", "games/").json() == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"game": "chess", "seats": 2},
        {"game": "hold-my-bear", "seats": 9},
        {"game": "hold-my-bear", "seats": 2, "bots": ["greedy", "greedy"]},
        {"game": "hold-my-bear", "seats": 2, "bots": ["program"]},
        {"game": "hold-my-bear", "seats": 2, "rules": {"animals": ["dragon"]}},
        {"game": "hold-my-bear", "seats": 2, "rules": []},
        {"game": "hold-my-bear", "seats": 2, "bank_ms": 1},
    ],
)
def test_tables_that_cannot_be_are_refused(valkey: object, program: Programs, body: dict[str, Any]) -> None:
    answer = program("Robot").ask("post", "games/", body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]
    assert not Game.objects.exists()


def test_a_bot_account_does_not_sit_down_at_a_rated_table(valkey: object, program: Programs, person: People) -> None:
    robot, ana = program("Robot"), person("Ana")
    game = game_create(game="hold-my-bear", rules={}, players=[ana.player, None], created_by=ana.player)
    answer = robot.ask("post", f"games/{game.pk}/seat/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "bots-not-rated")
    assert not game.seat_set.filter(player=robot.player).exists()


def test_so_many_open_tables_and_no_more(valkey: object, program: Programs, settings: Any) -> None:
    settings.OPEN_TABLES_A_PLAYER = 2
    robot = program("Robot")
    body = {"game": "hold-my-bear", "seats": 2}
    answers = [robot.ask("post", "games/", body) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 409]
    assert answers[2].json()["error"]["code"] == "too-many-tables"
    assert Game.objects.count() == 2


def test_a_key_asks_so_often_and_no_more(valkey: object, program: Programs, settings: Any) -> None:
    settings.API_REQUESTS_A_MINUTE = 3
    robot, other = program("Robot"), program("Other")
    answers = [robot.ask("get", "games/mine/") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[3].json()["error"]["code"] == "too-many-requests"
    assert int(answers[3]["Retry-After"]) > 0
    assert other.ask("get", "games/mine/").status_code == 200


def test_a_program_plays_by_ticket(web_server: WebServer, valkey: object, program: Programs, person: People) -> None:
    robot = program("Robot")
    game = game_create(game="hold-my-bear", rules={}, players=[robot.player, None], rated=False)
    robot.ask("post", f"games/{game.pk}/seat/")
    other = program("Other")
    other.ask("post", f"games/{game.pk}/seat/")
    for one in (robot, other):
        one.ask("post", f"games/{game.pk}/ready/")
    address = robot.ticket(game)
    lines = [Plain(web_server, address), Plain(web_server, other.ticket(game))]
    seats = [line.hello()["seats"] for line in lines]
    assert [line.state["seat"] for line in lines] == [0, 1]
    assert [seat["bot"] for seat in seats[0]] == [True, True]
    acting = next(line for line in lines if line.state["options"])
    assert acting.act(any_action(acting.state), message_id="a")["type"] == "ack"
    # Once is once: the ticket in a proxy's log opens nothing.
    assert Plain(web_server, address).close_code() == 4401
    ticket = address.partition("ticket=")[2]
    assert ticket not in web_server.log.read_text()
    for line in lines:
        line.close()


def test_bad_tickets_open_nothing(web_server: WebServer, valkey: Any, program: Programs, person: People) -> None:
    robot, ana = program("Robot"), person("Ana")
    game = game_create(game="hold-my-bear", rules={}, players=[robot.player, ana.player], rated=False)
    other = game_create(game="hold-my-bear", rules={}, players=[robot.player, ana.player], rated=False)
    ticket = robot.ticket(game).partition("?")[2]
    assert Plain(web_server, f"/ws/games/{other.pk}/?{ticket}").close_code() == 4401
    assert Plain(web_server, f"/ws/games/{game.pk}/?{ticket}").close_code() == 4401, "used up by the wrong game"
    for text in ("", "x", "%00", "a" * 3000):
        assert Plain(web_server, f"/ws/games/{game.pk}/?ticket={text}").close_code() == 4401
    # A cookie does not help a socket that comes with a ticket.
    with_cookie = Line(web_server, f"/ws/games/{game.pk}/?ticket=x", ana)
    assert with_cookie.close_code() == 4401
    with_cookie.close()
    assert valkey.keys("bearena:ticket:*") == []


def test_a_ticket_lasts_as_long_as_the_settings_say(valkey: Any, program: Programs) -> None:
    robot = program("Robot")
    game = game_create(game="hold-my-bear", rules={}, players=[robot.player, None], rated=False)
    answer = robot.ask("post", f"games/{game.pk}/ticket/")
    assert answer["Cache-Control"] == "no-store"
    assert len(answer.json()["ticket"]) >= TICKET_BYTES
    [place] = valkey.keys("bearena:ticket:*")
    assert answer.json()["ticket"].encode() not in place + valkey.get(place)
    assert 0 < valkey.ttl(place) <= settings.TICKET_SECONDS == answer.json()["seconds"]


@pytest.mark.parametrize("end", ["revoked", "expired", "blocked", "of no use"])
def test_the_right_of_a_ticket_ends_with_its_key(
    web_server: WebServer, valkey: object, program: Programs, end: str
) -> None:
    robot, other = program("Robot"), program("Other")
    game = game_create(game="hold-my-bear", rules={}, players=[robot.player, other.player], rated=False)
    for one in (robot, other):
        one.ask("post", f"games/{game.pk}/ready/")
    lines = [Plain(web_server, one.ticket(game)) for one in (robot, other)]
    unused = [one.ticket(game) for one in (robot, other)]
    for line in lines:
        line.hello()
    acting = 0 if lines[0].state["options"] else 1
    ended = (robot, other)[acting]
    if end == "revoked":
        api_key_revoke(key=ended.key, by=ended.owner.user)
    elif end == "expired":
        ApiKey.objects.filter(pk=ended.key.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    elif end == "blocked":
        ended.owner.user.is_active = False
        ended.owner.user.save()
    else:
        ApiKey.objects.filter(pk=ended.key.pk).update(scopes=["other"])
    action = any_action(lines[acting].state)
    lines[acting].send({"type": "act", "id": "late", "seen": 0, "action": action})
    assert lines[acting].close_code() == 4401
    assert not Record.objects.filter(game=game).exists()
    assert Plain(web_server, unused[acting]).close_code() == 4401
    assert ended.ask("post", f"games/{game.pk}/ticket/").status_code in {401, 403}
    # The other one plays on.
    assert lines[1 - acting].act({"type": "resign"}, message_id="r")["type"] == "ack"
    for line in lines:
        line.close()


def test_any_game_may_be_watched_by_ticket(web_server: WebServer, valkey: object, program: Programs) -> None:
    game = game_create(game="hold-my-bear", rules={}, players=[None, None], rated=False)
    line = Plain(web_server, program("Robot").ticket(game))
    assert line.hello()["seat"] is None
    assert line.act({"type": "resign"}, message_id="x")["code"] == "not-seated"
    line.close()
