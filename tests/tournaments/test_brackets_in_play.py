"""Double elimination, the match for third place, round robins played twice, large tables: played through."""

from __future__ import annotations

import pytest

from players.errors import Invalid
from tests.tournaments.conftest import advance, make_tournament, names, open_games, play_by_seed, start, win
from tournaments.models import EntrantStatus, LogLine, Match, MatchPart, MatchStatus, Tournament
from tournaments.results import match_result
from tournaments.services.disputes import dispute_check, dispute_raise, dispute_rule
from tournaments.services.entrants import entrant_withdraw
from tournaments.standings.results import Kind

pytestmark = pytest.mark.django_db


def places(tournament: Tournament) -> dict[str, int | None]:
    return {str(entrant): entrant.place for entrant in tournament.entrants.select_related("player")}


def finals(tournament: Tournament) -> list[Match]:
    return list(
        Match.objects.filter(round__stage__tournament=tournament, part=MatchPart.FINAL).order_by("round__number")
    )


def play_to_the_final(tournament: Tournament) -> Tournament:
    """Let the better seed win every match before the first final."""
    while open_games(tournament):
        games = [game for game in open_games(tournament) if game.match_game.match.part != MatchPart.FINAL]
        if not games:
            break
        for game in games:
            win(game, min(names(game)))
        tournament = advance(tournament)
    return tournament


def test_the_unbeaten_one_needs_one_final() -> None:
    tournament = play_by_seed(start(make_tournament(4, format="double-elimination")))
    assert tournament.status == "finished"
    assert places(tournament) == {"P1": 1, "P2": 2, "P3": 3, "P4": 4}
    assert [match.round.name for match in finals(tournament)] == ["Final"]
    assert Match.objects.filter(round__stage__tournament=tournament).count() == 6


def test_a_loser_of_the_main_part_is_not_out() -> None:
    tournament = start(make_tournament(4, format="double-elimination"))
    for game in open_games(tournament):
        win(game, min(names(game)))
    tournament = advance(tournament)
    assert set(tournament.entrants.values_list("status", flat=True)) == {EntrantStatus.PLAYING}
    assert ["P3", "P4"] in [sorted(names(game)) for game in open_games(tournament)]


@pytest.mark.parametrize("winner", ["P1", "P2"])
def test_a_second_final_decides_when_the_unbeaten_one_loses_the_first(winner: str) -> None:
    tournament = play_to_the_final(start(make_tournament(4, format="double-elimination")))
    (game,) = open_games(tournament)
    assert sorted(names(game)) == ["P1", "P2"]
    win(game, "P2")
    tournament = advance(tournament)
    assert tournament.status == "running"
    assert tournament.entrants.get(player__name="P1").status == EntrantStatus.PLAYING
    (game,) = open_games(tournament)
    win(game, winner)
    tournament = advance(advance(tournament))
    assert tournament.status == "finished"
    assert [match.round.name for match in finals(tournament)] == ["First final", "Final"]
    other = {"P1": "P2", "P2": "P1"}[winner]
    assert places(tournament) == {winner: 1, other: 2, "P3": 3, "P4": 4}


@pytest.mark.parametrize("entrants", [2, 3, 5, 6])
def test_double_elimination_ends_when_all_but_one_have_lost_twice(entrants: int) -> None:
    tournament = play_by_seed(start(make_tournament(entrants, format="double-elimination")))
    assert tournament.status == "finished"
    lost = dict.fromkeys((str(entrant) for entrant in tournament.entrants.all()), 0)
    for match in Match.objects.filter(round__stage__tournament=tournament):
        for slot in match.slots.exclude(place=1):
            lost[str(slot.entrant)] += 1
    assert lost == {"P1": 0} | dict.fromkeys([f"P{number}" for number in range(2, entrants + 1)], 2)


def test_the_losers_of_the_semi_finals_play_for_third_place() -> None:
    tournament = play_by_seed(start(make_tournament(4, third_place=True)))
    assert places(tournament) == {"P1": 1, "P2": 2, "P3": 3, "P4": 4}
    match = Match.objects.get(round__stage__tournament=tournament, part=MatchPart.THIRD_PLACE)
    assert match.round.name == "Match for third place"
    said = LogLine.objects.filter(tournament=tournament, data__match=match.pk).values_list("text", flat=True)
    assert [*said] == ["Match for third place, table 1: P3 takes third place."]


def test_who_has_won_third_place_is_out() -> None:
    tournament = start(make_tournament(4, third_place=True))
    for game in open_games(tournament):
        win(game, min(names(game)))
    tournament = advance(tournament)
    game = next(game for game in open_games(tournament) if "P3" in names(game))
    win(game, "P3")
    tournament = advance(tournament)
    out = tournament.entrants.filter(status=EntrantStatus.OUT)
    assert {str(entrant) for entrant in out} == {"P3", "P4"}
    assert tournament.status == "running"


