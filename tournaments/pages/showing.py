"""What the page of a tournament shows, read with a number of queries that does not grow with the tournament."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.db.models import F
from django.http import HttpRequest

from players.models import Player
from tournaments import brackets, cards, draws, wording
from tournaments.crosstables import Crosstable, crosstable
from tournaments.models import (
    POINTS_KINDS,
    Bye,
    Dispute,
    Entrant,
    EntrantStatus,
    Format,
    Match,
    Round,
    StageEntrantStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.pages.access import viewer
from tournaments.pages.once import new_key
from tournaments.ranking import points_standings
from tournaments.results import stage_outcomes
from tournaments.scoreboards import Scoreboard, scoreboard
from tournaments.services.permissions import may_manage

type Shown = tuple[brackets.Bracket, Crosstable | None, Scoreboard | None, draws.Draw | None]

ENTRANTS_SHOWN = 50
LOG_SHOWN = 30


def number_of(request: HttpRequest, name: str) -> int | None:
    """Return the number that the address gives as ``name``, or None."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 19 else None


def detail_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return everything for the page of ``tournament`` as whoever asks may see it.

    ``?round=`` chooses the round of a bracket that is shown round by round, ``?entrants=`` the page of the entrants,
    ``?log=all`` the whole log.
    """
    player = viewer(request)
    manages = may_manage(request.user, tournament)
    matches = cards.stage_matches(tournament) if tournament.started_at else []
    stages = brackets.brackets(tournament, player, number_of(request, "round"), matches)
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
        "stages": _with_standings(tournament, stages, matches, player),
        "my_cards": [card for shown in stages for card in shown.cards if card.mine and card.playing],
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


def _with_standings(
    tournament: Tournament, stages: list[brackets.Bracket], matches: list[Match], player: Player | None
) -> list[Shown]:
    """Return each stage with its crosstable, standings and draw, as far as its format has them."""
    found: list[Shown] = []
    for shown in stages:
        stage = shown.stage
        if stage.format not in POINTS_KINDS:
            found.append((shown, None, None, None))
            continue
        playing = stage.stage_entrants.exclude(status=StageEntrantStatus.SUBSTITUTE).order_by("seed")
        members = list(playing.select_related("entrant__player"))
        entrants = [member.entrant for member in members]
        own = [match for match in matches if match.round.stage_id == stage.pk]
        byes = list(Bye.objects.filter(round__stage=stage).select_related("round"))
        standings = points_standings(stage, entrants, own, byes, {each.entrant_id: each.seed for each in members})
        board = scoreboard(
            standings,
            {entrant.pk: entrant for entrant in entrants},
            stage_outcomes(stage, own, byes),
            {(match.round.number, slot.entrant_id or 0): match.pk for match in own for slot in match.slots.all()},
            player,
        )
        table = None
        if stage.format == Format.ROUND_ROBIN:
            table = crosstable(entrants, own, standings, player)
        draw = None
        if shown.shown is not None and stage.round_count is not None:
            draw = draws.draw_of(shown.shown, {entrant.pk: entrant.player.name for entrant in entrants})
        found.append((shown, table, board, draw))
    return found


def _open_disputes(tournament: Tournament) -> list[Dispute]:
    found = Dispute.objects.waiting().filter(match_game__match__round__stage__tournament=tournament)
    return list(found.select_related("raised_by").order_by("raised_at"))
