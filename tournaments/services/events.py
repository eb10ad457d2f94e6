"""The life of a tournament but for its start: create, edit, cancel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from games.models import Absence, Game, GameStatus, Spectating, TimeControl
from games.services import game_void
from players.errors import Conflict, Invalid, NotAllowed
from players.models import Club, User
from tournaments.models import (
    Duplicate,
    PointsRule,
    Publishing,
    ShortTables,
    Stage,
    TieBreakRules,
    Tournament,
    TournamentStatus,
)
from tournaments.services.deals import open_finished_deals
from tournaments.services.locking import lock_tournament, must_be_open, must_have_seen, touch
from tournaments.services.log import log_write
from tournaments.services.permissions import acting_player, may_organize_for, must_manage
from tournaments.services.settings import STAGE_FIELDS, TOURNAMENT_FIELDS, settle


@transaction.atomic
def tournament_create(
    *,
    by: User,
    name: str,
    format: str,  # noqa: A002 - the word of the model
    description: str = "",
    club: Club | None = None,
    table_size: int = 2,
    advance: int = 1,
    best_of: int = 1,
    play_all: bool = False,
    points_rule: str = PointsRule.RESULTS,
    third_place: bool = False,
    twice: bool = False,
    tie_breaks: Iterable[str] = (),
    tie_break_rules: str = TieBreakRules.FIDE_2026,
    round_count: int | None = None,
    smallest_table: int | None = None,
    largest_table: int | None = None,
    short_tables: str = ShortTables.LOW,
    place_points: Mapping[str, Sequence[int]] | None = None,
    group_count: int | None = None,
    publish_rounds: str = Publishing.AUTOMATIC,
    capacity: int = 32,
    rated: bool = True,
    bank_ms: int = 300_000,
    increment_ms: int = 5_000,
    time_control: str = TimeControl.BANK,
    disconnect_ms: int = 0,
    absence: str = Absence.WAIT,
    absence_ms: int = 60_000,
    house_rated: bool = False,
    ready_seconds: int = 120,
    break_seconds: int = 30,
    duplicate: str = Duplicate.NONE,
    spectating: str = Spectating.ALL,
    spectator_delay_seconds: int = 0,
    spectator_delay_moves: int = 0,
    shown_at_end: bool = False,
    game: str = "hold-my-bear",
    rules: Mapping[str, Any] | None = None,
) -> Tournament:
    """Return a new tournament, open for registration, with one stage; ``by``'s player is its organizer.

    Raises Invalid (a combination that cannot be played; ``message`` says which part), NotAllowed (no player, or a club
    that ``by`` does not organize for).
    """
    organizer = acting_player(by)
    if organizer is None:
        raise NotAllowed("You need a player name before you can organize a tournament.")
    tournament = Tournament(
        name=name,
        description=description,
        club=club,
        organizer=organizer,
        capacity=capacity,
        rated=rated,
        bank_ms=bank_ms,
        increment_ms=increment_ms,
        time_control=time_control,
        disconnect_ms=disconnect_ms,
        absence=absence,
        absence_ms=absence_ms,
        house_rated=house_rated,
        ready_seconds=ready_seconds,
        break_seconds=break_seconds,
        duplicate=duplicate,
        publish_rounds=publish_rounds,
        spectating=spectating,
        spectator_delay_seconds=spectator_delay_seconds,
        spectator_delay_moves=spectator_delay_moves,
        shown_at_end=shown_at_end,
        game=game,
        rules=dict(rules or {}),
    )
    stage = Stage(
        format=format,
        table_size=table_size,
        advance=advance,
        best_of=best_of,
        play_all=play_all,
        points_rule=points_rule,
        third_place=third_place,
        twice=twice,
        tie_breaks=list(tie_breaks),
        tie_break_rules=tie_break_rules,
        round_count=round_count,
        smallest_table=smallest_table,
        largest_table=largest_table,
        short_tables=short_tables,
        place_points={str(size): list(own) for size, own in (place_points or {}).items()},
        group_count=group_count,
    )
    settle(tournament, stage)
    _must_organize_for(by, club)
    _insert(tournament)
    stage.tournament = tournament
    stage.save()
    log_write(
        tournament=tournament, action="tournament.created", text=f"{organizer} opened the tournament.", actor=organizer
    )
    touch(tournament)
    return tournament


@transaction.atomic
def tournament_edit(*, tournament_id: int, seen_version: int, by: User | None, **changes: Any) -> Tournament:
    """Change a tournament that is open: any of the arguments of :func:`tournament_create`.

    Raises Conflict (it has started, or changed since ``seen_version``), Invalid, NotAllowed, NotFound.
    """
    tournament = lock_tournament(tournament_id)
    must_manage(by, tournament)
    must_be_open(tournament)
    must_have_seen(tournament, seen_version)
    stage = tournament.stages.get(number=1)
    unknown = set(changes) - {*STAGE_FIELDS, *TOURNAMENT_FIELDS}
    if unknown:
        raise Invalid(f"A tournament has no {', '.join(sorted(unknown))}.")
    if "club" in changes and changes["club"] != tournament.club:
        _must_organize_for(by, changes["club"])
    _forget_the_usual(stage, changes)
    for field, value in changes.items():
        setattr(stage if field in STAGE_FIELDS else tournament, field, value)
    settle(tournament, stage, later_stages(tournament, stage))
    entrants = tournament.entrants.count()
    if tournament.capacity < entrants:
        raise Invalid(f"{entrants} players are registered already; there must be room for them.")
    tournament.save()
    stage.save()
    log_write(
        tournament=tournament, action="tournament.edited", text="The settings were changed.", actor=acting_player(by)
    )
    touch(tournament)
    return tournament


@transaction.atomic
def tournament_cancel(*, tournament_id: int, seen_version: int, by: User | None, reason: str = "") -> Tournament:
    """Call a tournament off. Games under way are void and never rated; finished games stand.

    Raises Conflict (it is over, or changed since ``seen_version``), NotAllowed, NotFound.
    """
    tournament = lock_tournament(tournament_id)
    must_manage(by, tournament)
    if tournament.status not in (TournamentStatus.OPEN, TournamentStatus.RUNNING):
        raise Conflict("The tournament is over.")
    must_have_seen(tournament, seen_version)
    tournament.status = TournamentStatus.CANCELLED
    tournament.save(update_fields=["status"])
    open_games = Game.objects.filter(
        match_game__match__round__stage__tournament=tournament, status__in=[GameStatus.SEATING, GameStatus.RUNNING]
    )
    for game in open_games.order_by("pk"):
        game_void(game=game, reason="The tournament was called off.", by=by)
    open_finished_deals(tournament)
    reason = reason.strip()
    text = f"The tournament was called off: {reason}" if reason else "The tournament was called off."
    log_write(tournament=tournament, action="tournament.cancelled", text=text, actor=acting_player(by))
    touch(tournament)
    return tournament


def later_stages(tournament: Tournament, first: Stage) -> list[Stage]:
    """Return the stages after ``first`` in order; their sources are these very objects, as they are being changed."""
    known = {first.pk: first}
    for each in tournament.stages.exclude(pk=first.pk).order_by("number"):
        each.source = known.get(each.source_id or 0)
        known[each.pk] = each
    return list(known.values())[1:]


def _forget_the_usual(stage: Stage, changes: Mapping[str, Any]) -> None:
    """Let what depends on the format and the tables be settled anew unless it is changed too."""
    if "format" in changes and changes["format"] != stage.format:
        stage.tie_breaks = []
    if "table_size" in changes and changes["table_size"] != stage.table_size:
        stage.smallest_table, stage.largest_table = None, None
    if not {"table_size", "smallest_table", "largest_table"}.isdisjoint(changes):
        stage.place_points = {}


def _must_organize_for(by: User | None, club: Club | None) -> None:
    if club is not None and by is not None and not may_organize_for(by, club):
        raise NotAllowed(f"Only an organizer of {club} can run a tournament for it.")


def _insert(tournament: Tournament) -> None:
    """Store a new tournament under the first free slug; two of one name at the same moment both get one."""
    while True:
        tournament.slug = _free_slug(tournament.name)
        try:
            with transaction.atomic():
                tournament.save(force_insert=True)
        except IntegrityError:
            if not Tournament.objects.filter(slug=tournament.slug).exists():
                raise
        else:
            return


def _free_slug(name: str) -> str:
    """Return a slug of ``name`` that no tournament has."""
    base = slugify(name)[:80].strip("-") or "tournament"
    taken = set(Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    number = 1
    slug = base
    while slug in taken or slug == "new":
        number += 1
        slug = f"{base}-{number}"
    return slug
