"""Swiss and table formats on the pages: making one, drafts, standings by rounds, and why a draw is as it is."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Player
from tests.tournaments.pages.conftest import MakePerson, MakeTournament, end_open_games
from tests.tournaments.pages.test_events import FORM, page
from tournaments import drawing
from tournaments.models import Round, RoundStatus, Tournament
from tournaments.services import pairings
from tournaments.services.entrants import entrant_register
from tournaments.services.pairings import round_pair
from tournaments.services.starting import tournament_start

type LogIn = Callable[[Player], Client]

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw in this process, which is quicker."""
    monkeypatch.setattr(pairings, "drawn_apart", lambda question, *, seconds: drawing.draw(question))


def draw(tournament: Tournament) -> Tournament:
    """Do what the queued tasks would do."""
    for each in list(Round.objects.wanted().filter(stage__tournament=tournament)):
        round_pair(round_id=each.pk)
    tournament.refresh_from_db()
    return tournament


def test_an_organizer_makes_a_swiss_and_finds_it_in_the_form_again(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    chosen = {"format": "swiss", "best_of": "1", "round_count": "7", "publish_rounds": "by-hand", "capacity": "2000"}
    assert browser.post(reverse("tournaments:create"), {**FORM, **chosen}).status_code == 302
    made = Tournament.objects.get()
    stage = made.stages.get()
    assert (stage.format, stage.round_count, made.publish_rounds, made.capacity) == ("swiss", 7, "by-hand", 2000)
    assert "Swiss, two at a table, 7 rounds, one game a match" in page(browser, "detail", made.slug)
    text = page(browser, "edit", made.slug)
    assert re.search(r'name="round_count" value="7"', text)
    assert re.search(r'value="by-hand" selected', text)


def test_an_organizer_makes_a_swiss_at_tables(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    chosen = {"format": "table-swiss", "best_of": "1", "round_count": "5", "table_size": "5", "short_tables": "byes"}
    assert browser.post(reverse("tournaments:create"), {**FORM, **chosen}).status_code == 302
    stage = Tournament.objects.get().stages.get()
    assert (stage.table_size, stage.smallest_table, stage.largest_table, stage.short_tables) == (5, 4, 5, "byes")
    assert sorted(stage.place_points) == ["4", "5"]
    assert "Swiss at tables of 4 to 5, 5 rounds" in page(browser, "detail", Tournament.objects.get().slug)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "swiss", "round_count": ""}, "Say how many rounds are played."),
        ({"format": "swiss", "round_count": "0"}, "greater than or equal to 1"),
        ({"format": "fide-dutch", "round_count": "5", "capacity": "1001"}, "In this format 1000 places are the most."),
        ({"format": "swiss", "round_count": "5", "capacity": "4097"}, "less than or equal to 4096"),
        (
            {"format": "table-swiss", "round_count": "5", "table_size": "4", "smallest_table": "5"},
            "The smallest table cannot be larger than the usual one of 4.",
        ),
    ],
)
def test_impossible_settings_are_refused_at_their_field(
    as_player: LogIn, person: MakePerson, changes: dict[str, str], sentence: str
) -> None:
    response = as_player(person("Ana")).post(reverse("tournaments:create"), {**FORM, "best_of": "1", **changes})
    assert response.status_code == 400
    assert sentence in response.content.decode()
    assert not Tournament.objects.exists()


