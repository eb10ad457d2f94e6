"""What the demo club has played, plays and is about to play: each part loaded once, or anew when it is used up."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.models import PLAYED, Game, GameStatus
from games.services import game_create
from players.bots import bot_player
from players.models import Bot, Club, Player, User
from ratings.services import game_settle, pool_for, pool_rebuild
from tournaments.demo.people import CLUB_SLUG, PEOPLE
from tournaments.models import Entrant, Format, Match, MatchGame, Tournament, TournamentStatus
from tournaments.services.disputes import dispute_check, dispute_raise
from tournaments.services.entrants import entrant_add_bots, entrant_register
from tournaments.services.events import tournament_create
from tournaments.services.rounds import stage_advance
from tournaments.services.starting import tournament_start
from tournaments.simulation.play_out import game_play_out

GAME, GRABBING = "hold-my-bear", "pick-a-polar-bear"
GRABBING_SHARE = 0.2
"""How much of what the club plays is Pick-a-Polar-Bear."""
EVENTS_A_DAY = 12
"""So many events of each kind the bots play in a day, lest a demo that is forgotten fills the disk."""
SEASON_GAMES = 130
SEASON_DAYS = 45
FINISHED, OPEN = "Winter Cup", "Friday Night Bears"
RUNNING: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("Bot Marathon", 12, {"format": Format.ROUND_ROBIN, "best_of": 9, "capacity": 12}),
    ("Bot Tables", 40, {"format": Format.TABLE_ELIMINATION, "table_size": 4, "advance": 2, "capacity": 40}),
    (
        "Bot Grab",
        8,
        {"game": GRABBING, "format": Format.TABLE_ELIMINATION, "table_size": 4, "advance": 2, "capacity": 8},
    ),
)
"""Events of house bots: name, how many play, settings. A game of bots takes seconds, so the first one is long."""


@transaction.atomic
def load_season(players: list[Player], now: datetime) -> None:
    """Let the club have played rated casual games for some weeks, and house bots with it now and then."""
    organizer = players[0]
    if Game.objects.filter(created_by=organizer, status__in=PLAYED).exists():
        return
    chance = Random("season")  # noqa: S311 - play, not secrets
    joined = now - timedelta(days=SEASON_DAYS + 2)
    Player.objects.filter(pk__in=[player.pk for player in players]).update(created_at=joined)
    skills = _skills(players)
    bots = [bot_player(level=level) for level in (Bot.GREEDY, Bot.RANDOM)]
    skills |= {bots[0].pk: 1.0, bots[1].pk: 0.0}
    moments = sorted(chance.random() for _ in range(SEASON_GAMES))
    for moment in moments:
        seats = chance.choice((2, 2, 3, 4, 4, 5))
        # Some come more often than others, so that a few ratings stay provisional.
        table = _meet(players, seats, chance)
        if chance.random() < 0.25:
            table[-1] = chance.choice(bots)
        chance.shuffle(table)
        what = GRABBING if chance.random() < GRABBING_SHARE else GAME
        game = game_create(game=what, rules={}, players=table, created_by=organizer)
        started = now - timedelta(days=1) - timedelta(days=SEASON_DAYS * (1 - moment))
        game_play_out(game=game, started_at=started, skills=skills, chance=chance)
    # All at once: many times faster than game by game, and the same numbers.
    for what in (GAME, GRABBING):
        pool_rebuild(pool=pool_for(game=what))


@transaction.atomic
def load_finished(players: list[Player], club: Club, now: datetime) -> None:
    """Let the club have played a tournament at tables of four, with a dispute that waits for its ruling."""
    if Tournament.objects.filter(organizer=players[0], name=FINISHED).exists():
        return
    tournament = tournament_create(
        by=_user(players[0]),
        name=FINISHED,
        description="Tables of four, two go on. Played by everybody at the club house.",
        club=club,
        format=Format.TABLE_ELIMINATION,
        table_size=4,
        advance=2,
        capacity=16,
    )
    for player in players:
        entrant_register(tournament_id=tournament.pk, player=player, by=None)
    tournament.refresh_from_db()
    tournament = tournament_start(tournament_id=tournament.pk, seen_version=tournament.version, by=None)
    chance = Random("cup")  # noqa: S311 - play, not secrets
    skills = _skills(players)
    began = started = now - timedelta(hours=5)
    while tournament.status == TournamentStatus.RUNNING:
        waiting = MatchGame.objects.filter(
            match__round__stage__tournament=tournament, game__status=GameStatus.SEATING
        ).select_related("game")
        ends = []
        for match_game in waiting.order_by("match__round__number", "match__table"):
            game = game_play_out(game=match_game.game, started_at=started, skills=skills, chance=chance)
            game_settle(game_id=game.pk)
            assert game.finished_at is not None
            ends.append(game.finished_at)
        started = max(ends) + timedelta(minutes=3)
        tournament = stage_advance(tournament_id=tournament.pk)
    _backdate(tournament, began)
    disputed = MatchGame.objects.filter(match__round__stage__tournament=tournament).order_by("match", "number")[0]
    # Not the organizer, who is to rule on it.
    seats = disputed.game.seat_set.exclude(player=players[0]).select_related("player").order_by("number")
    loser = next(seat.player for seat in seats if (disputed.game.places or [])[seat.number] > 1)
    assert loser is not None
    dispute = dispute_raise(
        match_game_id=disputed.pk,
        player=loser,
        record_number=min(3, disputed.game.record_count),
        text="I am sure that I tapped another card here. Please look at what the server stored.",
    )
    dispute_check(dispute_id=dispute.pk)


@transaction.atomic
def load_running(organizer: Player, club: Club) -> None:
    """Let house bots play tournaments now; when one has ended, the next begins."""
    for name, bots, settings in RUNNING:
        ours = Tournament.objects.filter(organizer=organizer, name__startswith=name)
        today = ours.filter(created_at__gte=timezone.now() - timedelta(days=1))
        if ours.running().exists() or today.count() >= EVENTS_A_DAY:
            continue
        tournament = tournament_create(
            by=_user(organizer),
            name=f"{name} {ours.count() + 1}",
            description="House bots among themselves, all by themselves. Watch a table, or watch the standings move.",
            club=club,
            **settings,
        )
        for level in (Bot.GREEDY, Bot.RANDOM):
            entrant_add_bots(tournament_id=tournament.pk, by=None, level=level, count=bots // 2)
        tournament.refresh_from_db()
        tournament_start(tournament_id=tournament.pk, seen_version=tournament.version, by=None)


def go_on() -> None:
    """Begin the bots' next events in the demo club, if it is there and the last ones are over."""
    club = Club.objects.filter(slug=CLUB_SLUG).first()
    organizer = Player.objects.filter(user__email=PEOPLE[0].email).first()
    if club is not None and organizer is not None:
        load_running(organizer, club)


