"""Rating a game once, late arrivals, voids, rebuilds."""

from __future__ import annotations

import threading
import uuid
from random import Random

import pytest
from django.db import DatabaseError, connection, transaction

from games.models import Game, GameStatus
from players.errors import NotFound
from players.models import Player
from ratings import services
from ratings.models import LedgerEntry, Rating, RatingPool
from tests.ratings.conftest import NOON, MakeGame, MakePlayers

pytestmark = pytest.mark.django_db


def values() -> dict[str, int]:
    return {rating.player.name: rating.value for rating in Rating.objects.select_related("player")}


def rows() -> list[tuple[object, ...]]:
    fields = ("cause", "player", "revision", "voided", "before", "after", "games_before", "score", "expected", "k")
    return list(LedgerEntry.objects.order_by("order_key", "player", "revision").values_list(*fields))


def ratings() -> list[tuple[object, ...]]:
    return list(Rating.objects.order_by("player").values_list("player", "value", "games", "wins", "last_game_at"))


def void(game: Game) -> Game:
    game.status = GameStatus.VOID
    game.save()
    return game


def test_a_finished_game_is_rated(make_players: MakePlayers, make_game: MakeGame) -> None:
    ana, bo, cy = make_players("Ana", "Bo", "Cy")
    game = make_game([ana, bo, cy], [2, 1, 2])
    entries = services.game_rate(game_id=game.pk)
    assert {entry.player_id: (entry.before, entry.after) for entry in entries} == {
        ana.pk: (15_000, 14_840),
        bo.pk: (15_000, 15_320),
        cy.pk: (15_000, 14_840),
    }
    assert values() == {"Ana": 14_840, "Bo": 15_320, "Cy": 14_840}
    best = Rating.objects.get(player=bo)
    assert (best.games, best.wins, best.last_game_at) == (1, 1, game.finished_at)
    assert Rating.objects.get(player=ana).wins == 0
    entry = LedgerEntry.objects.get(player=bo)
    assert (entry.score, entry.expected, entry.k, entry.policy) == (2.0, 1.0, 32.0, "bearena-elo/1")
    assert entry.order_key == f"2026-03-01T12:00:00.000000Z {game.pk}"
    assert RatingPool.objects.get(slug="hold-my-bear").version == 1


def test_rating_twice_changes_nothing(make_players: MakePlayers, make_game: MakeGame) -> None:
    game = make_game(make_players("Ana", "Bo"), [1, 2])
    services.game_rate(game_id=game.pk)
    before = rows(), ratings()
    assert services.game_rate(game_id=game.pk) == []
    assert (rows(), ratings()) == before
    assert RatingPool.objects.get(slug="hold-my-bear").version == 1


@pytest.mark.parametrize(
    ("out", "scores"),
    [
        ([], [2.0, 0.0, 0.0]),
        ([2], [2.0, 1.0, 0.0]),
        ([2, 1], [2.0, 0.0, 0.0]),
    ],
)
def test_who_is_out_lost_to_who_is_in(
    make_players: MakePlayers, make_game: MakeGame, out: list[int], scores: list[float]
) -> None:
    game = make_game(make_players("Ana", "Bo", "Cy"), [1, 2, 3] if out else [1, 2, 2], out=out)
    assert [entry.score for entry in services.game_rate(game_id=game.pk)] == scores


def test_a_draw_is_no_win(make_players: MakePlayers, make_game: MakeGame) -> None:
    game = make_game(make_players("Ana", "Bo", "Cy"), [1, 3, 1], out=[1])
    assert [entry.score for entry in services.game_rate(game_id=game.pk)] == [1.5, 0.0, 1.5]
    assert set(Rating.objects.values_list("wins", flat=True)) == {0}


def test_points_rank_every_seat(make_players: MakePlayers, make_game: MakeGame) -> None:
    game = make_game(make_players("Ana", "Bo", "Cy"), [2, 1, 3], game="pick-a-polar-bear")
    assert [entry.score for entry in services.game_rate(game_id=game.pk)] == [1.0, 2.0, 0.0]
    assert LedgerEntry.objects.filter(pool__slug="pick-a-polar-bear").count() == 3


@pytest.mark.parametrize(
    "change",
    [
        {"status": "running"},
        {"status": "void"},
        {"rated": False},
        {"game": "go"},
    ],
)
def test_what_does_not_count_is_refused(
    make_players: MakePlayers, make_game: MakeGame, change: dict[str, object]
) -> None:
    game = make_game(make_players("Ana", "Bo"), [1, 2], **change)
    with pytest.raises((services.NotRateable, NotFound)):
        services.game_rate(game_id=game.pk)
    assert services.game_settle(game_id=game.pk) == []
    assert not LedgerEntry.objects.exists()


def test_a_solo_game_is_not_rated(make_players: MakePlayers, make_game: MakeGame) -> None:
    game = make_game(make_players("Ana"), [1], game="pick-a-polar-bear")
    with pytest.raises(services.NotRateable):
        services.game_rate(game_id=game.pk)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(NotFound):
        services.game_settle(game_id=uuid.uuid4())


