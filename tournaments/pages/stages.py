"""What the page of a tournament shows of its stages, read with a number of queries that does not grow with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

from players.models import Player
from tournaments import brackets, cards, draws, wording
from tournaments.cards import Card
from tournaments.crosstables import Crosstable, crosstable
from tournaments.fields import IN_STAGE
from tournaments.kept_standings import Order, kept_standings, order_of
from tournaments.models import POINTS_KINDS, Bye, Entrant, Match, Round, Slot, Stage, Tournament
from tournaments.ranking import points_standings, seeds_of
from tournaments.results import stage_outcomes
from tournaments.round_cards import RoundShown, round_shown
from tournaments.scoreboards import Scoreboard, scoreboard

type Reasons = tuple[tuple[str, tuple[str, ...]], ...]

LINES_SHOWN = 50
FOUND = 50


@dataclass(frozen=True, slots=True)
class StageShown:
    """One stage: a bracket, or standings with their rounds.

    ``page`` counts the lines of the standings; ``as_of`` is set if they are not the newest; ``groups`` are the numbers
    of the groups, of which ``group`` is shown.
    """

    stage: Stage
    bracket: brackets.Bracket | None = None
    board: Scoreboard | None = None
    table: Crosstable | None = None
    page: Page[int] | None = None
    as_of: datetime | None = None
    round: RoundShown | None = None
    draw: draws.Draw | None = None
    groups: tuple[int, ...] = ()
    group: int | None = None

    @property
    def format(self) -> str:
        """How the stage is played."""
        return wording.stage_format(self.stage)

    @property
    def is_long(self) -> bool:
        """True if there are more lines or tables than fit a page."""
        shown = [self.page, self.round.page] if self.page is not None and self.round is not None else []
        return any(page.has_other_pages() for page in shown)

    @property
    def tables(self) -> list[tuple[Card, Reasons]]:
        """The cards of the round, each with what led those who sit there to it."""
        if self.round is None:
            return []
        reasons = {} if self.draw is None else self.draw.reasons
        return [(card, reasons.get(card.match.pk, ())) for card in self.round.all_cards]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the address asks for: a round, pages of tables and standings, a group, a part of a name."""

    round_id: int | None = None
    tables: int | None = None
    standings: int | None = None
    group: int | None = None
    who: str = ""


