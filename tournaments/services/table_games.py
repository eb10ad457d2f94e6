"""The next games of matches: all that can begin at one time are made together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from games.announcing import announce
from games.disclosure import Audience
from games.models import PLAYED, DealGroup
from games.services import NewTable, games_create
from tournaments.models import CLOCK_FIELDS, Entrant, Match, MatchGame, MatchStatus, Tournament
from tournaments.services.pauses import pause_new_game

JUST_PLAYED = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Beginning:
    """A game of ``match`` that follows on ``earlier`` ones, with ``entrants`` in the order of their seats."""

    match: Match
    entrants: Sequence[Entrant]
    earlier: Sequence[MatchGame]
    deal: DealGroup | None


def begin_games(tournament: Tournament, beginnings: Sequence[Beginning]) -> None:
    """Make these games with a number of queries that does not depend on how many they are.

    Who has just played is there: then the table waits for no more than the break.
    """
    if not beginnings:
        return
    now = timezone.now()
    tables = []
    for each in beginnings:
        last = each.earlier[-1].game if each.earlier else None
        follows = last is not None and last.status in PLAYED and (last.finished_at or now) > now - JUST_PLAYED
        wait = tournament.break_seconds if follows else tournament.ready_seconds
        tables.append(NewTable([one.player for one in each.entrants], now + timedelta(seconds=wait), each.deal))
    games = games_create(
        tables=tables,
        game=tournament.game,
        rules=tournament.rules,
        rated=tournament.rated,
        listed=False,
        **{field: getattr(tournament, field) for field in CLOCK_FIELDS},
        audience=audience_of(tournament),
    )
    MatchGame.objects.bulk_create(
        MatchGame(match=each.match, number=len(each.earlier) + 1, game=game)
        for each, game in zip(beginnings, games, strict=True)
    )
    fresh = [each.match for each in beginnings if each.match.status != MatchStatus.PLAYING]
    for match in fresh:
        match.status = MatchStatus.PLAYING
    Match.objects.filter(pk__in=[match.pk for match in fresh]).update(status=MatchStatus.PLAYING)
    for each, game in zip(beginnings, games, strict=True):
        pause_new_game(tournament, each.match, game)
    announce(*(f"player.{one.player_id}" for each in beginnings for one in each.entrants))


def audience_of(tournament: Tournament) -> Audience:
    """Return who may look on at the games of ``tournament``."""
    return Audience(
        spectating=tournament.spectating,
        circle=f"tournament.{tournament.pk}",
        delay_ms=tournament.spectator_delay_seconds * 1000,
        delay_moves=tournament.spectator_delay_moves,
        shown_at_end=tournament.shown_at_end,
    )
