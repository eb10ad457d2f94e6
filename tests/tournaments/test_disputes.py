"""Disputes: claims, replays that find a changed row, rulings that stand, and rulings that move bracket and ratings."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.models import Game, Record
from games.services import game_forfeit
from players.errors import Conflict, Invalid, NotAllowed, NotFound
from players.models import Player, User
from ratings.models import LedgerEntry, Rating
from ratings.services import game_settle, pool_for, pool_rebuild
from tests.tournaments.conftest import (
    advance,
    deal,
    end_with,
    make_player,
    make_tournament,
    names,
    open_games,
    start,
    win,
)
from tournaments.models import Dispute, LogLine, Match, MatchGame, Slot, Tournament
from tournaments.services.disputes import dispute_check, dispute_preview, dispute_raise, dispute_rule
from tournaments.services.entrants import entrant_register
from tournaments.simulation.play_out import game_play_out
from tournaments.tasks import sweep_tournaments

pytestmark = pytest.mark.django_db


def play_out(game: Game) -> None:
    """Play a dealt game to its end with engine bots."""
    game_play_out(game=game, started_at=timezone.now() - timedelta(hours=1), skills={}, chance=random.Random(5))
    game.refresh_from_db()


def rated(tournament: Tournament) -> None:
    """Rate every game of the tournament that has ended."""
    for match_game in MatchGame.objects.filter(match__round__stage__tournament=tournament).select_related("game"):
        game_settle(game_id=match_game.game_id)


def player_of(game: Game, name: str) -> Player:
    player = game.seat_set.get(player__name=name).player
    assert player is not None
    return player


def raise_about(game: Game, name: str | None = None) -> Dispute:
    player = player_of(game, name or names(game)[0])
    match_game = MatchGame.objects.get(game=game)
    return dispute_raise(match_game_id=match_game.pk, player=player, record_number=1, text="That was not my move.")


def checked(game: Game, name: str | None = None) -> Dispute:
    return dispute_check(dispute_id=raise_about(game, name).pk)


def rule(dispute: Dispute, ruling: str, note: str = "") -> Dispute:
    preview = dispute_preview(dispute_id=dispute.pk)
    return dispute_rule(dispute_id=dispute.pk, by=None, ruling=ruling, note=note, seen_version=preview.version)  # type: ignore[arg-type]


def numbers() -> dict[str, tuple[int, int]]:
    return {str(rating.player): (rating.value, rating.games) for rating in Rating.objects.select_related("player")}


def test_an_untouched_game_is_in_order_and_the_result_stands() -> None:
    tournament = start(make_tournament(2))
    game = deal(open_games(tournament)[0])
    play_out(game)
    tournament = advance(tournament)
    dispute = checked(game)
    assert dispute.status == "checked"
    assert dispute.report["ok"] is True
    assert dispute.report["records"] == game.record_count
    dispute = rule(dispute, "stand", "The replay agrees.")
    assert (dispute.status, dispute.ruling_note) == ("stands", "The replay agrees.")
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    line = LogLine.objects.get(action="dispute.stands")
    assert line.public
    assert line.text == "Dispute about Final, table 1, game 1: the result stands. The replay agrees."
    with pytest.raises(Conflict) as refusal:
        rule(dispute, "replay")
    assert refusal.value.code == "ruled-already"


def test_a_row_changed_by_hand_is_found_with_its_number() -> None:
    tournament = start(make_tournament(2))
    game = deal(open_games(tournament)[0])
    play_out(game)
    advance(tournament)
    victim = Record.objects.filter(game=game, action__type="play").order_by("-number")[0]
    other = '["bear-4"]' if victim.action["cards"] == ["bear-5"] else '["bear-5"]'
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_record DISABLE TRIGGER USER")
        cursor.execute(
            "UPDATE games_record SET action = jsonb_set(action, '{cards}', %s) WHERE id = %s", [other, victim.pk]
        )
        cursor.execute("ALTER TABLE games_record ENABLE TRIGGER USER")
    dispute = checked(game)
    assert dispute.report["ok"] is False
    assert dispute.report["fault"] == "chain-broken"
    assert dispute.report["at_record"] == victim.number
    assert f"at record {victim.number}" in LogLine.objects.get(action="dispute.checked").text


def test_who_may_dispute_what() -> None:
    tournament = start(make_tournament(2))
    game = open_games(tournament)[0]
    with pytest.raises(Conflict, match="once it is over"):
        raise_about(game)
    win(game, "P1")
    match_game = MatchGame.objects.get(game=game)
    arguments = {"match_game_id": match_game.pk, "player": player_of(game, "P1"), "record_number": 1, "text": "No."}
    with pytest.raises(NotAllowed):
        dispute_raise(**{**arguments, "player": make_player("Sam")})
    for number in (0, 2, 99):
        with pytest.raises(Invalid, match="no record"):
            dispute_raise(**{**arguments, "record_number": number})
    for text in ("  ", "x" * 2001):
        with pytest.raises(Invalid, match="2000"):
            dispute_raise(**{**arguments, "text": text})
    with pytest.raises(NotFound):
        dispute_raise(**{**arguments, "match_game_id": 0})
    assert not Dispute.objects.exists()
    dispute_raise(**arguments)
    with pytest.raises(Conflict) as refusal:
        dispute_raise(**arguments)
    assert refusal.value.code == "open-already"
    dispute_raise(**{**arguments, "player": player_of(game, "P2")})
    assert Dispute.objects.count() == 2


def test_a_dispute_does_not_tell_late_spectators_of_the_end() -> None:
    tournament = start(make_tournament(2, spectator_delay_seconds=300))
    game = open_games(tournament)[0]
    win(game, "P1")
    with pytest.raises(Conflict, match="spectators have seen its end"):
        raise_about(game)
    assert not LogLine.objects.filter(action="dispute.raised").exists()
    Game.objects.filter(pk=game.pk).update(spectator_delay_ms=0)
    raise_about(game)


def test_a_dispute_is_checked_by_the_queue_or_by_the_sweep(
    eager_tasks: None, django_capture_on_commit_callbacks: object
) -> None:
    tournament = start(make_tournament(2))
    game = open_games(tournament)[0]
    win(game, "P1")
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        queued = raise_about(game, "P1")
    queued.refresh_from_db()
    assert queued.status == "checked"
    lost = raise_about(game, "P2")
    sweep_tournaments()
    lost.refresh_from_db()
    assert lost.status == "checked"


def test_a_ruling_needs_the_report_the_version_and_the_organizer() -> None:
    tournament = start(make_tournament(2))
    game = open_games(tournament)[0]
    win(game, "P1")
    dispute = raise_about(game)
    with pytest.raises(Conflict) as refusal:
        rule(dispute, "stand")
    assert refusal.value.code == "not-checked"
    dispute_check(dispute_id=dispute.pk)
    version = dispute_preview(dispute_id=dispute.pk).version
    arguments = {"dispute_id": dispute.pk, "by": None, "ruling": "replay", "note": "", "seen_version": version}
    with pytest.raises(NotAllowed):
        dispute_rule(**{**arguments, "by": player_of(game, "P2").user})
    with pytest.raises(Conflict, match="has changed since"):
        dispute_rule(**{**arguments, "seen_version": version - 1})
    with pytest.raises(Invalid):
        dispute_rule(**{**arguments, "ruling": "hang"})
    game.refresh_from_db()
    assert game.status == "finished"
    organizer = tournament.organizer.user
    assert dispute_rule(**{**arguments, "by": organizer}).ruled_by == organizer


def test_void_and_replay_moves_bracket_and_ratings_back() -> None:
    tournament = start(make_tournament(4))
    semi, other = open_games(tournament)
    win(semi, "P4")
    win(other, "P2")
    rated(tournament)
    before_final = numbers()
    tournament = advance(tournament)
    final = open_games(tournament)[0]
    win(final, "P4")
    rated(tournament)
    tournament = advance(tournament)
    assert tournament.status == "finished"
    assert {str(entrant): entrant.place for entrant in tournament.entrants.all()} == {
        "P4": 1,
        "P2": 2,
        "P1": 3,
        "P3": 3,
    }

    dispute = checked(semi, "P1")
    preview = dispute_preview(dispute_id=dispute.pk)
    assert list(preview.games) == [semi, final]
    assert [str(match) for match in preview.matches] == ["Final, table 1"]
    assert preview.reopens
    assert {str(move.player): move.after for move in preview.ratings} == {
        "P1": 15_000, "P4": 15_000, "P2": before_final["P2"][0],
    }  # fmt: skip
    rule(dispute, "replay", "P4 was helped.")

    tournament.refresh_from_db()
    assert (tournament.status, tournament.finished_at) == ("running", None)
    assert set(tournament.entrants.values_list("place", flat=True)) == {None}
    for game in (semi, final):
        game.refresh_from_db()
        assert game.status == "void"
    assert numbers() == {name: value for name, value in before_final.items() if name in ("P2", "P3")}
    assert not pool_rebuild(pool=pool_for(game="hold-my-bear"), write=False)
    match = Match.objects.get(round__name="Final")
    assert (match.status, match.decided_at) == ("waiting", None)
    assert {str(slot.entrant) for slot in match.slots.all()} == {"None", "P2"}
    assert not Slot.objects.filter(match=match).exclude(place=None).exists()
    # The match goes on with a new game in the same seats, and the tournament ends again, otherwise.
    (again,) = open_games(tournament)
    assert names(again) == names(semi)
    win(again, "P1")
    tournament = advance(tournament)
    (again,) = open_games(tournament)
    assert sorted(names(again)) == ["P1", "P2"]
    win(again, "P1")
    tournament = advance(tournament)
    assert {str(entrant): entrant.place for entrant in tournament.entrants.all()} == {
        "P1": 1,
        "P2": 2,
        "P4": 3,
        "P3": 3,
    }
    assert set(tournament.entrants.filter(status="out").values_list("player__name", flat=True)) == {"P2", "P3", "P4"}
    text = LogLine.objects.get(action="dispute.replayed").text
    assert "will be replayed. Undone with it: Final, table 1. P4 was helped." in text


def test_a_running_dependent_is_undone_and_open_disputes_close() -> None:
    tournament = start(make_tournament(8))
    for game in open_games(tournament):
        win(game, names(game)[0])
    first = MatchGame.objects.get(match__round__number=1, match__table=1).game
    tournament = advance(tournament)
    running = deal(open_games(tournament)[0])
    untouched = open_games(tournament)[1]
    other = checked(first, names(first)[1])
    rule(checked(first, names(first)[0]), "replay")
    other.refresh_from_db()
    assert other.status == "replayed"
    assert "another dispute" in other.ruling_note
    running.refresh_from_db()
    untouched.refresh_from_db()
    assert (running.status, untouched.status) == ("void", "seating")
    tournament.refresh_from_db()
    assert [names(game) for game in open_games(tournament)] == [names(first), names(untouched)]
    assert not LedgerEntry.objects.exists()


def test_at_a_table_the_later_games_of_the_match_fall_too() -> None:
    tournament = start(make_tournament(8, format="table-elimination", table_size=4, advance=2))
    first = deal(open_games(tournament)[0])
    win_all_but_last = [1 if name == "P8" else 2 for name in names(first)]
    game_forfeit(game=first, seat=0, reason="arbiter")
    end_with(first, "finished", win_all_but_last)
    tournament = advance(tournament)
    second = open_games(tournament)[0]
    assert MatchGame.objects.get(game=second).number == 2
    dispute = checked(first)
    assert list(dispute_preview(dispute_id=dispute.pk).games) == [first, second]
    rule(dispute, "replay")
    second.refresh_from_db()
    assert second.status == "cancelled"
    again = open_games(tournament)[0]
    assert names(again) == names(first)
    assert MatchGame.objects.get(game=again).number == 3


def test_in_a_series_the_other_games_stand() -> None:
    tournament = start(make_tournament(2, best_of=3))
    first = open_games(tournament)[0]
    win(first, "P1")
    tournament = advance(tournament)
    win(open_games(tournament)[0], "P1")
    tournament = advance(tournament)
    assert tournament.status == "finished"
    dispute = checked(first)
    assert list(dispute_preview(dispute_id=dispute.pk).games) == [first]
    rule(dispute, "replay")
    tournament.refresh_from_db()
    assert tournament.status == "running"
    win(open_games(tournament)[0], "P1")
    assert advance(tournament).status == "finished"
    assert MatchGame.objects.count() == 3


def test_an_organizer_does_not_rule_on_a_game_of_their_own() -> None:
    tournament = make_tournament(1)
    organizer = tournament.organizer
    entrant_register(tournament_id=tournament.pk, player=organizer, by=None)
    start(tournament)
    [game] = open_games(tournament)
    win(game, "P1")
    advance(tournament)
    dispute = raise_about(game, "P1")
    dispute_check(dispute_id=dispute.pk)
    seen = dispute_preview(dispute_id=dispute.pk).version
    with pytest.raises(NotAllowed) as refused:
        dispute_rule(dispute_id=dispute.pk, by=organizer.user, ruling="stand", note="", seen_version=seen)
    assert refused.value.code == "own-game"
    dispute.refresh_from_db()
    assert dispute.status == "checked"
    house = User.objects.create_superuser("house@test.example", "a password for tests")
    dispute_rule(dispute_id=dispute.pk, by=house, ruling="stand", note="", seen_version=seen)
    dispute.refresh_from_db()
    assert dispute.status == "stands"
