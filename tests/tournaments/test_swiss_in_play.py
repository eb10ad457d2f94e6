"""Swiss and table formats through the services: drawn, published, played, corrected, on the real database."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from django.core.management import call_command

from games.models import Game
from players.errors import Conflict, Invalid, NotAllowed
from players.models import User
from tests.tournaments.conftest import advance, end_with, make_player, make_tournament, names, open_games, start, win
from tournaments import drawing, tasks
from tournaments.fields import stage_field
from tournaments.models import (
    Bye,
    ByeKind,
    ByeRequest,
    Entrant,
    EntrantStatus,
    Match,
    Round,
    RoundStatus,
    Slot,
    Stage,
    StageEntrant,
    StageStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.pairing.field import Kind
from tournaments.ranking import stage_ranking
from tournaments.services import pairings
from tournaments.services.disputes import dispute_check, dispute_raise, dispute_rule
from tournaments.services.entrants import entrant_enter_late, entrant_withdraw
from tournaments.services.events import tournament_create, tournament_edit
from tournaments.services.pairings import drawn, round_draw_again, round_pair, round_publish
from tournaments.services.wishes import bye_request, bye_request_withdraw, entrants_keep_apart, entrants_let_meet
from tournaments.standings.results import POINT

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw in this process, which is quicker; what the other process does has tests of its own."""
    monkeypatch.setattr(pairings, "drawn_apart", lambda question, *, seconds: drawing.draw(question))


def swiss(entrants: int, rounds: int = 3, **settings: Any) -> Tournament:
    """Return a running Swiss whose first round is wanted."""
    return start(make_tournament(entrants, **{"format": "swiss", "round_count": rounds, **settings}))


def wanted(tournament: Tournament) -> Round:
    """Return the one draft of ``tournament``."""
    return Round.objects.get(stage__tournament=tournament, status=RoundStatus.DRAFT)


def draw(tournament: Tournament) -> Tournament:
    """Do what the queued task would do."""
    for each in list(Round.objects.wanted().filter(stage__tournament=tournament).order_by("number")):
        round_pair(round_id=each.pk)
    tournament.refresh_from_db()
    return tournament


def play(tournament: Tournament) -> Tournament:
    """Play every open game: the better number wins, at tables in order of the numbers."""
    for game in open_games(tournament):
        order = sorted(names(game), key=lambda name: int(name[1:]))
        if len(order) == 2:
            win(game, order[0])
        else:
            end_with(game, "finished", [order.index(name) + 1 for name in names(game)])
    return advance(tournament)


def play_out(tournament: Tournament) -> Tournament:
    """Draw and play until the end."""
    for _ in range(60):
        tournament = play(draw(tournament))
        if tournament.status == TournamentStatus.FINISHED:
            return tournament
    raise AssertionError("the tournament does not end")


def entrant(tournament: Tournament, name: str) -> Entrant:
    return tournament.entrants.get(player__name=name)


def tables(round_: Round) -> list[list[str]]:
    """Return who sits at each table, in the order of the slots."""
    return [
        [str(slot.entrant) for slot in match.slots.order_by("number")] for match in round_.matches.order_by("table")
    ]


def points(tournament: Tournament) -> dict[str, float]:
    stage = tournament.stages.get()
    by_id = {each.pk: str(each) for each in tournament.entrants.select_related("player")}
    return {by_id[row.entrant]: row.points / POINT for row in stage_ranking(stage)}  # type: ignore[union-attr]


def organizer(tournament: Tournament) -> User:
    user = tournament.organizer.user
    assert user is not None
    return user


# --- from the start to the end


@pytest.mark.parametrize("format_", ["swiss", "fide-dutch"])
def test_a_swiss_is_drawn_round_by_round_to_its_end(format_: str) -> None:
    tournament = swiss(8, format=format_)
    assert open_games(tournament) == []
    first = wanted(tournament)
    assert drawn(first) is None
    assert first.matches.count() == 0
    draw(tournament)
    first.refresh_from_db()
    assert first.status == RoundStatus.PUBLISHED
    assert sorted(sorted(table) for table in tables(first)) == [["P1", "P5"], ["P2", "P6"], ["P3", "P7"], ["P4", "P8"]]
    assert len(open_games(tournament)) == 4
    tournament = play_out(tournament)
    stage = tournament.stages.get()
    assert stage.status == StageStatus.FINISHED
    assert stage.rounds.count() == 3
    met = [tuple(sorted(table)) for each in stage.rounds.all() for table in tables(each)]
    assert len(met) == len(set(met)) == 12
    assert points(tournament)["P1"] == 3
    assert entrant(tournament, "P1").place == stage.stage_entrants.get(entrant__player__name="P1").place == 1
    assert sum(points(tournament).values()) == 12


