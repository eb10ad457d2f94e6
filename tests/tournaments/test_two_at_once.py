"""Two people, two clicks, two workers: real threads on the real database, one effect."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from games.models import Game
from players.errors import Conflict, ServiceError
from players.models import User
from tests.tournaments.conftest import make_player, make_tournament, open_games, start, win
from tournaments.models import Bye, Dispute, LogLine, Match, MatchGame, Round, Slot, Tournament
from tournaments.services import pairings
from tournaments.services.disputes import dispute_check, dispute_raise, dispute_rule
from tournaments.services.entrants import entrant_register, entrant_withdraw
from tournaments.services.events import tournament_create
from tournaments.services.pairings import drawn, round_pair, round_publish
from tournaments.services.rounds import stage_advance
from tournaments.services.starting import tournament_start

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run ``calls`` in a thread each, all let go at the same moment; return results or the refusals they raised."""
    gate = threading.Barrier(len(calls))
    outcomes: list[Any] = [None] * len(calls)

    def run(number: int, call: Callable[[], Any]) -> None:
        gate.wait()
        try:
            outcomes[number] = call()
        except ServiceError as refusal:
            outcomes[number] = refusal
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_two_starts_make_one_bracket() -> None:
    tournament = make_tournament(8)
    tournament.refresh_from_db()
    seen = tournament.version
    outcomes = at_once(
        *[lambda: tournament_start(tournament_id=tournament.pk, seen_version=seen, by=None) for _ in range(4)]
    )
    refusals = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
    assert [refusal.code for refusal in refusals] == ["started-already"] * 3
    assert Match.objects.count() == 7
    assert MatchGame.objects.count() == Game.objects.count() == 4
    assert LogLine.objects.filter(action="tournament.started").count() == 1


def test_the_last_place_goes_to_one() -> None:
    tournament = make_tournament(3, capacity=4)
    players = [make_player(f"Q{number}") for number in range(4)]

    def register(player: Any) -> Callable[[], Any]:
        return lambda: entrant_register(tournament_id=tournament.pk, player=player, by=player.user)

    outcomes = at_once(*[register(player) for player in players])
    assert sorted(getattr(outcome, "code", "in") for outcome in outcomes) == ["full", "full", "full", "in"]
    assert tournament.entrants.count() == 4


def test_a_double_click_registers_once() -> None:
    tournament = make_tournament(0)
    player = make_player("Ana")
    outcomes = at_once(
        *[lambda: entrant_register(tournament_id=tournament.pk, player=player, by=player.user) for _ in range(4)]
    )
    assert len({outcome.pk for outcome in outcomes}) == 1
    assert LogLine.objects.filter(action="entrant.registered").count() == 1


def test_two_workers_advance_once() -> None:
    tournament = start(make_tournament(8))
    for expected in (2, 1, 0):
        games = open_games(tournament)
        for game in games:
            win(game, sorted(seat.player.name for seat in game.seat_set.select_related("player"))[0])
        at_once(*[lambda: stage_advance(tournament_id=tournament.pk) for _ in range(4)])
        assert len(open_games(tournament)) == expected
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert MatchGame.objects.count() == Game.objects.count() == 7
    assert LogLine.objects.filter(action="match.decided").count() == 7
    assert LogLine.objects.filter(action="tournament.finished").count() == 1


def test_advance_beside_games_that_end() -> None:
    tournament = start(make_tournament(8))
    games = open_games(tournament)

    def end(game: Game) -> Callable[[], None]:
        winner = sorted(seat.player.name for seat in game.seat_set.select_related("player"))[0]
        return lambda: win(game, winner)

    at_once(*[end(game) for game in games], *[lambda: stage_advance(tournament_id=tournament.pk) for _ in range(3)])
    stage_advance(tournament_id=tournament.pk)
    assert len(open_games(tournament)) == 2
    assert MatchGame.objects.count() == 6
    assert Slot.objects.filter(match__round__number=2, entrant=None).count() == 0


