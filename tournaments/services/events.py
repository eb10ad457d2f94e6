"""The life of a tournament: create, edit, start, cancel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from games.engine import EngineError
from games.engine import game as engine_game
from games.models import Absence, Game, GameStatus, Spectating, TimeControl
from games.services import game_void
from players.errors import Conflict, Invalid, NotAllowed
from players.models import Club, User
from players.services import tidy_name
from ratings.models import Rating
from ratings.systems.elo import BEARENA_ELO
from tournaments.models import (
    CLOCK_FIELDS,
    Duplicate,
    Entrant,
    EntrantStatus,
    Format,
    Match,
    PointsRule,
    Round,
    Slot,
    Stage,
    TieBreakRules,
    Tournament,
    TournamentStatus,
)
from tournaments.pairing.bracket import Bracket
from tournaments.pairing.double_elimination import double_elimination
from tournaments.pairing.round_robin import round_robin
from tournaments.pairing.single_elimination import single_elimination
from tournaments.pairing.table_elimination import table_elimination
from tournaments.services.deals import open_finished_deals
from tournaments.services.locking import lock_tournament, must_have_seen, touch
from tournaments.services.log import log_write
from tournaments.services.permissions import acting_player, may_organize_for, must_manage
from tournaments.services.rounds import advance_locked
from tournaments.standings.tie_break import Rules
from tournaments.standings.tie_breaks import ROUND_ROBIN, UnknownTieBreak, tie_breaks

LARGEST = 512
LARGEST_ROUND_ROBIN = 40
"""Everybody meets everybody: 40 entrants are 780 matches."""
SHORTEST_BANK_MS, LONGEST_BANK_MS = 10_000, 7_200_000
LONGEST_INCREMENT_MS = 120_000
LONGEST_READY_SECONDS = 86_400
LONGEST_DISCONNECT_MS = 3_600_000
SHORTEST_ABSENCE_MS, LONGEST_ABSENCE_MS = 5_000, 3_600_000
SHORTEST_BREAK_SECONDS, LONGEST_BREAK_SECONDS = 5, 3_600
LONGEST_DELAY_SECONDS, LONGEST_DELAY_MOVES = 3_600, 100
SMALLEST_TABLE, LARGEST_TABLE = 3, 8
STAGE_FIELDS = (
    "format",
    "table_size",
    "advance",
    "best_of",
    "play_all",
    "points_rule",
    "third_place",
    "twice",
    "tie_breaks",
    "tie_break_rules",
)
TOURNAMENT_FIELDS = (
    "name",
    "description",
    "club",
    "capacity",
    "rated",
    *CLOCK_FIELDS,
    "ready_seconds",
    "break_seconds",
    "duplicate",
    "spectating",
    "spectator_delay_seconds",
    "spectator_delay_moves",
    "shown_at_end",
    "game",
    "rules",
)


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
    )
    _settle(tournament, stage)
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
    _must_be_open(tournament)
    must_have_seen(tournament, seen_version)
    stage = tournament.stages.get(number=1)
    unknown = set(changes) - {*STAGE_FIELDS, *TOURNAMENT_FIELDS}
    if unknown:
        raise Invalid(f"A tournament has no {', '.join(sorted(unknown))}.")
    if "club" in changes and changes["club"] != tournament.club:
        _must_organize_for(by, changes["club"])
    for field, value in changes.items():
        setattr(stage if field in STAGE_FIELDS else tournament, field, value)
    _settle(tournament, stage)
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
def tournament_start(*, tournament_id: int, seen_version: int, by: User | None) -> Tournament:
    """Seed by rating, build every round and match, and begin the first games. A second start raises Conflict.

    Raises Conflict (code ``started-already``, or ``conflict`` when it changed since ``seen_version``), Invalid (fewer
    than two entrants), NotAllowed, NotFound.
    """
    tournament = lock_tournament(tournament_id)
    must_manage(by, tournament)
    if tournament.status == TournamentStatus.RUNNING:
        raise Conflict("The tournament has been started already.", code="started-already")
    _must_be_open(tournament)
    must_have_seen(tournament, seen_version)
    entrants = _seed(tournament)
    if len(entrants) < 2:
        raise Invalid("A tournament needs at least two players.", code="too-few")
    tournament.status = TournamentStatus.RUNNING
    tournament.started_at = timezone.now()
    tournament.save(update_fields=["status", "started_at"])
    stage = tournament.stages.get(number=1)
    if stage.format == Format.ROUND_ROBIN:
        _build_round_robin(stage, entrants)
    elif stage.format == Format.SINGLE_ELIMINATION:
        _build_bracket(stage, single_elimination(len(entrants), third_place=stage.third_place), entrants)
    elif stage.format == Format.DOUBLE_ELIMINATION:
        _build_bracket(stage, double_elimination(len(entrants)), entrants)
    else:
        _build_bracket(stage, table_elimination(len(entrants), stage.table_size, stage.advance), entrants)
    actor = acting_player(by)
    log_write(
        tournament=tournament,
        action="tournament.started",
        text=f"The tournament began with {len(entrants)} players, seeded by rating.",
        actor=actor,
        data={"seeds": [entrant.player_id for entrant in entrants]},
    )
    advance_locked(tournament)
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


def _must_be_open(tournament: Tournament) -> None:
    if tournament.status != TournamentStatus.OPEN:
        raise Conflict(f"This needs a tournament that is open; this one is {tournament.get_status_display()}.")


def _must_organize_for(by: User | None, club: Club | None) -> None:
    if club is not None and by is not None and not may_organize_for(by, club):
        raise NotAllowed(f"Only an organizer of {club} can run a tournament for it.")


def _settle(tournament: Tournament, stage: Stage) -> None:
    """Bring the settings into the form in which they are stored. Raises Invalid with the first that cannot be."""
    tournament.name = tidy_name(tournament.name)
    if not tournament.name or len(tournament.name) > 80:
        raise Invalid("Give the tournament a name of at most 80 characters.")
    if len(tournament.description) > 4000:
        raise Invalid("The description can have at most 4000 characters.")
    if stage.format not in (
        Format.SINGLE_ELIMINATION,
        Format.DOUBLE_ELIMINATION,
        Format.TABLE_ELIMINATION,
        Format.ROUND_ROBIN,
    ):
        raise Invalid(f"There is no format {stage.format}.")
    if stage.format == Format.TABLE_ELIMINATION:
        if not SMALLEST_TABLE <= stage.table_size <= LARGEST_TABLE:
            raise Invalid("A table has 3 to 8 seats.")
        if not 1 <= stage.advance < stage.table_size:
            raise Invalid("Fewer must go on than sit at a table, and at least one.")
        if stage.best_of != 1 and not stage.play_all:
            raise Invalid("At tables there is no best-of; either all games count or those who do not go on play again.")
    else:
        stage.table_size, stage.advance = 2, 1
        if stage.best_of not in (1, 3, 5, 7, 9) and not stage.play_all:
            raise Invalid("A match is the best of 1, 3, 5, 7 or 9 games.")
    if not 1 <= stage.best_of <= 9:
        raise Invalid("A match has 1 to 9 games.")
    _settle_standings(stage)
    largest = LARGEST_ROUND_ROBIN if stage.format == Format.ROUND_ROBIN else LARGEST
    if not 2 <= tournament.capacity <= largest:
        raise Invalid(f"There can be 2 to {largest} players in this format.")
    if not SHORTEST_BANK_MS <= tournament.bank_ms <= LONGEST_BANK_MS:
        raise Invalid("The time for a game or a turn is 10 seconds to 2 hours.")
    if not 0 <= tournament.increment_ms <= LONGEST_INCREMENT_MS:
        raise Invalid("The time added for an action is at most 2 minutes.")
    if tournament.time_control not in (TimeControl.BANK, TimeControl.TURN):
        raise Invalid("A tournament is played with time for the game or time a turn.")
    if tournament.absence not in Absence.values:
        raise Invalid("Nothing of this kind can happen to a seat that is gone.")
    if not 0 <= tournament.disconnect_ms <= LONGEST_DISCONNECT_MS:
        raise Invalid("The time without a connection is at most an hour.")
    if not SHORTEST_ABSENCE_MS <= tournament.absence_ms <= LONGEST_ABSENCE_MS:
        raise Invalid("A seat can be gone for 5 seconds to an hour before something happens.")
    if not 0 <= tournament.ready_seconds <= LONGEST_READY_SECONDS:
        raise Invalid("A game can wait for its players for one day at most.")
    _settle_audience(tournament, stage)
    try:
        rules = engine_game(tournament.game)
        whole = [rules.rules(tournament.rules, seats) for seats in range(2, stage.table_size + 1)]
        # What the number of seats decides is left to each game.
        tournament.rules = {key: value for key, value in whole[0].items() if all(one[key] == value for one in whole)}
    except EngineError as error:
        raise Invalid(str(error), code=error.code) from error


def _settle_standings(stage: Stage) -> None:
    """Check what only some formats have; a round robin without tie-breaks gets the usual ones. Raises Invalid."""
    if stage.third_place and stage.format != Format.SINGLE_ELIMINATION:
        raise Invalid("Only a single elimination has a match for third place.")
    if stage.twice and stage.format != Format.ROUND_ROBIN:
        raise Invalid("Only in a round robin can everybody meet everybody twice.")
    if stage.tie_break_rules not in TieBreakRules.values:
        raise Invalid(f"There are no tie-break rules of {stage.tie_break_rules}.")
    if stage.format != Format.ROUND_ROBIN:
        stage.tie_breaks = []
        return
    stage.tie_breaks = list(stage.tie_breaks) or list(ROUND_ROBIN)
    try:
        tie_breaks(stage.tie_breaks, Rules(stage.tie_break_rules))
    except UnknownTieBreak as error:
        raise Invalid(str(error), code="unknown-tie-break") from error


def _settle_audience(tournament: Tournament, stage: Stage) -> None:
    """Check who gets which cards and who may look on. Raises Invalid with the first that cannot be."""
    if tournament.duplicate not in Duplicate.values:
        raise Invalid(f"There is no way {tournament.duplicate} to share cards.")
    if stage.points_rule not in PointsRule.values:
        raise Invalid(f"There is no way {stage.points_rule} to give points.")
    if stage.points_rule == PointsRule.SAME_CARDS:
        if stage.format != Format.ROUND_ROBIN:
            raise Invalid("Only where everybody has points, in a round robin, can they come from the same cards.")
        if tournament.duplicate == Duplicate.NONE:
            raise Invalid("To compare who held the same cards, tables must be dealt the same cards.")
    if not SHORTEST_BREAK_SECONDS <= tournament.break_seconds <= LONGEST_BREAK_SECONDS:
        raise Invalid("The break between the games of a match is 5 seconds to 1 hour.")
    if tournament.spectating not in Spectating.values:
        raise Invalid(f"There are no spectators of kind {tournament.spectating}.")
    if not 0 <= tournament.spectator_delay_seconds <= LONGEST_DELAY_SECONDS:
        raise Invalid("Spectators see a move at most one hour later.")
    if not 0 <= tournament.spectator_delay_moves <= LONGEST_DELAY_MOVES:
        raise Invalid(f"Spectators see a move at most {LONGEST_DELAY_MOVES} moves later.")


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


def _seed(tournament: Tournament) -> list[Entrant]:
    """Give every entrant rating and seed: the better rating first, then who registered first; return them so."""
    entrants = list(tournament.entrants.select_related("player").order_by("registered_at", "pk"))
    ratings = dict(
        Rating.objects.filter(
            pool__game=tournament.game, pool__kind="online", player__in=[entrant.player_id for entrant in entrants]
        ).values_list("player_id", "value")
    )
    for entrant in entrants:
        entrant.rating = ratings.get(entrant.player_id, BEARENA_ELO.start)
        entrant.status = EntrantStatus.PLAYING
    entrants.sort(key=lambda entrant: -(entrant.rating or 0))
    for seed, entrant in enumerate(entrants, start=1):
        entrant.seed = seed
    Entrant.objects.bulk_update(entrants, ["seed", "rating", "status"])
    return entrants


def _build_bracket(stage: Stage, bracket: Bracket, entrants: list[Entrant]) -> None:
    """Store a bracket: its rounds, matches, and slots with the entrant or the place that they wait for."""
    rounds = _build_rounds(stage, bracket.names())
    matches = Match.objects.bulk_create(
        Match(
            round=rounds[plan.round - 1],
            table=plan.table,
            part=plan.part,
            advance=plan.advance,
            best_of=stage.best_of,
            play_all=stage.play_all,
        )
        for plan in bracket.matches
    )
    slots = []
    for match, plan in zip(matches, bracket.matches, strict=True):
        for number, feed in enumerate(plan.feeds):
            if isinstance(feed, int):
                slots.append(Slot(match=match, number=number, entrant=entrants[feed - 1]))
            else:
                slots.append(Slot(match=match, number=number, source=matches[feed.match], source_place=feed.place))
    Slot.objects.bulk_create(slots)


def _build_round_robin(stage: Stage, entrants: list[Entrant]) -> None:
    """Store every meeting; slot 0 has the first seat."""
    meetings = round_robin(len(entrants), double=stage.twice)
    rounds = _build_rounds(stage, [f"Round {number}" for number in range(1, len(meetings) + 1)])
    matches, slots = [], []
    for round_, pairs in zip(rounds, meetings, strict=True):
        for table, pair in enumerate(pairs, start=1):
            match = Match(round=round_, table=table, advance=0, best_of=stage.best_of, play_all=stage.play_all)
            matches.append(match)
            slots += [Slot(match=match, number=number, entrant=entrants[seed - 1]) for number, seed in enumerate(pair)]
    Match.objects.bulk_create(matches)
    Slot.objects.bulk_create(slots)


def _build_rounds(stage: Stage, names: Iterable[str]) -> list[Round]:
    return Round.objects.bulk_create(
        Round(stage=stage, number=number, name=name) for number, name in enumerate(names, start=1)
    )
