"""What the services of games do and refuse, on the real database."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pgtrigger
import pytest
from django.db import IntegrityError, ProgrammingError, connection, connections, transaction
from django.utils import timezone

from games import services, tasks
from games.models import Game, GameStatus, Record, Seat
from games.services.rows import course_of
from games.signals import game_finished
from players.bots import bot_player
from players.errors import Conflict, Invalid, NotAllowed, NotFound, ServiceError
from players.models import Player
from tests.games.conftest import Person

type People = Callable[[str], Person]
type Deal = Callable[..., Game]


@pytest.fixture
def finished(transactional_db: None) -> Iterator[list[Any]]:
    """The ids that ``game_finished`` was sent with."""
    heard: list[Any] = []

    def hear(*, game_id: object, **_: object) -> None:
        heard.append(game_id)

    game_finished.connect(hear)
    yield heard
    game_finished.disconnect(hear)


def open_table(*players: Player | None, **more: Any) -> Game:
    return services.game_create(game="hold-my-bear", rules={}, players=players, **more)


def code_of(refused: pytest.ExceptionInfo[ServiceError]) -> str:
    assert refused.value.message.endswith(".")
    return refused.value.code


# Seating


def test_a_game_begins_open_with_its_commitment(person: People) -> None:
    ana = person("Ana").player
    game = open_table(ana, None, bot_player(level="random"), created_by=ana)
    assert game.status == GameStatus.SEATING
    assert game.commitment == hashlib.sha256(bytes(game.server_seed)).hexdigest()
    assert game.rules == {"animals": ["bear", "ferret", "hamster", "tiger", "vole"], "bears_alone": "named"}
    assert [(seat.player_id, seat.ready) for seat in game.seat_set.all()] == [
        (ana.pk, False),
        (None, False),
        (game.seat_set.get(number=2).player_id, True),
    ]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "bad-format"),
        ({"game": "pick-a-polar-bear", "rules": {"decks": 2}}, "bad-rules"),
        ({"rules": {"animals": ["bear", "unicorn", "cat"]}}, "bad-rules"),
        ({"rules": {"speed": 3}}, "bad-rules"),
        ({"players": [None]}, "bad-rules"),
        ({"players": [None] * 9}, "bad-rules"),
        ({"bank_ms": 0}, "bad-time"),
        ({"increment_ms": -1}, "bad-time"),
    ],
)
def test_what_cannot_be_played_is_refused(db: None, change: dict[str, Any], code: str) -> None:
    with pytest.raises(Invalid) as refused:
        services.game_create(**{"game": "hold-my-bear", "rules": {}, "players": [None, None], **change})
    assert refused.value.code == code
    assert not Game.objects.exists()


def test_nobody_sits_twice(person: People) -> None:
    ana = person("Ana").player
    with pytest.raises(Invalid) as refused:
        open_table(ana, ana)
    assert code_of(refused) == "seated-twice"
    game = open_table(ana, None)
    with pytest.raises(Conflict) as conflict:
        services.seat_take(game=game, number=1, player=ana)
    assert code_of(conflict) == "seated-twice"
    with pytest.raises(IntegrityError, match="seat_player_unique"), transaction.atomic():
        Seat.objects.filter(game=game, number=1).update(player=ana)


def test_seats_are_taken_left_and_kept(person: People) -> None:
    ana, bo, cy = (person(name).player for name in ("Ana", "Bo", "Cy"))
    game = open_table(ana, None, created_by=ana)
    services.seat_take(game=game, number=1, player=bo)
    services.seat_take(game=game, number=1, player=bo)
    with pytest.raises(Conflict) as refused:
        services.seat_take(game=game, number=1, player=cy)
    assert code_of(refused) == "seat-taken"
    with pytest.raises(NotFound):
        services.seat_take(game=game, number=5, player=cy)
    services.client_seed_set(game=game, player=bo, client_seed="bo's")
    services.seat_leave(game=game, player=bo)
    services.seat_take(game=game, number=1, player=cy)
    assert game.seat_set.get(number=1).client_seed == "", "a seed goes with its player"
    with pytest.raises(Conflict) as refused:
        services.seat_leave(game=game, player=bo)
    assert code_of(refused) == "not-seated"


def test_seats_of_an_event_are_fixed(person: People) -> None:
    ana, bo = person("Ana").player, person("Bo").player
    game = open_table(ana, bo, listed=False, start_by=timezone.now() + timedelta(minutes=1))
    with pytest.raises(Conflict) as refused:
        services.seat_leave(game=game, player=ana)
    assert code_of(refused) == "seats-fixed"


def test_two_at_one_seat_at_once_get_one(transactional_db: None, person: People) -> None:
    people = [person(name).player for name in ("Ana", "Bo", "Cy", "Di")]
    game = open_table(None, None)
    outcomes: list[str] = []

    def take(player: Player) -> None:
        try:
            services.seat_take(game=game, number=0, player=player)
            outcomes.append("taken")
        except ServiceError as error:
            outcomes.append(error.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=take, args=[player]) for player in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["seat-taken"] * 3 + ["taken"]


def test_bots_fill_seats_and_nobody_else_lets_them(person: People) -> None:
    ana, bo = person("Ana").player, person("Bo").player
    game = open_table(ana, None, None, created_by=ana)
    with pytest.raises(NotAllowed):
        services.seat_bot_add(game=game, number=1, level="greedy", by=bo)
    with pytest.raises(Invalid) as refused:
        services.seat_bot_add(game=game, number=1, level="genius", by=ana)
    assert code_of(refused) == "unknown-bot"
    for number in (1, 2):
        services.seat_bot_add(game=game, number=number, level="greedy", by=ana)
    bots = [seat.player for seat in game.seat_set.exclude(number=0)]
    assert len({bot.pk for bot in bots if bot}) == 2
    assert all(bot is not None and bot.bot == "greedy" for bot in bots)
    services.seat_ready(game=game, player=ana)
    game.refresh_from_db()
    assert game.status == GameStatus.RUNNING


def test_house_bots_are_used_again_and_never_run_out(db: None) -> None:
    first = bot_player(level="random")
    assert bot_player(level="random") == first
    many: list[Player] = []
    for _ in range(20):
        many.append(bot_player(level="random", exclude=[bot.pk for bot in many]))
    assert len({bot.name for bot in many}) == len(many) == 20


@pytest.mark.parametrize("seed", ["x" * 65, "ü" * 33, "a\0b", "\ud800"])
def test_bad_client_seeds_change_nothing(person: People, seed: str) -> None:
    ana = person("Ana").player
    game = open_table(ana, None)
    with pytest.raises(Invalid):
        services.client_seed_set(game=game, player=ana, client_seed=seed)
    with pytest.raises(Invalid):
        services.seat_ready(game=game, player=ana, client_seed=seed)
    seat = game.seat_set.get(number=0)
    assert (seat.client_seed, seat.ready) == ("", False)


def test_the_deal_comes_when_everybody_is_ready(person: People) -> None:
    ana, bo = person("Ana").player, person("Bo").player
    game = open_table(ana, bo)
    services.client_seed_set(game=game, player=ana, client_seed="a1")
    services.seat_ready(game=game, player=ana)
    with pytest.raises(Conflict) as refused:
        services.client_seed_set(game=game, player=ana, client_seed="a2")
    assert code_of(refused) == "ready-already"
    game = services.seat_ready(game=game, player=bo, client_seed="zz")
    assert game.status == GameStatus.RUNNING
    assert game.started_at is not None
    assert game.deadline == game.started_at + timedelta(milliseconds=game.bank_ms)
    services.seat_ready(game=game, player=bo)  # a double click
    for late in (
        lambda: services.seat_leave(game=game, player=ana),
        lambda: services.client_seed_set(game=game, player=ana, client_seed="late"),
        lambda: services.game_cancel(game=game, by=None),
    ):
        with pytest.raises(Conflict) as refused:
            late()
        assert code_of(refused) == "not-seating"
    assert services.transcript(game, None)["fairness"]["client_seeds"] == ["a1", "zz"]


def test_a_game_is_called_off_by_who_opened_it(person: People) -> None:
    ana, bo = person("Ana").player, person("Bo").player
    game = open_table(ana, bo, created_by=ana)
    with pytest.raises(NotAllowed):
        services.game_cancel(game=game, by=bo)
    services.game_cancel(game=game, by=ana)
    assert services.game_cancel(game=game, by=ana).status == GameStatus.CANCELLED
    with pytest.raises(Conflict):
        services.seat_ready(game=game, player=ana)


# Ends


def test_a_forfeit_ends_a_duel_and_is_told(finished: list[Any], person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"))
    services.game_forfeit(game=game, seat=0, reason="left")
    game.refresh_from_db()
    assert (game.status, game.places, game.record_count, game.deadline) == ("finished", [2, 1], 1, None)
    assert finished == [game.pk]
    with pytest.raises(Conflict) as refused:
        services.game_forfeit(game=game, seat=1, reason="left")
    assert code_of(refused) == "not-running"
    assert services.game_verify(game).ok


def test_forfeits_that_the_engine_refuses_change_nothing(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"), person("Cy"))
    for seat, reason in ((7, "left"), (0, "boredom")):
        with pytest.raises(Invalid):
            services.game_forfeit(game=game, seat=seat, reason=reason)
    services.game_forfeit(game=game, seat=1, reason="arbiter")
    with pytest.raises(Invalid):
        services.game_forfeit(game=game, seat=1, reason="arbiter")
    game.refresh_from_db()
    assert (game.status, game.record_count) == ("running", 1)


def test_time_that_is_up_forfeits_once_however_many_notice(finished: list[Any], person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"))
    services.game_do_due(game=game)
    assert not Record.objects.exists(), "nothing is due yet"
    past = timezone.now() - timedelta(hours=1)
    Game.objects.filter(pk=game.pk).update(started_at=past, deadline=past + timedelta(minutes=5))

    def notice() -> None:
        services.game_do_due(game=game)
        connections.close_all()

    threads = [threading.Thread(target=notice) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    record = Record.objects.get()
    assert record.action["reason"] == "time"
    assert finished == [game.pk]


def test_void_of_a_running_game_is_a_record(finished: list[Any], person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"))
    for _ in range(2):
        services.game_void(game=game, reason="Wrong table")
    game.refresh_from_db()
    assert (game.status, game.places, game.record_count) == ("void", [1, 1], 1)
    assert services.transcript(game, None)["outcome"] == {"status": "void", "places": [1, 1], "points": None}
    assert services.game_verify(game).ok
    assert finished == [game.pk]


def test_void_of_an_ended_game_leaves_its_transcript(finished: list[Any], person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"))
    services.game_forfeit(game=game, seat=1, reason="left")
    game.refresh_from_db()
    before = services.transcript(game, None)
    services.game_void(game=game, reason="Dispute upheld")
    game.refresh_from_db()
    assert game.status == GameStatus.VOID
    assert services.transcript(game, None) == before
    assert services.game_verify(game).ok
    assert finished == [game.pk, game.pk]


def test_void_before_the_deal_calls_off(person: People) -> None:
    game = services.game_void(game=open_table(person("Ana").player, None), reason="x")
    assert game.status == GameStatus.CANCELLED


# The log keeps its promises


def test_the_database_refuses_to_change_or_delete_a_record(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"))
    services.game_forfeit(game=game, seat=1, reason="left")
    for statement in ("UPDATE games_record SET at = 0", "DELETE FROM games_record"):
        with (
            pytest.raises(ProgrammingError, match="Cannot update or delete"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
    assert Record.objects.count() == 1


def test_one_number_and_one_message_a_game(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"))

    def write(number: int, message_id: str | None) -> None:
        with transaction.atomic():
            Record.objects.create(
                game=game, number=number, at=1, seat=0, action={}, hash=bytes(32), message_id=message_id
            )

    write(1, "m")
    with pytest.raises(IntegrityError, match="record_unique"):
        write(1, None)
    with pytest.raises(IntegrityError, match="record_message_unique"):
        write(2, "m")
    write(2, None)
    write(3, None)
    with pytest.raises(IntegrityError, match="record_number_from_1"):
        write(0, None)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"at": 77}, "chain-broken"),
        ({"seat": 0}, "chain-broken"),
        ({"action": {"type": "forfeit", "seat": 0, "reason": "left"}}, "chain-broken"),
        ({"hash": bytes(32)}, "chain-broken"),
    ],
)
def test_a_tampered_row_is_found(person: People, deal: Deal, change: dict[str, Any], fault: str) -> None:
    game = deal(person("Ana"), person("Bo"), person("Cy"))
    services.game_forfeit(game=game, seat=1, reason="left")
    services.game_forfeit(game=game, seat=2, reason="left")
    with pgtrigger.ignore("games.Record:append_only"):
        assert Record.objects.filter(game=game, number=2).update(**change) == 1
    game.refresh_from_db()
    report = services.game_verify(game)
    assert (report.ok, report.fault, report.at_record) == (False, fault, 2)


def test_a_tampered_game_row_is_found(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"))
    services.game_forfeit(game=game, seat=1, reason="left")
    game.refresh_from_db()
    game.places = [2, 1]
    assert services.game_verify(game).fault == "outcome-mismatch"
    game.places = [1, 2]
    game.server_seed = bytes(32)
    assert services.game_verify(game).fault == "commitment-mismatch"


def test_the_transcript_keeps_the_secret_until_the_end(person: People, deal: Deal) -> None:
    ana = person("Ana")
    with pytest.raises(Conflict) as refused:
        services.transcript(open_table(ana.player, None), None)
    assert code_of(refused) == "not-dealt"
    game = deal(ana, person("Bo"))
    document = services.transcript(game, None)
    assert document["fairness"]["server_seed"] is None
    assert bytes(game.server_seed).hex() not in str(document)
    report = services.game_verify(game)
    assert report.ok
    assert not report.complete
    game = services.game_forfeit(game=game, seat=0, reason="left")
    assert services.transcript(game, None)["fairness"]["server_seed"] == bytes(game.server_seed).hex()


# The sweep


def test_the_sweep_does_what_is_due(finished: list[Any], person: People, deal: Deal) -> None:
    now = timezone.now()
    ana, bo = person("Ana"), person("Bo")
    due = open_table(ana.player, bo.player, start_by=now - timedelta(seconds=1))
    early = open_table(ana.player, bo.player, start_by=now + timedelta(hours=1))
    half = open_table(ana.player, None, start_by=now - timedelta(seconds=1))
    stale, fresh = open_table(ana.player, None), open_table(ana.player, None)
    Game.objects.filter(pk=stale.pk).update(created_at=now - timedelta(hours=7))
    late = deal(ana, bo)
    Game.objects.filter(pk=late.pk).update(started_at=now - timedelta(hours=1), deadline=now - timedelta(minutes=5))
    unclosed = deal(ana, bo)
    services.game_forfeit(game=unclosed, seat=0, reason="left")
    Game.objects.filter(pk=unclosed.pk).update(status="running", record_count=0, places=None, finished_at=None)
    finished.clear()
    for _ in range(2):
        tasks.sweep_games()
    states = {game.pk: game.status for game in Game.objects.all()}
    assert states[due.pk] == "running"
    assert states[early.pk] == "seating"
    assert states[half.pk] == "seating"
    assert states[stale.pk] == "cancelled"
    assert states[fresh.pk] == "seating"
    assert states[late.pk] == "finished"
    assert states[unclosed.pk] == "finished"
    assert sorted(finished) == sorted([late.pk, unclosed.pk])


def test_one_damaged_game_does_not_stop_the_sweep(person: People, deal: Deal, transactional_db: None) -> None:
    ana, bo = person("Ana"), person("Bo")
    games = [deal(ana, bo, person("Cy")), deal(ana, bo)]
    past = timezone.now() - timedelta(hours=1)
    services.game_forfeit(game=games[0], seat=2, reason="left")
    Game.objects.update(started_at=past, deadline=past)
    with pgtrigger.ignore("games.Record:append_only"):
        Record.objects.update(action={"type": "nonsense"})
    tasks.sweep_games()
    assert Game.objects.get(pk=games[0].pk).status == "running"
    assert Game.objects.get(pk=games[1].pk).status == "finished"


def test_the_clock_of_a_stored_game_is_the_fold_of_its_records(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"), person("Cy"))
    services.game_forfeit(game=game, seat=2, reason="left")
    game.refresh_from_db()
    course = course_of(game)
    assert course.deadline() == game.deadline
    assert course.number == game.record_count == 1