def test_who_does_not_come_to_the_match_for_third_place_is_fourth() -> None:
    tournament = start(make_tournament(4, third_place=True))
    game = next(game for game in open_games(tournament) if "P3" in names(game))
    win(game, next(name for name in names(game) if name != "P3"))
    tournament = advance(tournament)
    third = tournament.entrants.get(player__name="P3")
    entrant_withdraw(entrant_id=third.pk, by=tournament.organizer.user)
    tournament = play_by_seed(advance(tournament))
    assert places(tournament) == {"P1": 1, "P2": 2, "P3": 4, "P4": 3}


def test_a_final_at_a_table_gives_every_place() -> None:
    tournament = play_by_seed(start(make_tournament(4, format="table-elimination", table_size=4, advance=1)))
    assert sorted(place or 0 for place in places(tournament).values()) == [1, 2, 3, 4]
    assert places(tournament)["P1"] == 1


def test_a_table_of_eight() -> None:
    tournament = start(make_tournament(8, format="table-elimination", table_size=8, advance=2))
    (game,) = open_games(tournament)
    assert game.seats == 8


def test_everybody_meets_everybody_twice_with_seats_exchanged() -> None:
    tournament = play_by_seed(start(make_tournament(3, format="round-robin", twice=True)))
    seats = [
        tuple(str(slot.entrant) for slot in match.slots.order_by("number"))
        for match in Match.objects.filter(round__stage__tournament=tournament)
    ]
    assert sorted(seats) == sorted((a, b) for a in ("P1", "P2", "P3") for b in ("P1", "P2", "P3") if a != b)
    assert places(tournament) == {"P1": 1, "P2": 2, "P3": 3}


def test_tie_breaks_of_the_stage_decide_in_their_order() -> None:
    tournament = make_tournament(3, format="round-robin", tie_breaks=["SB", "KS"], tie_break_rules="2024")
    assert tournament.stages.get().tie_breaks == ["SB", "KS"]
    assert make_tournament(2, format="round-robin").stages.get().tie_breaks == ["DE", "WIN", "SB", "KS"]
    assert make_tournament(2).stages.get().tie_breaks == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"third_place": True, "format": "double-elimination"}, "third place"),
        ({"twice": True}, "round robin"),
        ({"format": "round-robin", "tie_breaks": ["XX"]}, "no tie-break XX"),
        ({"format": "round-robin", "tie_breaks": ["SB", "SB"]}, "named twice"),
        ({"format": "round-robin", "tie_break_rules": "1999"}, "no tie-break rules"),
        ({"format": "table-elimination", "table_size": 9, "advance": 1}, "3 to 8 seats"),
    ],
)
def test_what_does_not_fit_the_format_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(Invalid, match=message):
        make_tournament(0, **settings)
    assert not Tournament.objects.exists()


def test_two_who_have_both_left_have_a_match_without_points() -> None:
    tournament = start(make_tournament(4, format="round-robin"))
    # They meet after this round; both leave before anything is worked out.
    tournament.entrants.filter(player__name__in=["P3", "P4"]).update(status=EntrantStatus.WITHDRAWN)
    tournament = play_by_seed(tournament)
    kinds = {}
    for match in Match.objects.filter(round__stage__tournament=tournament, status=MatchStatus.DECIDED):
        outcome = match_result(match)
        assert outcome is not None
        kinds[frozenset(str(slot.entrant) for slot in match.slots.all())] = outcome.kind
        if outcome.kind == Kind.DOUBLE_WALKOVER:
            assert [share.points for share in outcome.shares] == [0, 0]
    assert kinds[frozenset({"P3", "P4"})] == Kind.DOUBLE_WALKOVER


def test_a_ruling_on_the_first_final_leaves_no_need_for_a_second() -> None:
    tournament = play_to_the_final(start(make_tournament(4, format="double-elimination")))
    (game,) = open_games(tournament)
    win(game, "P2")
    tournament = advance(tournament)
    player = tournament.entrants.get(player__name="P1").player
    dispute = dispute_raise(match_game_id=game.match_game.pk, player=player, record_number=1, text="No.")
    dispute_check(dispute_id=dispute.pk)
    tournament.refresh_from_db()
    dispute_rule(dispute_id=dispute.pk, ruling="replay", note="", seen_version=tournament.version, by=None)
    (game,) = open_games(tournament)
    win(game, "P1")
    tournament = advance(tournament)
    assert tournament.status == "finished"
    assert places(tournament) == {"P1": 1, "P2": 2, "P3": 3, "P4": 4}
    assert [match.slots.filter(entrant=None).count() for match in finals(tournament)] == [0, 2]
