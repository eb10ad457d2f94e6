"""Pick-a-Polar-Bear as stored games: from the deal to its end by what the table records when it is due."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.db.models import F
from django.utils import timezone

from games import services
from games.engine.real_time import GO_AFTER, IDLE_LIMIT, QUESTION_TIME
from games.models import Game, GameStatus, Record
from games.pace import ABANDONED_MS, CHECK_MS, MISSING_MS
from games.tasks import sweep_games
from players.errors import Invalid
from ratings.models import LedgerEntry
from ratings.services import game_settle
from tests.games.conftest import Person

type Deal = Callable[..., Game]
type People = Callable[[str], Person]

POLAR = "pick-a-polar-bear"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def time_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time goes by where a test says so (``let_pass``), however slow the machine is."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


@pytest.fixture
def polar(person: People, deal: Deal) -> Callable[..., Game]:
    """A function that deals a game among some people and house bots."""

    def make(*names: str, **terms: Any) -> Game:
        return deal(*[person(name) for name in names], game=POLAR, **terms)

    return make


def let_pass(game: Game, milliseconds: int) -> None:
    """Let so much time have gone by."""
    by = timedelta(milliseconds=milliseconds)
    Game.objects.filter(pk=game.pk).update(started_at=F("started_at") - by, deadline=F("deadline") - by)


def waits(game: Game) -> int:
    """Return how long the game still waits, in rounded seconds."""
    game.refresh_from_db()
    assert game.deadline is not None
    return round((game.deadline - timezone.now()).total_seconds())


def types(game: Game) -> list[str]:
    return [record.action["type"] for record in Record.objects.filter(game=game)]


def due(game: Game) -> Game:
    return services.game_do_due(game=game)


def test_seats_decide_the_decks_and_the_engine_refuses_the_rest(person: People, deal: Deal) -> None:
    people = [person(name) for name in "ABCDEFGH"]
    assert deal(*people[:5], game=POLAR).rules == {"decks": 1, "different": False, "bonus": False}
    assert deal(*people, game=POLAR, rules={"bonus": True}).rules["decks"] == 2
    for seats, rules in ((9, {}), (3, {"decks": 2}), (3, {"animals": ["bear", "tiger"]}), (3, {"bonus": "yes"})):
        with pytest.raises(Invalid):
            services.game_create(game=POLAR, rules=rules, players=[None] * seats)


def test_an_opening_waits_then_counts_down_once_all_are_there(polar: Callable[..., Game]) -> None:
    game = polar("Ana", "Bo")
    assert waits(game) == MISSING_MS // 1000
    let_pass(game, 5_000)
    services.game_all_here(game=game)
    assert waits(game) == GO_AFTER // 1000
    let_pass(game, 1_000)
    services.game_all_here(game=game)
    assert waits(game) == (GO_AFTER - 1_000) // 1000, "the countdown does not begin anew"
    assert types(due(game)) == []
    let_pass(game, GO_AFTER)
    assert types(due(game)) == ["go"]
    assert waits(game) == IDLE_LIMIT // 1000


def test_an_opening_begins_all_the_same(polar: Callable[..., Game]) -> None:
    game = polar("Ana", "Bo")
    let_pass(game, MISSING_MS)
    assert types(due(game)) == ["go"]


def test_all_here_changes_nothing_where_nobody_is_waited_for(person: People, deal: Deal) -> None:
    turns = deal(person("Cy"), person("Di"))
    before = turns.deadline
    assert services.game_all_here(game=turns).deadline == before


def test_what_is_due_is_recorded_once_however_many_notice(polar: Callable[..., Game]) -> None:
    game = polar("Ana", "Bo")
    let_pass(game, MISSING_MS)

    def notice() -> None:
        due(game)
        connections.close_all()

    threads = [threading.Thread(target=notice) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert types(game) == ["go"]


def test_rounds_go_on_by_themselves_until_the_end_and_verify(polar: Callable[..., Game]) -> None:
    game = polar("Ana", "Bo", "Cy", "Di", "Eve", rated=False)
    let_pass(game, MISSING_MS)
    for _ in range(100):
        due(game)
        game.refresh_from_db()
        if game.is_over:
            break
        let_pass(game, max(IDLE_LIMIT, CHECK_MS))
    assert game.status == GameStatus.FINISHED
    assert (game.places, game.deadline) == ([1] * 5, None)
    assert set(types(game)) == {"go", "idle"}
    assert services.game_verify(game).ok


def test_questions_close(polar: Callable[..., Game]) -> None:
    for _ in range(60):
        game = polar(*[f"P{Game.objects.count()}-{number}" for number in range(2)], rules={"bonus": True})
        if waits(game) > MISSING_MS // 1000:
            break
    assert waits(game) == (MISSING_MS + QUESTION_TIME) // 1000, "no question at any of these deals"
    services.game_all_here(game=game)
    assert waits(game) == QUESTION_TIME // 1000
    let_pass(game, QUESTION_TIME)
    assert types(due(game)) == ["close"]
    assert waits(game) in {GO_AFTER // 1000, QUESTION_TIME // 1000}


def test_nobody_but_the_sweep_need_notice(polar: Callable[..., Game]) -> None:
    game = polar("Ana", "Bo")
    let_pass(game, MISSING_MS + 2_000)
    sweep_games()
    assert types(game) == ["go"]


def test_a_solo_game_has_no_limit_but_ends_when_it_was_left(polar: Callable[..., Game]) -> None:
    game = polar("Ana")
    services.game_all_here(game=game)
    let_pass(game, GO_AFTER)
    due(game)
    let_pass(game, IDLE_LIMIT + 60_000)
    assert types(due(game)) == ["go"]
    let_pass(game, ABANDONED_MS)
    due(game)
    game.refresh_from_db()
    assert types(game) == ["go", "forfeit"]
    assert game.status == GameStatus.FINISHED
    assert services.game_verify(game).ok


def test_who_left_is_put_out_only_where_the_terms_say_so(polar: Callable[..., Game]) -> None:
    for absence, expected in (("forfeit", ["go", "forfeit"]), ("wait", ["go", "idle"])):
        game = polar(f"Ana {absence}", f"Bo {absence}", f"Cy {absence}")
        Game.objects.filter(pk=game.pk).update(absence=absence, absence_ms=10_000)
        let_pass(game, MISSING_MS)
        due(game)
        let_pass(game, 11_000)
        services.seat_away(game=game, seat=1, since=timezone.now() - timedelta(seconds=10.5))
        due(game)
        let_pass(game, IDLE_LIMIT - 10_000)
        due(game)
        assert types(game)[:2] == expected


def test_a_forfeit_leaves_the_round_as_it_is(polar: Callable[..., Game]) -> None:
    game = polar("Ana", "Bo", "Cy")
    let_pass(game, MISSING_MS)
    due(game)
    before = Game.objects.get(pk=game.pk).deadline
    services.game_forfeit(game=game, seat=1, reason="arbiter")
    game.refresh_from_db()
    assert (game.status, game.deadline) == (GameStatus.RUNNING, before)
    services.game_forfeit(game=game, seat=0, reason="arbiter")
    game.refresh_from_db()
    assert (game.status, game.places, game.points) == (GameStatus.FINISHED, [2, 3, 1], [0, 0, 0])
    assert services.game_verify(game).ok


def test_a_void_game_never_counted(polar: Callable[..., Game]) -> None:
    game = polar("Ana", "Bo")
    services.game_void(game=game, reason="Wrong table")
    game.refresh_from_db()
    assert (game.status, game.places) == (GameStatus.VOID, [1, 1])
    assert services.game_verify(game).ok


def test_a_rated_game_moves_the_ratings_of_its_own_pool_and_solo_none(polar: Callable[..., Game]) -> None:
    game = polar("Ana", "Bo", "Cy", rated=True)
    services.game_forfeit(game=game, seat=2, reason="arbiter")
    services.game_forfeit(game=game, seat=1, reason="arbiter")
    game_settle(game_id=game.pk)
    changes = LedgerEntry.objects.filter(pool__game=POLAR).order_by("player__name")
    assert [entry.player.name for entry in changes] == ["Ana", "Bo", "Cy"]
    gains = [entry.after - entry.before for entry in changes]
    assert gains[0] > gains[1] > gains[2]
    solo = polar("Di", rated=True)
    services.game_forfeit(game=solo, seat=0, reason="arbiter")
    game_settle(game_id=solo.pk)
    assert LedgerEntry.objects.count() == 3