def test_a_draft_is_for_organizers_until_they_publish_it(
    client: Client, as_player: LogIn, organizer: Player, tournament: MakeTournament
) -> None:
    cup = tournament(5, start=True, format="swiss", round_count=3, publish_rounds="by-hand")
    olga = as_player(organizer)
    assert "The next round is being drawn; it appears here by itself." in page(client, "detail", cup.slug)
    assert "This round is being drawn." in page(olga, "detail", cup.slug)
    draw(cup)
    assert "<bdi>P5</bdi>: bye: nobody was left to play" not in page(client, "detail", cup.slug)
    text = page(olga, "detail", cup.slug)
    assert "Only organizers see this draw. 2 tables, 1 without a table." in text
    draft = Round.objects.get(stage__tournament=cup)
    again = reverse("tournaments:round_draw_again", args=[cup.slug, draft.pk])
    publish = reverse("tournaments:round_publish", args=[cup.slug, draft.pk])
    for path in (again, publish):
        assert as_player(cup.entrants.all()[0].player).post(path, {"version": cup.version}).status_code == 403
        assert olga.post(path, {"version": cup.version - 1}).status_code == 409
    assert olga.post(again, {"version": cup.version}).status_code == 302
    draw(cup)
    assert Round.objects.get(stage__tournament=cup).lot == 1
    for _ in range(2):  # the second click does no harm
        assert olga.post(publish, {"version": cup.version}).status_code == 302
    cup.refresh_from_db()
    text = page(client, "detail", cup.slug)
    assert "Without a table:" in text
    assert "lots of number 1" in text
    assert Round.objects.get(stage__tournament=cup).status == RoundStatus.PUBLISHED


def test_a_round_that_could_not_be_drawn_says_why_to_organizers(
    client: Client, as_player: LogIn, organizer: Player, tournament: MakeTournament
) -> None:
    cup = tournament(4, start=True, format="swiss", round_count=3)
    Round.objects.filter(stage__tournament=cup).update(pairing_error="The draw was not finished within 60 seconds.")
    assert "not finished within 60 seconds" in page(as_player(organizer), "detail", cup.slug)
    text = page(client, "detail", cup.slug)
    assert "not finished" not in text
    assert "The organizer is looking at the draw of this round." in text


def test_standings_have_a_column_a_round_and_say_why(
    client: Client, as_player: LogIn, tournament: MakeTournament
) -> None:
    cup = draw(tournament(5, start=True, format="swiss", round_count=2))
    end_open_games(cup)
    draw(cup)
    end_open_games(cup)
    assert cup.status == "finished"
    text = page(client, "detail", cup.slug)
    head = text.split('class="table-wrap standings"')[1].split("</thead>")[0]
    assert ">PTS<" in head
    assert 'aria-label="Round 1"' in head
    assert 'aria-label="Round 2"' in head
    assert "had the bye: nobody was left to play" in text
    assert re.search(r">W \d<", text)
    assert "About this draw" in text
    assert "Why this table" in text
    assert re.search(r"Behind P\d by ", text)


def test_places_at_tables_stand_in_the_columns(client: Client, tournament: MakeTournament) -> None:
    cup = draw(tournament(8, start=True, format="table-swiss", round_count=2, table_size=4))
    end_open_games(cup, lambda seats: list(range(1, seats + 1)))
    text = page(client, "detail", cup.slug)
    assert re.search(r">1/4<", text)
    assert "was 4th of 4, with" in text