def number_of(request: HttpRequest, name: str) -> int | None:
    """Return the number that the address gives as ``name``, or None."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 19 else None


def wanted_of(request: HttpRequest) -> Wanted:
    """Return what the address asks for."""
    return Wanted(
        round_id=number_of(request, "round"),
        tables=number_of(request, "tables"),
        standings=number_of(request, "standings"),
        group=number_of(request, "group"),
        who=request.GET.get("who", "").strip().replace("\0", "")[:80],
    )


def stages_shown(tournament: Tournament, viewer: Player | None, wanted: Wanted) -> list[StageShown]:
    """Return the stages of ``tournament`` that have public rounds, as far as ``wanted``."""
    rounds = Round.objects.published().filter(stage__tournament=tournament).select_related("stage__tournament")
    by_stage: dict[int, list[Round]] = {}
    for each in rounds.order_by("number"):
        by_stage.setdefault(each.stage_id, []).append(each)
    found = None
    if wanted.who:
        named = Entrant.objects.filter(tournament=tournament, player__name__icontains=wanted.who)
        found = list(named.order_by("player__name", "pk").values_list("pk", flat=True)[:FOUND])
    shown = []
    for stage in tournament.stages.all():
        own = by_stage.get(stage.pk)
        if not own:
            continue
        if stage.format in POINTS_KINDS:
            shown.append(_with_points(tournament, stage, own, viewer, wanted, found))
        else:
            shown.append(StageShown(stage, bracket=brackets.bracket_of(stage, own, viewer, wanted.round_id)))
    return shown


def _with_points(
    tournament: Tournament,
    stage: Stage,
    rounds: Sequence[Round],
    viewer: Player | None,
    wanted: Wanted,
    found: Collection[int] | None,
) -> StageShown:
    group, groups = _group(stage, viewer, wanted.group)
    this = round_shown(stage, rounds, viewer, round_id=wanted.round_id, page=wanted.tables, found=found)
    if stage.round_count is None:
        return _everybody_meets(stage, viewer, this, groups, group)
    kept = kept_standings(tournament, stage)
    order = kept.order
    positions = range(len(order.rows))
    listed = [at for at in positions if found is None or order.rows[at].entrant in found]
    page = Paginator(listed, LINES_SHOWN).get_page(wanted.standings)
    board = _board(tournament, stage, order, list(page.object_list), viewer, rounds)
    return StageShown(
        stage,
        board=board,
        page=page,
        as_of=kept.at if kept.version < tournament.version else None,
        round=this,
        draw=draws.draw_of(this.round, this.all_cards),
    )


def _group(stage: Stage, viewer: Player | None, asked: int | None) -> tuple[int | None, tuple[int, ...]]:
    """Return the group to show and the numbers of all: the one asked for, that of whoever looks, or the first."""
    if stage.group_count is None:
        return None, ()
    members = stage.stage_entrants.filter(status__in=IN_STAGE, group__isnull=False)
    groups = tuple(sorted({number for number in members.values_list("group", flat=True) if number is not None}))
    own = members.filter(entrant__player=viewer).values_list("group", flat=True).first() if viewer else None
    return next((group for group in (asked, own) if group in groups), groups[0] if groups else None), groups


def _everybody_meets(
    stage: Stage, viewer: Player | None, this: RoundShown, groups: tuple[int, ...], group: int | None
) -> StageShown:
    """Return a round robin, or one group of several: at most forty entrants, so that it is worked out anew."""
    members = list(
        stage.stage_entrants.filter(status__in=IN_STAGE, **({} if group is None else {"group": group}))
        .select_related("entrant__player")
        .order_by("seed")
    )
    entrants = [member.entrant for member in members]
    matches = Match.objects.filter(round__stage=stage)
    if group is not None:
        slots = Slot.objects.filter(match__round__stage=stage, entrant__in=entrants)
        matches = matches.filter(pk__in=slots.values("match"))
    loaded = cards.with_everything(matches)
    standings = points_standings(stage, entrants, loaded, (), seeds_of(members))
    order = order_of(standings)
    outcomes = stage_outcomes(stage, loaded, ())
    numbers = sorted({outcome.round for outcome in outcomes})
    board = scoreboard(
        order,
        range(len(order.rows)),
        {each.pk: each for each in entrants},
        outcomes,
        _match_ids(loaded),
        viewer,
        numbers,
    )
    table = crosstable(entrants, loaded, standings, viewer)
    return StageShown(stage, board=board, table=table, round=this, groups=groups, group=group)


def _board(
    tournament: Tournament,
    stage: Stage,
    order: Order,
    shown: Sequence[int],
    viewer: Player | None,
    rounds: Sequence[Round],
) -> Scoreboard:
    """Return lines of the standings of a drawn stage with all that they name, and that of whoever looks."""
    own = None
    if viewer is not None:
        entrant = stage.stage_entrants.filter(entrant__player=viewer).values_list("entrant_id", flat=True).first()
        own = next((at for at, row in enumerate(order.rows) if row.entrant == entrant), None)
    positions = [*shown] if own is None or own in shown else [own, *shown]
    lines = [order.rows[at].entrant for at in positions]
    sat = Slot.objects.filter(match__round__in=rounds, entrant__in=lines)
    matches = list(
        Match.objects.filter(pk__in=sat.values("match"))
        .select_related("round")
        .prefetch_related("slots")
        .order_by("pk")
    )
    byes = list(Bye.objects.filter(round__in=rounds, entrant__in=lines).select_related("round"))
    above = [order.rows[at - 1].entrant for at in positions if at]
    met = {slot.entrant_id for match in matches for slot in match.slots.all()}
    named = Entrant.objects.select_related("player").in_bulk({*lines, *above, *(pk for pk in met if pk is not None)})
    board = scoreboard(
        order,
        positions,
        named,
        stage_outcomes(stage, matches, byes, game_points=False),
        _match_ids(matches),
        viewer,
        [each.number for each in rounds],
        tournament.started_at,
    )
    if len(positions) == len(shown):
        return board
    return Scoreboard(board.headings, board.rounds, board.lines[1:], own=board.lines[0])


def _match_ids(matches: Iterable[Match]) -> dict[tuple[int, int], int]:
    return {(match.round.number, slot.entrant_id or 0): match.pk for match in matches for slot in match.slots.all()}
