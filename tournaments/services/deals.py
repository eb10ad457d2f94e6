"""The same cards at several tables: which deal a game gets, and when a deal becomes public."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Count, Q

from games.models import OVER, PLAYED, DealGroup, Game
from games.services import deal_group_create, deal_group_open, game_void
from players.errors import Conflict, NotAllowed, NotFound
from players.models import User
from tournaments.models import Duplicate, Match, MatchStatus, RoundDeal, Tournament, TournamentStatus
from tournaments.services.locking import lock_tournament, must_have_seen, touch
from tournaments.services.log import log_write
from tournaments.services.permissions import acting_player, is_house, must_manage


def deal_for(tournament: Tournament, match: Match, *, counted: int, seats: int) -> DealGroup | None:
    """Return the cards of the next game of ``match``, ``counted`` games of which count; None deals it for itself.

    A game that takes the place of a void one is dealt for itself: its players have seen the cards. So is one whose
    board is public already.
    """
    if tournament.duplicate == Duplicate.NONE:
        return None
    board, turn = _place(tournament, counted, seats)
    deal = RoundDeal.objects.select_related("group").filter(round=match.round, board=board, seats=seats).first()
    if deal is None:
        deal = RoundDeal.objects.create(round=match.round, board=board, seats=seats, group=deal_group_create())
        log_write(
            tournament=tournament,
            action="deal.fixed",
            text=f"The cards of {deal} are fixed. Their fingerprint: {deal.group.commitment}.",
            data={"deal": str(deal.group_id), "commitment": deal.group.commitment},
        )
    return deal.group if deal.group.is_sealed and _used(match, deal) <= turn else None


def open_finished_deals(tournament: Tournament) -> bool:
    """Make public every deal that no game of the locked ``tournament`` is or will be played with; return whether any.

    A match that is not decided can still come to each of its boards.
    """
    sealed = RoundDeal.objects.filter(round__stage__tournament=tournament, group__opened_at=None)
    opened = False
    for deal in sealed.select_related("group", "round"):
        if not _is_played_or_awaited(tournament, deal):
            deal_group_open(group=deal.group)
            opened = True
    return opened


@transaction.atomic
def deal_open_now(*, deal_id: int, by: User | None, seen_version: int) -> RoundDeal:
    """Let an arbiter end a deal that does not end by itself: games still open with it are void, and it is public.

    Their matches go on with cards of their own, and so do tables of the round that come to this board later. Raises
    Conflict (public already, or the tournament has changed), NotAllowed (with the code ``own-game`` for an organizer
    who plays with these cards), NotFound.
    """
    found = RoundDeal.objects.select_related("round__stage").filter(pk=deal_id).first()
    if found is None:
        raise NotFound("There is no such deal.")
    tournament = lock_tournament(found.round.stage.tournament_id)
    must_manage(by, tournament)
    must_have_seen(tournament, seen_version)
    deal = RoundDeal.objects.select_related("group", "round").get(pk=deal_id)
    if not deal.group.is_sealed:
        raise Conflict("These cards are public already.", code="deal-public")
    open_games = Game.objects.filter(deal_group=deal.group).exclude(status__in=OVER).order_by("pk")
    actor = acting_player(by)
    if by is not None and not is_house(by) and open_games.filter(seat__player=actor).exists():
        raise NotAllowed("You play with these cards: somebody else has to do this.", code="own-game")
    voided = [game_void(game=game, reason="The cards were made public by the arbiter.", by=by) for game in open_games]
    deal_group_open(group=deal.group)
    text = f"The cards of {deal} were made public by the arbiter."
    if voided:
        text += f" {len(voided)} game{'s' if len(voided) > 1 else ''} that still used them became void."
    log_write(
        tournament=tournament,
        action="deal.opened",
        text=text,
        actor=actor,
        data={"deal": str(deal.group_id), "games": [str(game.pk) for game in voided]},
    )
    touch(tournament)
    return deal


def _place(tournament: Tournament, counted: int, seats: int) -> tuple[int, int]:
    """Return the board (from 1) that follows ``counted`` games, and how often the match has played it already."""
    times = seats if tournament.duplicate == Duplicate.SEATS else 1
    return counted // times + 1, counted % times


def _used(match: Match, deal: RoundDeal) -> int:
    return match.match_games.filter(game__deal_group=deal.group_id).count()


def _is_played_or_awaited(tournament: Tournament, deal: RoundDeal) -> bool:
    if Game.objects.filter(deal_group=deal.group_id).exclude(status__in=OVER).exists():
        return True
    if tournament.status != TournamentStatus.RUNNING:
        return False
    undecided = deal.round.matches.exclude(status=MatchStatus.DECIDED).annotate(
        counted=Count("match_games", filter=Q(match_games__game__status__in=PLAYED), distinct=True),
        chairs=Count("slots", distinct=True),
    )
    for match in undecided.filter(chairs__gte=deal.seats):
        board, turn = _place(tournament, match.counted, deal.seats)
        if board < deal.board or (board == deal.board and _used(match, deal) <= turn):
            return True
    return False
