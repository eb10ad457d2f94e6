"""Disputes: a claim about a record, its replay, the ruling and everything that follows from it."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import structlog
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from games.disclosure import ended_for_all, secrets_are_public
from games.models import PLAYED, Game, GameStatus
from games.services import game_verify, game_void
from players.errors import Conflict, Invalid, NotAllowed, NotFound
from players.models import Player, User
from ratings.services import game_unrate, games_unrate_preview
from tournaments.models import (
    Dispute,
    DisputeStatus,
    Entrant,
    EntrantStatus,
    Match,
    MatchGame,
    MatchStatus,
    Slot,
    StageStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.services.locking import lock_tournament, must_have_seen, touch
from tournaments.services.log import log_write
from tournaments.services.permissions import acting_player, must_rule
from tournaments.services.rounds import advance_locked
from tournaments.services.stages import forget_lists, has_led_on

OPEN = (DisputeStatus.RAISED, DisputeStatus.CHECKED)
NOT_COUNTING = (GameStatus.VOID, GameStatus.CANCELLED)

log = structlog.get_logger(__name__)

type Ruling = Literal["stand", "replay"]


@dataclass(frozen=True, slots=True)
class RatingMove:
    """How a ruling would move somebody's current rating, in tenths of a point."""

    player: Player
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What "void and replay" would touch, as the tournament stands at ``version``."""

    version: int
    match: Match
    games: tuple[Game, ...]
    """Games that become void: the disputed one, later ones of its table, and those of matches that depended on it."""
    matches: tuple[Match, ...]
    """Later matches that have begun and are undone."""
    ratings: tuple[RatingMove, ...]
    """Whose ratings change, the largest change first: the players of these games, and whoever met them afterwards."""
    reopens: bool
    """True if a finished tournament goes back to running."""

    @property
    def players(self) -> tuple[Player, ...]:
        """Players whose ratings change."""
        return tuple(move.player for move in self.ratings)


@dataclass(frozen=True, slots=True)
class _Reach:
    """What hangs on a game: games that fall with it, and matches that were fed by its match, however indirectly."""

    match_games: list[MatchGame]
    dependents: list[Match]


@transaction.atomic
def dispute_raise(*, match_game_id: int, player: Player, record_number: int, text: str) -> Dispute:
    """Record that ``player`` says something is wrong at ``record_number`` of an ended game of theirs; queue the replay.

    Raises NotAllowed (not a player of the game), Conflict (not ended for everybody, void, or an open dispute of
    theirs), Invalid (no such record, no text), NotFound.
    """
    match_game = MatchGame.objects.select_related("game", "match__round__stage").filter(pk=match_game_id).first()
    if match_game is None:
        raise NotFound("There is no such game.")
    tournament = lock_tournament(match_game.match.round.stage.tournament_id)
    game = match_game.game
    if not game.seat_set.filter(player=player).exists():
        raise NotAllowed("Only a player of the game can dispute it.")
    if game.status in (GameStatus.VOID, GameStatus.CANCELLED):
        raise Conflict("This game is void already.", code="void")
    if game.status not in PLAYED:
        raise Conflict("A game can be disputed once it is over.", code="not-over")
    if not ended_for_all(game):
        # Claim, log and report are public: they would tell spectators of the end.
        raise Conflict("A game can be disputed once spectators have seen its end too.", code="not-over")
    if match_game.disputes.filter(raised_by=player, status__in=OPEN).exists():
        raise Conflict("You have an open dispute about this game already.", code="open-already")
    if not game.records.filter(number=record_number).exists():
        raise Invalid(f"This game has no record {record_number}.", code="no-such-record")
    text = text.strip()
    if not text or len(text) > 2000:
        raise Invalid("Say in at most 2000 characters what is wrong.")
    dispute = Dispute.objects.create(match_game=match_game, raised_by=player, record_number=record_number, text=text)
    _log(
        tournament,
        "dispute.raised",
        f"{player} disputes record {record_number} of {_where(match_game)}.",
        player,
        dispute,
    )
    touch(tournament)
    transaction.on_commit(functools.partial(_queue_check, dispute.pk))
    return dispute


def dispute_check(*, dispute_id: int) -> Dispute:
    """Replay the stored records, attach the report, and set the status to checked. Safe to repeat.

    Raises NotFound.
    """
    dispute = _dispute(dispute_id)
    if dispute.status != DisputeStatus.RAISED:
        return dispute
    report = game_verify(dispute.match_game.game)
    with transaction.atomic():
        tournament = lock_tournament(dispute.match_game.match.round.stage.tournament_id)
        dispute = _dispute(dispute_id)
        if dispute.status != DisputeStatus.RAISED:
            return dispute
        dispute.report = report.to_json()
        dispute.status = DisputeStatus.CHECKED
        dispute.checked_at = timezone.now()
        dispute.save(update_fields=["report", "status", "checked_at"])
        at = "" if report.at_record is None else f" at record {report.at_record}"
        # The log is public for good, and what the report says may name cards that are still secret.
        secret = not secrets_are_public(dispute.match_game.game, None)
        words = "." if secret else f": {report.message}"
        finding = "every record is in order" if report.ok else f"there is a fault{at}{words}"
        _log(
            tournament, "dispute.checked", f"The replay of {_where(dispute.match_game)} says: {finding}", None, dispute
        )
        touch(tournament)
    return dispute


@transaction.atomic
def dispute_preview(*, dispute_id: int) -> Preview:
    """Return what a ruling of "replay" would touch; changes nothing. Raises NotFound."""
    dispute = _dispute(dispute_id)
    match = dispute.match_game.match
    tournament = lock_tournament(match.round.stage.tournament_id)
    reach = _reach(dispute.match_game)
    changes = games_unrate_preview(game_ids=[each.game_id for each in reach.match_games])
    players = Player.objects.in_bulk([change.player_id for change in changes])
    return Preview(
        version=tournament.version,
        match=match,
        games=tuple(each.game for each in reach.match_games),
        matches=tuple(each for each in reach.dependents if each.status != MatchStatus.WAITING),
        ratings=tuple(RatingMove(players[change.player_id], change.before, change.after) for change in changes),
        reopens=tournament.status == TournamentStatus.FINISHED,
    )


@transaction.atomic
def dispute_rule(*, dispute_id: int, by: User | None, ruling: Ruling, note: str, seen_version: int) -> Dispute:
    """Close a checked dispute: the result stands, or the game is void and its match goes on with a new one.

    ``seen_version`` is the tournament's version that the preview was made of. With ``replay`` later games of the match
    and of every match that depended on it are void and unrated, their slots are cleared, and a finished tournament
    runs again. Raises Conflict (ruled already, not checked yet, changed since; a later stage
    has begun with the result, code ``later-stage``), Invalid (unknown ruling), NotAllowed
    (with the code ``own-game`` for an organizer who played that game).
    """
    dispute = _dispute(dispute_id)
    tournament = lock_tournament(dispute.match_game.match.round.stage.tournament_id)
    must_rule(by, dispute)
    if ruling not in ("stand", "replay"):
        raise Invalid("A ruling is to stand, or to void and replay.")
    dispute = _dispute(dispute_id)
    if dispute.status == DisputeStatus.RAISED:
        raise Conflict("The replay has not been made yet; it takes a few seconds.", code="not-checked")
    if dispute.status != DisputeStatus.CHECKED:
        raise Conflict("This dispute has been ruled on already.", code="ruled-already")
    must_have_seen(tournament, seen_version)
    note = note.strip()
    actor = acting_player(by)
    where = _where(dispute.match_game)
    if ruling == "stand":
        _close([dispute], DisputeStatus.STANDS, by, note)
        text = f"Dispute about {where}: the result stands."
        _log(tournament, "dispute.stands", f"{text} {note}".strip(), actor, dispute)
    else:
        if has_led_on(dispute.match_game.match.round.stage):
            raise Conflict(
                "A later stage has begun with this result: it cannot be undone any more.", code="later-stage"
            )
        reach = _reach(dispute.match_game)
        _close([dispute], DisputeStatus.REPLAYED, by, note)
        voided = [each.pk for each in reach.match_games]
        others = Dispute.objects.filter(match_game__in=voided, status__in=OPEN)
        _close(others, DisputeStatus.REPLAYED, by, "The game became void by the ruling on another dispute.")
        text = f"Dispute about {where}: the game is void and will be replayed."
        begun = [each for each in reach.dependents if each.status != MatchStatus.WAITING]
        if begun:
            text += f" Undone with it: {'; '.join(str(each) for each in begun)}."
        data = {"games": [str(each.game_id) for each in reach.match_games], "matches": [each.pk for each in begun]}
        _log(tournament, "dispute.replayed", f"{text} {note}".strip(), actor, dispute, data)
        _undo(tournament, dispute.match_game.match, reach, by)
        advance_locked(tournament)
    touch(tournament)
    return dispute


def _reach(match_game: MatchGame) -> _Reach:
    """Return what falls if ``match_game`` becomes void.

    At a table from which some go on, every later game was played by those whom this one left over. Everywhere else each
    game is played for itself, so that the others stand.
    """
    match = match_game.match
    own = match.match_games.select_related("game").exclude(game__status__in=NOT_COUNTING)
    own = (
        own.filter(number__gte=match_game.number)
        if match.advance > 0 and match.slots.count() > 2
        else own.filter(pk=match_game.pk)
    )
    dependents: list[Match] = []
    frontier = [match.pk]
    while frontier:
        fed = Match.objects.filter(slots__source__in=frontier).select_related("round").distinct()
        found = list(fed.order_by("round__number", "table"))
        dependents += found
        frontier = [each.pk for each in found]
    theirs = (
        MatchGame.objects.filter(match__in=dependents).select_related("game").exclude(game__status__in=NOT_COUNTING)
    )
    return _Reach([*own.order_by("number"), *theirs.order_by("match", "number")], list(dict.fromkeys(dependents)))


def _undo(tournament: Tournament, match: Match, reach: _Reach, by: User | None) -> None:
    """Make the games void and unrated, empty the slots that they filled, and open the matches again."""
    for match_game in reach.match_games:
        game = game_void(game=match_game.game, reason="Void by the ruling on a dispute.", by=by)
        if game.status == GameStatus.VOID:
            game_unrate(game_id=game.pk)
    MatchGame.objects.filter(pk__in=[each.pk for each in reach.match_games]).update(counted_at=None)
    reopened = [match, *reach.dependents]
    slots = Slot.objects.filter(match__in=reopened)
    Entrant.objects.filter(slots__in=slots, status=EntrantStatus.OUT).update(status=EntrantStatus.PLAYING)
    slots.update(place=None, walkover=False)
    slots.filter(source__in=reopened).update(entrant=None)
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.PLAYING, decided_at=None)
    Match.objects.filter(pk__in=[each.pk for each in reach.dependents]).update(
        status=MatchStatus.WAITING, decided_at=None
    )
    tournament.entrants.update(place=None)
    stage = match.round.stage
    stage.stage_entrants.update(place=None)
    stage.status = StageStatus.RUNNING
    stage.save(update_fields=["status"])
    forget_lists(stage)
    if tournament.status == TournamentStatus.FINISHED:
        tournament.status = TournamentStatus.RUNNING
        tournament.finished_at = None
        tournament.save(update_fields=["status", "finished_at"])


def _close(disputes: Iterable[Dispute], status: DisputeStatus, by: User | None, note: str) -> None:
    for dispute in disputes:
        dispute.status = status
        dispute.ruled_by = by
        dispute.ruled_at = timezone.now()
        dispute.ruling_note = note
        dispute.save(update_fields=["status", "ruled_by", "ruled_at", "ruling_note"])


def _dispute(dispute_id: int) -> Dispute:
    dispute = (
        Dispute.objects.select_related("match_game__game", "match_game__match__round__stage", "raised_by")
        .filter(pk=dispute_id)
        .first()
    )
    if dispute is None:
        raise NotFound("There is no such dispute.")
    return dispute


def _where(match_game: MatchGame) -> str:
    return f"{match_game.match}, game {match_game.number}"


def _log(
    tournament: Tournament,
    action: str,
    text: str,
    actor: Player | None,
    dispute: Dispute,
    data: Mapping[str, Any] | None = None,
) -> None:
    log_write(
        tournament=tournament, action=action, text=text, actor=actor, data={"dispute": dispute.pk, **(data or {})}
    )


def _queue_check(dispute_id: int) -> None:
    # Tasks call services, so that services know of tasks only when they run.
    from tournaments.tasks import check_dispute

    try:
        check_dispute.delay(dispute_id)
    except OperationalError as error:  # the sweep finds the dispute
        log.warning("dispute-check-not-queued", dispute=dispute_id, error=str(error))
