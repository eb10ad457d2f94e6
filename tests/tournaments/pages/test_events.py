"""The list, the form, the page of a tournament in every format, start, edit and cancel."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Club, Membership, Player
from tests.tournaments.pages.conftest import MakePerson, MakeTournament, end_open_games, play_out
from tournaments.models import Format, Match, MatchGame, Tournament
from tournaments.wording import FORMAT_MEANINGS

type LogIn = Callable[[Player], Client]

FORM = {
    "name": "Winter Cup",
    "description": "Bring mittens.",
    "format": "single-elimination",
    "best_of": "3",
    "table_size": "4",
    "advance": "2",
    "time_control": "quick",
    "deck": "default",
    "ready_seconds": "300",
    "capacity": "16",
    "rated": "on",
    "key": "7b0f5a38-6b6a-4ad5-9a2f-0d2bb7c7a001",
}


def page(client: Client, name: str, *args: object, **query: str | int) -> str:
    """Return the text of a page that must be there."""
    response = client.get(reverse(f"tournaments:{name}", args=args), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.django_db
def test_an_empty_site_has_words_everywhere(client: Client) -> None:
    assert "No tournament is being played right now" in page(client, "home")
    assert "There are no tournaments yet" in page(client, "list")
    assert "Nobody is waiting for players" in page(client, "lobby")


def test_home_and_list_show_what_is_on(client: Client, tournament: MakeTournament) -> None:
    tournament(4, start=True, name="On Now")
    tournament(2, name="Join Me")
    for name in ("home", "list"):
        text = page(client, name)
        assert "On Now" in text
        assert "Join Me" in text
    running = page(client, "list", show="running")
    assert "On Now" in running
    assert "Join Me" not in running


def test_making_one_takes_a_login_and_a_player(client: Client, as_player: LogIn, person: MakePerson) -> None:
    address = reverse("tournaments:create")
    assert client.get(address).headers["Location"].startswith(reverse("account_login"))
    ana = person("Ana")
    browser = as_player(ana)
    Player.objects.filter(pk=ana.pk).update(user=None)
    refused = browser.post(address, FORM)
    assert refused.status_code == 403
    assert not Tournament.objects.exists()


def test_a_form_sent_twice_makes_one_tournament(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    first = browser.post(reverse("tournaments:create"), FORM)
    second = browser.post(reverse("tournaments:create"), FORM)
    made = Tournament.objects.get()
    assert first.status_code == second.status_code == 302
    assert first.headers["Location"] == second.headers["Location"] == reverse("tournaments:detail", args=[made.slug])
    assert (made.name, made.bank_ms, made.capacity, made.stages.get().best_of) == ("Winter Cup", 120_000, 16, 3)


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_the_same_moment_make_one_tournament(as_player: LogIn, person: MakePerson) -> None:
    ana = person("Ana")
    browsers = [as_player(ana) for _ in range(4)]
    together = threading.Barrier(len(browsers))

    def click(browser: Client) -> str:
        try:
            together.wait(10)
            return str(browser.post(reverse("tournaments:create"), FORM).headers["Location"])
        finally:
            connection.close()

    with ThreadPoolExecutor(len(browsers)) as pool:
        answers = list(pool.map(click, browsers))
    assert answers == [reverse("tournaments:detail", args=[Tournament.objects.get().slug])] * len(browsers)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": "   "}, "This field is required"),
        ({"format": "ladder"}, "is not one of the available choices"),
        ({"capacity": "1"}, "greater than or equal to 2"),
        ({"capacity": "many"}, "Enter a whole number"),
        ({"format": "table-elimination", "advance": "4", "best_of": "1"}, "At a table of 4 at most 3 can go on"),
        ({"format": "table-elimination", "best_of": "3"}, "tables play until enough are through"),
        ({"format": "table-elimination", "best_of": "1", "capacity": "2"}, "at least 3 places"),
        ({"format": "round-robin", "best_of": "1", "capacity": "200"}, "places are the most"),
        ({"key": "no key"}, "This form is incomplete"),
    ],
)
def test_impossible_settings_are_refused_in_words(
    as_player: LogIn, person: MakePerson, changes: dict[str, str], sentence: str
) -> None:
    response = as_player(person("Ana")).post(reverse("tournaments:create"), {**FORM, **changes})
    assert response.status_code == 400
    assert sentence in response.content.decode()
    assert not Tournament.objects.exists()


def test_every_format_says_what_it_means() -> None:
    assert set(FORMAT_MEANINGS) == set(Format)


def test_a_round_robin_takes_its_tie_breaks_in_order(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    chosen = {"format": "round-robin", "best_of": "1", "twice": "on", "tie_break_1": "SB", "tie_break_2": "DE"}
    assert browser.post(reverse("tournaments:create"), {**FORM, **chosen}).status_code == 302
    made = Tournament.objects.get()
    assert (made.stages.get().tie_breaks, made.stages.get().twice) == (["SB", "DE"], True)
    text = page(browser, "edit", made.slug)
    assert (
        re.findall(r'<option value="([^"]*)" selected>[^<]*</option>', text.split('name="tie_break_1"')[1])[0] == "SB"
    )
    again = {**FORM, **chosen, "tie_break_2": "SB", "key": "7b0f5a38-6b6a-4ad5-9a2f-0d2bb7c7a002"}
    refused = browser.post(reverse("tournaments:create"), again)
    assert refused.status_code == 400
    assert "A tie-break is named twice." in refused.content.decode()


def test_only_ones_own_clubs_can_be_chosen(as_player: LogIn, person: MakePerson) -> None:
    ana = person("Ana")
    own, other = Club.objects.create(name="Own", slug="own"), Club.objects.create(name="Other", slug="other")
    Membership.objects.create(club=own, player=ana, role="organizer")
    Membership.objects.create(club=other, player=ana, role="member")
    browser = as_player(ana)
    assert browser.post(reverse("tournaments:create"), {**FORM, "club": str(other.pk)}).status_code == 400
    assert browser.post(reverse("tournaments:create"), {**FORM, "club": str(own.pk)}).status_code == 302
    assert Tournament.objects.get().club == own


def test_names_are_text(client: Client, tournament: MakeTournament, person: MakePerson) -> None:
    evil = "<script>alert(1)</script>"
    people = [person(evil), person("🐻" * 20), person("שלום"), person("x" * 40)]
    running = tournament(people, start=True, name=f"Cup {evil}"[:80])
    end_open_games(running)
    match = Match.objects.filter(round__stage__tournament=running).first()
    assert match is not None
    pages = [
        page(client, "home"),
        page(client, "list"),
        page(client, "detail", running.slug),
        page(client, "match", running.slug, match.pk),
    ]
    for text in pages:
        assert evil not in text
        assert "&lt;script&gt;alert(1)" in text
    assert "🐻" * 20 in pages[2]


def test_a_bracket_for_two_shows_byes_winners_and_who_waits(client: Client, tournament: MakeTournament) -> None:
    running = tournament(5, start=True)
    text = page(client, "detail", running.slug)
    assert text.count('class="match match--bye') == 3
    assert "Winner of Quarter-finals, table 1" in text
    assert "Semi-finals" in text
    assert "Final" in text
    play_out(running)
    text = page(client, "detail", running.slug)
    assert 'class="winner"' in text
    assert "P1" in text


def test_a_match_that_is_mine_is_marked(as_player: LogIn, tournament: MakeTournament) -> None:
    running = tournament(4, start=True)
    mine = running.entrants.get(player__name="P3").player
    assert page(as_player(mine), "detail", running.slug).count("match--mine") == 1
    assert "Your game in Spring Cup" in page(as_player(mine), "lobby")


def test_tables_show_uneven_sizes_byes_and_who_is_through(client: Client, tournament: MakeTournament) -> None:
    running = tournament(10, start=True, format="table-elimination", table_size=4, advance=2)
    text = page(client, "detail", running.slug)
    assert "2 of 4 go on" in text
    assert "2 of 3 go on, smaller table: 3 seats, others have 4" in text
    assert "1st of Round 1, table 1" in text
    first = MatchGame.objects.filter(match__table=1, match__round__number=1, match__round__stage__tournament=running)
    assert first.count() == 1
    end_open_games(running)
    assert first.count() == 2
    text = page(client, "detail", running.slug)
    assert text.count("chair--through") == 3
    assert "Game 1: P1 won" in text
    play_out(running)
    text = page(client, "detail", running.slug)
    assert 'class="winner"' in text
    assert re.findall(r'chair__mark--good">(\w+)<', text).count("winner") == 1


def test_byes_of_tables_are_named(client: Client, tournament: MakeTournament) -> None:
    running = tournament(5, start=True, format="table-elimination", table_size=4, advance=2)
    byes = re.findall(r'<div class="byes">.*?</div>', page(client, "detail", running.slug), re.DOTALL)
    assert len(byes) == 1
    assert ["P1" in byes[0], "P2" in byes[0]] == [True, False]


def test_a_round_robin_has_a_crosstable(client: Client, tournament: MakeTournament) -> None:
    running = tournament(4, start=True, format="round-robin")
    end_open_games(running, lambda seats: [1, 1])
    text = page(client, "detail", running.slug)
    assert text.count(">½</a>") == 4
    assert "Sonneborn-Berger" in text
    play_out(running)
    text = page(client, "detail", running.slug)
    assert text.count(">1</a>") == 4
    assert text.count(">0</a>") == 4
    assert 'class="winner"' in text


def test_a_page_costs_the_same_number_of_queries_whatever_its_size(
    client: Client, tournament: MakeTournament, person: MakePerson
) -> None:
    counts = []
    for size in (4, 64):
        running = tournament([person(f"P{n}") for n in range(size)], start=True, capacity=64)
        end_open_games(running)
        with CaptureQueriesContext(connection) as queries:
            page(client, "detail", running.slug)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 16


def test_a_large_bracket_is_shown_round_by_round(client: Client, tournament: MakeTournament) -> None:
    running = tournament(150, start=True, capacity=256)
    text = page(client, "detail", running.slug)
    assert "bracket--paged" in text
    assert text.count('class="column ') == 1
    final = Match.objects.filter(round__name="Final", round__stage__tournament=running).get()
    assert f'id="match-{final.pk}"' not in text
    assert f'id="match-{final.pk}"' in page(client, "detail", running.slug, round=final.round_id)
    assert "51 to 100 of 150" in page(client, "detail", running.slug, entrants=2)


def test_start_is_the_organizers_and_acts_once(
    as_player: LogIn, organizer: Player, tournament: MakeTournament, person: MakePerson
) -> None:
    waiting = tournament(4)
    address = reverse("tournaments:start", args=[waiting.slug])
    seen = {"version": str(waiting.version)}
    stranger = as_player(person("Eve")).post(address, seen)
    assert stranger.status_code == 403
    assert Tournament.objects.get(pk=waiting.pk).status == "open"
    browser = as_player(organizer)
    assert browser.get(address).status_code == 405
    stale = browser.post(address, {"version": "0"})
    assert stale.status_code == 409
    assert Tournament.objects.get(pk=waiting.pk).status == "open"
    assert browser.post(address, seen).status_code == 302
    assert browser.post(address, seen).status_code == 302
    assert Match.objects.filter(round__stage__tournament=waiting).count() == 3
    assert MatchGame.objects.filter(match__round__stage__tournament=waiting).count() == 2


def test_start_with_too_few_is_refused(as_player: LogIn, organizer: Player, tournament: MakeTournament) -> None:
    waiting = tournament(1)
    response = as_player(organizer).post(
        reverse("tournaments:start", args=[waiting.slug]), {"version": str(waiting.version)}
    )
    assert response.status_code == 400
    assert "at least two players" in response.content.decode()


def test_edit_is_the_organizers_and_sends_what_it_saw(
    as_player: LogIn, organizer: Player, tournament: MakeTournament, person: MakePerson
) -> None:
    waiting = tournament(2)
    address = reverse("tournaments:edit", args=[waiting.slug])
    assert as_player(person("Eve")).get(address).status_code == 403
    browser = as_player(organizer)
    assert f'name="version" value="{waiting.version}"' in browser.get(address).content.decode()
    changed = {**FORM, "name": "Summer Cup"}
    assert browser.post(address, {**changed, "version": str(waiting.version - 1)}).status_code == 409
    waiting.refresh_from_db()
    assert waiting.name == "Spring Cup"
    assert browser.post(address, {**changed, "version": str(waiting.version)}).status_code == 302
    waiting.refresh_from_db()
    assert waiting.name == "Summer Cup"


def test_cancel_is_the_organizers(
    as_player: LogIn, organizer: Player, tournament: MakeTournament, person: MakePerson
) -> None:
    running = tournament(4, start=True)
    address = reverse("tournaments:cancel", args=[running.slug])
    seen = {"version": str(running.version), "reason": "snowstorm"}
    assert as_player(person("Eve")).post(address, seen).status_code == 403
    assert as_player(organizer).post(address, seen).status_code == 302
    running.refresh_from_db()
    assert running.status == "cancelled"
    assert "snowstorm" in page(Client(), "detail", running.slug)


def test_the_part_that_refreshes_itself_is_the_page_without_its_frame(
    client: Client, tournament: MakeTournament
) -> None:
    running = tournament(4, start=True)
    whole = page(client, "detail", running.slug)
    part = page(client, "live", running.slug)
    assert f'data-watch="tournament.{running.pk}"' in whole
    assert "<html" not in part
    assert "Semi-finals" in part
    for name in ("home_live", "list_live", "lobby_live", "my_game"):
        assert "<html" not in page(client, name)


@pytest.mark.django_db
def test_what_is_not_there_is_404(client: Client) -> None:
    assert client.get(reverse("tournaments:detail", args=["nothing"])).status_code == 404


def test_a_reason_that_cannot_be_stored_cancels_nothing(as_player: LogIn, tournament: MakeTournament) -> None:
    cup = tournament(2)
    organizer = as_player(cup.organizer)
    address = reverse("tournaments:cancel", args=[cup.slug])
    for reason in ("no\0thing", "x" * 201):
        answer = organizer.post(address, {"version": cup.version, "reason": reason})
        assert answer.status_code == 400
        assert "The reason cannot be used" in answer.content.decode()
    cup.refresh_from_db()
    assert cup.status == "open"
    assert organizer.post(address, {"version": cup.version, "reason": " No ice. "}).status_code == 302
    assert cup.log_lines.filter(text="The tournament was called off: No ice.").exists()


def test_a_name_hides_nothing(as_player: LogIn, person: MakePerson) -> None:
    browser = as_player(person("Ana"))
    address = reverse("tournaments:create")
    assert browser.post(address, {**FORM, "name": "\u202e\u200b"}).status_code == 400
    assert not Tournament.objects.exists()
    browser.post(address, {**FORM, "name": " Winter\u202e \u200bCup "})
    assert Tournament.objects.get().name == "Winter Cup"
