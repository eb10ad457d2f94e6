"""What stops clocks and lets them go on: as services, and at tables with people."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections, transaction
from django.utils import timezone

from games.disclosure import Audience
from games.models import Beat, ClockEvent, Game, GameStatus, Record
from games.services import (
    clocks,
    game_create,
    game_do_due,
    game_pause,
    game_resume,
    game_verify,
    seat_away,
    seat_back,
    seat_ready,
)
from games.services.rows import course_of
from players.errors import Conflict, Invalid
from tests.games.conftest import Line, Person, any_action
from tests.processes import WebServer

type People = Callable[[str], Person]
type Deal = Callable[..., Game]
type Open = Callable[..., Line]


def kinds(game: Game) -> list[str]:
    return list(game.clock_events.order_by("number").values_list("kind", flat=True))


def acting_seat(game: Game) -> int:
    [seat] = course_of(game).waiting
    return seat


def earlier(game: Game, **by: int) -> Game:
    """Let ``game`` have begun so much earlier."""
    game.refresh_from_db()
    assert game.started_at is not None
    assert game.deadline is not None
    shift = timedelta(**by)
    Game.objects.filter(pk=game.pk).update(started_at=game.started_at - shift, deadline=game.deadline - shift)
    game.refresh_from_db()
    return game


def a_minute_later(patch: pytest.MonkeyPatch) -> None:
    """Let a minute go by at once."""
    now = timezone.now
    patch.setattr(timezone, "now", lambda: now() + timedelta(minutes=1))


# Services


def test_a_pause_is_stored_and_moves_the_deadline(person: People, deal: Deal) -> None:
    ana = person("Ana")
    game = deal(ana, person("Bo"), bank_ms=60_000)
    before = game.deadline
    game = game_pause(game=game, by=ana.user, who="Ana", reason="the  bell")
    assert game.deadline is None
    with pytest.raises(Conflict) as again:
        game_pause(game=game, by=None, who="x")
    assert again.value.code == "paused-already"
    game = game_resume(game=game, by=ana.user, who="Ana", countdown=timedelta(seconds=30))
    assert before is not None
    assert game.deadline is not None
    assert timedelta(seconds=29) < game.deadline - before < timedelta(seconds=40)
    with pytest.raises(Conflict) as twice:
        game_resume(game=game, by=None, who="x")
    assert twice.value.code == "not-paused"
    pause = ClockEvent.objects.get(game=game, number=1)
    assert (pause.kind, pause.by, pause.who, pause.reason, pause.until) == ("pause", ana.user, "Ana", "the bell", None)
    assert kinds(game) == ["pause", "resume"]


@pytest.mark.parametrize("until", [timedelta(0), timedelta(days=61)], ids=["past", "too far"])
def test_an_adjournment_has_bounds(person: People, deal: Deal, until: timedelta) -> None:
    game = deal(person("Ana"), person("Bo"))
    with pytest.raises(Invalid) as refused:
        game_pause(game=game, by=None, who="x", until=timezone.now() + until)
    assert refused.value.code == "bad-time"
    assert kinds(game) == []


def test_a_game_that_is_over_cannot_be_paused(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"), bank_ms=1_000)
    game_do_due(game=earlier(game, seconds=5))
    with pytest.raises(Conflict) as refused:
        game_pause(game=game, by=None, who="x")
    assert refused.value.code == "game-over"


def test_nobody_loses_on_time_in_a_paused_game(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"), bank_ms=10_000)
    game_pause(game=game, by=None, who="x")
    game = game_do_due(game=earlier(game_resume(game=game, by=None, who="x"), seconds=0))
    assert game.status == GameStatus.RUNNING


def test_the_disconnect_bank_comes_first(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"), bank_ms=10_000, disconnect_ms=60_000)
    seat = acting_seat(game)
    seat_away(game=game, seat=seat, since=timezone.now())
    seat_away(game=game, seat=seat, since=timezone.now())
    assert kinds(game) == ["away"], "noted once"
    game = earlier(game, seconds=30)
    game = game_do_due(game=game)
    assert game.status == GameStatus.FINISHED, "it had gone after its own time was used"
    other = deal(person("Cy"), person("Di"), bank_ms=10_000, disconnect_ms=60_000)
    seat = acting_seat(other)
    seat_away(game=other, seat=seat, since=timezone.now())
    other.refresh_from_db()
    assert other.deadline is not None
    assert other.deadline > timezone.now() + timedelta(seconds=65)
    seat_back(game=other, seat=seat)
    other.refresh_from_db()
    assert other.deadline < timezone.now() + timedelta(seconds=11)


def test_who_is_gone_is_put_out_or_replaced_as_the_game_says(
    person: People, deal: Deal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for absence, status in (
        ("forfeit", GameStatus.FINISHED),
        ("house", GameStatus.RUNNING),
        ("turn", GameStatus.RUNNING),
    ):
        game = deal(person(f"A{absence}"), person(f"B{absence}"), absence=absence, absence_ms=60_000)
        seat = acting_seat(game)
        seat_away(game=game, seat=seat, since=timezone.now())
        game = game_do_due(game=game)
        assert kinds(game) == ["away"], "not yet"
        with monkeypatch.context() as patch:
            a_minute_later(patch)
            game = game_do_due(game=game_do_due(game=game))
        assert game.status == status
        if absence == "forfeit":
            assert Record.objects.get(game=game).action == {"type": "forfeit", "seat": seat, "reason": "left"}
        else:
            assert kinds(game) == ["away", "house"], "once"
            assert game.seat_set.get(number=seat).house_played
            assert not game.rated
            assert game.deadline is None, "the house has no clock"


def test_a_game_may_stay_rated_though_the_house_played(
    person: People, deal: Deal, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = deal(person("Ana"), person("Bo"), absence="house", absence_ms=60_000, house_rated=True)
    seat_away(game=game, seat=acting_seat(game), since=timezone.now())
    a_minute_later(monkeypatch)
    game = game_do_due(game=game)
    assert kinds(game) == ["away", "house"]
    assert game.rated


def test_nobody_loses_on_time_before_an_outage_is_made_good(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"), bank_ms=10_000)
    clocks.beat()
    game = earlier(game, seconds=60)
    Beat.objects.update(at=timezone.now() - timedelta(seconds=55))
    with pytest.raises(Conflict) as refused:
        game_do_due(game=game)
    assert refused.value.code == "outage"
    clocks.beat()
    clocks.beat()
    assert kinds(game) == ["outage"], "once"
    game = game_do_due(game=game)
    assert game.status == GameStatus.RUNNING
    course = course_of(game)
    left = course.clock.left(course.at(timezone.now()))[acting_seat(game)]
    assert 4_000 <= left <= 5_000, "five of the ten seconds had passed before"
    assert game.deadline is not None
    assert game.deadline > timezone.now() + clocks.GRACE, "and people have a moment to find back"


def test_a_short_silence_is_no_outage(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"))
    clocks.beat()
    Beat.objects.update(at=timezone.now() - clocks.OUTAGE / 2)
    clocks.beat()
    assert kinds(game) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("absence", ["wait", "forfeit", "house"])
def test_many_notice_at_once_and_it_happens_once(person: People, deal: Deal, absence: str) -> None:
    game = deal(person("Ana"), person("Bo"), person("Cy"), bank_ms=1_000, absence=absence, absence_ms=1_000)
    if absence != "wait":
        seat_away(game=game, seat=acting_seat(game), since=timezone.now())
        Game.objects.filter(pk=game.pk).update(bank_ms=600_000)
    time.sleep(1.1)
    errors: list[BaseException] = []
    start = threading.Barrier(4)

    def notice() -> None:
        try:
            start.wait(10)
            game_do_due(game=game)
        except BaseException as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=notice) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert errors == []
    if absence == "house":
        assert kinds(game) == ["away", "house"]
    else:
        reason = "time" if absence == "wait" else "left"
        assert [record.action["reason"] for record in Record.objects.filter(game=game)] == [reason]


# At the table


def sit(server: WebServer, game: Game, people: list[Person], line: Open) -> tuple[Line, Line]:
    """Open a line for each of two people and return that of who is to act and the other."""
    lines = [line(server, game, one) for one in people]
    for one in lines:
        one.hello()
    acting = next(one for one in lines if one.state["options"])
    return acting, next(one for one in lines if one is not acting)


def clock_with(one: Line, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Wait for a ``clock`` that is as ``wanted``."""
    while True:
        clock: dict[str, Any] = one.wait("clock")["clock"]
        if wanted(clock):
            return clock


