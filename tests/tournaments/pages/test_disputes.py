"""The page of a match, and disputes from the claim to the ruling."""

from __future__ import annotations

from collections.abc import Callable

import pgtrigger
import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Record
from players.models import Player
from tests.tournaments.conftest import win
from tests.tournaments.pages.conftest import MakePerson, MakeTournament
from tournaments.models import Dispute, MatchGame, Tournament
from tournaments.records import worded_records
from tournaments.services.disputes import dispute_check, dispute_raise
from tournaments.services.rounds import stage_advance

type LogIn = Callable[[Player], Client]


@pytest.fixture
def played(tournament: MakeTournament) -> Tournament:
    """A tournament of two that P1 has won by P2's forfeit."""
    running = tournament(2, start=True, rated=True)
    win(Game.objects.get(match_game__match__round__stage__tournament=running), "P1")
    stage_advance(tournament_id=running.pk)
    running.refresh_from_db()
    return running


def match_game_of(tournament: Tournament) -> MatchGame:
    """Return the only game of a tournament of two."""
    return MatchGame.objects.get(match__round__stage__tournament=tournament, number=1)


def entrant(tournament: Tournament, name: str) -> Player:
    """Return an entrant's player by name."""
    return tournament.entrants.get(player__name=name).player


def raised(tournament: Tournament, text: str = "I was there <b>") -> Dispute:
    """Return a dispute of P2 about the first record."""
    return dispute_raise(
        match_game_id=match_game_of(tournament).pk, player=entrant(tournament, "P2"), record_number=1, text=text
    )


def test_a_match_links_to_its_games_and_offers_a_dispute_to_its_players(
    client: Client, as_player: LogIn, played: Tournament
) -> None:
    match_game = match_game_of(played)
    address = reverse("tournaments:match", args=[played.slug, match_game.match_id])
    text = client.get(address).content.decode()
    for name in ("table", "transcript", "verify"):
        assert reverse(f"games:{name}", args=[match_game.game_id]) in text
    dispute = reverse("tournaments:dispute", args=[played.slug, match_game.match_id, 1])
    assert dispute not in text
    assert dispute in as_player(entrant(played, "P2")).get(address).content.decode()
    assert client.get(reverse("tournaments:match_live", args=[played.slug, match_game.match_id])).status_code == 200
    assert client.get(reverse("tournaments:match", args=["other", match_game.match_id])).status_code == 404


def test_a_player_raises_a_dispute_once(as_player: LogIn, person: MakePerson, played: Tournament) -> None:
    match_game = match_game_of(played)
    address = reverse("tournaments:dispute", args=[played.slug, match_game.match_id, 1])
    assert as_player(person("Eve")).get(address).status_code == 403
    browser = as_player(entrant(played, "P2"))
    assert "was put out by the arbiter" in browser.get(address).content.decode()
    for wrong in ({"record_number": "77", "text": "x"}, {"record_number": "1", "text": " "}, {}):
        assert browser.post(address, wrong).status_code == 400
    assert not Dispute.objects.exists()
    claim = {"record_number": "1", "text": "The lights went out."}
    answers = [browser.post(address, claim) for _ in range(2)]
    dispute = Dispute.objects.get()
    assert [answer.headers["Location"] for answer in answers] == [
        reverse("tournaments:dispute_detail", args=[played.slug, dispute.pk])
    ] * 2
    assert "You have disputed this game already" in browser.get(address).content.decode()


def test_everybody_reads_the_claim_and_the_report(client: Client, played: Tournament) -> None:
    dispute = raised(played)
    address = reverse("tournaments:dispute_detail", args=[played.slug, dispute.pk])
    text = client.get(address).content.decode()
    assert "I was there &lt;b&gt;" in text
    assert "is being replayed" in text
    dispute_check(dispute_id=dispute.pk)
    text = client.get(address).content.decode()
    assert "Verified: the one record follows" in text
    assert "Your ruling" not in text
    assert client.get(reverse("tournaments:dispute_live", args=[played.slug, dispute.pk])).status_code == 200


def test_an_open_dispute_is_shown_to_the_organizer_after_the_end_too(
    client: Client, as_player: LogIn, organizer: Player, played: Tournament
) -> None:
    dispute = raised(played)
    link = reverse("tournaments:dispute_detail", args=[played.slug, dispute.pk])
    address = reverse("tournaments:detail", args=[played.slug])
    assert played.status == "finished"
    page = as_player(organizer).get(address).content.decode()
    assert link in page
    assert "Cancel the tournament" not in page
    assert link not in client.get(address).content.decode()


def test_a_changed_record_is_named(client: Client, played: Tournament) -> None:
    game = match_game_of(played).game
    with pgtrigger.ignore("games.Record:append_only"):
        Record.objects.filter(game=game, number=1).update(action={"type": "play", "cards": ["bear-1"]})
    assert worded_records(game, None) == [(1, "The table: play, as stored; it does not replay.")]
    dispute = raised(played)
    dispute_check(dispute_id=dispute.pk)
    text = client.get(reverse("tournaments:dispute_detail", args=[played.slug, dispute.pk])).content.decode()
    assert "First fault at record 1" in text
    assert "chain-broken" in text


def test_only_the_organizer_rules_and_sees_what_it_touches(
    as_player: LogIn, organizer: Player, played: Tournament
) -> None:
    dispute = raised(played)
    rule = reverse("tournaments:dispute_rule", args=[played.slug, dispute.pk])
    early = as_player(organizer).post(rule, {"ruling": "stand", "version": "1"})
    assert early.status_code == 409
    dispute_check(dispute_id=dispute.pk)
    played.refresh_from_db()
    seen = {"version": str(played.version), "note": "Seen on the recording."}
    assert as_player(entrant(played, "P2")).post(rule, {**seen, "ruling": "replay"}).status_code == 403
    browser = as_player(organizer)
    text = browser.get(reverse("tournaments:dispute_detail", args=[played.slug, dispute.pk])).content.decode()
    assert "1 game becomes void" in text
    assert "it goes back to running" in text
    assert browser.post(rule, {**seen, "ruling": "perhaps"}).status_code == 400
    assert browser.post(rule, {**seen, "version": "1", "ruling": "replay"}).status_code == 409
    assert Dispute.objects.get().status == "checked"
    assert browser.post(rule, {**seen, "ruling": "replay"}).status_code == 302
    played.refresh_from_db()
    assert played.status == "running"
    assert Dispute.objects.get().status == "replayed"
    match_page = reverse("tournaments:match", args=[played.slug, dispute.match_game.match_id])
    text = Client().get(match_page).content.decode()
    assert "Game 2" in text
    assert "void" in text
    log = Client().get(reverse("tournaments:detail", args=[played.slug])).content.decode()
    assert "Seen on the recording." in log


def test_a_result_that_stands(as_player: LogIn, organizer: Player, played: Tournament) -> None:
    dispute = raised(played)
    dispute_check(dispute_id=dispute.pk)
    played.refresh_from_db()
    rule = reverse("tournaments:dispute_rule", args=[played.slug, dispute.pk])
    answers = [as_player(organizer).post(rule, {"ruling": "stand", "version": str(played.version)}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 409]
    text = Client().get(reverse("tournaments:dispute_detail", args=[played.slug, dispute.pk])).content.decode()
    assert "The result stands." in text
