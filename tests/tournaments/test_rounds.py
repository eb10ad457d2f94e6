"""Tournaments played through the services, on the real database."""

from __future__ import annotations

import pytest

from games.models import Game
from games.services import game_void
from tests.tournaments.conftest import (
    advance,
    deal,
    end_with,
    make_tournament,
    names,
    open_games,
    play_by_seed,
    start,
    win,
)
from tournaments.models import LogLine, Match, MatchGame, MatchStatus, Slot, Tournament
from tournaments.ranking import stage_ranking
from tournaments.services.entrants import entrant_withdraw

pytestmark = pytest.mark.django_db


def places(tournament: Tournament) -> dict[str, int | None]:
    return {str(entrant): entrant.place for entrant in tournament.entrants.select_related("player")}


def matches(tournament: Tournament) -> list[Match]:
    return list(Match.objects.filter(round__stage__tournament=tournament).order_by("round__number", "table"))


def test_single_elimination_from_start_to_winner() -> None:
    tournament = start(make_tournament(5))
    # Seeds 1 to 3 have byes; of the second round only 2 against 3 can begin.
    assert [names(game) for game in open_games(tournament)] == [["P4", "P5"], ["P2", "P3"]]
    assert [round_.name for round_ in tournament.stages.get().rounds.all()] == [
        "Quarter-finals",
        "Semi-finals",
        "Final",
    ]
    tournament = play_by_seed(tournament)
    assert tournament.status == "finished"
    assert places(tournament) == {"P1": 1, "P2": 2, "P3": 3, "P4": 3, "P5": 5}
    assert tournament.finished_at is not None
    assert set(tournament.entrants.filter(status="out").values_list("player__name", flat=True)) == {
        "P2",
        "P3",
        "P4",
        "P5",
    }
    assert (
        LogLine.objects.filter(tournament=tournament, action="tournament.finished").get().text
        == "P1 won the tournament."
    )
    assert not Game.objects.filter(listed=True).exists()


def test_tables_of_four_with_two_going_on() -> None:
    tournament = start(make_tournament(9, format="table-elimination", table_size=4, advance=2))
    assert [sorted(names(game)) for game in open_games(tournament)] == [
        ["P1", "P6", "P7"], ["P2", "P5", "P8"], ["P3", "P4", "P9"],
    ]  # fmt: skip
    win(open_games(tournament)[0], "P7")
    tournament = advance(tournament)
    first = matches(tournament)[0]
    # P1 was put out before P6, so P6 is ahead and goes on without another game.
    assert first.status == MatchStatus.DECIDED
    assert {str(slot.entrant): slot.place for slot in first.slots.all()} == {"P7": 1, "P6": 2, "P1": 3}
    tournament = play_by_seed(tournament)
    assert tournament.status == "finished"
    # P2 and P3 win their tables and P1 is out: of those left the best number wins.
    assert [name for name, place in places(tournament).items() if place == 1] == ["P2"]
    assert len(matches(tournament)) == 6


def test_the_others_play_on_after_a_game_with_one_winner() -> None:
    tournament = start(make_tournament(4, format="table-elimination", table_size=4, advance=2, ready_seconds=7))
    # Four fit one table: that is the final, which has one winner.
    assert matches(tournament)[0].advance == 1
    tournament = start(make_tournament(8, format="table-elimination", table_size=4, advance=2))
    game = open_games(tournament)[0]
    seats = names(game)
    end_with(game, "finished", [1 if name == "P8" else 2 for name in seats])
    tournament = advance(tournament)
    follow_up = open_games(tournament)[0]
    assert sorted(names(follow_up)) == ["P1", "P4", "P5"]
    assert MatchGame.objects.get(game=follow_up).number == 2
    end_with(follow_up, "finished", [1 if name == "P5" else 2 for name in names(follow_up)])
    tournament = advance(tournament)
    match = matches(tournament)[0]
    assert match.status == MatchStatus.DECIDED
    assert {str(slot.entrant): slot.place for slot in match.slots.all()} == {"P8": 1, "P5": 2, "P1": 3, "P4": 3}
    final = matches(tournament)[2]
    assert {str(slot.entrant) for slot in final.slots.all() if slot.entrant} == {"P8", "P5"}


