"""What a tournament and its stage may be set to."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import EngineError
from games.engine import game as engine_game
from games.models import Absence, Spectating, TimeControl
from players.errors import Invalid
from players.services import tidy_name
from tournaments.models import (
    CLOCK_FIELDS,
    POINTS_KINDS,
    SWISS_KINDS,
    TABLE_KINDS,
    Duplicate,
    Format,
    PointsRule,
    Publishing,
    ShortTables,
    Stage,
    Takes,
    TieBreakRules,
    TieRule,
    Tournament,
)
from tournaments.services.wanting import draws_rounds
from tournaments.standings.points import usual_places
from tournaments.standings.tie_break import Rules
from tournaments.standings.tie_breaks import ROUND_ROBIN, SWISS, TABLES, UnknownTieBreak, tie_breaks

LARGEST = 4096
LARGEST_DUTCH = 1000
"""The FIDE Dutch rules are worked out for so many at most."""
LARGEST_SCHEDULE = 400
"""All rounds of a fixed schedule are searched at once."""
MOST_ROUNDS = 99
MOST_POINTS = 1000
LARGEST_ROUND_ROBIN = 40
"""Everybody meets everybody: 40 entrants are 780 matches."""
MOST_GROUPS = 512
MOST_STAGES = 9
SHORTEST_BANK_MS, LONGEST_BANK_MS = 10_000, 7_200_000
LONGEST_INCREMENT_MS = 120_000
LONGEST_READY_SECONDS = 86_400
LONGEST_DISCONNECT_MS = 3_600_000
SHORTEST_ABSENCE_MS, LONGEST_ABSENCE_MS = 5_000, 3_600_000
SHORTEST_BREAK_SECONDS, LONGEST_BREAK_SECONDS = 5, 3_600
LONGEST_DELAY_SECONDS, LONGEST_DELAY_MOVES = 3_600, 100
SMALLEST_TABLE, LARGEST_TABLE = 3, 8
MOST_ENTRANTS = {
    Format.ROUND_ROBIN: LARGEST_ROUND_ROBIN,
    Format.FIDE_DUTCH: LARGEST_DUTCH,
    Format.TABLE_SCHEDULE: LARGEST_SCHEDULE,
}
"""Formats that do not take ``LARGEST``."""
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
    "round_count",
    "smallest_table",
    "largest_table",
    "short_tables",
    "place_points",
    "group_count",
)
CHAIN_FIELDS = ("source", "takes", "takes_first", "takes_last", "tie_rule")
"""What says who comes into a later stage."""
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
    "publish_rounds",
    "spectating",
    "spectator_delay_seconds",
    "spectator_delay_moves",
    "shown_at_end",
    "game",
    "rules",
)


def settle(tournament: Tournament, stage: Stage, later: Sequence[Stage] = ()) -> None:
    """Bring the settings into the form in which they are stored; ``later`` are the stages after the first, in order.

    Raises Invalid with the first that cannot be.
    """
    tournament.name = tidy_name(tournament.name)
    if not tournament.name or len(tournament.name) > 80:
        raise Invalid("Give the tournament a name of at most 80 characters.")
    if len(tournament.description) > 4000:
        raise Invalid("The description can have at most 4000 characters.")
    _settle_stage(tournament, stage)
    largest = most_entrants(stage)
    if not 2 <= tournament.capacity <= largest:
        raise Invalid(f"There can be 2 to {largest} players in this format.")
    for number, each in enumerate(later):
        _settle_stage(tournament, each)
        _settle_source(tournament, each, (stage, *later[:number]))
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
    if tournament.publish_rounds not in Publishing.values:
        raise Invalid(f"There is no way {tournament.publish_rounds} to publish rounds.")
    _settle_audience(tournament)
    try:
        rules = engine_game(tournament.game)
        seats_at_most = max(each.largest_table or each.table_size for each in (stage, *later))
        whole = [rules.rules(tournament.rules, seats) for seats in range(2, seats_at_most + 1)]
        # What the number of seats decides is left to each game.
        tournament.rules = {key: value for key, value in whole[0].items() if all(one[key] == value for one in whole)}
    except EngineError as error:
        raise Invalid(str(error), code=error.code) from error


def most_entrants(stage: Stage) -> int:
    """Return how many can play in a stage of this format."""
    if stage.format == Format.GROUPS:
        return min(LARGEST, LARGEST_ROUND_ROBIN * (stage.group_count or 1))
    return MOST_ENTRANTS.get(Format(stage.format), LARGEST)


def places_taken(stage: Stage) -> int | None:
    """Return how many places a later stage has; None if it takes whoever goes nowhere else."""
    if stage.takes_first is None or stage.takes_last is None:
        return None
    each = stage.takes_last - stage.takes_first + 1
    groups = 1
    if stage.takes == Takes.GROUP_PLACES and stage.source is not None:
        groups = stage.source.group_count or 1
    return each * groups


def _settle_stage(tournament: Tournament, stage: Stage) -> None:
    """Bring what a stage is played by into the form in which it is stored. Raises Invalid."""
    if stage.format not in Format.values:
        raise Invalid(f"There is no format {stage.format}.")
    _settle_tables(stage)
    _settle_rounds(stage)
    if not 1 <= stage.best_of <= 9:
        raise Invalid("A match has 1 to 9 games.")
    _settle_standings(stage)
    if stage.points_rule not in PointsRule.values:
        raise Invalid(f"There is no way {stage.points_rule} to give points.")
    if stage.points_rule == PointsRule.SAME_CARDS:
        if stage.format != Format.ROUND_ROBIN:
            raise Invalid("Only where everybody has points, in a round robin, can they come from the same cards.")
        if tournament.duplicate == Duplicate.NONE:
            raise Invalid("To compare who held the same cards, tables must be dealt the same cards.")


def _settle_source(tournament: Tournament, stage: Stage, earlier: Sequence[Stage]) -> None:
    """Check who comes into a later stage: bands of places that follow on each other, then whoever is left over.

    Raises Invalid (code ``bad-source``).
    """
    source = stage.source
    if source is None or source not in earlier:
        raise Invalid("A later stage takes its players from an earlier one.", code="bad-source")
    if stage.tie_rule not in TieRule.values:
        raise Invalid(f"There is no rule {stage.tie_rule} for a tie on the last place.", code="bad-source")
    beside = [each for each in earlier if each.source == source]
    if any(each.takes == Takes.REST for each in beside):
        raise Invalid("Everybody else goes on to another stage already.", code="bad-source")
    if stage.takes == Takes.REST:
        stage.takes_first, stage.takes_last = None, None
        most = tournament.capacity
    else:
        if stage.takes != (Takes.GROUP_PLACES if source.format == Format.GROUPS else Takes.PLACES):
            what = "places of each group" if source.format == Format.GROUPS else "places of the stage"
            raise Invalid(f"From this stage {what} lead on, or the rest.", code="bad-source")
        next_free = 1 + max((each.takes_last or 0 for each in beside), default=0)
        if stage.takes_first != next_free or stage.takes_last is None or stage.takes_last < next_free:
            raise Invalid(f"The places that lead on begin with place {next_free}.", code="bad-source")
        most = min(places_taken(stage) or 0, tournament.capacity)
        if most < 2:
            raise Invalid("At least two players go on.", code="bad-source")
    if most > most_entrants(stage):
        raise Invalid(f"There can be 2 to {most_entrants(stage)} players in this format.")


def _settle_tables(stage: Stage) -> None:
    """Check how many sit at a table, who goes on, and what places bring; two sit where there are no tables."""
    at_tables = stage.format == Format.TABLE_ELIMINATION or stage.format in TABLE_KINDS
    if not at_tables:
        stage.table_size, stage.advance = 2, 1
        if stage.best_of not in (1, 3, 5, 7, 9) and not stage.play_all:
            raise Invalid("A match is the best of 1, 3, 5, 7 or 9 games.")
    else:
        if not SMALLEST_TABLE <= stage.table_size <= LARGEST_TABLE:
            raise Invalid("A table has 3 to 8 seats.")
        if stage.best_of != 1 and not stage.play_all:
            raise Invalid("At tables there is no best-of; either all games count or those who do not go on play again.")
    if stage.format == Format.TABLE_ELIMINATION and not 1 <= stage.advance < stage.table_size:
        raise Invalid("Fewer must go on than sit at a table, and at least one.")
    if stage.format not in TABLE_KINDS:
        stage.smallest_table, stage.largest_table, stage.place_points = None, None, {}
        stage.short_tables = ShortTables.LOW
        return
    stage.advance = 1
    if stage.smallest_table is None:
        stage.smallest_table = max(SMALLEST_TABLE, stage.table_size - 1)
    if stage.largest_table is None:
        stage.largest_table = stage.table_size
    if not SMALLEST_TABLE <= stage.smallest_table <= stage.table_size <= stage.largest_table <= LARGEST_TABLE:
        raise Invalid("A table has 3 to 8 seats, and the preferred size lies between the smallest and the largest.")
    if stage.short_tables not in ShortTables.values:
        raise Invalid(f"There is no place {stage.short_tables} for the smaller tables.")
    _settle_place_points(stage, stage.smallest_table, stage.largest_table)


def _settle_place_points(stage: Stage, smallest: int, largest: int) -> None:
    """Check what the places of each size of table bring; left out, the usual. Raises Invalid."""
    if not stage.place_points:
        stage.place_points = {str(size): list(own) for size, own in usual_places(smallest, largest).items()}
    sizes = [str(size) for size in range(smallest, largest + 1)]
    points = stage.place_points
    if not isinstance(points, dict) or sorted(points) != sizes:
        raise Invalid(f"Say what the places bring at tables of {', '.join(sizes)}.", code="bad-place-points")
    for size, own in points.items():
        if not isinstance(own, list) or not all(type(value) is int and 0 <= value <= MOST_POINTS for value in own):
            raise Invalid(f"A place brings 0 to {MOST_POINTS} whole points.", code="bad-place-points")
        if len(own) != int(size) or own != sorted(own, reverse=True) or not own[0]:
            raise Invalid(
                f"A table of {size} has {size} places; a better one cannot bring fewer points, and the first some.",
                code="bad-place-points",
            )


def _settle_rounds(stage: Stage) -> None:
    """Check how many rounds and groups there are, where that is not the format's own matter. Raises Invalid."""
    if stage.format != Format.GROUPS:
        stage.group_count = None
    elif stage.group_count is None or not 1 <= stage.group_count <= MOST_GROUPS:
        raise Invalid(f"Say how many groups there are: 1 to {MOST_GROUPS}.", code="bad-group-count")
    if not draws_rounds(stage):
        stage.round_count = None
    elif stage.round_count is None or not 1 <= stage.round_count <= MOST_ROUNDS:
        raise Invalid(f"Say how many rounds are played: 1 to {MOST_ROUNDS}.", code="bad-round-count")