def test_two_rulings_are_one() -> None:
    tournament = start(make_tournament(2))
    game = open_games(tournament)[0]
    win(game, "P1")
    stage_advance(tournament_id=tournament.pk)
    player = game.seat_set.get(number=0).player
    assert player is not None
    match_game = MatchGame.objects.get(game=game)
    dispute = dispute_raise(match_game_id=match_game.pk, player=player, record_number=1, text="No.")
    at_once(*[lambda: dispute_check(dispute_id=dispute.pk) for _ in range(3)])
    assert LogLine.objects.filter(action="dispute.checked").count() == 1
    seen = Tournament.objects.get().version

    def ruling(word: str) -> Callable[[], Dispute]:
        return lambda: dispute_rule(dispute_id=dispute.pk, by=None, ruling=word, note="", seen_version=seen)  # type: ignore[arg-type]

    outcomes = at_once(ruling("replay"), ruling("replay"), ruling("stand"))
    assert sorted(getattr(outcome, "code", "ruled") for outcome in outcomes) == [
        "ruled",
        "ruled-already",
        "ruled-already",
    ]
    dispute.refresh_from_db()
    assert MatchGame.objects.count() == (2 if dispute.status == "replayed" else 1)


def test_tournaments_of_one_name_all_get_an_address() -> None:
    organizers = [make_player(f"Olga{number}").user for number in range(6)]

    def create(by: User) -> Callable[[], Any]:
        return lambda: tournament_create(by=by, name="Friday Cup", format="round-robin").slug

    slugs = at_once(*[create(user) for user in organizers if user is not None])
    assert sorted(slugs) == ["friday-cup", *[f"friday-cup-{number}" for number in range(2, 7)]]


def _swiss(entrants: int, **settings: Any) -> tuple[Tournament, Round]:
    """Return a running Swiss and its first round, which is wanted."""
    tournament = start(make_tournament(entrants, format="swiss", round_count=3, **settings))
    tournament.refresh_from_db()
    return tournament, Round.objects.get(stage__tournament=tournament)


def test_two_workers_that_draw_one_round_make_it_once() -> None:
    tournament, draft = _swiss(9)
    outcomes = at_once(*[lambda: round_pair(round_id=draft.pk) for _ in range(3)])
    assert [outcome.status for outcome in outcomes] == ["published"] * 3
    assert Match.objects.count() == MatchGame.objects.count() == Game.objects.count() == 4
    assert Bye.objects.count() == 1
    assert LogLine.objects.filter(tournament=tournament, action="round.published").count() == 1


def test_a_withdrawal_and_a_publication_at_once_leave_no_half_round() -> None:
    tournament, draft = _swiss(8, publish_rounds="by-hand")
    round_pair(round_id=draft.pk)
    tournament.refresh_from_db()
    leaving = tournament.entrants.get(seed=1)
    published, left = at_once(
        lambda: round_publish(round_id=draft.pk, by=None, seen_version=tournament.version),
        lambda: entrant_withdraw(entrant_id=leaving.pk, by=None),
    )
    assert left.status == "withdrawn"
    draft.refresh_from_db()
    if isinstance(published, Conflict):
        assert (draft.status, drawn(draft), Match.objects.count()) == ("draft", None, 0)
    else:
        assert (draft.status, Match.objects.count()) == ("published", 4)
        assert Slot.objects.get(entrant=leaving).walkover


def test_a_draw_that_was_killed_leaves_the_round_wanted() -> None:
    _, draft = _swiss(4)

    def killed(*args: Any, **kwargs: Any) -> None:
        raise SystemExit(9)  # what a worker that is told to go does in the middle of a task

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pairings, "drawn_apart", killed)
        with pytest.raises(SystemExit):
            round_pair(round_id=draft.pk)
    assert list(Round.objects.wanted()) == [draft]
    round_pair(round_id=draft.pk)
    assert Match.objects.count() == 2