def test_best_of_three_and_draws() -> None:
    tournament = start(make_tournament(2, best_of=3))
    win(open_games(tournament)[0], "P2")
    tournament = advance(tournament)
    for _ in range(3):
        end_with(open_games(tournament)[0], "drawn", [1, 1])
        tournament = advance(tournament)
    assert tournament.status == "running"
    first_seats = [names(each.game)[0] for each in MatchGame.objects.order_by("number")]
    assert first_seats == ["P1", "P2", "P1", "P2", "P1"]
    win(open_games(tournament)[0], "P1")
    tournament = advance(tournament)
    assert places(tournament) == {"P1": 1, "P2": 2}
    text = LogLine.objects.get(tournament=tournament, action="match.decided").text
    assert text == "Final, table 1: P1 wins, as the better seed after three draws."


def test_round_robin() -> None:
    tournament = start(make_tournament(4, format="round-robin"))
    # Berger: P1 and P2 have the first seats of round 1; later rounds wait for both entrants.
    assert [names(game) for game in open_games(tournament)] == [["P1", "P4"], ["P2", "P3"]]
    end_with(open_games(tournament)[0], "drawn", [1, 1])
    tournament = advance(tournament)
    assert [names(game) for game in open_games(tournament)] == [["P2", "P3"]]
    tournament = play_by_seed(tournament)
    assert tournament.status == "finished"
    rows = stage_ranking(tournament.stages.get())
    by_id = {entrant.pk: str(entrant) for entrant in tournament.entrants.all()}
    assert [(row.place, by_id[row.entrant], row.points) for row in rows] == [  # type: ignore[union-attr]
        (1, "P1", 2100), (2, "P2", 1680), (3, "P3", 840), (4, "P4", 420),
    ]  # fmt: skip
    assert places(tournament) == {"P1": 1, "P2": 2, "P3": 3, "P4": 4}


@pytest.mark.parametrize("settings", [
    {"format": "single-elimination", "best_of": 3},
    {"format": "table-elimination", "table_size": 3, "advance": 2},
    {"format": "table-elimination", "table_size": 5, "advance": 4},
    {"format": "round-robin"},
])  # fmt: skip
@pytest.mark.parametrize("entrants", [2, 3, 7])
def test_every_format_ends(entrants: int, settings: dict[str, object]) -> None:
    tournament = play_by_seed(start(make_tournament(entrants, **settings)))
    assert tournament.status == "finished"
    assert sorted(place or 0 for place in places(tournament).values())[0] == 1
    assert places(tournament)["P1"] == 1
    assert not Match.objects.exclude(status=MatchStatus.DECIDED).exists()
    assert not MatchGame.objects.filter(counted_at=None).exists()
    assert not Tournament.objects.to_advance().exists()


def test_advance_changes_nothing_when_nothing_has_happened() -> None:
    tournament = advance(start(make_tournament(4)))
    before = (tournament.version, MatchGame.objects.count(), LogLine.objects.count())
    for _ in range(3):
        tournament = advance(tournament)
    assert (tournament.version, MatchGame.objects.count(), LogLine.objects.count()) == before


def test_a_void_game_is_played_again_in_the_same_seats() -> None:
    tournament = start(make_tournament(2))
    game = deal(open_games(tournament)[0])
    game_void(game=game, reason="power cut", by=None)
    assert list(Tournament.objects.to_advance()) == [tournament]
    tournament = advance(tournament)
    again = open_games(tournament)[0]
    assert again.pk != game.pk
    assert names(again) == names(game)
    assert MatchGame.objects.get(game=again).number == 2


def test_an_uncounted_game_is_found_by_the_sweep() -> None:
    from tournaments.tasks import sweep_tournaments

    tournament = start(make_tournament(2))
    win(open_games(tournament)[0], "P1")
    assert list(Tournament.objects.to_advance()) == [tournament]
    sweep_tournaments()
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert not Tournament.objects.to_advance().exists()


def test_a_game_that_ends_moves_the_tournament(eager_tasks: None, django_capture_on_commit_callbacks: object) -> None:
    tournament = start(make_tournament(4))
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        for game in open_games(tournament):
            win(game, min(names(game)))
    tournament.refresh_from_db()
    assert [sorted(names(game)) for game in open_games(tournament)] == [["P1", "P2"]]