def test_the_seats_of_a_pairing_are_the_seats_of_the_game_and_the_lots_stay() -> None:
    tournament = draw(swiss(6))
    seed = tournament.stages.get().draw_seed
    assert seed.isdecimal()
    first = tournament.stages.get().rounds.get()
    assert [names(game) for game in open_games(tournament)] == tables(first)
    play_out(tournament)
    assert tournament.stages.get().draw_seed == seed


def test_the_allocated_bye_is_worth_a_win_and_goes_round() -> None:
    tournament = play_out(swiss(5))
    byes = Bye.objects.filter(round__stage__tournament=tournament)
    assert [bye.kind for bye in byes] == [ByeKind.ALLOCATED] * 3
    assert len({bye.entrant_id for bye in byes}) == 3
    assert sum(points(tournament).values()) == 9
    lowest = byes.get(round__number=1)
    assert str(lowest.entrant) == "P5"


def test_tables_play_for_places_that_bring_points() -> None:
    tournament = draw(swiss(10, 2, format="table-swiss", table_size=4))
    stage = tournament.stages.get()
    assert (stage.smallest_table, stage.largest_table) == (3, 4)
    assert stage.place_points == {"3": [5, 3, 1], "4": [5, 3, 2, 1]}
    first = stage.rounds.get()
    assert sorted(len(table) for table in tables(first)) == [3, 3, 4]
    assert {match.advance for match in first.matches.all()} == {0}
    assert [names(game) for game in open_games(tournament)] == tables(first)
    tournament = play(tournament)
    assert sorted(points(tournament).values(), reverse=True) == [5, 5, 5, 3, 3, 3, 2, 1, 1, 1]
    tournament = play_out(tournament)
    assert sum(points(tournament).values()) == 2 * (11 + 9 + 9)
    assert {row.status for row in tournament.entrants.all()} == {EntrantStatus.PLAYING}
    assert entrant(tournament, "P1").place == 1


def test_shared_places_at_a_table_share_the_points() -> None:
    tournament = draw(swiss(4, 1, format="table-swiss", table_size=4))
    [game] = open_games(tournament)
    end_with(game, "drawn", [1, 1, 3, 3])
    advance(tournament)
    assert sorted(points(tournament).values()) == [1.5, 1.5, 4, 4]


def test_a_schedule_is_drawn_whole_and_nobody_meets_twice() -> None:
    tournament = swiss(16, 5, format="table-schedule", table_size=4)
    assert Round.objects.filter(stage__tournament=tournament, status=RoundStatus.DRAFT).count() == 5
    tournament = draw(tournament)
    rounds = list(tournament.stages.get().rounds.order_by("number"))
    assert [each.status for each in rounds] == [RoundStatus.PUBLISHED] * 5
    met = [frozenset(pair) for each in rounds for table in tables(each) for pair in combinations(table, 2)]
    assert len(met) == len(set(met)) == 120
    assert {len(tables(each)) for each in rounds} == {4}
    assert len(open_games(tournament)) == 4
    tournament = play_out(tournament)
    assert points(tournament)["P1"] == 25


def test_byes_of_a_schedule_count_when_their_round_is_played() -> None:
    tournament = draw(swiss(9, 3, format="table-schedule", table_size=4, short_tables="byes"))
    assert Bye.objects.filter(round__stage__tournament=tournament).count() == 3
    assert sum(points(tournament).values()) == 0
    tournament = play_out(tournament)
    assert sum(points(tournament).values()) == 3 * (11 + 11 + 5)


# --- drafts


