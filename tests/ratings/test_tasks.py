"""The signal, the task behind it, the sweep that finds what both missed, and the commands."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from kombu.exceptions import OperationalError

from games.models import Game, GameStatus
from games.signals import game_finished
from ratings import services, tasks
from ratings.models import LedgerEntry, Rating
from tests.ratings.conftest import MakeGame, MakePlayers

pytestmark = pytest.mark.django_db


def recent(game: Game) -> Game:
    game.finished_at = timezone.now() - timedelta(minutes=1)
    game.save()
    return game


def test_the_end_of_a_game_rates_it(
    make_players: MakePlayers,
    make_game: MakeGame,
    eager_tasks: None,
    django_capture_on_commit_callbacks: pytest.FixtureRequest,
) -> None:
    game = make_game(make_players("Ana", "Bo"), [1, 2])
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            game_finished.send(sender=None, game_id=game.pk)
    assert LedgerEntry.objects.filter(cause=game.pk).count() == 2


def test_nothing_is_queued_before_the_commit(
    make_players: MakePlayers,
    make_game: MakeGame,
    eager_tasks: None,
    django_capture_on_commit_callbacks: pytest.FixtureRequest,
) -> None:
    game = make_game(make_players("Ana", "Bo"), [1, 2])
    with django_capture_on_commit_callbacks(execute=False):
        game_finished.send(sender=None, game_id=game.pk)
    assert not LedgerEntry.objects.exists()


def test_a_queue_that_is_away_breaks_nothing(
    make_players: MakePlayers,
    make_game: MakeGame,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: pytest.FixtureRequest,
) -> None:
    def away(game_id: str) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(tasks.rate_game, "delay", away)
    game = recent(make_game(make_players("Ana", "Bo"), [1, 2]))
    with django_capture_on_commit_callbacks(execute=True):
        game_finished.send(sender=None, game_id=game.pk)
    tasks.sweep_ratings()
    assert LedgerEntry.objects.filter(cause=game.pk).count() == 2


def test_the_sweep_finds_missed_games_and_voids(make_players: MakePlayers, make_game: MakeGame) -> None:
    ana, bo = make_players("Ana", "Bo")
    wrong, missed, old = (
        make_game([ana, bo], [1, 2]),
        recent(make_game([bo, ana], [1, 2])),
        make_game([bo, ana], [1, 2]),
    )
    unrated = recent(make_game([ana, bo], [1, 2], rated=False))
    services.game_rate(game_id=wrong.pk)
    Game.objects.filter(pk=wrong.pk).update(status=GameStatus.VOID)
    tasks.sweep_ratings()
    assert set(LedgerEntry.objects.standing().values_list("cause", flat=True)) == {missed.pk}
    tasks.sweep_ratings(days=None)
    assert set(LedgerEntry.objects.standing().values_list("cause", flat=True)) == {missed.pk, old.pk}
    assert not LedgerEntry.objects.filter(cause=unrated.pk).exists()


def test_one_bad_game_does_not_keep_the_others_waiting(
    make_players: MakePlayers, make_game: MakeGame, caplog: pytest.LogCaptureFixture
) -> None:
    ana, bo = make_players("Ana", "Bo")
    broken, good = recent(make_game([ana, bo], [1, 2])), recent(make_game([ana, bo], [1, 2]))
    broken.seat_set.filter(number=1).update(player=None)
    tasks.sweep_ratings()
    assert set(LedgerEntry.objects.values_list("cause", flat=True)) == {good.pk}
    assert str(broken.pk) in caplog.text


def test_check_and_rebuild(make_players: MakePlayers, make_game: MakeGame) -> None:
    services.game_rate(game_id=make_game(make_players("Ana", "Bo"), [1, 2]).pk)
    out = StringIO()
    call_command("check_ratings", stdout=out)
    assert "hold-my-bear: right to the last digit" in out.getvalue()
    Rating.objects.update(wins=7)
    with pytest.raises(CommandError, match="Not as the games make them"):
        call_command("check_ratings", "hold-my-bear", stdout=out)
    assert "hold-my-bear: 0 ledger entries and 2 ratings differ" in out.getvalue()
    assert set(Rating.objects.values_list("wins", flat=True)) == {7}
    call_command("rebuild_ratings", stdout=out)
    assert "hold-my-bear: 0 ledger entries and 2 ratings written" in out.getvalue()
    assert set(Rating.objects.values_list("wins", flat=True)) == {0, 1}


def test_a_rebuild_of_an_unknown_pool_is_refused() -> None:
    with pytest.raises(CommandError, match="There is no pool chess"):
        call_command("rebuild_ratings", "chess")
