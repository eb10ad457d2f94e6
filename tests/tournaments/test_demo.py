"""The demo club: loaded once, completed at every start, with real transcripts."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from games.models import Game, Record
from games.services import game_verify
from players.models import Player, User
from ratings.models import Rating
from ratings.services import pool_for, pool_rebuild
from tests.tournaments.conftest import advance
from tournaments.demo import events
from tournaments.demo.people import load_people
from tournaments.models import Dispute, MatchGame, Tournament
from tournaments.services.events import tournament_cancel
from tournaments.tasks import go_on_with_demo

pytestmark = pytest.mark.django_db


@pytest.fixture
def var(settings: Any, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path / "var"
    return settings.VAR_DIR


def counts() -> dict[str, int]:
    return {
        model.__name__: model.objects.count()
        for model in (User, Player, Game, Record, Tournament, MatchGame, Rating, Dispute)
    }


def test_the_demo_club_loads_once_and_everything_in_it_is_in_order(var: Path) -> None:
    call_command("load_demo", verbosity=0)
    before = counts()
    assert before["User"] == 12
    assert before["Game"] > 100
    file = var / "demo.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    logins = json.loads(file.read_text())["logins"]
    assert [set(login) for login in logins] == [{"name", "email", "password", "role"}] * 12
    assert [User.objects.get(email=login["email"]).check_password(login["password"]) for login in logins] == [True] * 12
    assert list(User.objects.filter(is_superuser=True).values_list("email", flat=True)) == [logins[0]["email"]]

    assert {each.name: each.status for each in Tournament.objects.all()} == {
        "Winter Cup": "finished", "Bot Marathon 1": "running", "Bot Tables 1": "running", "Bot Grab 1": "running",
        "Friday Night Bears": "open",
    }  # fmt: skip
    assert Dispute.objects.get().status == "checked"
    assert Dispute.objects.get().report["ok"] is True
    for game in ("hold-my-bear", "pick-a-polar-bear"):
        assert Rating.objects.filter(player__bot="", pool__game=game).count() >= 10
        assert not pool_rebuild(pool=pool_for(game=game), write=False)
        assert Game.objects.played().filter(game=game).count() >= 15
    for played in Game.objects.played().order_by("finished_at")[::7]:
        report = game_verify(played)
        assert report.ok, report.message
        assert report.complete
    lobby = Game.objects.filter(listed=True)
    assert {table.game for table in lobby.seating()} == {"hold-my-bear", "pick-a-polar-bear"}
    assert [table.seat_set.filter(player=None).count() for table in lobby.seating()] == [2, 2]
    assert not lobby.running().exists()

    call_command("load_demo", verbosity=0)
    assert counts() == before
    assert json.loads(file.read_text())["logins"] == logins


def test_the_organizer_can_log_in(var: Path, client: Client) -> None:
    players = load_people(var / "demo.json")
    login = json.loads((var / "demo.json").read_text())["logins"][0]
    assert client.login(email=login["email"], password=login["password"])
    # A lost file: new passwords, the same people.
    (var / "demo.json").unlink()
    assert load_people(var / "demo.json") == players
    again = json.loads((var / "demo.json").read_text())["logins"][0]
    assert again["password"] != login["password"]
    assert client.login(email=again["email"], password=again["password"])


def test_the_bots_go_on_with_their_next_event_but_not_without_end(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on_with_demo()
    assert not Tournament.objects.exists(), "no demo club, no events"
    load_people(var / "demo.json")
    go_on_with_demo()
    marathon, tables, grab = Tournament.objects.order_by("pk")
    assert advance(marathon).status == "running"
    go_on_with_demo()
    assert Tournament.objects.count() == 3
    tournament_cancel(tournament_id=marathon.pk, seen_version=advance(marathon).version, by=None)
    go_on_with_demo()
    running = Tournament.objects.running().order_by("pk")
    assert [str(each) for each in running] == [tables.name, grab.name, "Bot Marathon 2"]
    monkeypatch.setattr(events, "EVENTS_A_DAY", 1)
    tournament_cancel(tournament_id=tables.pk, seen_version=advance(tables).version, by=None)
    go_on_with_demo()
    assert [str(each) for each in running.all()] == [grab.name, "Bot Marathon 2"]
