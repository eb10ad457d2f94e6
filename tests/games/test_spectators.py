"""Who may look on at a table, and how much later: over sockets, pages, the API and the admin site."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from games import services
from games.disclosure import Audience, closed_to, shown
from games.models import Game, Record, Spectating
from players.errors import Conflict
from players.models import User
from tests.games.conftest import Line, Person, any_action
from tests.processes import WebServer

ANIMALS = {"animals": ["bear", "cat", "dog"]}
FIVE = ("Ana", "Bo", "Cy", "Di", "Ed")
"""With five nobody can win before the sixth turn."""


@given(
    st.lists(st.integers(0, 10_000), max_size=20).map(sorted),
    st.integers(0, 20_000),
    st.integers(0, 5_000),
    st.integers(0, 5),
    st.booleans(),
    st.booleans(),
)
def test_spectators_never_know_what_is_too_new(
    times: list[int], now: int, delay_ms: int, delay_moves: int, is_over: bool, shown_at_end: bool
) -> None:
    audience = Audience(delay_ms=delay_ms, delay_moves=delay_moves, shown_at_end=shown_at_end)
    number = audience.shown_number(times, now, is_over=is_over)
    if is_over and shown_at_end:
        assert number == len(times)
        return
    assert all(at + delay_ms <= now for at in times[:number])
    assert is_over or number <= max(0, len(times) - delay_moves)
    later = audience.shown_number(times, now + 30_000, is_over=True)
    assert later == len(times), "in the end everything is shown"


def _play(seats: dict[int, Line], moves: int) -> None:
    """Let the seats play ``moves`` records, each hearing of all of them."""
    for number in range(moves):
        for line in seats.values():
            line.until(number)
        at_turn = next(line for line in seats.values() if line.state["options"])
        answer = at_turn.act(any_action(at_turn.state), message_id=f"m{number}")
        assert answer["type"] == "ack", answer
    for line in seats.values():
        line.until(moves)


def _end(seats: dict[int, Line]) -> int:
    """Let seats resign until the game is over (it may be a draw before one is left), and return its last number."""
    number = 0
    for seat, line in seats.items():
        if line.until(number)["status"] == "finished":
            break
        answer = line.act({"type": "resign"}, message_id=f"r{seat}")
        assert answer["type"] == "ack", answer
        number = int(answer["n"])
    return number


def _public(state: dict[str, Any]) -> dict[str, Any]:
    return {key: state[key] for key in ("n", "hash", "status", "view", "log", "closed")}


def test_spectators_see_the_game_as_it_was_some_moves_ago(
    web_server: WebServer, person: Callable[[str], Person], deal: Callable[..., Game], line: Callable[..., Line]
) -> None:
    people = [person(name) for name in FIVE]
    game = deal(*people, audience=Audience(delay_moves=2))
    seats = {number: line(web_server, game, one) for number, one in enumerate(people)}
    for one in seats.values():
        one.hello()
    watcher = line(web_server, game)
    assert watcher.hello()["n"] == 0
    _play(seats, 4)
    assert watcher.until(2)["n"] == 2
    fresh = line(web_server, game).hello()
    assert _public(watcher.state) == _public(fresh)
    assert fresh["hash"] != seats[0].state["hash"]
    assert all(message.get("n", 0) <= 2 for message in watcher.heard)
    refused = watcher.act({"type": "resign"}, message_id="x")
    assert (refused["code"], refused["n"]) == ("not-seated", 2), "a refusal tells no more either"
    # The end lifts a delay in moves: no move will follow.
    last = _end(seats)
    assert watcher.until(last)["status"] == "finished"
    assert _public(watcher.state) == _public(line(web_server, game).hello())


def test_spectators_see_the_game_as_it_was_some_time_ago_after_its_end_too(
    web_server: WebServer, person: Callable[[str], Person], deal: Callable[..., Game], line: Callable[..., Line]
) -> None:
    people = [person(name) for name in FIVE]
    delay_ms = 3_000
    game = deal(*people, audience=Audience(delay_ms=delay_ms))
    seats = {number: line(web_server, game, one) for number, one in enumerate(people)}
    for one in seats.values():
        one.hello()
    watcher = line(web_server, game)
    watcher.hello()
    _play(seats, 2)
    last = _end(seats)
    game.refresh_from_db()
    assert game.started_at is not None
    records = Record.objects.filter(game=game).order_by("number")
    times = [game.started_at + timedelta(milliseconds=record.at + delay_ms) for record in records]
    late = line(web_server, game).hello()
    page = Client().get(f"/api/v1/games/{game.pk}/").json()["status"]
    public = sum(at <= timezone.now() for at in times)
    assert late["n"] <= public
    assert public == last or (late["status"], page) == ("running", "running")
    # Updates come one record after the other, each in its time, and lead to what a fresh socket gets.
    while (number := watcher.state["n"]) < last:
        assert number == 0 or times[number - 1] <= timezone.now()
        watcher.next()
    assert times[-1] <= timezone.now()
    assert watcher.state["status"] == "finished"
    assert _public(watcher.state) == _public(line(web_server, game).hello())
    assert watcher.state["log"][-1]["n"] == last


def test_who_plays_in_the_event_sees_other_tables_after_their_own_game(
    web_server: WebServer, person: Callable[[str], Person], deal: Callable[..., Game], line: Callable[..., Line]
) -> None:
    ana, bo, cy, di = (person(name) for name in ("Ana", "Bo", "Cy", "Di"))
    audience = Audience(spectating=Spectating.AFTER_OWN, circle="tournament.7")
    game, own = deal(ana, bo, rules=ANIMALS, audience=audience), deal(cy, di, rules=ANIMALS, audience=audience)
    stranger, outsider = line(web_server, game), line(web_server, game, person("Eve"))
    assert stranger.hello()["closed"]["code"] == "login-first"
    assert outsider.hello()["view"]["counts"]
    player = line(web_server, game, cy)
    closed = player.hello()
    assert (closed["view"], closed["n"], closed["log"], closed["closed"]["code"]) == (None, 0, [], "own-game-first")
    seat = line(web_server, game, ana)
    seat.hello()
    assert seat.state["closed"] is None
    assert seat.state["view"]["hand"]
    services.game_forfeit(game=own, seat=1, reason="arbiter")
    opened = player.wait("state", closed=None)
    assert opened["view"]["counts"] == outsider.state["view"]["counts"]
    # And a game that begins takes the other table away again, before it is dealt.
    services.game_create(
        game="hold-my-bear", rules=ANIMALS, players=[cy.player, ana.player], audience=audience, listed=False
    )
    assert player.wait("state")["closed"]["code"] == "own-game-first"


def test_nobody_looks_on_before_the_end_where_the_event_says_so(
    web_server: WebServer, person: Callable[[str], Person], deal: Callable[..., Game], line: Callable[..., Line]
) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo, rules=ANIMALS, audience=Audience(spectating=Spectating.NOBODY))
    watcher = line(web_server, game, person("Cy"))
    assert watcher.hello()["closed"]["code"] == "not-shown"
    seat = line(web_server, game, ana)
    seat.hello()
    assert seat.act({"type": "resign"}, message_id="r")["type"] == "ack"
    ended = watcher.wait("state", closed=None)
    assert (ended["status"], ended["n"]) == ("finished", 1)
    assert all(message["type"] != "update" for message in watcher.heard)


def _aged(game: Game, milliseconds: int) -> None:
    """Let ``game`` have begun, and ended, so much earlier."""
    earlier = timedelta(milliseconds=milliseconds)
    game.refresh_from_db()
    ended = None if game.finished_at is None else game.finished_at - earlier
    Game.objects.filter(pk=game.pk).update(started_at=(game.started_at or timezone.now()) - earlier, finished_at=ended)
    game.refresh_from_db()


def test_the_delay_holds_on_pages_api_and_in_the_admin_site(
    person: Callable[[str], Person], deal: Callable[..., Game]
) -> None:
    ana, bo, staff = person("Ana"), person("Bo"), person("Sam")
    User.objects.filter(pk=staff.user.pk).update(is_staff=True, is_superuser=True)
    game = deal(ana, bo, audience=Audience(delay_ms=60_000))
    services.game_forfeit(game=game, seat=1, reason="arbiter")
    game.refresh_from_db()
    places = f'"places":{game.places}'.replace(" ", "")
    addresses = [
        f"/games/{game.pk}/transcript.json",
        f"/api/v1/games/{game.pk}/transcript/",
        f"/api/v1/games/{game.pk}/",
    ]
    seed = bytes(game.server_seed).hex()
    for client in (Client(), staff.client):
        for address in addresses:
            text = client.get(address).content.decode()
            assert seed not in text, address
            assert "arbiter" not in text, address
            assert places not in text.replace(" ", ""), address
        data = client.get(addresses[2]).json()
        assert (data["status"], data["record_count"], data["finished_at"]) == ("running", 0, None)
        assert {seat["place"] for seat in data["seats"]} == {None}
        assert client.get(f"/games/{game.pk}/verify/").status_code == 409
        assert 'data-status="running"' in client.get(f"/games/{game.pk}/").content.decode()
    row = staff.client.get(f"/admin/games/game/{game.pk}/change/").content.decode()
    assert seed not in row
    assert "secret until" in row
    records = staff.client.get("/admin/games/record/")
    assert records.status_code == 200
    assert str(game.pk) not in records.content.decode()
    # To whoever only looks on it is in play.
    in_play, _, ended = staff.client.get("/admin/").content.decode().partition("Newest games")
    assert str(game.pk) in in_play
    assert "1 record" not in in_play
    assert str(game.pk) not in ended
    # Who sat there knows at once.
    assert ana.client.get(addresses[2]).json()["status"] == "finished"
    assert ana.client.get(addresses[0]).json()["fairness"]["server_seed"] == seed
    assert ana.client.get(f"/games/{game.pk}/verify/").status_code == 200
    _aged(game, 61_000)
    assert Client().get(addresses[1]).json()["fairness"]["server_seed"] == seed
    assert Client().get(addresses[2]).json()["status"] == "finished"
    assert str(game.pk)[:8] in staff.client.get("/admin/games/record/").content.decode()
    assert seed in staff.client.get(f"/admin/games/game/{game.pk}/change/").content.decode()


def test_a_delayed_transcript_grows_with_time_and_always_verifies(
    person: Callable[[str], Person], deal: Callable[..., Game]
) -> None:
    ana, bo, cy = person("Ana"), person("Bo"), person("Cy")
    game = deal(ana, bo, cy, audience=Audience(delay_ms=60_000, delay_moves=1))
    services.game_forfeit(game=game, seat=1, reason="arbiter")
    assert services.transcript(game, None)["records"] == []
    _aged(game, 61_000)
    assert services.transcript(game, None)["records"] == [], "one move must follow"
    services.game_forfeit(game=game, seat=2, reason="arbiter")
    game.refresh_from_db()
    assert Record.objects.filter(game=game).count() == 2
    document = services.transcript(game, None)
    assert len(document["records"]) == 1, "the last record is a minute away"
    assert (document["outcome"]["status"], document["fairness"]["server_seed"]) == ("running", None)
    assert shown(game, None).status == "running"
    assert len(services.transcript(game, cy.player)["records"]) == 2


@pytest.mark.parametrize("spectating", [Spectating.NOBODY, Spectating.AFTER_OWN])
def test_a_closed_table_has_no_transcript_for_spectators(
    person: Callable[[str], Person], deal: Callable[..., Game], spectating: str
) -> None:
    ana, bo, cy = person("Ana"), person("Bo"), person("Cy")
    audience = Audience(spectating=spectating, circle="tournament.1")
    game, own = deal(ana, bo, audience=audience), deal(cy, person("Di"), audience=audience)
    for client in (Client(), cy.client):
        for address in (f"/games/{game.pk}/transcript.json", f"/api/v1/games/{game.pk}/transcript/"):
            assert client.get(address).status_code == 409, address
    assert ana.client.get(f"/games/{game.pk}/transcript.json").status_code == 200
    services.game_forfeit(game=own, seat=1, reason="arbiter")
    if spectating == Spectating.AFTER_OWN:
        assert closed_to(game, cy.player) is None
        assert cy.client.get(f"/games/{game.pk}/transcript.json").status_code == 200
    services.game_forfeit(game=game, seat=1, reason="arbiter")
    game.refresh_from_db()
    assert Client().get(f"/games/{game.pk}/transcript.json").json()["outcome"]["status"] == "finished"
    with pytest.raises(Conflict):
        services.transcript(services.game_create(game="hold-my-bear", rules={}, players=[None, None]), None)


def test_lists_narrowed_by_an_address_tell_nothing_that_they_do_not_show(
    person: Callable[[str], Person], deal: Callable[..., Game]
) -> None:
    ana, bo, staff = person("Ana"), person("Bo"), person("Sam")
    User.objects.filter(pk=staff.user.pk).update(is_staff=True, is_superuser=True)
    game = deal(ana, bo, audience=Audience(delay_ms=60_000))
    services.game_forfeit(game=game, seat=1, reason="arbiter")
    first = bytes(game.server_seed).hex()[0]
    for query in (
        f"server_seed__startswith=%5Cx{first}",
        f"server_seed__regex={first}",
        "server_seed=AAAA",
        "status__exact=finished",
        "places__isnull=False",
        "finished_at__isnull=False",
        "record_count__gte=1",
        "deal_group__server_seed__regex=4",
    ):
        assert staff.client.get(f"/admin/games/game/?{query}").status_code == 400, query
    assert staff.client.get(f"/admin/games/dealgroup/?server_seed__regex={first}").status_code == 400
    address = f"/admin/games/game/{game.pk}/change/"
    assert address in staff.client.get("/admin/games/game/?stands=running&game__exact=hold-my-bear").content.decode()
    assert address not in staff.client.get("/admin/games/game/?stands=over").content.decode()
    assert f"/games/{game.pk}/" in Client().get("/lobby/").content.decode()
    assert f"/games/{game.pk}/" not in ana.client.get("/lobby/").content.decode()
    Game.objects.filter(pk=game.pk).update(spectator_delay_ms=0)
    assert address in staff.client.get("/admin/games/game/?stands=over").content.decode()
    assert f"/games/{game.pk}/" not in Client().get("/lobby/").content.decode()