def _settle_standings(stage: Stage) -> None:
    """Check what only some formats have; a stage with points and no tie-breaks gets the usual ones. Raises Invalid."""
    if stage.third_place and stage.format != Format.SINGLE_ELIMINATION:
        raise Invalid("Only a single elimination has a match for third place.")
    if stage.twice and stage.format not in (Format.ROUND_ROBIN, Format.GROUPS):
        raise Invalid("Only in a round robin can everybody meet everybody twice.")
    if stage.tie_break_rules not in TieBreakRules.values:
        raise Invalid(f"There are no tie-break rules of {stage.tie_break_rules}.")
    if stage.format not in POINTS_KINDS:
        stage.tie_breaks = []
        return
    usual = TABLES if stage.format in TABLE_KINDS else SWISS if stage.format in SWISS_KINDS else ROUND_ROBIN
    stage.tie_breaks = list(stage.tie_breaks) or list(usual)
    try:
        order = tie_breaks(stage.tie_breaks, Rules(stage.tie_break_rules))
    except UnknownTieBreak as error:
        raise Invalid(str(error), code="unknown-tie-break") from error
    if stage.format in TABLE_KINDS and (odd := [one.code for one in order if one.two_seats_only]):
        raise Invalid(f"{', '.join(odd)} has no meaning at tables of more than two.", code="tie-break-for-two")


def _settle_audience(tournament: Tournament) -> None:
    """Check who gets which cards and who may look on. Raises Invalid with the first that cannot be."""
    if tournament.duplicate not in Duplicate.values:
        raise Invalid(f"There is no way {tournament.duplicate} to share cards.")
    if not SHORTEST_BREAK_SECONDS <= tournament.break_seconds <= LONGEST_BREAK_SECONDS:
        raise Invalid("The break between the games of a match is 5 seconds to 1 hour.")
    if tournament.spectating not in Spectating.values:
        raise Invalid(f"There are no spectators of kind {tournament.spectating}.")
    if not 0 <= tournament.spectator_delay_seconds <= LONGEST_DELAY_SECONDS:
        raise Invalid("Spectators see a move at most one hour later.")
    if not 0 <= tournament.spectator_delay_moves <= LONGEST_DELAY_MOVES:
        raise Invalid(f"Spectators see a move at most {LONGEST_DELAY_MOVES} moves later.")