def test_a_draft_is_seen_by_nobody_until_it_is_published() -> None:
    tournament = draw(swiss(6, publish_rounds="by-hand"))
    draft = wanted(tournament)
    pairing = drawn(draft)
    assert pairing is not None
    assert len(pairing.tables) == 3
    assert pairing.explanation is not None
    assert set(pairing.explanation) == set(tournament.entrants.values_list("pk", flat=True))
    assert not Match.objects.filter(round=draft).exists()
    assert not tournament.log_lines.filter(public=True, action__startswith="round.").exists()
    with pytest.raises(NotAllowed):
        round_publish(round_id=draft.pk, by=make_player("Eve").user, seen_version=tournament.version)
    round_publish(round_id=draft.pk, by=organizer(tournament), seen_version=tournament.version)
    assert tables(draft) == [[str(Entrant.objects.get(pk=one)) for one in table.seats] for table in pairing.tables]
    assert len(open_games(tournament)) == 3
    tournament.refresh_from_db()
    with pytest.raises(Conflict) as refusal:
        round_publish(round_id=draft.pk, by=None, seen_version=tournament.version)
    assert refusal.value.code == "published-already"


def test_a_draft_is_drawn_again_with_other_lots_and_says_so() -> None:
    tournament = draw(swiss(30, publish_rounds="by-hand", format="table-swiss", table_size=3))
    draft = wanted(tournament)
    before = drawn(draft)
    again = round_draw_again(round_id=draft.pk, by=None, seen_version=tournament.version)
    assert (again.lot, drawn(again)) == (1, None)
    tournament.refresh_from_db()
    with pytest.raises(Conflict) as refusal:
        round_publish(round_id=draft.pk, by=None, seen_version=tournament.version)
    assert refusal.value.code == "not-drawn"
    tournament = draw(tournament)
    after = drawn(wanted(tournament))
    assert before is not None
    assert after is not None
    assert after.tables != before.tables
    assert tournament.log_lines.filter(action="round.draw-again", data__lot=1).exists()


def test_a_withdrawal_between_drawing_and_publishing_has_the_round_drawn_again() -> None:
    tournament = draw(swiss(6, publish_rounds="by-hand"))
    gone = entrant(tournament, "P2")
    draft = wanted(tournament)
    entrant_withdraw(entrant_id=gone.pk, by=None)
    draft.refresh_from_db()
    assert drawn(draft) is None
    assert draft.lot == 0
    tournament = draw(tournament)
    pairing = drawn(wanted(tournament))
    assert pairing is not None
    assert gone.pk not in {one for table in pairing.tables for one in table.seats}
    assert [bye.kind for bye in pairing.byes] == [Kind.ALLOCATED]


def test_a_field_that_changes_while_it_is_drawn_is_drawn_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = swiss(6)
    gone = entrant(tournament, "P1")
    asked: list[int] = []

    def slow(question: drawing.Question, *, seconds: float) -> Sequence[Any]:
        asked.append(sum(not person.withdrawn for person in question.people))
        if len(asked) == 1:
            entrant_withdraw(entrant_id=gone.pk, by=None)
        return drawing.draw(question)

    monkeypatch.setattr(pairings, "drawn_apart", slow)
    tournament = draw(tournament)
    assert asked == [6, 5]
    assert not Slot.objects.filter(entrant=gone).exists()
    assert Bye.objects.get().kind == ByeKind.ALLOCATED


def test_an_error_is_stored_in_a_sentence_and_the_organizer_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = swiss(6)

    def late(question: drawing.Question, *, seconds: float) -> Sequence[Any]:
        raise drawing.Undrawable("The draw was not finished within 60 seconds.")

    with monkeypatch.context() as patched:
        patched.setattr(pairings, "drawn_apart", late)
        tournament = draw(tournament)
    draft = wanted(tournament)
    assert draft.pairing_error == "The draw was not finished within 60 seconds."
    assert not Round.objects.wanted().exists()
    assert not tournament.log_lines.get(action="round.not-drawn").public
    round_draw_again(round_id=draft.pk, by=organizer(tournament), seen_version=tournament.version)
    tournament = draw(tournament)
    assert len(open_games(tournament)) == 3


def test_a_fault_is_stored_and_stays_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = swiss(4)

    def broken(question: drawing.Question, *, seconds: float) -> Sequence[Any]:
        raise RuntimeError("The draw ended with status -9")

    monkeypatch.setattr(pairings, "drawn_apart", broken)
    with pytest.raises(RuntimeError, match="-9"):
        draw(tournament)
    assert "fault" in wanted(tournament).pairing_error


