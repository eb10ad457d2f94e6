"""Pages of a large Swiss: as many queries as a small one, and quick however many play."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import Game, GameStatus, Seat
from players.models import Player, User
from tests.tournaments.conftest import make_tournament
from tests.tournaments.pages.test_events import page
from tournaments import kept_standings as keeping
from tournaments.kept_standings import kept_standings
from tournaments.models import Bye, Entrant, Match, MatchGame, MatchStatus, Round, RoundStatus, Slot, Stage, Tournament
from tournaments.services.locking import touch
from tournaments.services.starting import tournament_start
from tournaments.standings.ranking import Standings

type LogIn = Callable[[Player], Client]

pytestmark = pytest.mark.django_db


def large_swiss(entrants: int, rounds: int, **settings: object) -> Tournament:
    """Return a running Swiss with so many rounds played, all but the last decided; an odd field has byes.

    The rounds are written as they are stored, and drawn in the simplest way: the second half of the field moves on by
    one place a round.
    """
    made = make_tournament(
        0, **{"format": "swiss", "round_count": rounds, "capacity": 4096, "rated": False, **settings}
    )
    players = Player.objects.bulk_create(
        Player(name=f"P{number}", slug=f"large-{made.pk}-{number}") for number in range(1, entrants + 1)
    )
    Entrant.objects.bulk_create(Entrant(tournament=made, player=player) for player in players)
    running = tournament_start(tournament_id=made.pk, seen_version=made.version, by=None)
    stage = running.stages.get()
    stage.rounds.all().delete()
    field = list(running.entrants.select_related("player").order_by("seed"))
    for number in range(1, rounds + 1):
        play_round(stage, number, field, decided=number < rounds)
    return running


def play_round(stage: Stage, number: int, field: list[Entrant], *, decided: bool) -> None:
    """Store round ``number``: the better seed wins every match, if it is ``decided``."""
    now = timezone.now()
    half = len(field) // 2
    upper, lower = field[:half], field[half : 2 * half]
    lower = lower[number % half :] + lower[: number % half]
    this = Round.objects.create(stage=stage, number=number, name=f"Round {number}", status=RoundStatus.PUBLISHED)
    status = MatchStatus.DECIDED if decided else MatchStatus.PLAYING
    matches = Match.objects.bulk_create(Match(round=this, table=1 + n, advance=0, status=status) for n in range(half))
    slots, games, seats = [], [], []
    for match, pair in zip(matches, zip(upper, lower, strict=True), strict=True):
        game = Game(
            game="hold-my-bear",
            rules=stage.tournament.rules,
            commitment="0" * 64,
            server_seed=bytes(32),
            seats=2,
            status=GameStatus.FINISHED if decided else GameStatus.RUNNING,
            places=[1, 2] if decided else None,
            started_at=now,
            finished_at=now if decided else None,
        )
        games.append(game)
        for seat, entrant in enumerate(pair):
            slots.append(Slot(match=match, number=seat, entrant=entrant, place=seat + 1 if decided else None))
            seats.append(Seat(game=game, number=seat, player=entrant.player))
    Slot.objects.bulk_create(slots)
    Game.objects.bulk_create(games)
    Seat.objects.bulk_create(seats)
    counted = now if decided else None
    MatchGame.objects.bulk_create(
        MatchGame(match=match, number=1, game=game, counted_at=counted)
        for match, game in zip(matches, games, strict=True)
    )
    Bye.objects.bulk_create(Bye(round=this, entrant=entrant, kind="bye-allocated") for entrant in field[2 * half :])


def seconds_and_queries(client: Client, tournament: Tournament, **asked: str | int) -> tuple[float, int]:
    """Return the seconds of this process and the queries that the page of ``tournament`` takes."""
    began = time.process_time()
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(reverse("tournaments:detail", args=[tournament.slug]), asked)
    assert answer.status_code == 200
    return time.process_time() - began, len(queries)


@pytest.mark.parametrize("asked", [{}, {"who": "P1", "tables": 2, "standings": 2}])
def test_queries_do_not_grow_with_the_field(as_player: LogIn, asked: dict[str, str | int]) -> None:
    counts = []
    for entrants in (50, 200):
        cup = large_swiss(entrants + 1, 3)
        looking = as_player(own_account(cup, entrants // 2))
        counts.append([seconds_and_queries(looking, cup, **asked)[1] for _ in range(2)])
    assert counts[0] == counts[1]
    first, again = counts[0]
    assert again < first, "standings that have not changed are kept"


def own_account(tournament: Tournament, seed: int) -> Player:
    """Return the player with this seed, who has an account now."""
    player = tournament.entrants.get(seed=seed).player
    player.user = User.objects.create_user(f"own-{player.pk}@test.example", "a password for tests")
    player.save()
    return player


def test_two_thousand_have_a_quick_page_with_what_matters_to_who_looks(as_player: LogIn) -> None:
    cup = large_swiss(2001, 4)
    looking = as_player(own_account(cup, 1500))
    seconds = [seconds_and_queries(looking, cup)[0] for _ in range(6)]
    assert statistics.median(seconds[1:]) < 0.3
    text = page(looking, "detail", cup.slug)
    lines = re.findall(r'role="row"(.*?)</tr>', text.split("<tbody")[1].split("</tbody>")[0], re.DOTALL)
    assert len(lines) == 51
    assert "is-me" in lines[0]
    assert ">P1500<" in lines[0]
    tables = re.findall(r'<article class="([^"]*)"', text)
    assert len(tables) == 25
    assert "match--mine" in tables[0]
    assert "1 to 50 of 2001" in text
    assert "1 to 24 of 1000" in text
    assert len(text) < 300_000
    found = page(looking, "detail", cup.slug, who="P77", standings=1)
    assert {re.sub("<.*?>", "", name) for name in re.findall(r'class="name" href="[^"]*"><bdi>(P77\d?)', found)} == {
        "P77",
        *(f"P77{digit}" for digit in range(10)),
    }


def test_standings_are_kept_until_something_changes(client: Client) -> None:
    cup = large_swiss(6, 2)
    assert ">1<" in page(client, "detail", cup.slug).split("standings__points")[1][:40]
    match = Match.objects.filter(round__stage__tournament=cup, round__number=1).first()
    assert match is not None
    match.slots.filter(number=0).update(place=2)
    match.slots.filter(number=1).update(place=1)
    better = match.slots.get(number=1).entrant
    assert better is not None
    before = kept_standings(cup, cup.stages.get())
    assert before.order == kept_standings(cup, cup.stages.get()).order
    touch(cup)
    after = kept_standings(cup, cup.stages.get())
    assert after.version == cup.version
    assert {row.entrant: row.values[0] for row in after.order.rows}[better.pk] == "1"
    assert {row.entrant: row.values[0] for row in before.order.rows}[better.pk] == "0"


def test_while_somebody_works_standings_out_the_earlier_ones_are_shown_and_said_to_be(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = large_swiss(6, 2)
    page(client, "detail", cup.slug)
    touch(cup)
    told: list[str] = []
    monkeypatch.setattr(keeping, "announce", told.append)
    work_out = keeping._standings

    def meanwhile(stage: Stage) -> Standings:
        monkeypatch.setattr(keeping, "_standings", work_out)
        assert "newer results are being counted" in page(client, "detail", cup.slug)
        return work_out(stage)

    monkeypatch.setattr(keeping, "_standings", meanwhile)
    assert "newer results are being counted" not in page(client, "detail", cup.slug)
    assert told == [f"tournament.{cup.pk}"]
