"""Stages that lead on to others, and groups, through the services on the real database."""

from __future__ import annotations

from typing import Any

import pytest

from players.errors import Conflict, Invalid, NotAllowed
from tests.tournaments.conftest import (
    advance,
    end_with,
    make_player,
    make_tournament,
    open_games,
    play_by_seed,
    start,
    win,
)
from tournaments import drawing
from tournaments.models import (
    Entrant,
    EntrantStatus,
    Round,
    Slot,
    Stage,
    StageEntrant,
    StageStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.ranking import group_rankings
from tournaments.services import pairings
from tournaments.services.chaining import stage_add, stage_decide, stage_remove, stage_start
from tournaments.services.disputes import dispute_check, dispute_raise, dispute_rule
from tournaments.services.entrants import entrant_enter_late, entrant_withdraw
from tournaments.services.events import tournament_edit
from tournaments.services.pairings import round_pair
from tournaments.services.rebuilding import places_rebuild
from tournaments.services.wishes import bye_request

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw in this process, which is quicker."""
    monkeypatch.setattr(pairings, "drawn_apart", lambda question, *, seconds: drawing.draw(question))


def follow(tournament: Tournament, **settings: Any) -> Stage:
    """Add a stage as the house; it follows on the first one with places of it."""
    tournament.refresh_from_db()
    settings = {"source": 1, "format": "single-elimination", **settings}
    return stage_add(tournament_id=tournament.pk, seen_version=tournament.version, by=None, **settings)


def listed(stage: Stage, status: str = "in") -> list[str]:
    """Return who stands in the list of ``stage`` with this status, in order of seed."""
    return [str(each) for each in (row.entrant for row in stage.stage_entrants.filter(status=status).order_by("seed"))]


def decide(stage: Stage, *orders: list[str]) -> Stage:
    ids = {str(each): each.pk for each in stage.tournament.entrants.all()}
    stage.tournament.refresh_from_db()
    return stage_decide(
        stage_id=stage.pk,
        seen_version=stage.tournament.version,
        by=None,
        orders=[[ids[name] for name in order] for order in orders],
    )


def begin(stage: Stage) -> Stage:
    stage.tournament.refresh_from_db()
    return stage_start(stage_id=stage.pk, seen_version=stage.tournament.version, by=None)


def finals(tournament: Tournament) -> dict[str, int | None]:
    return {str(each): each.place for each in tournament.entrants.select_related("player")}


def draw_all(tournament: Tournament) -> Tournament:
    """End every open game with a draw."""
    for game in open_games(tournament):
        end_with(game, "drawn", [1] * game.seats)
    return advance(tournament)


# --- groups


def test_groups_are_dealt_out_and_play_for_themselves() -> None:
    tournament = start(make_tournament(9, format="groups", group_count=2))
    stage = tournament.stages.get()
    rows = stage.stage_entrants.select_related("entrant__player").order_by("seed")
    groups: dict[int | None, list[str]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(str(row.entrant))
    assert groups == {1: ["P1", "P4", "P5", "P8", "P9"], 2: ["P2", "P3", "P6", "P7"]}
    met = [
        sorted(str(slot.entrant) for slot in match.slots.all())
        for each in stage.rounds.all()
        for match in each.matches.all()
    ]
    assert len(met) == 10 + 6
    assert all(one in groups[number] for pair in met for number in groups if pair[0] in groups[number] for one in pair)
    assert [each.matches.count() for each in stage.rounds.order_by("number")] == [4, 4, 4, 2, 2]
    first = stage.rounds.get(number=1)
    assert [match.table for match in first.matches.order_by("table")] == [1, 2, 3, 4]
    tournament = play_by_seed(tournament)
    assert tournament.status == TournamentStatus.FINISHED
    stage.refresh_from_db()
    ranked = group_rankings(stage)
    by_id = {each.pk: str(each) for each in tournament.entrants.all()}
    assert [[by_id[row.entrant] for row in ranked[number]] for number in (1, 2)] == [groups[1], groups[2]]
    assert [row.place for row in ranked[2]] == [1, 2, 3, 4]
    # Nothing tells the groups apart, so that equal places are shared.
    assert finals(tournament) == {"P1": 1, "P2": 1, "P3": 3, "P4": 3, "P5": 5, "P6": 5, "P7": 7, "P8": 7, "P9": 9}


def test_groups_can_meet_twice_and_need_enough_players() -> None:
    tournament = start(make_tournament(6, format="groups", group_count=2, twice=True))
    assert sum(each.matches.count() for each in tournament.stages.get().rounds.all()) == 12
    small = make_tournament(3, format="groups", group_count=2)
    with pytest.raises(Invalid, match="2 groups need at least 4 players") as refused:
        start(small)
    assert refused.value.code == "too-few"
    for wrong in (None, 0, 513):
        with pytest.raises(Invalid, match="how many groups"):
            make_tournament(0, format="groups", group_count=wrong)
    with pytest.raises(Invalid, match="2 to 80 players"):
        make_tournament(0, format="groups", group_count=2, capacity=81)


def test_groups_lead_to_a_bracket_and_the_rest_to_another() -> None:
    tournament = make_tournament(9, format="groups", group_count=3)
    follow(tournament, takes="group-places", takes_first=1, takes_last=2)
    follow(tournament, takes="rest", format="round-robin")
    tournament = play_by_seed(start(tournament))
    first, bracket, rest = tournament.stages.order_by("number")
    assert {each.status for each in (first, bracket, rest)} == {StageStatus.FINISHED}
    # The groups are P1 P6 P7, P2 P5 P8, P3 P4 P9; the second places come backwards.
    assert listed(bracket) == ["P1", "P2", "P3", "P4", "P5", "P6"]
    assert listed(bracket, "cut") == ["P7", "P8", "P9"]
    assert listed(rest) == ["P7", "P8", "P9"]
    assert tournament.status == TournamentStatus.FINISHED
    places = finals(tournament)
    assert [places[f"P{number}"] for number in range(1, 10)] == [1, 2, 3, 3, 5, 5, 7, 8, 9]
    assert places_rebuild(tournament_id=tournament.pk) == []
    Entrant.objects.filter(tournament=tournament).update(place=None)
    assert len(places_rebuild(tournament_id=tournament.pk)) == 9
    assert finals(tournament) == places


# --- the cut


def test_a_swiss_leads_to_a_top_four_of_exactly_four() -> None:
    tournament = make_tournament(10, format="swiss", round_count=5)
    follow(tournament, takes_first=1, takes_last=4, third_place=True)
    # With these lots the tie-breaks leave no tie on the fourth place.
    tournament.stages.filter(number=1).update(draw_seed="5")
    tournament = start(tournament)
    for _ in range(12):
        for each in list(Round.objects.wanted().filter(stage__tournament=tournament)):
            round_pair(round_id=each.pk)
        tournament = play_by_seed(tournament)
    assert tournament.status == TournamentStatus.FINISHED
    swiss, top = tournament.stages.order_by("number")
    order = [str(row.entrant) for row in swiss.stage_entrants.order_by("place", "seed")]
    assert listed(top) == order[:4]
    assert top.stage_entrants.filter(status="cut").count() == 6
    semi = top.rounds.get(number=1)
    pairs = [[str(slot.entrant) for slot in match.slots.order_by("number")] for match in semi.matches.order_by("table")]
    assert sorted(map(sorted, pairs)) == sorted(map(sorted, ([order[0], order[3]], [order[1], order[2]])))
    places = finals(tournament)
    assert sorted(places[name] for name in order[:4]) == [1, 2, 3, 4]
    assert [places[name] for name in order[4:]] == [
        row.place for row in swiss.stage_entrants.order_by("place", "seed")[4:]
    ]
    # Who is not in the second stage is knocked out, and whoever lost there too.
    out = set(map(str, tournament.entrants.filter(status=EntrantStatus.OUT)))
    assert out == set(places) - {name for name, place in places.items() if place == 1}


@pytest.mark.parametrize("rule", ["tie-breaks", "organizer", "play-off"])
def test_a_tie_on_the_last_place_waits_for_a_decision(rule: str) -> None:
    tournament = make_tournament(4, format="round-robin")
    top = follow(tournament, takes_first=1, takes_last=2, tie_rule=rule)
    rest = follow(tournament, takes="rest")
    tournament = draw_all(start(tournament))
    while open_games(tournament):
        tournament = draw_all(tournament)
    top.refresh_from_db()
    assert tournament.status == TournamentStatus.RUNNING
    assert top.status == StageStatus.WAITING
    assert not StageEntrant.objects.filter(stage__in=(top, rest)).exists()
    lines = tournament.log_lines.filter(action="stage.undecided")
    who = "a play-off decides" if rule == "play-off" else "the organizer decides"
    assert [line.text for line in lines] == [f"Stage 2 waits: between P1 and P2 and P3 and P4 for 2 places {who}."]
    advance(tournament)
    assert lines.count() == 1
    with pytest.raises(Invalid) as refused:
        decide(top, ["P3", "P2", "P1"])
    assert refused.value.code == "bad-order"
    with pytest.raises(Invalid):
        decide(top, ["P3", "P2", "P1", "P1"])
    with pytest.raises(Conflict, match="not decided yet"):
        begin(top)
    assert decide(top, ["P3", "P2", "P1", "P4"]).status == StageStatus.RUNNING
    assert listed(top) == ["P3", "P2"]
    assert sorted(listed(rest)) == ["P1", "P4"]
    with pytest.raises(Conflict):
        decide(top, ["P3", "P2", "P1", "P4"])
    tournament = play_by_seed(tournament)
    assert tournament.status == TournamentStatus.FINISHED
    assert finals(tournament) == {"P2": 1, "P3": 2, "P1": 3, "P4": 4}


def test_a_tie_in_two_groups_is_decided_at_once() -> None:
    tournament = make_tournament(4, format="groups", group_count=2)
    top = follow(tournament, takes="group-places", takes_first=1, takes_last=1)
    draw_all(start(tournament))
    with pytest.raises(Invalid):
        decide(top, ["P1", "P4"])
    assert decide(top, ["P4", "P1"], ["P2", "P3"]).status == StageStatus.RUNNING
    assert listed(top) == ["P4", "P2"]


def test_bands_of_places_lead_to_stages_of_their_own() -> None:
    tournament = make_tournament(8, format="round-robin")
    upper = follow(tournament, takes_first=1, takes_last=4)
    lower = follow(tournament, takes_first=5, takes_last=8)
    last = follow(tournament, source=3, takes_first=1, takes_last=2, format="round-robin")
    tournament = play_by_seed(start(tournament))
    assert listed(upper) == ["P1", "P2", "P3", "P4"]
    assert listed(lower) == ["P5", "P6", "P7", "P8"]
    assert listed(last) == ["P5", "P6"]
    assert [finals(tournament)[f"P{number}"] for number in range(1, 9)] == [1, 2, 3, 3, 5, 6, 7, 7]


# --- withdrawals between stages


def by_hand(entrants: int, **settings: Any) -> Tournament:
    return make_tournament(entrants, **{"format": "round-robin", "publish_rounds": "by-hand", **settings})


def withdraw(tournament: Tournament, name: str) -> None:
    entrant_withdraw(entrant_id=tournament.entrants.get(player__name=name).pk, by=None)


def test_who_withdraws_between_stages_is_replaced_by_the_first_substitute() -> None:
    tournament = by_hand(6)
    top = follow(tournament, takes_first=1, takes_last=3, format="round-robin")
    tournament = play_by_seed(start(tournament))
    assert tournament.status == TournamentStatus.RUNNING
    assert (listed(top), listed(top, "substitute")) == (["P1", "P2", "P3"], ["P4", "P5", "P6"])
    withdraw(tournament, "P5")
    withdraw(tournament, "P1")
    assert (listed(top), listed(top, "substitute")) == (["P2", "P3", "P4"], ["P6"])
    assert sorted(listed(top, "withdrawn")) == ["P1", "P5"]
    assert begin(top).status == StageStatus.RUNNING
    # Nor is anybody in it who withdrew before.
    assert sorted(listed(top, "cut")) == ["P1", "P5", "P6"]
    # Once it has begun nobody comes in any more.
    withdraw(tournament, "P2")
    assert listed(top) == ["P3", "P4"]
    tournament = play_by_seed(tournament)
    assert finals(tournament) == {"P3": 1, "P4": 2, "P2": 3, "P1": 4, "P5": 5, "P6": 6}


def test_a_substitute_comes_from_the_same_group_and_leaves_a_stage_with_worse_places() -> None:
    tournament = by_hand(8, format="groups", group_count=2)
    top = follow(tournament, takes="group-places", takes_first=1, takes_last=1)
    rest = follow(tournament, takes="rest", format="round-robin")
    tournament = play_by_seed(start(tournament))
    assert (listed(top), listed(rest)) == (["P1", "P2"], ["P4", "P3", "P5", "P6", "P8", "P7"])
    withdraw(tournament, "P2")
    assert (listed(top), listed(rest)) == (["P1", "P3"], ["P4", "P5", "P6", "P8", "P7"])
    begin(rest)
    withdraw(tournament, "P1")
    # Everybody who could move up plays elsewhere by now.
    assert listed(top) == ["P3"]
    assert begin(top).status == StageStatus.FINISHED
    assert finals(play_by_seed(tournament))["P3"] == 1


def test_a_stage_that_nobody_is_left_for_is_passed_over() -> None:
    tournament = by_hand(2)
    top = follow(tournament, takes_first=1, takes_last=2)
    tournament = play_by_seed(start(tournament))
    for name in ("P1", "P2"):
        withdraw(tournament, name)
    assert begin(top).status == StageStatus.FINISHED
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    assert finals(tournament) == {"P1": 1, "P2": 2}
    assert tournament.log_lines.filter(text="Stage 2 is not played: no players are left for it.").exists()


# --- corrections


def test_a_result_can_be_undone_until_a_later_stage_has_begun() -> None:
    tournament = by_hand(3)
    top = follow(tournament, takes_first=1, takes_last=2)
    tournament = play_by_seed(start(tournament))
    assert listed(top) == ["P1", "P2"]
    slot = Slot.objects.get(
        match__round__stage__number=1, entrant__player__name="P1", match__slots__entrant__player__name="P2"
    )
    match_game = slot.match.match_games.get()
    assert slot.entrant is not None

    def dispute() -> int:
        raised = dispute_raise(match_game_id=match_game.pk, player=slot.entrant.player, record_number=1, text="Look.")  # type: ignore[union-attr]
        dispute_check(dispute_id=raised.pk)
        tournament.refresh_from_db()
        return raised.pk

    dispute_rule(dispute_id=dispute(), by=None, ruling="replay", note="", seen_version=tournament.version)
    assert not top.stage_entrants.exists()
    [again] = open_games(tournament)
    win(again, "P2")
    advance(tournament)
    assert listed(top) == ["P2", "P1"]
    begin(top)
    match_game = slot.match.match_games.get(number=2)
    with pytest.raises(Conflict) as refused:
        dispute_rule(dispute_id=dispute(), by=None, ruling="replay", note="", seen_version=tournament.version)
    assert refused.value.code == "later-stage"


def test_late_entries_are_for_the_first_stage() -> None:
    tournament = make_tournament(3, format="round-robin")
    follow(tournament, takes_first=1, takes_last=2, format="swiss", round_count=1)
    tournament = play_by_seed(start(tournament))
    assert tournament.stages.get(number=2).status == StageStatus.RUNNING
    with pytest.raises(Conflict) as refused:
        entrant_enter_late(tournament_id=tournament.pk, player=make_player("Late"), by=None)
    assert refused.value.code == "not-swiss"


def test_a_bye_is_for_the_stage_that_one_plays_in() -> None:
    tournament = make_tournament(6, format="round-robin")
    follow(tournament, takes_first=1, takes_last=2)
    rest = follow(tournament, takes="rest", format="swiss", round_count=2)
    tournament = play_by_seed(start(tournament))
    ids = {str(each): each.pk for each in tournament.entrants.select_related("player")}
    assert bye_request(entrant_id=ids["P3"], round_number=1, kind="bye-half", by=None).stage == rest
    for name in ("P1", "P2"):
        with pytest.raises(Conflict):
            bye_request(entrant_id=ids[name], round_number=1, kind="bye-half", by=None)


# --- planning


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"source": 2, "takes_first": 1, "takes_last": 2}, "from an earlier one"),
        ({"takes_first": 2, "takes_last": 3}, "begin with place 1"),
        ({"takes_first": 1, "takes_last": None}, "begin with place 1"),
        ({"takes": "group-places", "takes_first": 1, "takes_last": 2}, "places of the stage lead on"),
        ({"takes_first": 1, "takes_last": 1}, "At least two"),
        ({"takes_first": 1, "takes_last": 2, "tie_rule": "toss"}, "no rule toss"),
        ({"takes": "rest", "format": "round-robin"}, "2 to 40 players"),
        ({"takes_first": 1, "takes_last": 2, "format": "swiss"}, "how many rounds"),
        ({"takes_first": 1, "takes_last": 2, "colour": "blue"}, "no colour"),
    ],
)
def test_a_chain_that_cannot_be_is_refused(settings: dict[str, Any], words: str) -> None:
    tournament = make_tournament(2, format="swiss", round_count=1, capacity=64)
    with pytest.raises(Invalid, match=words):
        follow(tournament, **settings)
    assert tournament.stages.count() == 1


def test_stages_are_planned_while_the_event_is_open_by_its_organizer() -> None:
    tournament = make_tournament(4, format="groups", group_count=2)
    follow(tournament, takes="group-places", takes_first=1, takes_last=1)
    with pytest.raises(Invalid, match="begin with place 2"):
        follow(tournament, takes="group-places", takes_first=3, takes_last=3)
    follow(tournament, takes="rest")
    with pytest.raises(Invalid, match="Everybody else goes on"):
        follow(tournament, takes="group-places", takes_first=2, takes_last=2)
    # What the first stage becomes must still lead on.
    tournament.refresh_from_db()
    with pytest.raises(Invalid, match="places of the stage lead on"):
        tournament_edit(tournament_id=tournament.pk, seen_version=tournament.version, by=None, format="round-robin")
    stranger = make_player("Stranger").user
    with pytest.raises(NotAllowed):
        stage_add(tournament_id=tournament.pk, seen_version=tournament.version, by=stranger, source=1, format="swiss")
    with pytest.raises(Conflict):
        stage_remove(tournament_id=tournament.pk, seen_version=tournament.version - 1, by=None)
    for _ in range(2):
        stage_remove(tournament_id=tournament.pk, seen_version=tournament.version, by=None)
        tournament.refresh_from_db()
    assert tournament.stages.count() == 1
    with pytest.raises(Invalid, match="one stage at least"):
        stage_remove(tournament_id=tournament.pk, seen_version=tournament.version, by=None)
    tournament = start(tournament)
    with pytest.raises(Conflict):
        follow(tournament, takes="rest")
