"""The admin site: what it shows, that it acts through the services, and how many queries it takes."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import User
from tests.tournaments.conftest import advance, make_tournament, open_games, play_by_seed, start, win
from tournaments.models import Dispute, LogLine, Match, MatchGame, Tournament
from tournaments.services.disputes import dispute_check, dispute_raise

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("admin@test.example", "a password for tests"))
    return client


def disputed(name: str = "Cup") -> Dispute:
    tournament = start(make_tournament(2, name=name))
    game = open_games(tournament)[0]
    win(game, "P1")
    advance(tournament)
    player = game.seat_set.get(number=0).player
    assert player is not None
    match_game = MatchGame.objects.get(game=game)
    dispute = dispute_raise(match_game_id=match_game.pk, player=player, record_number=1, text="<b>Not</b> mine.")
    return dispute_check(dispute_id=dispute.pk)


def test_every_page_opens(staff: Client) -> None:
    dispute = disputed()
    for path in (
        "",
        "tournaments/tournament/",
        f"tournaments/tournament/{Tournament.objects.get().pk}/change/",
        "tournaments/match/",
        f"tournaments/match/{Match.objects.get().pk}/change/",
        "tournaments/dispute/",
        f"tournaments/dispute/{dispute.pk}/change/",
        "tournaments/logline/",
        f"tournaments/logline/{LogLine.objects.all()[0].pk}/change/",
    ):
        response = staff.get(f"/admin/{path}")
        assert response.status_code == 200, path
        assert "<b>Not</b>" not in response.content.decode()


def test_a_running_tournament_is_paused_and_goes_on(staff: Client) -> None:
    tournament = start(make_tournament(2))
    [game] = open_games(tournament)
    page = f"/admin/tournaments/tournament/{tournament.pk}"
    assert staff.get(f"{page}/resume_now/").status_code == 403
    assert "games that begin meanwhile" in staff.get(f"{page}/pause_now/").content.decode()
    staff.post(f"{page}/pause_now/", {"reason": "Fire drill"})
    tournament.refresh_from_db()
    assert (tournament.is_paused, tournament.pause_reason) == (True, "Fire drill")
    assert "Fire drill" in staff.get("/admin/games/clockevent/").content.decode()
    assert staff.get(f"{page}/pause_now/").status_code == 403
    assert "ten seconds" in staff.get(f"{page}/resume_now/").content.decode()
    staff.post(f"{page}/resume_now/")
    tournament.refresh_from_db()
    assert not tournament.is_paused
    assert [event.kind for event in game.clock_events.all()] == ["pause", "resume"]


PATHS = [
    "tournament/{}/start_now/",
    "tournament/{}/advance_now/",
    "tournament/{}/pause_now/",
    "tournament/{}/resume_now/",
    "dispute/{}/rule_now/",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("number", ["x", "-1", "1.5", "\u00b2", "9" * 30, "0"])
def test_an_address_of_nothing_does_nothing(staff: Client, path: str, number: str) -> None:
    assert staff.get(f"/admin/tournaments/{path.format(number)}").status_code in {403, 404}


def test_nothing_can_be_changed_by_hand(staff: Client) -> None:
    disputed()
    for model, object_id in (
        ("tournament", Tournament.objects.get().pk),
        ("dispute", Dispute.objects.get().pk),
        ("match", Match.objects.get().pk),
    ):
        assert staff.post(f"/admin/tournaments/{model}/{object_id}/change/", {"name": "x"}).status_code == 403
        assert staff.post(f"/admin/tournaments/{model}/{object_id}/delete/", {"post": "yes"}).status_code == 403
        assert staff.get(f"/admin/tournaments/{model}/add/").status_code == 403
    assert Tournament.objects.get().name == "Cup"


def test_start_asks_first_and_acts_once(staff: Client) -> None:
    tournament = make_tournament(4)
    url = reverse("admin:tournaments_tournament_start_now", args=[tournament.pk])
    assert b"4 entrants are registered" in staff.get(url).content
    tournament.refresh_from_db()
    assert tournament.status == "open"
    stale = staff.post(url, {"version": tournament.version - 1}, follow=True)
    assert b"has changed since" in stale.content
    assert staff.post(url, {"version": tournament.version}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.status == "running"
    assert LogLine.objects.get(action="tournament.started").actor is None
    # It has begun: there is no such button any more.
    assert staff.post(url, {"version": tournament.version}).status_code == 403


def test_advance(staff: Client) -> None:
    tournament = start(make_tournament(2))
    win(open_games(tournament)[0], "P2")
    url = reverse("admin:tournaments_tournament_advance_now", args=[tournament.pk])
    assert staff.get(url).status_code == 200
    assert staff.post(url, {"version": tournament.version}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.status == "finished"


def test_ruling_shows_what_it_touches_and_goes_through_the_service(staff: Client) -> None:
    dispute = disputed()
    url = reverse("admin:tournaments_dispute_rule_now", args=[dispute.pk])
    page = staff.get(url).content.decode()
    assert "1 game would be void." in page
    assert "running again" in page
    version = Tournament.objects.get().version
    assert b"This field is required" in staff.post(url, {"version": version}).content
    assert b"has changed since" in staff.post(url, {"version": version - 1, "ruling": "stand"}, follow=True).content
    dispute.refresh_from_db()
    assert dispute.status == "checked"
    assert staff.post(url, {"version": version, "ruling": "replay", "note": "Agreed."}).status_code == 302
    dispute.refresh_from_db()
    assert (dispute.status, dispute.ruling_note) == ("replayed", "Agreed.")
    assert Tournament.objects.get().status == "running"
    assert staff.get(url).status_code == 403


def test_others_are_kept_out(client: Client) -> None:
    dispute = disputed()
    user = User.objects.create_user("staff@test.example", "a password for tests")
    client.force_login(user)
    assert client.get(reverse("admin:tournaments_dispute_rule_now", args=[dispute.pk])).status_code == 302
    assert client.get("/admin/").status_code == 302


def test_disputes_that_wait_come_first(staff: Client) -> None:
    first = disputed("First")
    second = disputed("Second")
    Dispute.objects.filter(pk=second.pk).update(status="stands", ruled_at=second.raised_at)
    found = [dispute.pk for dispute in staff.get("/admin/tournaments/dispute/").context["cl"].result_list]
    assert found == [first.pk, second.pk]


@pytest.mark.parametrize("path", ["", "tournaments/tournament/", "tournaments/match/", "tournaments/dispute/"])
def test_the_number_of_queries_does_not_grow(staff: Client, path: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert staff.get(f"/admin/{path}").status_code == 200
        return len(captured)

    disputed("One")
    start(make_tournament(4))
    few = queries()
    for number in range(4):
        disputed(f"More {number}")
        play_by_seed(start(make_tournament(5)))
        start(make_tournament(8))
    assert queries() <= few