def test_everybody_sees_a_pause_and_nobody_acts(
    two_web_servers: list[WebServer], person: People, deal: Deal, line: Open
) -> None:
    people = [person("Ana"), person("Bo")]
    game = deal(*people, bank_ms=60_000)
    acting, other = sit(two_web_servers[0], game, people, line)
    far, watcher = line(two_web_servers[1], game, people[0]), line(two_web_servers[1], game)
    far.hello(), watcher.hello()
    game_pause(game=game, by=None, who="Olga", reason="Lunch")
    shown = [clock_with(one, lambda clock: clock["stands"] is not None) for one in (acting, other, far, watcher)]
    assert {str(clock["stands"]) for clock in shown} == {
        str({"kind": "pause", "who": "Olga", "reason": "Lunch", "in": None})
    }
    assert len({str(clock["bank"]) for clock in shown}) == 1, "the same in both processes"
    for action in (any_action(acting.state), {"type": "resign"}):
        refusal = acting.act(action, message_id=f"m-{action['type']}")
        assert (refusal["type"], refusal["code"]) == ("refused", "paused")
    fresh = line(two_web_servers[1], game).hello()
    assert fresh["clock"] == shown[0]
    resumed = time.monotonic()
    game_resume(game=game, by=None, who="Olga", countdown=timedelta(seconds=1))
    clock = clock_with(far, lambda clock: clock["stands"]["kind"] == "resume")
    assert 0 < clock["stands"]["in"] <= 1_000
    action = any_action(acting.state)
    while (answer := acting.act(action, message_id=f"on-{time.monotonic()}"))["type"] == "refused":
        assert answer["code"] == "paused"
        time.sleep(0.1)
    assert time.monotonic() - resumed >= 1, "it was taken before the countdown was over"
    assert acting.until(1)["clock"]["stands"] is None
    assert game_verify(game).ok


