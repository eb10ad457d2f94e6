"""The life of a tournament and of its entrants: who may, what is refused, and that a refusal changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Game
from players.errors import Conflict, Invalid, NotAllowed, ServiceError
from players.models import Club, Membership, Player, User
from ratings.models import Rating
from ratings.services import pool_for
from tests.tournaments.conftest import deal, make_player, make_tournament, names, open_games, start, win
from tournaments.models import Entrant, LogLine, Match, Stage, Tournament
from tournaments.services.entrants import entrant_add_bots, entrant_register, entrant_withdraw
from tournaments.services.events import tournament_cancel, tournament_create, tournament_edit
from tournaments.services.permissions import may_manage
from tournaments.services.starting import tournament_start

pytestmark = pytest.mark.django_db


def user_of(player: Player) -> User:
    assert player.user is not None
    return player.user


def test_create_stores_every_setting_and_a_free_slug() -> None:
    by = user_of(make_player("Olga"))
    first = tournament_create(
        by=by, name="  Ice   Cup ", format="table-elimination", table_size=5, advance=2, capacity=25
    )
    second = tournament_create(by=by, name="Ice Cup", format="single-elimination")
    third = tournament_create(by=by, name="🐻🐻", format="single-elimination")
    fourth = tournament_create(by=by, name="New", format="single-elimination")
    assert (first.name, first.slug, second.slug, third.slug, fourth.slug) == (
        "Ice Cup", "ice-cup", "ice-cup-2", "tournament", "new-2",
    )  # fmt: skip
    stage = first.stages.get()
    assert (stage.format, stage.table_size, stage.advance, stage.best_of) == ("table-elimination", 5, 2, 1)
    assert first.rules == {"animals": ["bear", "ferret", "hamster", "tiger", "vole"], "bears_alone": "named"}
    assert first.organizer.user == by


@pytest.mark.parametrize(("settings", "words"), [
    ({"name": " "}, "name"),
    ({"name": "x" * 81}, "80 characters"),
    ({"name": "\u202e\u200b"}, "name"),
    ({"format": "knock-out"}, "no format"),
    ({"format": "table-elimination", "table_size": 9}, "3 to 8"),
    ({"format": "table-elimination", "table_size": 2}, "3 to 8"),
    ({"format": "table-elimination", "table_size": 4, "advance": 4}, "Fewer must go on"),
    ({"format": "table-elimination", "table_size": 4, "advance": 0}, "at least one"),
    ({"format": "table-elimination", "table_size": 4, "best_of": 3}, "best-of"),
    ({"best_of": 2}, "best of 1, 3"),
    ({"capacity": 1}, "2 to 4096"),
    ({"format": "round-robin", "capacity": 41}, "2 to 40"),
    ({"bank_ms": 5}, "10 seconds"),
    ({"increment_ms": -1}, "2 minutes"),
    ({"ready_seconds": 100_000}, "one day"),
    ({"game": "chess"}, "chess"),
    ({"game": "pick-a-polar-bear", "rules": {"animals": ["bear"]}}, "no option 'animals'"),
    ({"rules": {"animals": ["bear"]}}, "animals"),
])  # fmt: skip
def test_impossible_settings_are_refused(settings: dict[str, Any], words: str) -> None:
    by = user_of(make_player("Olga"))
    with pytest.raises(Invalid, match=words):
        tournament_create(by=by, **{"name": "Cup", "format": "single-elimination", **settings})
    assert not Tournament.objects.exists()
    tournament = tournament_create(by=by, name="Cup", format="single-elimination")
    before = (Tournament.objects.values().get(), Stage.objects.values().get())
    with pytest.raises(Invalid, match=words):
        tournament_edit(tournament_id=tournament.pk, seen_version=tournament.version, by=by, **settings)
    assert (Tournament.objects.values().get(), Stage.objects.values().get()) == before


def test_only_a_club_organizer_runs_events_of_a_club() -> None:
    club = Club.objects.create(name="Northern Bears", slug="northern-bears")
    member, organizer = make_player("Mia"), make_player("Otto")
    Membership.objects.create(club=club, player=member, role=Membership.Role.MEMBER)
    Membership.objects.create(club=club, player=organizer, role=Membership.Role.ORGANIZER)
    with pytest.raises(NotAllowed, match="Northern Bears"):
        tournament_create(by=user_of(member), name="Cup", format="single-elimination", club=club)
    tournament = tournament_create(by=user_of(organizer), name="Cup", format="single-elimination", club=club)
    other = make_player("Omar")
    Membership.objects.create(club=club, player=other, role=Membership.Role.ORGANIZER)
    staff = User.objects.create_superuser("admin@test.example", "a password for tests")
    assert may_manage(user_of(organizer), tournament)
    assert may_manage(user_of(other), tournament)
    assert may_manage(staff, tournament)
    assert not may_manage(user_of(member), tournament)
    with pytest.raises(NotAllowed, match="player name"):
        tournament_create(by=staff, name="Cup", format="single-elimination")


def test_strangers_may_do_nothing() -> None:
    tournament = make_tournament(2)
    stranger = user_of(make_player("Sam"))
    entrant = tournament.entrants.all()[0]
    common = {"tournament_id": tournament.pk, "by": stranger}
    seen = {"seen_version": tournament.version}
    attempts = [
        lambda: tournament_edit(**common, **seen, name="Mine"),
        lambda: tournament_start(**common, **seen),
        lambda: tournament_cancel(**common, **seen),
        lambda: entrant_add_bots(**common, level="random"),
        lambda: entrant_register(**common, player=make_player("Tom")),
        lambda: entrant_withdraw(entrant_id=entrant.pk, by=stranger),
    ]
    for attempt in attempts:
        with pytest.raises(NotAllowed):
            attempt()
    tournament.refresh_from_db()
    assert (tournament.version, tournament.status, tournament.entrants.count()) == (seen["seen_version"], "open", 2)


def test_edit_needs_the_version_that_it_saw() -> None:
    tournament = make_tournament(3)
    seen = tournament.version
    tournament_edit(tournament_id=tournament.pk, seen_version=seen, by=None, format="round-robin", capacity=10)
    with pytest.raises(Conflict, match="has changed since"):
        tournament_edit(tournament_id=tournament.pk, seen_version=seen, by=None, name="Other")
    tournament.refresh_from_db()
    assert (tournament.name, tournament.capacity, tournament.stages.get().format) == ("Cup", 10, "round-robin")
    with pytest.raises(Invalid, match="3 players are registered"):
        tournament_edit(tournament_id=tournament.pk, seen_version=tournament.version, by=None, capacity=2)
    with pytest.raises(Invalid, match="has no slug"):
        tournament_edit(tournament_id=tournament.pk, seen_version=tournament.version, by=None, slug="x")
    start(tournament)
    tournament.refresh_from_db()
    with pytest.raises(Conflict, match="running"):
        tournament_edit(tournament_id=tournament.pk, seen_version=tournament.version, by=None, name="Late")


def test_seeds_follow_the_rating_then_the_registration() -> None:
    tournament = make_tournament(4)
    pool = pool_for(game="hold-my-bear")
    by_name = {str(entrant): entrant for entrant in tournament.entrants.select_related("player")}
    Rating.objects.create(pool=pool, player=by_name["P3"].player, value=16_000, games=9)
    Rating.objects.create(pool=pool, player=by_name["P1"].player, value=14_990, games=9)
    start(tournament)
    seeds = [(str(entrant), entrant.rating, entrant.status) for entrant in tournament.entrants.order_by("seed")]
    assert seeds == [
        ("P3", 16_000, "playing"), ("P2", 15_000, "playing"), ("P4", 15_000, "playing"), ("P1", 14_990, "playing"),
    ]  # fmt: skip


def test_a_start_happens_once_and_needs_two() -> None:
    tournament = make_tournament(1)
    with pytest.raises(Invalid, match="at least two"):
        start(tournament)
    tournament.refresh_from_db()
    assert tournament.status == "open"
    assert tournament.entrants.get().seed is None
    entrant_register(tournament_id=tournament.pk, player=make_player("P2"), by=None)
    with pytest.raises(Conflict, match="has changed since"):
        tournament_start(tournament_id=tournament.pk, seen_version=tournament.version, by=None)
    start(tournament)
    with pytest.raises(Conflict) as refusal:
        start(tournament)
    assert refusal.value.code == "started-already"
    assert Match.objects.count() == Game.objects.count() == 1


def test_registration() -> None:
    tournament = make_tournament(1, capacity=3)
    player = make_player("Ana")
    first = entrant_register(tournament_id=tournament.pk, player=player, by=user_of(player))
    again = entrant_register(tournament_id=tournament.pk, player=player, by=user_of(player))
    assert first == again
    with pytest.raises(Conflict, match="room for 1 more, not for 2"):
        entrant_add_bots(tournament_id=tournament.pk, by=None, level="greedy", count=2)
    assert tournament.entrants.count() == 2
    with pytest.raises(Invalid, match="level"):
        entrant_add_bots(tournament_id=tournament.pk, by=None, level="genius")
    with pytest.raises(Invalid, match="at least one"):
        entrant_add_bots(tournament_id=tournament.pk, by=None, level="greedy", count=0)
    assert [
        entrant.player.bot for entrant in entrant_add_bots(tournament_id=tournament.pk, by=None, level="greedy")
    ] == ["greedy"]
    with pytest.raises(Conflict) as refusal:
        entrant_register(tournament_id=tournament.pk, player=make_player("Late"), by=None)
    assert refusal.value.code == "full"
    # Before the start somebody who withdraws is gone, and the place is free again.
    assert entrant_withdraw(entrant_id=first.pk, by=user_of(player)) is None
    with pytest.raises(ServiceError, match="no such entrant"):
        entrant_withdraw(entrant_id=first.pk, by=user_of(player))
    entrant_register(tournament_id=tournament.pk, player=make_player("Late"), by=None)
    start(tournament)
    with pytest.raises(Conflict) as refusal:
        entrant_register(tournament_id=tournament.pk, player=make_player("Later"), by=None)
    assert refusal.value.code == "not-open"
    assert {str(line) for line in LogLine.objects.filter(action="entrant.removed")} == {"Ana is no longer registered."}


def test_bots_play_without_waiting() -> None:
    tournament = make_tournament(0)
    entrant_add_bots(tournament_id=tournament.pk, by=None, level="random", count=4)
    start(tournament)
    assert {game.status for game in open_games(tournament)} == {"running"}
    assert Entrant.objects.values("player").distinct().count() == 4


def test_cancel_voids_what_is_in_play_and_leaves_what_was_played() -> None:
    tournament = start(make_tournament(8))
    first, second, third, _ = open_games(tournament)
    win(first, names(first)[0])
    deal(second)
    tournament_cancel(tournament_id=tournament.pk, seen_version=tournament.version, by=None, reason="Storm.")
    tournament.refresh_from_db()
    assert tournament.status == "cancelled"
    for game, status in ((first, "finished"), (second, "void"), (third, "cancelled")):
        game.refresh_from_db()
        assert game.status == status
    assert open_games(tournament) == []
    assert LogLine.objects.get(action="tournament.cancelled").text == "The tournament was called off: Storm."
    with pytest.raises(Conflict, match="over"):
        tournament_cancel(tournament_id=tournament.pk, seen_version=tournament.version, by=None)
