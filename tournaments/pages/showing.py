"""What the page of a tournament shows, read with a number of queries that does not grow with the tournament."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.db.models import F
from django.http import HttpRequest

from tournaments import draws, wording
from tournaments.models import (
    Dispute,
    Entrant,
    EntrantStatus,
    Round,
    Tournament,
    TournamentStatus,
)
from tournaments.pages.access import viewer
from tournaments.pages.once import new_key
from tournaments.pages.stages import stages_shown, wanted_of
from tournaments.services.permissions import may_manage

ENTRANTS_SHOWN = 50
LOG_SHOWN = 30


def detail_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return everything for the page of ``tournament`` as whoever asks may see it.

    ``?round=`` chooses the round of a stage that is shown round by round, ``?tables=`` and ``?standings=`` the page of
    its tables and standings, ``?group=`` the group, ``?who=`` the tables and lines of everybody with that in the name;
    ``?entrants=`` the page of the entrants, ``?log=all`` the whole log.
    """
    player = viewer(request)
    manages = may_manage(request.user, tournament)
    wanted = wanted_of(request)
    entrants = Entrant.objects.filter(tournament=tournament).select_related("player")
    entrants = entrants.order_by(F("place").asc(nulls_last=True), F("seed").asc(nulls_last=True), "registered_at", "pk")
    active = entrants.exclude(status=EntrantStatus.WITHDRAWN) if not tournament.started_at else entrants
    page = Paginator(active, ENTRANTS_SHOWN).get_page(request.GET.get("entrants"))
    mine = entrants.filter(player=player).first() if player is not None else None
    log = tournament.log_lines.select_related("actor")
    if not manages:
        log = log.filter(public=True)
    whole_log = request.GET.get("log") == "all"
    lines = list(log if whole_log else log[: LOG_SHOWN + 1])
    stage = tournament.stages.first()
    return {
        "tournament": tournament,
        "player": player,
        "manages": manages,
        "mine": mine,
        "is_in": mine is not None and mine.status != EntrantStatus.WITHDRAWN,
        "may_withdraw": mine is not None and mine.status in (EntrantStatus.REGISTERED, EntrantStatus.PLAYING),
        "full": page.paginator.count >= tournament.capacity,
        "is_open": tournament.status == TournamentStatus.OPEN,
        "is_running": tournament.status == TournamentStatus.RUNNING,
        "format": wording.stage_format(stage) if stage is not None else "",
        "absence": "" if tournament.game == "pick-a-polar-bear" else wording.absence(tournament),
        "clock": wording.clock(tournament),
        "deck": wording.deck(tournament.game, tournament.rules),
        "waits": wording.duration(tournament.ready_seconds * 1000),
        "entrants": page,
        "stages": stages_shown(tournament, player, wanted) if tournament.started_at else [],
        "who": wanted.who,
        "winners": [each.player for each in _winners(tournament)],
        "log": lines if whole_log else lines[:LOG_SHOWN],
        "log_is_cut": not whole_log and len(lines) > LOG_SHOWN,
        "paused_rounds": [one for one in _rounds(tournament) if one.is_paused],
        "pausable_rounds": _rounds(tournament) if manages and not tournament.is_paused else [],
        "open_disputes": _open_disputes(tournament) if manages else [],
        "query": request.GET.urlencode(),
        "drafts": draws.drafts_of(tournament, manages=manages),
        "key": new_key(),
    }


def _rounds(tournament: Tournament) -> list[Round]:
    """Return the rounds of a running tournament."""
    if tournament.status != TournamentStatus.RUNNING:
        return []
    return list(Round.objects.published().filter(stage__tournament=tournament).order_by("stage__number", "number"))


def _winners(tournament: Tournament) -> list[Entrant]:
    if tournament.status != TournamentStatus.FINISHED:
        return []
    return list(tournament.entrants.filter(place=1).select_related("player"))


def _open_disputes(tournament: Tournament) -> list[Dispute]:
    found = Dispute.objects.waiting().filter(match_game__match__round__stage__tournament=tournament)
    return list(found.select_related("raised_by").order_by("raised_at"))