def test_only_a_void_game_is_taken_back(make_players: MakePlayers, make_game: MakeGame) -> None:
    game = make_game(make_players("Ana", "Bo"), [1, 2])
    services.game_rate(game_id=game.pk)
    with pytest.raises(services.NotRateable):
        services.game_unrate(game_id=game.pk)
    assert values() == {"Ana": 15_320, "Bo": 14_680}


def test_games_that_arrive_in_any_order_give_the_same_ratings(make_players: MakePlayers, make_game: MakeGame) -> None:
    ana, bo, cy, di = make_players("Ana", "Bo", "Cy", "Di")
    games = [
        make_game([ana, bo], [1, 2]),
        make_game([cy, di], [1, 2]),
        make_game([bo, cy], [1, 2]),
        make_game([ana, cy, di], [2, 2, 1]),
    ]
    for game in games:
        services.game_rate(game_id=game.pk)
    in_order = ratings()
    with transaction.atomic():
        Rating.objects.all().delete()
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("DELETE FROM ratings_ledgerentry")
            cursor.execute("SET LOCAL session_replication_role = DEFAULT")
    for game in (games[3], games[1], games[0], games[2]):
        services.game_rate(game_id=game.pk)
    assert ratings() == in_order


def test_a_late_game_writes_only_what_it_changes(make_players: MakePlayers, make_game: MakeGame) -> None:
    ana, bo, cy, di, ed, flo = make_players("Ana", "Bo", "Cy", "Di", "Ed", "Flo")
    late = make_game([ana, bo], [1, 2])
    met_later = make_game([bo, cy], [1, 2])
    apart = make_game([ed, flo], [1, 2])
    before = make_game([cy, di], [1, 2], minute=-5)
    for game in (before, met_later, apart):
        services.game_rate(game_id=game.pk)
    written = services.game_rate(game_id=late.pk)
    assert {(entry.cause, entry.player_id, entry.revision) for entry in written} == {
        (late.pk, ana.pk, 0),
        (late.pk, bo.pk, 0),
        (met_later.pk, bo.pk, 1),
        (met_later.pk, cy.pk, 1),
    }
    assert not services.pool_rebuild(pool=RatingPool.objects.get(slug="hold-my-bear"))


def test_a_void_game_is_taken_back_with_what_followed(make_players: MakePlayers, make_game: MakeGame) -> None:
    ana, bo, cy = make_players("Ana", "Bo", "Cy")
    wrong = make_game([ana, bo], [1, 2])
    later = make_game([bo, cy], [1, 2])
    for game in (wrong, later):
        services.game_rate(game_id=game.pk)
    preview = services.game_unrate_preview(game_id=wrong.pk)
    before = values()
    void(wrong)
    services.game_unrate(game_id=wrong.pk)
    assert values() == {"Bo": 15_320, "Cy": 14_680}
    assert not Rating.objects.filter(player=ana).exists()
    voids = LedgerEntry.objects.filter(cause=wrong.pk, revision=1)
    assert {(entry.voided, entry.before, entry.after) for entry in voids} == {(True, 15_000, 15_000)}
    assert {change.player_id: (change.before, change.after) for change in preview} == {
        ana.pk: (before["Ana"], 15_000),
        bo.pk: (before["Bo"], 15_320),
        cy.pk: (before["Cy"], 14_680),
    }
    assert services.game_unrate(game_id=wrong.pk) == []
    assert services.game_unrate_preview(game_id=wrong.pk) == []


def test_a_void_that_is_withdrawn_is_rated_again(make_players: MakePlayers, make_game: MakeGame) -> None:
    game = make_game(make_players("Ana", "Bo"), [1, 2])
    services.game_rate(game_id=game.pk)
    before = ratings()
    services.game_settle(game_id=void(game).pk)
    assert ratings() == []
    game.status = GameStatus.FINISHED
    game.save()
    assert {entry.revision for entry in services.game_settle(game_id=game.pk)} == {2}
    assert ratings() == before


def test_the_same_game_voided_and_rated_leaves_no_win_behind(make_players: MakePlayers, make_game: MakeGame) -> None:
    ana, bo = make_players("Ana", "Bo")
    first, second = make_game([ana, bo], [1, 2]), make_game([ana, bo], [1, 2])
    for game in (first, second):
        services.game_rate(game_id=game.pk)
    services.game_settle(game_id=void(second).pk)
    rating = Rating.objects.get(player=ana)
    assert (rating.games, rating.wins, rating.last_game_at) == (1, 1, NOON)


def test_the_ledger_refuses_change_and_deletion(make_players: MakePlayers, make_game: MakeGame) -> None:
    services.game_rate(game_id=make_game(make_players("Ana", "Bo"), [1, 2]).pk)
    for change in (lambda: LedgerEntry.objects.update(after=0), lambda: LedgerEntry.objects.all().delete()):
        with pytest.raises(DatabaseError, match="Cannot"), transaction.atomic():
            change()
    assert LedgerEntry.objects.filter(after=0).count() == 0


