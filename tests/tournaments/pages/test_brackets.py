"""Brackets as pages draw them: the parts, where matches stand, and what a phone shows of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import expect

from tests.processes import WebServer
from tests.tournaments.pages.conftest import MakePerson, MakeTournament, end_open_games
from tournaments.brackets import Bracket, bracket_of
from tournaments.cards import stage_matches
from tournaments.models import Tournament
from tournaments.pairing.double_elimination import double_elimination
from tournaments.pairing.single_elimination import single_elimination
from tournaments.trees import Line

if TYPE_CHECKING:
    from playwright.sync_api import Browser


DOUBLE = {"format": "double-elimination"}
THIRD_PLACE = {"third_place": True}


def drawn(running: Tournament) -> Bracket:
    """Return the bracket of ``running`` as somebody sees it who is not in it."""
    stage = running.stages.get()
    return bracket_of(stage, list(stage.rounds.order_by("number")), None)


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 7, 11, 16])
@pytest.mark.parametrize("double", [False, True])
def test_every_match_is_drawn_once(tournament: MakeTournament, entrants: int, double: bool) -> None:
    plan = double_elimination(entrants) if double else single_elimination(entrants, third_place=True)
    running = tournament(entrants, start=True, **(DOUBLE if double else THIRD_PLACE))
    matches = stage_matches(running)
    assert len(matches) == len(plan.matches)
    bracket = drawn(running)
    shown = [
        cell.card.match.pk
        for section in bracket.sections
        for column in section.columns
        for cell in column.cells
        if cell.card
    ]
    shown += [card.match.pk for s in bracket.sections if not s.tree for c in s.columns for card in c.cards]
    assert sorted(shown) == sorted(match.pk for match in matches)


@pytest.mark.parametrize("entrants", [5, 11, 16, 21])
def test_lines_lead_from_cell_to_cell(tournament: MakeTournament, entrants: int) -> None:
    bracket = drawn(tournament(entrants, start=True, **DOUBLE))
    trees = [section for section in bracket.sections if section.tree]
    assert [section.title for section in trees] == ["Winners’ bracket", "Losers’ bracket"]
    for section in trees:
        heights = {sum(cell.span for cell in column.cells) for column in section.columns}
        assert len(heights) == 1
        assert {cell.span for column in section.columns for cell in column.cells} <= {1, 2, 4, 8, 16, 32, 64}
        for column, following in pairwise(section.columns):
            leaving, entering, row = [], [], 0
            for cell in column.cells:
                if cell.line is Line.DOWN:  # the line ends where this cell and the one below it meet
                    leaving.append(2 * (row + cell.span))
                elif cell.line is Line.STRAIGHT:
                    leaving.append(2 * row + cell.span)
                row += cell.span
            row = 0
            for cell in following.cells:
                if cell.entered:
                    entering.append(2 * row + cell.span)
                row += cell.span
            assert leaving == entering


def test_a_double_elimination_says_where_losers_go(client: Client, tournament: MakeTournament) -> None:
    running = tournament(6, start=True, **DOUBLE)
    text = client.get(f"/tournaments/{running.slug}/").content.decode()
    assert "Loser of Winners’ round 1, table 1" in text
    assert "Winner of Winners’ final, table 1" in text
    assert text.count('id="match-') == 10


def test_128_entrants_are_drawn_whole_with_as_many_queries_as_four(client: Client, tournament: MakeTournament) -> None:
    counts = []
    for size in (4, 128):
        running = tournament(size, start=True, capacity=128, **THIRD_PLACE)
        with CaptureQueriesContext(connection) as queries:
            text = client.get(f"/tournaments/{running.slug}/").content.decode()
        counts.append(len(queries))
        assert text.count('id="match-') == size
        assert "Match for third place" in text
    assert counts[0] == counts[1]


@pytest.mark.browser
def test_a_phone_opens_at_the_round_that_is_played_and_shows_long_rounds_alone(
    web_server: WebServer, chromium: Browser, tournament: MakeTournament, person: MakePerson
) -> None:
    short = tournament([person(f"P{n}") for n in range(8)], start=True)
    long = tournament([person(f"P{n}") for n in range(32)], start=True)
    for each in (short, long):
        end_open_games(each)
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{web_server.url}/tournaments/{short.slug}/")
    page.wait_for_function("document.querySelector('.bracket').scrollLeft > 200")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.goto(f"{web_server.url}/tournaments/{long.slug}/")
    columns = page.locator(".column")
    for n in range(5):
        expect(columns.nth(n)).to_be_visible(visible=n == 1)
    link = page.locator(".round-nav").get_by_role("link", name="Quarter-finals")
    link.focus()
    page.keyboard.press("Enter")
    for n in range(5):
        expect(columns.nth(n)).to_be_visible(visible=n == 2)
    expect(link).to_have_attribute("aria-current", "step")
    page.set_viewport_size({"width": 1280, "height": 900})
    for n in range(5):
        expect(columns.nth(n)).to_be_visible()
    context.close()