@transaction.atomic
def load_open(players: list[Player], club: Club) -> None:
    """Let one tournament be open to join."""
    ours = Tournament.objects.filter(organizer=players[0], name__startswith=OPEN)
    if ours.open().exists():
        return
    number = ours.count() + 1
    tournament = tournament_create(
        by=_user(players[0]),
        name=OPEN if number == 1 else f"{OPEN} {number}",
        description="Duels, best of three. Everybody is welcome; the organizer adds bots if we are few.",
        club=club,
        format=Format.SINGLE_ELIMINATION,
        best_of=3,
        capacity=16,
    )
    for player in players[1:6]:
        entrant_register(tournament_id=tournament.pk, player=player, by=None)


@transaction.atomic
def load_lobby(players: list[Player]) -> None:
    """Let one table of each game in the lobby have two seats open and two bots waiting."""
    bots = [bot_player(level=level) for level in (Bot.GREEDY, Bot.RANDOM)]
    for what in (GAME, GRABBING):
        if not Game.objects.seating().filter(game=what, created_by=players[0], listed=True).exists():
            game_create(game=what, rules={}, players=[bots[0], None, bots[1], None], created_by=players[0])


def _skills(players: list[Player]) -> dict[int, float]:
    return {player.pk: person.skill for player, person in zip(players, PEOPLE, strict=True)}


def _meet(players: list[Player], seats: int, chance: Random) -> list[Player]:
    """Return ``seats`` different players; those at the end of the list come seldom."""
    weighted = sorted(players, key=lambda player: chance.random() ** (1.0 / (1 + 0.12 * players.index(player))))
    return weighted[:seats]


def _user(player: Player) -> User:
    assert player.user is not None
    return player.user


def _backdate(tournament: Tournament, began: datetime) -> None:
    """Let everything in ``tournament`` have happened when its games were played. Its log says when it was loaded."""
    for match in Match.objects.filter(round__stage__tournament=tournament).prefetch_related("match_games__game"):
        ended = max(match_game.game.finished_at or began for match_game in match.match_games.all())
        match.match_games.update(counted_at=ended)
        Match.objects.filter(pk=match.pk).update(decided_at=ended)
    last = Match.objects.filter(round__stage__tournament=tournament).order_by("-decided_at")[0].decided_at
    Entrant.objects.filter(tournament=tournament).update(registered_at=began - timedelta(hours=2))
    Tournament.objects.filter(pk=tournament.pk).update(
        created_at=began - timedelta(days=1), started_at=began, finished_at=last
    )
