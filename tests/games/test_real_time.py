"""Pick-a-Polar-Bear over real sockets to a real web server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

from games.engine.pick_a_polar_bear.actions import LARGEST_LAG
from games.engine.real_time import GO_AFTER, IDLE_LIMIT
from games.models import Game, Record
from games.services import game_verify
from tests.games.conftest import SECONDS, Line, Person
from tests.games.far import Far
from tests.processes import WebServer

type People = Callable[[str], Person]
type Deal = Callable[..., Game]
type Open = Callable[..., Line]

POLAR = "pick-a-polar-bear"
LEAD = 0.045
"""Seconds by which one seat is ahead of another in a contest; less than that and the machine itself is the judge."""


def records(game: Game, kind: str) -> list[Record]:
    return list(Record.objects.filter(game=game, action__type=kind).order_by("number"))


def begun(line: Line) -> dict[str, Any]:
    """Listen until go."""
    while line.state.get("view", {}).get("phase") != "grab":
        line.next()
    return line.state


def lying(state: dict[str, Any]) -> list[int]:
    return [place for place, card in enumerate(state["view"]["grid"]) if card is not None]


def end(game: Game, *lines: Line) -> None:
    """Let all but the last seat resign, and verify what is stored."""
    for number, one in enumerate(lines):
        if one.act({"type": "resign"}, message_id=f"resign-{number}")["type"] == "ack" and len(lines) == 1:
            break
    game.refresh_from_db()
    assert game.is_over
    report = game_verify(game)
    assert report.ok, report
    assert report.complete


def test_the_opening_waits_and_counts_down(web_server: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo, game=POLAR)
    first = line(web_server, game, ana)
    clock = first.hello()["clock"]
    assert (clock["go"], clock["missing"]) == (None, [1])
    early = first.act({"type": "grab", "place": 0}, message_id="early")
    assert (early["type"], early["code"]) == ("refused", "not-now")
    came = time.monotonic()
    second = line(web_server, game, bo)
    second.hello()
    while first.state["clock"]["go"] is None:
        first.next()
    assert 0 < first.state["clock"]["go"] <= GO_AFTER
    assert first.state["clock"]["missing"] == []
    begun(first)
    assert GO_AFTER / 1000 <= time.monotonic() - came < GO_AFTER / 1000 + 2 * SECONDS
    assert 0 < first.state["clock"]["idle"] <= IDLE_LIMIT
    assert first.state["view"]["stacks"][0][0] is not None, "start cards are turned up"
    end(game, first, second)


@pytest.fixture
def grabbing(web_server: WebServer, person: People, deal: Deal, line: Open) -> Callable[..., tuple[Game, list[Line]]]:
    """A function that deals a game among people and returns it with their lines once go was said."""

    def make(*names: str, **terms: Any) -> tuple[Game, list[Line]]:
        people = [person(name) for name in names]
        game = deal(*people, game=POLAR, **terms)
        lines = [line(web_server, game, one) for one in people]
        for one in lines:
            one.hello()
        for one in lines:
            begun(one)
        return game, lines

    return make


def test_seats_act_at_once_and_who_is_late_hears_who_was_faster(grabbing: Callable[..., Any]) -> None:
    game, (ana, bo) = grabbing("Ana", "Bo")
    seen = ana.state["n"]
    places = lying(ana.state)
    for number, place in enumerate(places[:6]):
        who = (ana, bo)[number % 2]
        answer = who.act({"type": "grab", "place": place}, message_id=f"g{number}", seen=seen)
        assert answer["type"] == "ack", answer
        assert answer["n"] == seen + number + 1, "what somebody else did meanwhile makes nothing stale"
    late = bo.act({"type": "grab", "place": places[0]}, message_id="late", seen=seen)
    assert (late["code"], late["message"]) == ("place-empty", "Ana was faster.")
    own = bo.act({"type": "grab", "place": places[1]}, message_id="own", seen=seen)
    assert own["code"] == "place-empty"
    nowhere = bo.act({"type": "grab", "place": 99}, message_id="nowhere", seen=seen)
    assert nowhere["code"] == "illegal-action"
    answer = bo.act({"type": "answer", "count": 3}, message_id="answer", seen=seen)
    assert answer["code"] == "not-now"
    assert bo.act({"type": "stop"}, message_id="stop", seen=seen)["type"] == "ack"
    bo.until(seen + 7)
    assert bo.state["view"]["phase"] == "ready"
    assert 3_000 < bo.state["clock"]["go"] <= 8_000
    assert ana.act({"type": "grab", "place": places[9]}, message_id="after", seen=seen)["code"] == "not-now"
    begun(bo)
    stale = bo.act({"type": "stop"}, message_id="old", seen=seen)
    assert stale["code"] == "stale"
    end(game, ana, bo)


def test_what_a_client_says_of_times_is_refused_and_moves_nothing(grabbing: Callable[..., Any]) -> None:
    game, (ana, bo) = grabbing("Ana", "Bo")
    place = lying(ana.state)[0]
    for number, times in enumerate(
        ({"arrived": 0, "lag": 100}, {"lag": 100}, {"beat": [{"seat": 1, "arrived": 0, "lag": 0}]}, {"at": 0})
    ):
        answer = ana.act({"type": "grab", "place": place, **times}, message_id=f"forged-{number}")
        assert (answer["type"], answer["code"]) == ("refused", "illegal-action"), times
    for number in range(20):
        ana.send({"type": "probe", "id": f"made-up-{number}"})
    ana.send({"type": "probe", "id": "x", "at": 5})
    assert ana.wait("refused")["code"] == "bad-message"
    assert ana.act({"type": "grab", "place": place}, message_id="honest")["type"] == "ack"
    [record] = records(game, "grab")
    assert record.action["lag"] == 0, "nothing was measured, for no probe was answered"
    assert record.action["arrived"] <= record.at <= record.action["arrived"] + LARGEST_LAG
    end(game, ana, bo)


def test_a_message_sent_twice_acts_once(grabbing: Callable[..., Any]) -> None:
    game, (ana, bo) = grabbing("Ana", "Bo")
    place = lying(ana.state)[0]
    message = {"type": "act", "id": "one", "seen": ana.state["n"], "action": {"type": "grab", "place": place}}
    for _ in range(3):
        ana.send(message)
    answers = [ana.wait("ack") for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert len(records(game, "grab")) == 1
    end(game, ana, bo)


def test_old_view_plus_events_equals_fresh_view(
    grabbing: Callable[..., Any], web_server: WebServer, line: Open
) -> None:
    game, lines = grabbing("Ana", "Bo", "Cy", rules={"different": True})
    seen = lines[0].state["n"]
    for number, place in enumerate(lying(lines[0].state)[:5]):
        one = lines[number % 3]
        assert one.act({"type": "grab", "place": place}, message_id=f"g{number}", seen=seen)["type"] == "ack"
    for one in lines:
        one.until(seen + 5)
    watcher = line(web_server, game, None)
    fresh_to_all = watcher.hello()
    for one in lines:
        old = dict(one.state)
        fresh = one.hello(seen)
        old.pop("events")  # of the last update; a state has none
        apart = {"log": 0, "clock": 0, "present": 0}  # who is there comes in messages of its own
        assert {**fresh, **apart} == {**old, **apart}
        assert fresh["log"] == [said for said in old["log"] if said["n"] > seen]
        shared = {key: value for key, value in fresh["view"].items() if key not in {"seat", "answer"}}
        assert {**fresh_to_all["view"], **shared} == fresh_to_all["view"]
    end(game, *lines)


@pytest.mark.parametrize("delay", [0.03, 0.09, 0.3])
def test_who_acted_first_wins_whatever_the_distance_up_to_the_cap(
    web_server: WebServer, person: People, deal: Deal, delay: float
) -> None:
    people = [person(name) for name in ("Far", "Near")]
    game = deal(*people, game=POLAR, rated=False)
    waited: list[float] = []
    lateness: list[float] = []
    judged: list[int] = []
    """The places of which nothing came late, because the machine had other things to do."""
    tries = 6

    async def play() -> None:
        async with Far(web_server, game, people[0], delay) as far, Far(web_server, game, people[1], 0.01) as near:
            await asyncio.gather(far.phase("grab"), near.phase("grab"))
            await far.until(lambda _: far.probes >= 7)
            for number, place in enumerate(far.lying()[: 3 * tries]):
                began = far.act({"type": "grab", "place": place}, f"far-{number}")
                far.ping(f"far-{number}")
                await asyncio.sleep(LEAD)
                sent = near.act({"type": "grab", "place": place}, f"near-{number}")
                near.ping(f"near-{number}")
                await asyncio.gather(far.answer(f"far-{number}"), near.answer(f"near-{number}"))
                late = await asyncio.gather(far.late(f"far-{number}"), near.late(f"near-{number}"))
                lateness.extend(late)
                if max(*late, sent - began - LEAD) < 0.02:
                    judged.append(place)
                    waited.append(near.answers[f"near-{number}"][0] - sent)
                if len(judged) == tries:
                    break
            far.act({"type": "resign"}, "resign")
            await far.answer("resign")

    asyncio.run(play())
    grabs = records(game, "grab")
    assert len(grabs) == len(lateness) / 2
    fair = [grab for grab in grabs if grab.action["place"] in judged]
    won_by_far = sum(grab.seat == 0 for grab in fair)
    # Up to the cap whoever acted first has it; beyond, the seat far away lacks what is above the cap.
    if delay <= LARGEST_LAG / 1000:
        assert won_by_far >= len(fair) - 1, [grab.action for grab in grabs]
    else:
        assert won_by_far <= 1, [grab.action for grab in grabs]
    slowness = 1000 * median(lateness)
    for grab in grabs:
        lag, arrived = grab.action["lag"], grab.action["arrived"]
        assert arrived <= grab.at <= arrived + LARGEST_LAG
        expected = min(LARGEST_LAG, 1000 * (delay if grab.seat == 0 else 0.01))
        assert expected - 8 <= lag <= min(LARGEST_LAG, expected + 30 + slowness)
        for beaten in grab.action.get("beat", ()):
            assert beaten["arrived"] - beaten["lag"] >= arrived - lag
    if LEAD + 0.01 < delay <= LARGEST_LAG / 1000 and judged:
        assert any("beat" in grab.action for grab in grabs), "the seat far away won although its grab came later"
    if judged:
        assert median(waited) < 0.02 + LARGEST_LAG / 1000 + 0.05, "nobody waits for longer than the cap"
    game.refresh_from_db()
    report = game_verify(game)
    assert report.ok, report


def test_bots_play_with_a_person(
    start_web_server: Callable[..., WebServer], person: People, deal: Deal, line: Open
) -> None:
    server = start_web_server({"BEARENA_BOT_REACTION_PERCENT": "20"})
    ana = person("Ana")
    game = deal(ana, bots=3, game=POLAR, rated=False)
    mine = line(server, game, ana)
    mine.hello()
    stopped = False
    while not stopped or mine.state["n"] <= 10:  # some deals end the first round early
        mine.next()
        check = mine.state["view"]["check"]
        stopped = stopped or (check is not None and check["stopper"] is not None)
    assert len({record.seat for record in records(game, "grab")}) >= 2
    mine.act({"type": "resign"}, message_id="resign")
    stored = Record.objects.filter(game=game).count()
    assert stored > 10
    report = game_verify(Game.objects.get(pk=game.pk))
    assert report.ok, report


def test_a_killed_server_loses_nothing_and_the_round_goes_on(
    start_web_server: Callable[..., WebServer], person: People, deal: Deal, line: Open
) -> None:
    server = start_web_server()
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo, game=POLAR)
    lines = [line(server, game, one) for one in (ana, bo)]
    for one in lines:
        one.hello()
    for one in lines:
        begun(one)
    acked = []
    for number, place in enumerate(lying(lines[0].state)[:8]):
        acked.append(lines[number % 2].act({"type": "grab", "place": place}, message_id=f"g{number}"))
    for one in lines:  # grabs are under way when it dies
        for number, place in enumerate(lying(one.state)[10:14]):
            one.send(
                {"type": "act", "id": f"x{number}", "seen": one.state["n"], "action": {"type": "grab", "place": place}}
            )
    server.kill()
    stored = {record.number: record.hash.hex() for record in Record.objects.filter(game=game)}
    assert all(stored[answer["n"]] == answer["hash"] for answer in acked)
    server.start()
    again = [line(server, game, one) for one in (ana, bo)]
    for one in again:
        one.hello()
    assert again[0].state["view"]["phase"] == "grab"
    assert again[0].state["clock"]["idle"] <= IDLE_LIMIT
    seen = again[0].state["n"]
    for number, place in enumerate(lying(again[0].state)[:2]):
        answer = again[number].act({"type": "grab", "place": place}, message_id=f"y{number}", seen=seen)
        assert answer["type"] == "ack", answer
    end(game, *again)


def test_a_game_without_its_players_goes_on_and_puts_out_who_left_where_the_terms_say_so(
    web_server: WebServer, person: People, deal: Deal, line: Open
) -> None:
    ana, bo, cy = person("Ana"), person("Bo"), person("Cy")
    game = deal(ana, bo, cy, game=POLAR, absence="forfeit", absence_ms=5_000)
    lines = [line(web_server, game, one) for one in (ana, bo, cy)]
    for one in lines:
        one.hello()
    begun(lines[0])
    lines[2].close()
    seen = lines[0].state["n"]
    while lines[0].state["view"]["out"] == []:
        lines[0].next()
    assert lines[0].state["view"]["out"] == [2]
    [left] = records(game, "forfeit")
    assert left.action == {"type": "forfeit", "seat": 2, "reason": "left"}
    place = lying(lines[0].state)[0]
    answer = lines[0].act({"type": "grab", "place": place}, message_id="on", seen=seen)
    assert answer["type"] == "ack", answer
    lines[1].hello()
    end(game, *lines[:2])


def test_two_processes_serve_one_game_and_one_grab_of_a_place_counts(
    two_web_servers: list[WebServer], person: People, deal: Deal, line: Open
) -> None:
    people = [person("Ana"), person("Bo")]
    game = deal(*people, game=POLAR)
    lines = [line(server, game, one) for server, one in zip(two_web_servers, people, strict=True)]
    for one in lines:
        one.hello()
    for one in lines:
        begun(one)
    seen = lines[0].state["n"]
    places = lying(lines[0].state)[:10]
    for number, place in enumerate(places):
        for one in lines:
            action = {"type": "grab", "place": place}
            one.send({"type": "act", "id": f"g{number}", "seen": seen, "action": action})
    answers = []
    for one in lines:
        while sum(said["type"] in {"ack", "refused"} for said in one.heard) < len(places):
            one.next()
        answers.append({said["id"]: said for said in one.heard if said["type"] in {"ack", "refused"}})
    for number in range(len(places)):
        kinds = sorted(each[f"g{number}"]["type"] for each in answers)
        assert kinds == ["ack", "refused"], [each[f"g{number}"] for each in answers]
    taken = [record.action["place"] for record in records(game, "grab")]
    assert sorted(taken) == sorted(places)
    end(game, *lines)
