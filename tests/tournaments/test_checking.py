"""Draws checked by drawing every round again."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.conftest import advance, make_tournament, names, open_games, start, win
from tournaments import drawing
from tournaments.models import Entrant, Match, Round, Slot, Tournament
from tournaments.services import pairings
from tournaments.services.entrants import entrant_withdraw
from tournaments.services.pairings import round_draw_again, round_pair, round_publish

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw in this process, which is quicker."""
    monkeypatch.setattr(pairings, "drawn_apart", lambda question, *, seconds: drawing.draw(question))


def play(tournament: Tournament, rounds: int) -> Tournament:
    """Draw and play so many rounds; the player whose name sorts first wins."""
    for _ in range(rounds):
        for each in list(Round.objects.wanted().filter(stage__tournament=tournament)):
            round_pair(round_id=each.pk)
        for game in open_games(tournament):
            win(game, min(names(game)))
        advance(tournament)
    tournament.refresh_from_db()
    return tournament


@pytest.mark.parametrize("settings", [{"format": "swiss"}, {"format": "fide-dutch"}, {"format": "table-swiss"}])
def test_rounds_that_nobody_touched_are_drawn_again_just_so(
    settings: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    size = {"table_size": 4} if settings["format"] == "table-swiss" else {}
    tournament = play(start(make_tournament(9, round_count=4, **settings, **size)), 2)
    gone = tournament.entrants.order_by("seed")[3]
    entrant_withdraw(entrant_id=gone.pk, by=None)
    play(tournament, 2)
    assert tournament.status == "finished"
    call_command("check_pairings", tournament.slug)
    assert capsys.readouterr().out == "0 differences.\n"


def test_other_lots_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    tournament = start(make_tournament(7, format="swiss", round_count=2, publish_rounds="by-hand"))
    draft = Round.objects.get(stage__tournament=tournament)
    round_pair(round_id=draft.pk)
    tournament.refresh_from_db()
    round_draw_again(round_id=draft.pk, by=None, seen_version=tournament.version)
    round_pair(round_id=draft.pk)
    tournament.refresh_from_db()
    round_publish(round_id=draft.pk, by=None, seen_version=tournament.version)
    for game in open_games(tournament):
        win(game, min(names(game)))
    advance(tournament)
    call_command("check_pairings", tournament.slug)
    assert capsys.readouterr().out == "0 differences.\n"


def test_a_table_changed_by_hand_shows(capsys: pytest.CaptureFixture[str]) -> None:
    tournament = play(start(make_tournament(8, format="swiss", round_count=2)), 2)
    one, other = Match.objects.filter(round__stage__tournament=tournament, round__number=2)[:2]
    swapped = [Slot.objects.get(match=match, number=1) for match in (one, other)]
    first, second = (slot.entrant_id for slot in swapped)
    Slot.objects.filter(pk=swapped[0].pk).update(entrant=None)
    Slot.objects.filter(pk=swapped[1].pk).update(entrant=first)
    Slot.objects.filter(pk=swapped[0].pk).update(entrant=second)
    call_command("check_pairings", tournament.slug)
    out = capsys.readouterr().out
    assert "4 differences." in out
    assert out.count("was made and would not be drawn") == 2
    assert out.count("Round 2") == 4
    assert second is not None
    assert str(Entrant.objects.get(pk=second)) in out


def test_what_cannot_be_checked_is_said() -> None:
    with pytest.raises(CommandError, match="There is no tournament"):
        call_command("check_pairings", "nowhere")
    bracket = start(make_tournament(4))
    with pytest.raises(CommandError, match="draws round by round"):
        call_command("check_pairings", bracket.slug)
    running = start(make_tournament(4, format="swiss", round_count=2))
    round_pair(round_id=Round.objects.get(stage__tournament=running).pk)
    with pytest.raises(CommandError, match="still being played"):
        call_command("check_pairings", running.slug)
