"""Organizers stop a table, a round or everything, and let it go on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import ClockEvent, Game
from games.services.clocks import is_paused
from players.errors import Conflict, Invalid, NotAllowed, NotFound
from tests.tournaments.conftest import advance, deal, make_player, open_games, start, win
from tournaments.models import Match, MatchGame, Round, Tournament
from tournaments.services.pauses import play_pause, play_resume

type Make = Callable[..., Tournament]


def paused(games: list[Game]) -> list[bool]:
    now = timezone.now()
    return [is_paused(game, now) for game in games]


def match_of(game: Game) -> Match:
    return MatchGame.objects.select_related("match__round").get(game=game).match


def kinds(game: Game) -> list[str]:
    return list(game.clock_events.order_by("number").values_list("kind", flat=True))


def test_everything_stops_new_games_too_and_goes_on(tournament: Make) -> None:
    event = start(tournament(4))
    first, second = open_games(event)
    deal(first)
    play_pause(tournament_id=event.pk, by=event.organizer.user, reason=" The  hall is\nclosed. ")
    assert paused([first, second]) == [True, True], "a game that is not dealt yet too"
    first.refresh_from_db()
    assert first.deadline is None
    line = event.log_lines.first()
    assert line is not None
    assert (line.action, line.actor) == ("play.paused", event.organizer)
    assert line.text == "Olga paused the tournament: The hall is closed."
    note = ClockEvent.objects.get(game=first)
    assert (note.by, note.who, note.reason) == (event.organizer.user, "Olga", "The hall is closed.")
    for game in (first, second):
        win(game, min(name for name in ["P1", "P2"] if name in [str(seat.player) for seat in game.seat_set.all()]))
    event = advance(event)
    [final] = open_games(event)
    assert paused([final]) == [True], "what begins meanwhile begins stopped"
    play_resume(tournament_id=event.pk, by=event.organizer.user, countdown=timedelta())
    assert paused([final]) == [False]
    assert kinds(final) == ["pause", "resume"]
    line = event.log_lines.first()
    assert line is not None
    assert line.text == "Olga let the tournament go on."


def test_a_round_and_a_table_stop_alone(tournament: Make) -> None:
    event = start(tournament(4, format="round-robin"))
    games = open_games(event)
    of_round = [game for game in games if match_of(game).round.number == 1]
    assert len(of_round) == len(games) == 2
    play_pause(tournament_id=event.pk, by=None, match_id=match_of(games[0]).pk)
    assert paused(games) == [True, False]
    this_round = match_of(games[0]).round
    play_pause(tournament_id=event.pk, by=None, round_id=this_round.pk)
    assert paused(games) == [True, True]
    with pytest.raises(Conflict) as refused:
        play_resume(tournament_id=event.pk, by=None, match_id=match_of(games[1]).pk)
    assert refused.value.code == "paused-wider"
    play_resume(tournament_id=event.pk, by=None, round_id=this_round.pk, countdown=timedelta())
    assert paused(games) == [True, False], "what was stopped for itself before stays so"
    play_resume(tournament_id=event.pk, by=None, match_id=match_of(games[0]).pk, countdown=timedelta())
    assert paused(games) == [False, False]


def test_an_adjournment_goes_on_by_itself(tournament: Make) -> None:
    event = start(tournament(2))
    [game] = open_games(event)
    deal(game)
    until = timezone.now() + timedelta(hours=20)
    play_pause(tournament_id=event.pk, by=None, until=until)
    game.refresh_from_db()
    assert game.deadline is not None
    assert game.deadline > until + timedelta(seconds=200), "the clock of who is to act goes on then"
    event.refresh_from_db()
    assert event.is_paused
    Tournament.objects.filter(pk=event.pk).update(paused_until=timezone.now())
    event.refresh_from_db()
    assert not event.is_paused


@pytest.mark.parametrize(
    ("wish", "kind", "code"),
    [
        ({"until": timedelta(seconds=-1)}, Invalid, "bad-time"),
        ({"until": timedelta(days=61)}, Invalid, "bad-time"),
        ({"reason": "x" * 201}, Invalid, "too-long"),
        ({"round_id": 0}, NotFound, "not-found"),
        ({"match_id": 0}, NotFound, "not-found"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    tournament: Make, wish: dict[str, Any], kind: type[Exception], code: str
) -> None:
    event = start(tournament(2))
    if "until" in wish:
        wish = {"until": timezone.now() + wish["until"]}
    with pytest.raises(kind) as refused:
        play_pause(tournament_id=event.pk, by=None, **wish)
    assert getattr(refused.value, "code", None) == code
    event.refresh_from_db()
    assert not event.is_paused
    assert not ClockEvent.objects.exists()


def test_who_may_stop_what(tournament: Make) -> None:
    event = tournament(2)
    with pytest.raises(Conflict):
        play_pause(tournament_id=event.pk, by=event.organizer.user)
    stranger = make_player("Stranger").user
    organizer = event.organizer
    Tournament.objects.filter(pk=event.pk).update(organizer=event.entrants.first().player)  # type: ignore[union-attr]
    event = start(event)
    [game] = open_games(event)
    for by in (stranger, organizer.user):
        with pytest.raises(NotAllowed):
            play_pause(tournament_id=event.pk, by=by)
    player = event.organizer.user
    with pytest.raises(NotAllowed) as refused:
        play_pause(tournament_id=event.pk, by=player, match_id=match_of(game).pk)
    assert refused.value.code == "own-game"
    play_pause(tournament_id=event.pk, by=player)
    with pytest.raises(Conflict) as again:
        play_pause(tournament_id=event.pk, by=player)
    assert again.value.code == "paused-already"
    play_resume(tournament_id=event.pk, by=player)
    with pytest.raises(Conflict):
        play_resume(tournament_id=event.pk, by=player)


def test_games_have_the_clock_of_their_event(tournament: Make) -> None:
    wishes = {
        "time_control": "turn",
        "bank_ms": 30_000,
        "increment_ms": 0,
        "disconnect_ms": 60_000,
        "absence": "house",
        "absence_ms": 20_000,
        "house_rated": True,
    }
    event = start(tournament(2, **wishes))
    [game] = open_games(event)
    assert {field: getattr(game, field) for field in wishes} == wishes


def test_the_pages_stop_and_go_on(tournament: Make, client: Client) -> None:
    event = start(tournament(2))
    [game] = open_games(event)
    match = match_of(game)
    assert event.organizer.user is not None
    client.force_login(event.organizer.user)
    page, table = f"/tournaments/{event.slug}/", f"/tournaments/{event.slug}/matches/{match.pk}/"
    assert "Every clock stands" in client.get(page).content.decode()
    assert "Every clock stands" in client.get(table).content.decode()
    answer = client.post(f"{page}pause/", {"match": match.pk, "reason": "A call"})
    assert (answer.status_code, answer["Location"]) == (302, table)
    assert "The game is paused by" in client.get(table).content.decode()
    assert client.post(f"{page}pause/", {"match": match.pk}).status_code == 409
    assert client.post(f"{page}resume/", {"match": match.pk})["Location"] == table
    assert "goes on in a few seconds" in client.get(table).content.decode()
    assert client.post(f"{page}pause/", {"round": Round.objects.get().pk}).status_code == 302
    assert "Let it go on" in client.get(page).content.decode()
    assert client.post(f"{page}pause/", {"until": "tomorrow"}).status_code == 400
    client.logout()
    shown = client.get(page).content.decode()
    assert "is paused by" in shown
    assert "Let it go on" not in shown