def test_a_lost_task_is_found_by_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = swiss(4)
    sent: list[int] = []
    monkeypatch.setattr(tasks.pair_round, "delay", sent.append)
    tasks.sweep_tournaments()
    assert sent == []
    draft = wanted(tournament)
    Round.objects.filter(pk=draft.pk).update(asked_at=draft.asked_at - 2 * tasks.LOST)  # type: ignore[operator]
    tasks.sweep_tournaments()
    assert sent == [draft.pk]
    tasks.pair_round(draft.pk)
    tasks.pair_round(draft.pk)
    assert Match.objects.count() == 2


# --- byes, late entries, withdrawals, pairs kept apart


def test_byes_that_were_asked_for_are_given_by_kind() -> None:
    tournament = swiss(8, publish_rounds="by-hand")
    half, zero = entrant(tournament, "P1"), entrant(tournament, "P2")
    bye_request(entrant_id=half.pk, round_number=1, kind="bye-full", by=organizer(tournament))
    bye_request(entrant_id=half.pk, round_number=1, kind="bye-half", by=half.player.user)
    bye_request(entrant_id=zero.pk, round_number=1, kind="bye-zero", by=zero.player.user)
    tournament = draw(tournament)
    draft = wanted(tournament)
    round_publish(round_id=draft.pk, by=None, seen_version=tournament.version)
    assert {str(bye.entrant): bye.kind for bye in draft.byes.all()} == {"P1": "bye-half", "P2": "bye-zero"}
    assert not ByeRequest.objects.exists()
    assert points(tournament)["P1"] == 0.5
    with pytest.raises(Conflict) as refusal:
        bye_request_withdraw(entrant_id=half.pk, round_number=1, by=None)
    assert refusal.value.code == "published-already"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"kind": "bye-allocated"}, Invalid),
        ({"round_number": 4}, Invalid),
        ({"round_number": 0}, Invalid),
        ({"kind": "bye-full"}, NotAllowed),
    ],
)
def test_byes_that_cannot_be_are_refused(changes: dict[str, Any], error: type[Exception]) -> None:
    tournament = swiss(4)
    one = entrant(tournament, "P1")
    with pytest.raises(error):
        bye_request(**{"entrant_id": one.pk, "round_number": 2, "kind": "bye-half", "by": one.player.user, **changes})
    with pytest.raises(NotAllowed):
        bye_request(entrant_id=one.pk, round_number=2, kind="bye-half", by=entrant(tournament, "P2").player.user)
    assert not ByeRequest.objects.exists()


def test_a_request_that_is_taken_back_is_gone() -> None:
    tournament = draw(swiss(4, publish_rounds="by-hand"))
    one = entrant(tournament, "P1")
    bye_request(entrant_id=one.pk, round_number=1, kind="bye-half", by=None)
    assert drawn(wanted(tournament)) is None
    bye_request_withdraw(entrant_id=one.pk, round_number=1, by=one.player.user)
    tournament = draw(tournament)
    pairing = drawn(wanted(tournament))
    assert pairing is not None
    assert len(pairing.tables) == 2


def test_a_late_entry_joins_from_the_next_round() -> None:
    tournament = draw(swiss(4))
    late = make_player("P9")
    with pytest.raises(NotAllowed):
        entrant_enter_late(tournament_id=tournament.pk, player=late, by=late.user)
    joined = entrant_enter_late(tournament_id=tournament.pk, player=late, by=organizer(tournament), missed="bye-half")
    assert joined.seed == 5
    assert points(tournament)["P9"] == 0.5
    tournament = draw(play(tournament))
    second = tournament.stages.get().rounds.get(number=2)
    assert joined.pk in {*Slot.objects.filter(match__round=second).values_list("entrant", flat=True)} | {
        *second.byes.values_list("entrant", flat=True)
    }
    with pytest.raises(Conflict) as refusal:
        entrant_enter_late(tournament_id=tournament.pk, player=late, by=None)
    assert refusal.value.code == "registered-already"
    tournament = draw(play(tournament))
    with pytest.raises(Conflict) as refusal:
        entrant_enter_late(tournament_id=tournament.pk, player=make_player("P8"), by=None)
    assert refusal.value.code == "too-late"
    assert play_out(tournament).status == TournamentStatus.FINISHED