@pytest.mark.parametrize("settings", [{"format": "swiss"}, {"format": "table-schedule", "table_size": 4}])
def test_queries_do_not_grow_with_the_field(
    client: Client, tournament: MakeTournament, settings: dict[str, object]
) -> None:
    counts = []
    for entrants in (8, 24):
        cup = draw(tournament(entrants, start=True, name=f"Cup {entrants}", round_count=2, **settings))
        end_open_games(cup)
        draw(cup)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page(client, "detail", cup.slug)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_points_of_places_and_tie_breaks_are_the_organizers(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    chosen = {
        "format": "table-swiss",
        "best_of": "1",
        "round_count": "5",
        "table_size": "4",
        "largest_table": "5",
        "points_4": "7, 5, 3, 0",
        "tie_break_1": "OA",
        "tie_break_2": "PL/1",
    }
    assert browser.post(reverse("tournaments:create"), {**FORM, **chosen}).status_code == 302
    stage = Tournament.objects.get().stages.get()
    assert (stage.smallest_table, stage.table_size, stage.largest_table) == (3, 4, 5)
    assert stage.place_points == {"3": [10, 6, 2], "4": [7, 5, 3, 0], "5": [10, 7, 5, 3, 1]}
    assert stage.tie_breaks == ["OA", "PL/1"]
    text = page(browser, "edit", Tournament.objects.get().slug)
    assert 'name="points_4" value="7 5 3 0"' in text
    assert re.search(r'<option value="OA" selected>', text)


@pytest.mark.parametrize(
    ("kind", "usual"),
    [("swiss", ["BH/C1", "BH", "SB", "DE", "WIN"]), ("table-swiss", ["PL/1", "PL/2", "OA", "TS", "HH", "GP"])],
)
def test_what_is_left_empty_is_the_usual_and_the_form_says_what_that_is(
    as_player: LogIn, person: MakePerson, kind: str, usual: list[str]
) -> None:
    browser = as_player(person("Ana"))
    text = page(browser, "create")
    for code in usual:
        assert f"({code})" in text.split('id="tie-breaks"')[1].split('class="side-by-side"')[0]
    assert browser.post(reverse("tournaments:create"), {**FORM, "format": kind, "best_of": "1"}).status_code == 400
    chosen = {**FORM, "format": kind, "best_of": "1", "round_count": "4"}
    assert browser.post(reverse("tournaments:create"), chosen).status_code == 302
    made = Tournament.objects.get()
    assert made.stages.get().tie_breaks == usual
    # Another format takes what is usual there: nothing of the first one stays in the form.
    text = page(browser, "edit", made.slug)
    assert "selected" not in text.split('name="tie_break_1"')[1].split("</select>")[0].replace('value="" selected', "")


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"points_5": "10 7 5 3 1"}, "points_5", "This event has no tables of 5."),
        ({"points_4": "5 3 2"}, "points_4", "A table of 4 has 4 places, and these are points for 3."),
        ({"points_4": "1 2 3 4"}, "points_4", "A better place cannot bring fewer points"),
        ({"points_4": "0 0 0 0"}, "points_4", "the first must bring some"),
        ({"points_4": "five"}, "points_4", "Write whole points of 0 to 1000"),
        ({"points_4": "5 3 2 -1"}, "points_4", "Write whole points of 0 to 1000"),
        ({"points_4": "1001 3 2 1"}, "points_4", "Write whole points of 0 to 1000"),
        ({"largest_table": "3"}, "largest_table", "The largest table cannot be smaller than the usual one of 4."),
        ({"tie_break_2": "BH"}, "tie_break_2", "BH has no meaning at tables of more than two."),
        ({"tie_break_1": "OA", "tie_break_3": "OA"}, "tie_break_3", "A tie-break is named twice."),
    ],
)
def test_impossible_points_and_tie_breaks_are_refused_at_their_field(
    as_player: LogIn, person: MakePerson, changes: dict[str, str], field: str, sentence: str
) -> None:
    chosen = {**FORM, "format": "table-swiss", "best_of": "1", "round_count": "4", "table_size": "4", **changes}
    response = as_player(person("Ana")).post(reverse("tournaments:create"), chosen)
    assert response.status_code == 400
    assert list(response.context["form"].errors) == [field]
    assert sentence in response.content.decode()
    assert not Tournament.objects.exists()


def test_groups_are_made_and_shown_one_at_a_time(client: Client, as_player: LogIn, person: MakePerson) -> None:
    ana = person("Ana")
    browser = as_player(ana)
    chosen = {**FORM, "format": "groups", "best_of": "1", "group_count": "2", "twice": "on"}
    refused = browser.post(reverse("tournaments:create"), {**chosen, "group_count": ""})
    assert "Say how many groups there are." in refused.content.decode()
    assert browser.post(reverse("tournaments:create"), chosen).status_code == 302
    made = Tournament.objects.get()
    for number in range(6):
        entrant_register(tournament_id=made.pk, player=person(f"P{number}"), by=None)
    made.refresh_from_db()
    tournament_start(tournament_id=made.pk, seen_version=made.version, by=None)
    end_open_games(made)
    first, second = page(client, "detail", made.slug), page(client, "detail", made.slug, group=2)
    assert "Round robin in 2 groups, everyone meets everyone in the group twice" in first
    groups = {
        number: set(
            made.stages.get().stage_entrants.filter(group=number).values_list("entrant__player__name", flat=True)
        )
        for number in (1, 2)
    }
    for text, own in ((first, groups[1]), (second, groups[2])):
        table = text.split('class="table-wrap crosstable"')[1].split("</table>")[0]
        assert set(re.findall(r"<bdi>(P\d)</bdi>", table)) == own
    assert 'aria-current="page">Group 2' in second
