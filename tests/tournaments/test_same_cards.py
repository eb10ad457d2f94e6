"""The same cards at several tables: what is dealt, what stays closed where and until when, and how it is scored."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from games.engine.replay import deal_of
from games.models import Game, GameStatus
from games.services import client_seed_set, game_forfeit, game_verify, game_void, rows, transcript
from players.errors import Conflict, Invalid, NotAllowed
from players.models import User
from tests.tournaments.conftest import advance, deal, make_player, make_tournament, names, open_games, start, win
from tournaments.models import Dispute, LogLine, RoundDeal, Tournament
from tournaments.ranking import stage_ranking
from tournaments.records import worded_records
from tournaments.services.deals import deal_open_now
from tournaments.services.disputes import dispute_check, dispute_raise, dispute_rule


def _event(entrants: int = 4, **settings: Any) -> Tournament:
    return start(make_tournament(entrants, **{"format": "round-robin", "duplicate": "tables", **settings}))


def _deck(game: Game) -> tuple[str, ...]:
    return deal_of(rows.header(game, rows.seats_of(game)), bytes(game.server_seed)).deck


def _finish(game: Game, loser: int = 1) -> Game:
    if game.status == GameStatus.SEATING:
        deal(game)
    game_forfeit(game=game, seat=loser, reason="arbiter")
    game.refresh_from_db()
    return game


def _client(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def test_all_tables_of_a_round_hold_the_same_cards_and_each_board_has_its_own(db: None) -> None:
    event = _event(best_of=2, play_all=True)
    first = [deal(game) for game in open_games(event)]
    assert len(first) == 2
    assert _deck(first[0]) == _deck(first[1])
    assert first[0].commitment == first[1].commitment
    assert LogLine.objects.filter(tournament=event, public=True, text__contains=first[0].commitment).exists()
    for game in first:
        _finish(game)
    advance(event)
    second = [deal(game) for game in open_games(event)]
    assert _deck(second[0]) == _deck(second[1]) != _deck(first[0])
    assert names(second[0]) == names(first[0])[::-1], "the seats go round"


def test_with_seats_the_same_cards_come_again_until_everybody_has_held_each_hand(db: None) -> None:
    event = _event(best_of=4, play_all=True, duplicate="seats")
    decks = []
    for _ in range(4):
        games = [deal(game) for game in open_games(event)]
        decks.append({_deck(game) for game in games})
        for game in games:
            _finish(game)
        advance(event)
    assert [len(each) for each in decks] == [1, 1, 1, 1]
    assert decks[0] == decks[1] != decks[2] == decks[3]


def test_nobody_adds_letters_to_shared_cards(db: None) -> None:
    [game, _] = open_games(_event())
    seat = game.seat_set.first()
    assert seat is not None
    assert seat.player is not None
    with pytest.raises(Conflict) as refused:
        client_seed_set(game=game, player=seat.player, client_seed="abc")
    assert refused.value.code == "cards-shared"
    page = _client(seat.player.user).get(f"/games/{game.pk}/").content.decode()
    assert "same cards as yours" in page
    assert 'name="client_seed"' not in page
    assert game.commitment in page


def _secrets(game: Game) -> list[str]:
    """Return what only the whole deal tells, or a transcript."""
    hashes = [bytes(record.hash).hex() for record in game.records.all()]
    return [bytes(game.server_seed).hex(), *hashes]


def test_every_exit_is_closed_until_all_tables_have_finished(db: None) -> None:
    event = _event()
    game, other = open_games(event)
    _finish(game)
    deal(other)
    seat = game.seat_set.get(number=1)
    assert seat.player is not None
    loser = seat.player
    match = game.match_game.match
    dispute = dispute_raise(match_game_id=game.match_game.pk, player=loser, record_number=1, text="Wrong.")
    dispute_check(dispute_id=dispute.pk)
    staff = User.objects.create_superuser("staff@test.example", "a password for tests")
    group = game.deal_group
    assert group is not None
    base = f"/tournaments/{event.slug}"
    addresses = [
        f"/games/{game.pk}/",
        f"/games/{game.pk}/transcript.json",
        f"/games/{game.pk}/verify/",
        f"/api/v1/games/{game.pk}/",
        f"/api/v1/games/{game.pk}/transcript/",
        f"/api/v1/tournaments/{event.slug}/",
        f"{base}/",
        f"{base}/live/",
        f"{base}/matches/{match.pk}/",
        f"{base}/matches/{match.pk}/live/",
        f"{base}/matches/{match.pk}/games/1/dispute/",
        f"{base}/disputes/{dispute.pk}/",
        f"{base}/disputes/{dispute.pk}/live/",
        f"/admin/games/game/{game.pk}/change/",
        f"/admin/games/game/{game.pk}/delete/",
        f"/admin/games/dealgroup/{group.pk}/change/",
        "/admin/games/dealgroup/",
        "/admin/games/record/",
        f"/admin/games/record/?q={game.pk}",
        f"/admin/games/record/{game.records.get().pk}/change/",
        f"/admin/tournaments/dispute/{dispute.pk}/change/",
    ]
    viewers = [None, loser.user, event.organizer.user, staff]
    for user in viewers:
        client = _client(user)
        for address in addresses:
            answer = client.get(address)
            text = answer.content.decode()
            for secret in _secrets(game):
                assert secret not in text, (address, user)
        if user == staff:
            shown = [address for address in addresses if client.get(address).status_code == 200]
            assert {"/admin/games/record/", addresses[13], addresses[15], addresses[20]} <= set(shown)
            assert client.get(addresses[19]).status_code != 200, "a record of a closed game is not there"
        for closed in (addresses[1], addresses[2], addresses[4]):
            answer = client.get(closed)
            assert answer.status_code == 409, (closed, user)
            assert "until all tables have finished" in answer.content.decode()
        assert "closed until all tables have finished" in client.get(f"{base}/matches/{match.pk}/").content.decode()
    with pytest.raises(Conflict):
        worded_records(game, event.organizer)
    assert worded_records(game, loser), "who sat there may point at a record"
    assert game_verify(game).ok, "the judge replays all the same"
    # The other table ends, nobody else can come to this board: everything opens.
    _finish(other)
    advance(event)
    game.refresh_from_db()
    document = transcript(game, None)
    assert document["fairness"]["server_seed"] == bytes(game.server_seed).hex()
    assert document["deal_group"] == str(group.pk)
    assert game_verify(game).ok
    assert Client().get(addresses[4]).status_code == 200


def test_a_void_table_is_dealt_afresh_and_does_not_hold_the_others_up(db: None) -> None:
    event = _event()
    game, other = open_games(event)
    deal(game)
    game_void(game=game, reason="The hall is on fire.")
    advance(event)
    again = next(each for each in open_games(event) if each.match_game.match == game.match_game.match)
    assert again.deal_group is None
    assert again.commitment != game.commitment
    assert RoundDeal.objects.get(group=game.deal_group_id).group.is_sealed
    _finish(other)
    advance(event)
    assert not RoundDeal.objects.get(group=game.deal_group_id).group.is_sealed, (
        "the table that replays holds other cards"
    )


def test_an_arbiter_makes_cards_public_that_a_table_holds_up(db: None) -> None:
    event = _event()
    game, other = open_games(event)
    _finish(game)
    deal(other)
    found = RoundDeal.objects.get(group=game.deal_group_id)
    event.refresh_from_db()
    with pytest.raises(NotAllowed):
        deal_open_now(deal_id=found.pk, by=make_player("Eve").user, seen_version=event.version)
    with pytest.raises(Conflict):
        deal_open_now(deal_id=found.pk, by=None, seen_version=event.version - 1)
    organizer = _client(event.organizer.user)
    answer = organizer.post(f"/tournaments/{event.slug}/deals/{found.pk}/open/", {"version": event.version})
    assert answer.status_code == 302
    other.refresh_from_db()
    game.refresh_from_db()
    assert (other.status, game.is_sealed) == (GameStatus.VOID, False)
    assert LogLine.objects.filter(tournament=event, action="deal.opened", public=True).exists()
    advance(event)
    assert [each.deal_group for each in open_games(event) if each.match_game.match == other.match_game.match] == [None]
    with pytest.raises(Conflict) as refused:
        deal_open_now(deal_id=found.pk, by=None, seen_version=Tournament.objects.get(pk=event.pk).version)
    assert refused.value.code == "deal-public"


def test_a_replay_by_ruling_is_dealt_afresh(db: None) -> None:
    event = _event()
    games = open_games(event)
    for game in games:
        _finish(game)
    advance(event)
    loser = games[0].seat_set.get(number=1).player
    assert loser is not None
    dispute = dispute_raise(match_game_id=games[0].match_game.pk, player=loser, record_number=1, text="Wrong.")
    dispute_check(dispute_id=dispute.pk)
    event.refresh_from_db()
    dispute_rule(dispute_id=dispute.pk, by=None, ruling="replay", note="", seen_version=event.version)
    assert Dispute.objects.get(pk=dispute.pk).status == "replayed"
    [again] = [each for each in open_games(event) if each.match_game.match_id == games[0].match_game.match_id]
    assert again.deal_group is None


def test_the_standings_go_by_who_held_the_same_cards(db: None) -> None:
    event = _event(points_rule="same-cards")
    stage = event.stages.get()
    one, two = open_games(event)
    # At both tables seat 0 wins: it did as well as the other holder, and so did both losers. All halves.
    for game in (one, two):
        _finish(game)
    event = advance(event)
    rows_ = stage_ranking(stage)
    assert {row.values[0] for row in rows_} == {Fraction(1, 2)}, "all have half a point"  # type: ignore[union-attr]
    one, two = open_games(event)
    _finish(one, loser=1)
    _finish(two, loser=0)
    event = advance(event)
    by_entrant = {row.entrant: row for row in stage_ranking(stage)}
    seats = {
        game.pk: {seat.number: seat.player for seat in game.seat_set.select_related("player")} for game in (one, two)
    }
    better = {seats[one.pk][0], seats[two.pk][1]}
    for entrant in event.entrants.select_related("player"):
        half_points = 3 if entrant.player in better else 1
        assert by_entrant[entrant.pk].values[0] == Fraction(half_points, 2)  # type: ignore[union-attr]
    page = Client().get(f"/tournaments/{event.slug}/").content.decode()
    assert "Against the same cards" in page
    match = one.match_game.match
    assert "same cards: 2 of 2" in Client().get(f"/tournaments/{event.slug}/matches/{match.pk}/").content.decode()


@pytest.mark.parametrize(
    "settings",
    [
        {"points_rule": "same-cards", "duplicate": "none"},
        {"points_rule": "same-cards", "format": "single-elimination"},
        {"duplicate": "twice"},
        {"best_of": 2},
        {"best_of": 10, "play_all": True},
        {"spectating": "friends"},
        {"spectator_delay_seconds": 4000},
        {"spectator_delay_moves": -1},
        {"break_seconds": 0},
    ],
)
def test_settings_that_cannot_be_are_refused(db: None, settings: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        make_tournament(2, **{"format": "round-robin", "duplicate": "tables", **settings})


def test_the_next_game_of_a_match_waits_for_the_break_alone(db: None) -> None:
    event = start(make_tournament(2, best_of=2, play_all=True, break_seconds=20, ready_seconds=900))
    [game] = open_games(event)
    assert game.start_by is not None
    assert 800 < (game.start_by - game.created_at).total_seconds() <= 901
    win(game, names(game)[0])
    event = advance(event)
    [following] = open_games(event)
    assert following.start_by is not None
    assert 15 < (following.start_by - following.created_at).total_seconds() <= 20
    player = following.seat_set.get(number=0).player
    assert player is not None
    page = _client(player.user).get(f"/games/{following.pk}/").content.decode()
    assert "Game 2 of 2. So far: P1 1, P2 0." in page
    assert "You have seat 1" in page


def test_a_decision_waits_for_the_delay_of_the_spectators_and_a_player_is_told(db: None) -> None:
    event = start(make_tournament(2, spectator_delay_seconds=300))
    [game] = open_games(event)
    win(game, "P1")
    event = advance(event)
    match = game.match_game.match
    match.refresh_from_db()
    assert (event.status, match.status) == ("running", "playing")
    address = f"/tournaments/{event.slug}/matches/{match.pk}/"
    assert "P1 won" not in Client().get(address).content.decode()
    [shown] = Client().get(f"/api/v1/tournaments/{event.slug}/").json()["rounds"][0]["matches"][0]["games"]
    assert shown["status"] == "running"
    player = game.seat_set.get(number=0).player
    assert player is not None
    own = _client(player.user).get(address).content.decode()
    assert "P1 won" in own
    assert "the result is published at" in own
    Game.objects.filter(pk=game.pk).update(spectator_delay_ms=0)
    event = advance(event)
    assert event.status == "finished"
    assert "P1 won" in Client().get(address).content.decode()