def test_who_withdraws_keeps_what_was_played_and_is_not_paired_again() -> None:
    tournament = play(draw(swiss(6)))
    gone = entrant(tournament, "P1")
    entrant_withdraw(entrant_id=gone.pk, by=None)
    tournament = play_out(tournament)
    assert points(tournament)["P1"] == 1
    assert Slot.objects.filter(entrant=gone).count() == 1
    assert entrant(tournament, "P1").place is not None
    assert StageEntrant.objects.get(entrant=gone).status == "withdrawn"


def test_who_withdraws_at_a_table_in_play_is_last_there() -> None:
    tournament = draw(swiss(4, 1, format="table-swiss", table_size=4))
    gone = entrant(tournament, "P1")
    entrant_withdraw(entrant_id=gone.pk, by=None)
    [game] = open_games(tournament)
    assert sorted(names(game)) == ["P2", "P3", "P4"]
    tournament = play(tournament)
    assert points(tournament) == {"P2": 5, "P3": 3, "P4": 2, "P1": 0}
    assert Slot.objects.get(entrant=gone).walkover


def test_a_stage_of_which_all_but_one_have_left_is_over() -> None:
    tournament = draw(swiss(3, 5))
    for name in ("P1", "P2"):
        entrant_withdraw(entrant_id=entrant(tournament, name).pk, by=None)
    tournament = advance(tournament)
    assert tournament.status == TournamentStatus.FINISHED
    assert tournament.stages.get().rounds.count() == 1


def test_pairs_are_kept_apart_until_they_may_meet() -> None:
    tournament = draw(swiss(8, publish_rounds="by-hand"))
    one, five = entrant(tournament, "P1"), entrant(tournament, "P5")

    def meet() -> bool:
        pairing = drawn(wanted(draw(tournament)))
        assert pairing is not None
        return any({one.pk, five.pk} == set(table.seats) for table in pairing.tables)

    assert meet()
    entrants_keep_apart(tournament_id=tournament.pk, entrant_ids=(five.pk, one.pk), by=organizer(tournament))
    entrants_keep_apart(tournament_id=tournament.pk, entrant_ids=(one.pk, five.pk), by=organizer(tournament))
    assert not meet()
    entrants_let_meet(tournament_id=tournament.pk, entrant_ids=(one.pk, five.pk), by=organizer(tournament))
    assert meet()
    with pytest.raises(Invalid):
        entrants_keep_apart(tournament_id=tournament.pk, entrant_ids=(one.pk, one.pk), by=None)
    with pytest.raises(NotAllowed):
        entrants_keep_apart(tournament_id=tournament.pk, entrant_ids=(one.pk, five.pk), by=one.player.user)


# --- corrections


def _ruled(tournament: Tournament, game: Game) -> None:
    """Have ``game`` made void by the ruling on a dispute."""
    player = game.seat_set.get(number=0).player
    assert player is not None
    dispute = dispute_raise(match_game_id=game.match_game.pk, player=player, record_number=1, text="Not so.")
    dispute_check(dispute_id=dispute.pk)
    tournament.refresh_from_db()
    dispute_rule(dispute_id=dispute.pk, by=None, ruling="replay", note="", seen_version=tournament.version)
    tournament.refresh_from_db()


def test_a_correction_of_a_past_round_changes_the_standings_and_only_rounds_to_come() -> None:
    tournament = draw(swiss(4))
    [first, *_] = open_games(tournament)
    tournament = draw(play(tournament))
    second = tournament.stages.get().rounds.get(number=2)
    seated = tables(second)
    _ruled(tournament, first)
    assert tables(second) == seated
    [replay] = [game for game in open_games(tournament) if game.match_game.match.round.number == 1]
    loser = sorted(names(replay), key=lambda name: int(name[1:]))[1]
    for game in open_games(tournament):
        if game.pk != replay.pk:
            win(game, min(names(game)))
    tournament = draw(advance(tournament))
    assert tournament.stages.get().rounds.count() == 2
    win(replay, loser)
    tournament = draw(advance(tournament))
    assert tournament.stages.get().rounds.count() == 3
    third = {person.id: person.points for person in stage_field(tournament.stages.get(), 2)}
    assert third[entrant(tournament, loser).pk] == POINT


