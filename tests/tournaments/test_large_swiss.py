"""A large Swiss: as many queries for a round as a small one, and not too slow."""

from __future__ import annotations

import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game, GameStatus
from players.models import Player
from tests.tournaments.conftest import make_tournament
from tournaments.models import Entrant, Match, MatchGame, MatchStatus, Round, Slot, Tournament
from tournaments.ranking import stage_ranking
from tournaments.services.pairings import round_pair
from tournaments.services.rounds import stage_advance
from tournaments.services.starting import tournament_start

pytestmark = pytest.mark.django_db


def _large(entrants: int, **settings: object) -> Tournament:
    """Return a running Swiss of so many people; its first round is wanted."""
    tournament = make_tournament(0, **{"format": "swiss", "round_count": 3, "capacity": 4096, **settings})
    players = Player.objects.bulk_create(
        Player(name=f"P{number}", slug=f"large-{tournament.pk}-{number}") for number in range(1, entrants + 1)
    )
    Entrant.objects.bulk_create(Entrant(tournament=tournament, player=player) for player in players)
    return tournament_start(tournament_id=tournament.pk, seen_version=tournament.version, by=None)


def _decide(tournament: Tournament) -> None:
    """Let the better seed win every open match, all at once, as if each had been played."""
    now = timezone.now()
    open_matches = Match.objects.filter(round__stage__tournament=tournament).exclude(status=MatchStatus.DECIDED)
    slots = list(
        Slot.objects.filter(match__in=open_matches).select_related("entrant").order_by("match", "entrant__seed")
    )
    place: dict[int, int] = {}
    for slot in slots:
        place[slot.match_id] = slot.place = place.get(slot.match_id, 0) + 1
    Slot.objects.bulk_update(slots, ["place"])
    games = MatchGame.objects.filter(match__in=open_matches)
    Game.objects.filter(match_game__in=games).update(
        status=GameStatus.DRAWN, places=[1, 1], started_at=now, finished_at=now
    )
    games.update(counted_at=now)
    open_matches.update(status=MatchStatus.DECIDED, decided_at=now)
    stage_advance(tournament_id=tournament.pk)


def _queries(entrants: int) -> dict[str, int]:
    """Return how many queries the steps of the second round take with so many entrants."""
    tournament = _large(entrants)
    round_pair(round_id=Round.objects.wanted().get(stage__tournament=tournament).pk)
    _decide(tournament)
    draft = Round.objects.wanted().get(stage__tournament=tournament)
    counted = {}
    with CaptureQueriesContext(
        connection,
    ) as captured:
        round_pair(round_id=draft.pk)
    counted["draw"] = len(captured)
    with CaptureQueriesContext(connection) as captured:
        stage_advance(tournament_id=tournament.pk)
    counted["advance"] = len(captured)
    with CaptureQueriesContext(connection) as captured:
        stage_ranking(tournament.stages.get())
    counted["standings"] = len(captured)
    return counted


def test_the_queries_of_a_round_do_not_grow_with_the_field() -> None:
    assert _queries(10) == _queries(60)


def test_two_thousand_play_a_round() -> None:
    tournament = _large(2000)
    round_pair(round_id=Round.objects.wanted().get(stage__tournament=tournament).pk)
    assert MatchGame.objects.count() == 1000
    _decide(tournament)
    second = Round.objects.wanted().get(stage__tournament=tournament)
    began = time.process_time()
    round_pair(round_id=second.pk)
    assert second.matches.count() == 1000
    assert MatchGame.objects.count() == 2000
    assert time.process_time() - began < 10
    began = time.process_time()
    stage_advance(tournament_id=tournament.pk)
    assert time.process_time() - began < 1
    began = time.process_time()
    rows = stage_ranking(tournament.stages.get())
    assert len(rows) == 2000
    assert time.process_time() - began < 5