def test_withdrawal_forfeits_the_open_game_and_later_matches_are_walkovers() -> None:
    tournament = start(make_tournament(4))
    game = deal(next(game for game in open_games(tournament) if "P1" in names(game)))
    entrant = tournament.entrants.get(player__name="P1")
    entrant_withdraw(entrant_id=entrant.pk, by=None)
    game.refresh_from_db()
    assert game.status == "finished"
    assert names(game)[game.places.index(1)] == "P4"
    tournament = advance(tournament)
    tournament = play_by_seed(tournament)
    assert places(tournament) == {"P2": 1, "P4": 2, "P1": 3, "P3": 3}
    assert not Slot.objects.filter(walkover=True).exists()
    # A second time changes nothing.
    lines = LogLine.objects.count()
    with pytest.raises(Exception, match="over"):
        entrant_withdraw(entrant_id=entrant.pk, by=None)
    assert LogLine.objects.count() == lines


def test_withdrawal_before_the_deal_is_a_walkover_without_a_game() -> None:
    tournament = start(make_tournament(4))
    game = next(game for game in open_games(tournament) if "P4" in names(game))
    entrant_withdraw(entrant_id=tournament.entrants.get(player__name="P4").pk, by=None)
    game.refresh_from_db()
    assert game.status == "cancelled"
    match = MatchGame.objects.get(game=game).match
    assert match.status == MatchStatus.DECIDED
    assert [(str(slot.entrant), slot.place, slot.walkover) for slot in match.slots.order_by("place")] == [
        ("P1", 1, False),
        ("P4", 2, True),
    ]
    entrant = entrant_withdraw(entrant_id=tournament.entrants.get(player__name="P4").pk, by=None)
    assert entrant is not None
    assert entrant.status == "withdrawn"


def test_withdrawal_at_a_table_leaves_the_others_playing() -> None:
    tournament = start(make_tournament(8, format="table-elimination", table_size=4, advance=2))
    entrant_withdraw(entrant_id=tournament.entrants.get(player__name="P4").pk, by=None)
    game = next(game for game in open_games(tournament) if "P1" in names(game))
    assert sorted(names(game)) == ["P1", "P5", "P8"]
    assert MatchGame.objects.get(game=game).number == 2
    deal(game)
    entrant_withdraw(entrant_id=tournament.entrants.get(player__name="P5").pk, by=None)
    game.refresh_from_db()
    assert game.status == "running"
    assert game.record_count == 1
    tournament = play_by_seed(tournament)
    assert places(tournament)["P1"] == 1


def test_the_last_one_left_wins_without_play() -> None:
    tournament = start(make_tournament(3))
    for name in ("P1", "P2", "P3"):
        entrant_withdraw(entrant_id=tournament.entrants.get(player__name=name).pk, by=None)
        tournament.refresh_from_db()
        if tournament.status == "finished":
            break
    assert tournament.status == "finished"
    final = matches(tournament)[-1]
    assert {str(slot.entrant) for slot in final.slots.all() if slot.place == 1} == {"P3"}


def test_round_robin_withdrawal_gives_walkovers() -> None:
    tournament = start(make_tournament(3, format="round-robin"))
    entrant_withdraw(entrant_id=tournament.entrants.get(player__name="P3").pk, by=None)
    tournament = advance(tournament)
    tournament = play_by_seed(tournament)
    rows = stage_ranking(tournament.stages.get())
    by_id = {entrant.pk: str(entrant) for entrant in tournament.entrants.all()}
    assert [(by_id[row.entrant], row.points) for row in rows] == [("P1", 1680), ("P2", 840), ("P3", 0)]  # type: ignore[union-attr]


def test_the_sweep_goes_on_after_a_tournament_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    from tournaments.services import rounds
    from tournaments.tasks import sweep_tournaments

    stuck, sound = (start(make_tournament(2, name=name)) for name in ("Stuck", "Sound"))
    for tournament in (stuck, sound):
        win(open_games(tournament)[0], "P1")
    real = rounds.stage_advance

    def sometimes(*, tournament_id: int) -> Tournament:
        if tournament_id == stuck.pk:
            raise ValueError("cannot be advanced")
        return real(tournament_id=tournament_id)

    monkeypatch.setattr(rounds, "stage_advance", sometimes)
    sweep_tournaments()
    assert {each.name: each.status for each in Tournament.objects.all()} == {"Stuck": "running", "Sound": "finished"}