def test_a_correction_after_the_end_opens_the_stage_again() -> None:
    tournament = draw(swiss(2, 1))
    [game] = open_games(tournament)
    tournament = play(tournament)
    assert tournament.status == TournamentStatus.FINISHED
    _ruled(tournament, game)
    assert tournament.status == TournamentStatus.RUNNING
    assert tournament.stages.get().status == StageStatus.RUNNING
    assert set(StageEntrant.objects.values_list("place", flat=True)) == {None}
    [again] = open_games(tournament)
    win(again, "P2")
    tournament = advance(tournament)
    assert entrant(tournament, "P2").place == 1


def test_a_draft_waits_while_an_earlier_match_is_open_again() -> None:
    tournament = draw(swiss(4, publish_rounds="by-hand"))
    round_publish(round_id=wanted(tournament).pk, by=None, seen_version=tournament.version)
    [game, *_] = open_games(tournament)
    tournament = draw(play(tournament))
    draft = wanted(tournament)
    assert drawn(draft) is not None
    _ruled(tournament, game)
    with pytest.raises(Conflict) as refusal:
        round_publish(round_id=draft.pk, by=None, seen_version=tournament.version)
    assert refusal.value.code == "outdated"


# --- settings


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"format": "swiss"}, "how many rounds"),
        ({"format": "swiss", "round_count": 100}, "1 to 99"),
        ({"format": "fide-dutch", "round_count": 5, "capacity": 1001}, "2 to 1000"),
        ({"format": "groups"}, "how many groups"),
        ({"format": "table-swiss", "round_count": 5, "table_size": 9}, "3 to 8"),
        ({"format": "table-swiss", "round_count": 5, "table_size": 4, "smallest_table": 5}, "between"),
        ({"format": "table-swiss", "round_count": 5, "table_size": 4, "short_tables": "middle"}, "middle"),
        ({"format": "table-swiss", "round_count": 5, "table_size": 4, "place_points": {"4": [5, 3, 2, 1]}}, "3, 4"),
        (
            {"format": "table-swiss", "round_count": 5, "table_size": 3, "place_points": {"3": [1, 2, 3]}},
            "better one",
        ),
        ({"format": "table-swiss", "round_count": 5, "table_size": 4, "tie_breaks": ["SB"]}, "no meaning"),
        ({"format": "swiss", "round_count": 5, "publish_rounds": "never"}, "never"),
    ],
)
def test_settings_that_cannot_be_played_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(Invalid, match=words):
        tournament_create(by=organizer(make_tournament(0)), name="Cup", **settings)
    assert Stage.objects.count() == 1


def test_an_edit_settles_what_depends_on_the_tables_anew() -> None:
    tournament = make_tournament(0, format="table-swiss", round_count=5, table_size=4)
    tournament_edit(tournament_id=tournament.pk, seen_version=tournament.version, by=None, table_size=6)
    stage = tournament.stages.get()
    assert (stage.smallest_table, stage.largest_table, sorted(stage.place_points)) == (5, 6, ["5", "6"])
    tournament.refresh_from_db()
    tournament_edit(tournament_id=tournament.pk, seen_version=tournament.version, by=None, format="swiss")
    stage.refresh_from_db()
    assert (stage.table_size, stage.smallest_table, stage.place_points) == (2, None, {})
    assert stage.tie_breaks[0] == "BH/C1"


# --- derived places


def test_the_command_writes_places_again_and_says_what_differed(capsys: pytest.CaptureFixture[str]) -> None:
    tournament = play_out(swiss(4, 2))
    right = dict(tournament.entrants.values_list("pk", "place"))
    call_command("rebuild_standings")
    assert capsys.readouterr().out == "0 places differed.\n"
    wrong = entrant(tournament, "P1")
    Entrant.objects.filter(pk=wrong.pk).update(place=4)
    StageEntrant.objects.filter(entrant=wrong).update(place=None)
    call_command("rebuild_standings", tournament.slug)
    out = capsys.readouterr().out
    assert "P1: place in stage 1 was None, is 1" in out
    assert "P1: final place was 4, is 1" in out
    assert "2 places differed." in out
    assert dict(tournament.entrants.values_list("pk", "place")) == right
