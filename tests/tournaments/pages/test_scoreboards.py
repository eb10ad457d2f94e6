"""Standings as pages show them: the words of every column, marks of rounds, and why a line is where it is."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client

from tests.tournaments.pages.conftest import MakePerson, MakeTournament, play_out
from tournaments.kept_standings import order_of
from tournaments.models import Entrant, Tournament
from tournaments.scoreboards import Scoreboard, meaning, scoreboard
from tournaments.standings import tie_breaks
from tournaments.standings.history import history
from tournaments.standings.points import ByPlace, ByResult, bye_outcome, match_outcome
from tournaments.standings.ranking import standings
from tournaments.standings.results import POINT, Kind, Outcome
from tournaments.standings.results import Entrant as Ranked
from tournaments.standings.tie_break import Rules


def board(running: Tournament, outcomes: list[Outcome], codes: tuple[str, ...], rounds: int) -> Scoreboard:
    """Return the scoreboard of ``running`` after ``outcomes``."""
    entrants = list(running.entrants.select_related("player").order_by("seed"))
    told = history(
        [Ranked(entrant.pk, entrant.seed or 0, 1500) for entrant in entrants],
        outcomes,
        rounds=rounds,
        win=ByResult().win,
        draw=ByResult().draw,
    )
    ranked = standings(told, tie_breaks.tie_breaks(codes, Rules.FIDE_2026))
    order = order_of(ranked)
    named = {entrant.pk: entrant for entrant in entrants}
    return scoreboard(order, range(len(entrants)), named, outcomes, {}, entrants[0].player, range(1, rounds + 1))


def ids(running: Tournament) -> list[int]:
    """Return the ids of the entrants by seed."""
    return list(Entrant.objects.filter(tournament=running).order_by("seed").values_list("pk", flat=True))


@pytest.mark.parametrize("code", [*tie_breaks.CODES, "BH/C1", "SB/M2", "PL/3"])
def test_every_column_has_its_meaning(code: str) -> None:
    assert meaning(code).endswith(".")


def test_cuts_are_said() -> None:
    assert meaning("BH/C1") == "The sum of the points of all opponents, without the lowest."
    assert meaning("BH/C2") == "The sum of the points of all opponents, without the lowest 2."
    assert meaning("PL/2") == "How often the 2nd place at a table was taken."


def test_rounds_byes_and_places_of_two_seats(tournament: MakeTournament, person: MakePerson) -> None:
    evil = "<b>Bo</b>"
    running = tournament([person(name) for name in ("Ana", evil, "Cy", "Di", "Ed")], start=True)
    ana, bo, cy, di, ed = ids(running)
    rule = ByResult()
    outcomes = [
        match_outcome(rule, round=1, places={ana: 1, bo: 2}),
        match_outcome(rule, round=1, places={cy: 1, di: 1}),
        bye_outcome(rule, round=1, entrant=ed, kind=Kind.BYE_ALLOCATED),
    ]
    shown = board(running, outcomes, ("BH/C1", "BH", "DE"), 1)
    by_name = {line.entrant.player.name: line for line in shown.lines}
    assert [heading.code for heading in shown.headings] == ["PTS", "BH/C1", "BH", "DE"]
    assert by_name["Ana"].marks[0].text == f"W {by_name[evil].number}"
    assert by_name["Cy"].marks[0].text == f"D {by_name['Di'].number}"
    assert by_name["Ed"].marks[0].unplayed
    assert by_name["Ed"].marks[0].words == "Round 1: Ed had the bye: nobody was left to play."
    assert by_name["Cy"].place == by_name["Di"].place
    assert by_name["Cy"].shared
    assert by_name["Di"].why == "Level with Cy in every column: they share the place."
    assert by_name[evil].why.startswith("Behind Di by Points: 0 to ½")
    assert by_name["Ana"].mine
    text = render_to_string("tournaments/parts/explained.html", {"board": shown})
    assert evil not in text
    assert "&lt;b&gt;Bo" in text
    assert "The sum of the points of all opponents, without the lowest." in text


def test_tables_say_the_place_and_who_sat_there(tournament: MakeTournament) -> None:
    running = tournament(4, start=True)
    one, two, three, four = ids(running)
    rule = ByPlace({4: tuple(POINT * points for points in (5, 3, 2, 1))}, allocated=3 * POINT)
    outcomes = [match_outcome(rule, round=1, places={one: 2, two: 1, three: 3, four: 3})]
    shown = board(running, outcomes, ("PL/1",), 1)
    marks = {line.entrant.pk: line.marks[0] for line in shown.lines}
    assert [marks[pk].text for pk in (one, two, three, four)] == ["2/4", "1/4", "3/4", "3/4"]
    assert marks[two].words == "Round 1: P2 was 1st of 4, with P1, P3, P4."


def test_a_round_robin_explains_its_columns_and_places(client: Client, tournament: MakeTournament) -> None:
    running = tournament(4, start=True, format="round-robin", tie_breaks=["SB", "WIN"])
    play_out(running)
    text = client.get(f"/tournaments/{running.slug}/").content.decode()
    assert "The points of each opponent, times what the match against that one brought." in text
    assert re.search(r"Behind P\d by ", text)
