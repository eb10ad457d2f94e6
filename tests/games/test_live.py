"""Play over real sockets to a real web server."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from games.models import Game, GameStatus, Record
from games.services import game_create, game_verify, seat_ready
from tests.games.conftest import SECONDS, Line, Person, any_action
from tests.processes import WebServer

type People = Callable[[str], Person]
type Deal = Callable[..., Game]
type Open = Callable[..., Line]


def at_turn(*lines: Line) -> tuple[Line, list[Line]]:
    """Return the line whose seat must act, and the others; all have said hello."""
    acting = next(line for line in lines if line.state["options"])
    return acting, [line for line in lines if line is not acting]


def test_two_people_play_to_the_end(web_server: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    lines = [line(web_server, game, ana), line(web_server, game, bo)]
    for one in lines:
        one.hello()
    number = 0
    while lines[0].state["status"] == "running":
        acting, _ = at_turn(*lines)
        answer = acting.act(any_action(acting.state), message_id=f"m{number}")
        assert answer["type"] == "ack", answer
        number += 1
        assert answer["n"] == number
        for one in lines:
            one.until(number)
        assert number < 500
    game.refresh_from_db()
    assert game.status == lines[1].state["status"]
    assert game.record_count == number == Record.objects.filter(game=game).count()
    assert game.finished_at is not None
    assert game.places == lines[0].state["view"]["outcome"]["places"]
    report = game_verify(game)
    assert report.ok
    assert report.complete
    answer = lines[0].act({"type": "resign"}, message_id="late")
    assert (answer["type"], answer["code"]) == ("refused", "game-over")


def test_bots_play_with_a_person(web_server: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana = person("Ana")
    game = deal(ana, bots=3)
    mine = line(web_server, game, ana)
    mine.hello()
    moves = 0
    while mine.state["status"] == "running":
        if mine.state["options"]:
            moves += 1
            answer = mine.act(any_action(mine.state), message_id=f"m{moves}")
            assert answer["type"] == "ack", answer
            mine.until(answer["n"])
        else:
            mine.next()
    game.refresh_from_db()
    assert game.status in {GameStatus.FINISHED, GameStatus.DRAWN}
    assert game_verify(game).ok


def test_bots_alone_play_to_the_end(web_server: WebServer, deal: Deal) -> None:
    games = [deal(bots=4, level=level) for level in ("greedy", "random", "search")]
    end = time.monotonic() + 30
    while Game.objects.played().count() < len(games):
        assert time.monotonic() < end, "bots did not finish"
        time.sleep(0.1)
    for game in games:
        game.refresh_from_db()
        assert game_verify(game).ok


def test_every_refusal_has_its_code_and_changes_nothing(
    web_server: WebServer, person: People, deal: Deal, line: Open
) -> None:
    ana, bo, spectator = person("Ana"), person("Bo"), person("Cy")
    game = deal(ana, bo)
    lines = [line(web_server, game, ana), line(web_server, game, bo)]
    watcher, nobody = line(web_server, game, spectator), line(web_server, game)
    for one in (*lines, watcher, nobody):
        one.hello()
    acting, [other] = at_turn(*lines)
    action = any_action(acting.state)
    assert other.act(action, message_id="a")["code"] == "not-your-turn"
    assert watcher.act(action, message_id="b")["code"] == "not-seated"
    assert nobody.act({"type": "resign"}, message_id="c")["code"] == "not-seated"
    assert acting.act({"type": "play", "cards": ["walrus-5"]}, message_id="d")["code"] == "illegal-action"
    forfeit = {"type": "forfeit", "seat": other.state["seat"], "reason": "left"}
    assert acting.act(forfeit, message_id="e")["code"] == "illegal-action"
    assert acting.act({"type": "void", "reason": "x"}, message_id="f")["code"] == "illegal-action"
    assert acting.act(action, message_id="g", seen=7)["code"] == "stale"
    for text in ("{", "[]", '{"type": "act"}', '{"type": "hello", "seen": -1}', '{"type": "ping", "id": "\\u0000"}'):
        acting.socket.send(text)
        assert acting.wait("refused")["code"] == "bad-message"
    acting.socket.send(b"\x00\x01")
    assert acting.wait("refused")["code"] == "bad-message"
    assert not Record.objects.filter(game=game).exists()
    assert acting.act(action, message_id="h")["type"] == "ack"
    assert acting.act(action, message_id="i", seen=0)["code"] == "stale"
    assert Record.objects.filter(game=game).count() == 1


def test_a_repeated_message_is_done_once(
    start_web_server: Callable[[], WebServer], person: People, deal: Deal, line: Open
) -> None:
    web_server = start_web_server()
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    lines = [line(web_server, game, ana), line(web_server, game, bo)]
    for one in lines:
        one.hello()
    acting, _ = at_turn(*lines)
    action = any_action(acting.state)
    for _ in range(3):
        acting.send({"type": "act", "id": "same", "seen": 0, "action": action})
    acks = [acting.wait("ack", id="same") for _ in range(3)]
    assert acks[0] == acks[1] == acks[2]
    assert acks[0]["hash"] == bytes(Record.objects.get(game=game).hash).hex()
    web_server.kill()
    web_server.start()
    again = line(web_server, game, ana if acting is lines[0] else bo)
    again.hello()
    assert again.act(action, message_id="same", seen=0) == acks[0]
    assert Record.objects.filter(game=game).count() == 1


def test_check_answers_in_words_and_changes_nothing(
    web_server: WebServer, person: People, deal: Deal, line: Open
) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    lines = [line(web_server, game, ana), line(web_server, game, bo)]
    for one in lines:
        one.hello()
    acting, [other] = at_turn(*lines)
    action = any_action(acting.state)
    acting.send({"type": "check", "id": "1", "action": action})
    assert acting.wait("verdict") == {"type": "verdict", "id": "1", "ok": True, "code": None, "message": None}
    other.send({"type": "check", "id": "2", "action": action})
    verdict = other.wait("verdict")
    assert (verdict["ok"], verdict["code"]) == (False, "not-your-turn")
    assert verdict["message"]
    acting.send({"type": "ping", "id": "p"})
    assert acting.wait("pong") == {"type": "pong", "id": "p"}
    assert not Record.objects.filter(game=game).exists()


def test_cards_are_put_in_normal_order(web_server: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo, bank_ms=600_000)
    lines = [line(web_server, game, ana), line(web_server, game, bo)]
    for one in lines:
        one.hello()
    acting, _ = at_turn(*lines)
    plays = [play for play in acting.state["options"]["plays"] if len(set(play["cards"])) > 1]
    play = plays[0]
    answer = acting.act({**play, "cards": play["cards"][::-1]}, message_id="x")
    assert answer["type"] == "ack"
    assert Record.objects.get(game=game).action["cards"] == sorted(play["cards"])


def test_frames_hold_nobody_elses_cards(web_server: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana, bo, cy = person("Ana"), person("Bo"), person("Cy")
    game = deal(ana, bo, cy)
    lines = [line(web_server, game, someone) for someone in (ana, bo, cy)]
    spectator = line(web_server, game)
    for one in (*lines, spectator):
        one.hello()
    for move in range(25):
        if lines[0].state["status"] != "running":
            break
        acting, _ = at_turn(*lines)
        assert acting.act(any_action(acting.state), message_id=f"m{move}")["type"] == "ack"
        for one in (*lines, spectator):
            one.until(move + 1)
    for message in spectator.heard:
        if message["type"] in {"state", "update"}:
            assert message["view"]["hand"] is None
            assert message["view"]["seat"] is None
            assert message["options"] == {}
            assert "taken" not in str(message.get("events"))
    for seat, one in enumerate(lines):
        for message in one.heard:
            if message["type"] in {"state", "update"}:
                assert message["view"]["seat"] == seat
                assert len(message["view"]["hand"]) == message["view"]["counts"][seat]
                assert set(message["view"]) == set(spectator.state["view"])


def test_updates_lead_to_the_same_as_a_fresh_state(
    web_server: WebServer, person: People, deal: Deal, line: Open
) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    lines = [line(web_server, game, ana), line(web_server, game, bo)]
    second = line(web_server, game, ana)
    for one in (*lines, second):
        one.hello()
    for move in range(12):
        if lines[0].state["status"] != "running":
            break
        acting, _ = at_turn(*lines)
        assert acting.act(any_action(acting.state), message_id=f"m{move}")["type"] == "ack"
        for one in (*lines, second):
            one.until(move + 1)
    kept = dict(second.state)
    fresh = line(web_server, game, ana).hello()
    for state in (kept, fresh):
        for volatile in ("clock", "present", "events"):
            state.pop(volatile, None)
    assert kept == fresh
    returning = line(web_server, game, bo)
    seen = fresh["n"] // 2
    half = returning.hello(seen=seen)
    assert {entry["n"] for entry in half["log"]} == set(range(seen + 1, fresh["n"] + 1))
    assert half["view"] == lines[1].state["view"]


def test_two_servers_on_one_game(two_web_servers: list[WebServer], person: People, deal: Deal, line: Open) -> None:
    one, two = two_web_servers
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    lines = [line(one, game, ana), line(two, game, bo)]
    for each in lines:
        each.hello()
    acting, [other] = at_turn(*lines)
    # The same seat at both servers, at the same moment: one record.
    twin = line(two if acting is lines[0] else one, game, ana if acting is lines[0] else bo)
    twin.hello()
    action = any_action(acting.state)
    for sender, name in ((acting, "here"), (twin, "there")):
        sender.send({"type": "act", "id": name, "seen": 0, "action": action})
    answers = []
    for sender, name in ((acting, "here"), (twin, "there")):
        while True:
            message = sender.next()
            if message["type"] in {"ack", "refused"}:
                assert message["id"] == name
                answers.append(message)
                break
    assert sorted(answer["type"] for answer in answers) == ["ack", "refused"]
    assert [answer["code"] for answer in answers if answer["type"] == "refused"] == ["stale"]
    assert Record.objects.filter(game=game).count() == 1
    number = 1
    other.until(1)
    acting.until(1)
    while number < 20 and lines[0].state["status"] == "running":
        acting, _ = at_turn(*lines)
        assert acting.act(any_action(acting.state), message_id=f"m{number}")["type"] == "ack"
        number += 1
        for each in lines:
            each.until(number)


def test_presence_reaches_everybody(two_web_servers: list[WebServer], person: People, deal: Deal, line: Open) -> None:
    one, two = two_web_servers
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    mine = line(one, game, ana)
    assert mine.hello()["present"] == [True, False]
    theirs = line(two, game, bo)
    theirs.hello()
    mine.wait("presence", present=[True, True])
    theirs.close()
    mine.wait("presence", present=[True, False])


def test_waiting_room_moves_by_itself(web_server: WebServer, person: People, line: Open) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = game_create(game="hold-my-bear", rules={}, players=[ana.player, None], created_by=ana.player)
    mine = line(web_server, game, ana)
    state = mine.hello()
    assert (state["status"], state["view"], state["seat"]) == ("seating", None, 0)
    theirs = line(web_server, game, bo)
    assert theirs.hello()["seat"] is None
    response = bo.client.post(f"/games/{game.pk}/take/", {"number": 1}, headers={"HX-Request": "true"})
    assert response.status_code == 204
    state = mine.wait("state")
    assert [seat["name"] for seat in state["seats"]] == ["Ana", "Bo"]
    assert theirs.wait("state")["seat"] == 1
    for someone in (ana, bo):
        seat_ready(game=game, player=someone.player)
    for one in (mine, theirs):
        while one.state["status"] == "seating":
            one.next()
        assert len(one.state["view"]["hand"]) > 0


def test_a_socket_ends_with_its_session(web_server: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    mine = line(web_server, game, ana)
    mine.hello()
    watching = line(web_server, None, ana, path="/ws/watch/?topic=lobby")
    ana.client.logout()
    assert mine.close_code() == 4401
    again = line(web_server, game, ana)
    assert again.hello()["seat"] is None, "a cookie of an ended session is a spectator's"
    watching.close()


def test_an_action_after_the_session_ended_is_refused(
    web_server: WebServer, person: People, deal: Deal, line: Open
) -> None:
    from django.contrib.sessions.models import Session

    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    lines = [line(web_server, game, ana), line(web_server, game, bo)]
    for one in lines:
        one.hello()
    acting, _ = at_turn(*lines)
    # No signal, no announcement: only the statement that stores the record can know.
    Session.objects.all().delete()
    acting.send({"type": "act", "id": "x", "seen": 0, "action": any_action(acting.state)})
    assert acting.close_code() == 4401
    assert not Record.objects.filter(game=game).exists()


@pytest.mark.parametrize("change", ["password", "inactive"])
def test_a_changed_account_cannot_act_any_more(
    change: str, web_server: WebServer, person: People, deal: Deal, line: Open
) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    mine = line(web_server, game, ana)
    mine.hello()
    if change == "password":
        ana.user.set_password("quite another one")
    else:
        ana.user.is_active = False
    ana.user.save()
    mine.send({"type": "act", "id": "x", "seen": 0, "action": {"type": "resign"}})
    assert mine.close_code() == 4401
    game.refresh_from_db()
    assert game.status == GameStatus.RUNNING


def test_what_is_closed_or_refused_at_the_door(web_server: WebServer, deal: Deal, line: Open) -> None:
    game = deal(bots=2, bank_ms=60_000)
    with pytest.raises(InvalidStatus):
        line(web_server, game, origin="https://evil.example")
    missing = line(web_server, None, path="/ws/games/00000000-0000-4000-8000-000000000000/")
    assert missing.close_code() == 4404
    assert line(web_server, None, path="/ws/watch/?topic=secrets").close_code() == 4403
    noisy = line(web_server, game)
    with contextlib.suppress(ConnectionClosed):  # it may be closed before the last of them is sent
        for _ in range(200):
            noisy.send({"type": "ping", "id": "x"})
    assert noisy.close_code() == 4429
    large = line(web_server, game)
    large.send({"type": "ping", "id": "x" * 10_000})
    assert large.close_code() == 1009


def test_watchers_hear_of_their_topics(web_server: WebServer, person: People, line: Open) -> None:
    ana = person("Ana")
    watching = line(web_server, None, path="/ws/watch/?topic=lobby&topic=nonsense&topic=tournament.7")
    other = line(web_server, None, path="/ws/watch/?topic=pool.hold-my-bear")
    watching.hears("tournament.7"), other.hears("pool.hold-my-bear")
    game_create(game="hold-my-bear", rules={}, players=[ana.player, None], created_by=ana.player)
    watching.wait("changed", topic="lobby")
    with contextlib.suppress(TimeoutError):
        while True:
            other.next(0.5)
    assert {message["topic"] for message in other.heard} == {"pool.hold-my-bear"}


def test_time_runs_out_once(two_web_servers: list[WebServer], person: People, deal: Deal, line: Open) -> None:
    one, two = two_web_servers
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo, bank_ms=1_000, increment_ms=0)
    lines = [line(one, game, ana), line(two, game, bo)]
    for each in lines:
        each.hello()
    for each in lines:
        each.until(1)
        assert each.state["status"] == "finished"
    time.sleep(0.5)
    game.refresh_from_db()
    record = Record.objects.get(game=game)
    assert record.action == {"type": "forfeit", "seat": record.action["seat"], "reason": "time"}
    assert 1_000 <= record.at < 1_000 * (1 + SECONDS)
    assert game.places[record.action["seat"]] == 2
    assert game_verify(game).ok


def test_clocks_count_bank_and_increment(web_server: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo, bank_ms=60_000, increment_ms=5_000)
    lines = [line(web_server, game, ana), line(web_server, game, bo)]
    for one in lines:
        one.hello()
    acting, _ = at_turn(*lines)
    seat = acting.state["seat"]
    assert acting.state["clock"]["running"] == [seat]
    time.sleep(0.3)
    assert acting.act(any_action(acting.state), message_id="a")["type"] == "ack"
    acting.until(1)
    clock = acting.state["clock"]
    spent = Record.objects.get(game=game).at
    assert spent >= 300
    assert clock["bank"][seat] == 60_000 - spent + 5_000
    assert clock["running"] == [1 - seat]
    game.refresh_from_db()
    assert game.started_at is not None
    assert game.deadline is not None
    assert round((game.deadline - game.started_at).total_seconds() * 1000) == spent + 60_000