def history(random: Random, players: list[Player], make_game: MakeGame) -> list[Game]:
    """Play 40 games of every size, rate them late and out of order and twice, and void some in between."""
    games: list[Game] = []
    waiting: list[Game] = []
    for _ in range(40):
        table = random.sample(players, random.randint(2, 5))
        seats = range(len(table))
        winner, loser = random.sample(seats, 2)
        kind = random.choice(["won", "won", "won", "drawn", "out"])
        places = [2] * len(table)
        out: list[int] = []
        if kind == "drawn":
            places = [1] * len(table)
        elif kind == "out":
            places[loser], out = len(table), [loser]
        if kind != "drawn":
            places[winner] = 1
        games.append(make_game(table, places, out=out))
        waiting.append(games[-1])
        random.shuffle(waiting)
        while waiting and random.random() < 0.6:
            game = waiting.pop()
            services.game_settle(game_id=game.pk)
        if random.random() < 0.3:
            services.game_settle(game_id=random.choice(games).pk)
        if random.random() < 0.15:
            game = void(random.choice(games))
            if random.random() < 0.5:
                services.game_settle(game_id=game.pk)
    return games


@pytest.mark.parametrize("seed", range(4))
def test_a_rebuild_of_a_random_history_changes_nothing(
    make_players: MakePlayers, make_game: MakeGame, seed: int
) -> None:
    random = Random(seed)
    games = history(random, make_players(*(f"Player {n}" for n in range(8))), make_game)
    for game_id in services.games_to_settle():
        services.game_settle(game_id=game_id)
    assert services.games_to_settle() == []
    pool = RatingPool.objects.get(slug="hold-my-bear")
    live = rows(), ratings()
    assert services.pool_rebuild(pool=pool) == services.Differences(0, 0)
    assert (rows(), ratings()) == live

    # And from nothing: the same numbers, all in their first revision.
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("DELETE FROM ratings_ledgerentry")
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")
    live_ratings = ratings()
    Rating.objects.all().delete()
    counted = [game for game in games if Game.objects.get(pk=game.pk).status != GameStatus.VOID]
    found = services.pool_rebuild(pool=pool)
    assert found.entries == sum(game.seats for game in counted)
    assert ratings() == live_ratings


def test_a_check_finds_a_changed_rating_and_writes_nothing(make_players: MakePlayers, make_game: MakeGame) -> None:
    services.game_rate(game_id=make_game(make_players("Ana", "Bo"), [1, 2]).pk)
    pool = RatingPool.objects.get(slug="hold-my-bear")
    Rating.objects.filter(player__name="Ana").update(value=99_999)
    assert services.pool_rebuild(pool=pool, write=False) == services.Differences(0, 1)
    assert values()["Ana"] == 99_999
    assert services.pool_rebuild(pool=pool) == services.Differences(0, 1)
    assert values()["Ana"] == 15_320


def test_a_rebuild_rates_what_was_missed_and_removes_what_has_no_game(
    make_players: MakePlayers, make_game: MakeGame
) -> None:
    ana, bo, cy = make_players("Ana", "Bo", "Cy")
    missed, gone = make_game([ana, bo], [1, 2]), make_game([ana, cy], [1, 2])
    services.game_rate(game_id=gone.pk)
    void(gone)
    found = services.pool_rebuild(pool=RatingPool.objects.get(slug="hold-my-bear"))
    # Two entries for the game that was missed, two voids; a rating changed, one made, one removed.
    assert found == services.Differences(4, 3)
    assert values() == {"Ana": 15_320, "Bo": 14_680}
    assert LedgerEntry.objects.standing().filter(cause=missed.pk).count() == 2


@pytest.mark.django_db(transaction=True)
def test_several_workers_at_once_rate_each_game_once(make_players: MakePlayers, make_game: MakeGame) -> None:
    ana, bo, cy = make_players("Ana", "Bo", "Cy")
    games = [make_game(table, [1, 2]) for table in ([ana, bo], [bo, cy], [cy, ana])] * 4
    errors: list[BaseException] = []
    start = threading.Barrier(4)

    def work(order: list[Game]) -> None:
        try:
            start.wait()
            for game in order:
                services.game_settle(game_id=game.pk)
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    workers = [threading.Thread(target=work, args=(Random(n).sample(games, len(games)),)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert errors == []
    assert LedgerEntry.objects.standing().count() == 6
    assert LedgerEntry.objects.filter(revision=0).count() == 6
    assert set(Rating.objects.values_list("games", flat=True)) == {2}
    pool = RatingPool.objects.get(slug="hold-my-bear")
    assert not services.pool_rebuild(pool=pool)
    assert RatingPool.objects.get(pk=pool.pk).version == 3