def test_bots_wait_in_a_pause_and_go_on_after_it(web_server: WebServer, deal: Deal, line: Open) -> None:
    with transaction.atomic():  # else the bots may have played to the end before it is paused
        game = deal(bots=3)
        game_pause(game=game, by=None, who="Olga")
    watcher = line(web_server, game)
    assert watcher.hello()["clock"]["stands"] is not None
    time.sleep(1.5)
    assert not Record.objects.filter(game=game).exists()
    game_resume(game=game, by=None, who="Olga", countdown=timedelta())
    assert watcher.until(1)["clock"]["stands"] is None


def test_a_lost_line_uses_the_disconnect_bank_and_not_the_own_time(
    web_server: WebServer, person: People, deal: Deal, line: Open
) -> None:
    people = [person("Ana"), person("Bo")]
    game = deal(*people, bank_ms=60_000, increment_ms=0, disconnect_ms=60_000)
    acting, other = sit(web_server, game, people, line)
    seat = acting.state["seat"]
    acting.close()
    clock = clock_with(other, lambda clock: seat in clock["away"])
    assert clock["spare"][seat] < 60_000, "counted from when it went"
    left = clock["bank"][seat]
    time.sleep(4)
    again = line(web_server, game, people[seat])
    again.hello()
    clock = clock_with(other, lambda clock: clock["away"] == [])
    assert left - 1_000 < clock["bank"][seat] <= left
    assert clock["spare"][seat] < 57_000
    assert again.act(any_action(again.state), message_id="back")["type"] == "ack"


def test_the_house_plays_until_the_player_is_back(
    two_web_servers: list[WebServer], person: People, deal: Deal, line: Open
) -> None:
    people = [person("Ana"), person("Bo")]
    game = deal(*people, absence="house", absence_ms=6_000)
    acting, other = sit(two_web_servers[0], game, people, line)
    seat = acting.state["seat"]
    acting.close()
    clock = clock_with(other, lambda clock: clock["absence"] is not None)
    assert clock["absence"]["seat"] == seat
    assert clock["absence"]["then"] == "house"
    assert 0 < clock["absence"]["in"] <= 6_000
    assert clock_with(other, lambda clock: clock["house"] == [seat])["running"] == []
    other.until(1)
    record = Record.objects.get(game=game, number=1)
    assert (record.seat, record.message_id) == (seat, None)
    back = line(two_web_servers[1], game, people[seat])
    back.hello()
    assert clock_with(other, lambda clock: clock["house"] == [])["away"] == []
    game.refresh_from_db()
    assert not game.rated
    assert game_verify(game).ok


def test_who_stays_away_is_out(web_server: WebServer, person: People, deal: Deal, line: Open) -> None:
    people = [person("Ana"), person("Bo")]
    game = deal(*people, absence="forfeit", absence_ms=5_000)
    acting, other = sit(web_server, game, people, line)
    seat = acting.state["seat"]
    acting.close()
    other.until(1)
    assert Record.objects.get(game=game).action == {"type": "forfeit", "seat": seat, "reason": "left"}
    assert other.state["status"] == "finished"


def test_who_watches_later_hears_of_a_pause_at_once(web_server: WebServer, person: People, line: Open) -> None:
    people = [person("Ana"), person("Bo")]
    game = game_create(
        game="hold-my-bear",
        rules={},
        players=[one.player for one in people],
        audience=Audience(delay_ms=600_000),
    )
    for one in people:
        game = seat_ready(game=game, player=one.player)
    acting, _ = sit(web_server, game, people, line)
    watcher = line(web_server, game)
    watcher.hello()
    assert acting.act(any_action(acting.state), message_id="one")["type"] == "ack"
    game_pause(game=game, by=None, who="Olga", reason="Lunch")
    message = watcher.wait("clock")
    assert message["n"] == 0, "the record comes later"
    assert message["clock"]["stands"]["reason"] == "Lunch"
    assert watcher.hello()["clock"]["stands"]["who"] == "Olga"
