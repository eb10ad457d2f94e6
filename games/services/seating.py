"""From the open table to the deal: who sits where, who is ready, and when it begins."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Required, TypedDict, Unpack
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.announcing import announce
from games.course import Course
from games.disclosure import OPEN_TO_ALL, Audience
from games.engine import game as engine_game
from games.engine.deal import SEED_BYTES, check_client_seed, commitment_of
from games.engine.frame import EngineError
from games.models import Absence, DealGroup, Game, GameStatus, Seat, TimeControl
from games.services import rows
from players.bots import bot_player
from players.errors import Conflict, Invalid, NotAllowed, NotFound
from players.models import Player

BANK_LIMITS_MS = (1_000, 7 * 24 * 3_600_000)
INCREMENT_LIMITS_MS = (0, 600_000)
DISCONNECT_LIMITS_MS = (0, 3_600_000)
ABSENCE_LIMITS_MS = (1_000, 24 * 3_600_000)
_CASUAL: Mapping[str, Any] = {
    "rated": True,
    "listed": True,
    "bank_ms": 300_000,
    "increment_ms": 5_000,
    "time_control": TimeControl.BANK,
    "disconnect_ms": 0,
    "absence": Absence.WAIT,
    "absence_ms": 60_000,
    "house_rated": False,
    "created_by": None,
    "audience": OPEN_TO_ALL,
}


class GameSettings(TypedDict, total=False):
    """What games that are made together have in common; what is left out is as in a casual game.

    ``rules`` may be partial. ``created_by`` is who opens the table (left out: an event, or the house), ``audience`` who
    may look on.
    """

    game: Required[str]
    rules: Required[Mapping[str, Any]]
    rated: bool
    listed: bool
    bank_ms: int
    increment_ms: int
    time_control: str
    disconnect_ms: int
    absence: str
    absence_ms: int
    house_rated: bool
    created_by: Player | None
    audience: Audience


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table for a new game: its seats (None is an open one), when it begins at the latest, its cards if shared."""

    players: Sequence[Player | None]
    start_by: datetime | None = None
    deal_group: DealGroup | None = None


def game_create(
    *,
    players: Sequence[Player | None],
    start_by: datetime | None = None,
    deal_group: DealGroup | None = None,
    **settings: Unpack[GameSettings],
) -> Game:
    """Return a new game at one table, as :func:`games_create` makes it and with what it raises."""
    return games_create(tables=[NewTable(players, start_by, deal_group)], **settings)[0]


@transaction.atomic
def games_create(*, tables: Sequence[NewTable], **settings: Unpack[GameSettings]) -> list[Game]:
    """Return a new game for each of ``tables``, its commitment published, with a number of queries that stays the same.

    With a ``deal_group`` a game is dealt the cards of that group, and takes no client seeds. House bots are ready at
    once; where there are only bots the deal is made at once, each for itself. Raises Conflict for a group whose cards
    are public already; Invalid for an unknown game, rules or a number of seats that the engine refuses, one player
    twice, or a time out of range; and where somebody opens the table NotAllowed for a bot account at a rated table,
    Conflict for more tables than one player may have open.
    """
    terms = {**_CASUAL, **settings}
    created_by, audience = terms.pop("created_by"), terms.pop("audience")
    rules = terms.pop("rules")
    whole_rules = {size: _whole_rules(terms, rules, size) for size in {len(table.players) for table in tables}}
    _require_clock(terms)
    for table in tables:
        seated = [player.pk for player in table.players if player is not None]
        if len(set(seated)) < len(seated):
            raise Invalid("Nobody can hold two seats of one game.", code="seated-twice")
        if created_by is not None and terms["rated"]:
            _require_persons(table.players)
    if created_by is not None:
        _require_few_tables(created_by)
    groups = _sealed({table.deal_group.pk for table in tables if table.deal_group is not None})
    made, seats = [], []
    for table in tables:
        group = None if table.deal_group is None else groups[table.deal_group.pk]
        server_seed = secrets.token_bytes(SEED_BYTES) if group is None else bytes(group.server_seed)
        row = Game(
            rules=whole_rules[len(table.players)],
            seats=len(table.players),
            commitment=commitment_of(server_seed) if group is None else group.commitment,
            server_seed=server_seed,
            created_by=created_by,
            start_by=table.start_by,
            deal_group=group,
            spectating=audience.spectating,
            circle=audience.circle,
            spectator_delay_ms=audience.delay_ms,
            spectator_delay_moves=audience.delay_moves,
            shown_at_end=audience.shown_at_end,
            **terms,
        )
        made.append(row)
        seats.append(
            [
                Seat(game=row, number=number, player=player, ready=player is not None and player.is_house_bot)
                for number, player in enumerate(table.players)
            ]
        )
    Game.objects.bulk_create(made)
    Seat.objects.bulk_create(itertools.chain.from_iterable(seats))
    for row, own in zip(made, seats, strict=True):
        if all(seat.player_id is not None and seat.ready for seat in own):
            _deal(row, own)
    announce(*(f"game.{row.pk}" for row in made), "lobby")
    return made


@transaction.atomic
def seat_take(*, game: Game, number: int | None, player: Player) -> Game:
    """Let ``player`` sit down on the open seat ``number`` (None is the first one); again changes nothing.

    Raises Conflict (not seating, taken, full, sits elsewhere in this game), NotFound (no such seat), NotAllowed (a bot
    account at a rated table).
    """
    row = _seating(game)
    if number is None:
        own = row.seat_set.filter(player=player).first()
        seat = own or row.seat_set.filter(player=None).order_by("number").first()
        if seat is None:
            raise Conflict("Every seat of this table is taken.", code="full")
    else:
        seat = _seat(row, number)
    if seat.player_id == player.pk:
        return row
    if seat.player_id is not None:
        raise Conflict("Somebody has taken this seat.", code="seat-taken")
    if row.rated:
        _require_persons([player])
    if row.seat_set.filter(player=player).exists():
        raise Conflict("Nobody can hold two seats of one game.", code="seated-twice")
    seat.player, seat.ready = player, player.is_house_bot
    seat.save(update_fields=["player", "ready"])
    _deal_if_ready(row)
    _changed(row)
    return row


@transaction.atomic
def seat_leave(*, game: Game, player: Player) -> Game:
    """Let ``player`` stand up before the deal. Raises Conflict (not seating, not seated, a game with a set start)."""
    row = _seating(game)
    seat = _seat_of(row, player)
    if row.start_by is not None:
        raise Conflict("This game belongs to an event; its seats are fixed.", code="seats-fixed")
    _empty(seat)
    _changed(row)
    return row


@transaction.atomic
def seat_bot_add(*, game: Game, number: int, level: str, by: Player | None) -> Game:
    """Put a house bot of ``level`` on the open seat ``number``; it is ready. ``by`` None is the house.

    Raises Conflict (not seating, taken), NotAllowed (``by`` neither made the game nor sits there), NotFound, Invalid.
    """
    row = _seating(game)
    seat = _seat(row, number)
    _require_say(row, by)
    if seat.player_id is not None:
        raise Conflict("Somebody has taken this seat.", code="seat-taken")
    seated = row.seat_set.exclude(player=None).values_list("player_id", flat=True)
    seat.player, seat.ready = bot_player(level=level, exclude=set(seated)), True
    seat.save(update_fields=["player", "ready"])
    _deal_if_ready(row)
    _changed(row)
    return row


@transaction.atomic
def client_seed_set(*, game: Game, player: Player, client_seed: str) -> Game:
    """Set the letters that ``player`` adds to the deal (transcript specification, Deal, 2).

    Raises Invalid (over 64 bytes of UTF-8, a zero byte), Conflict (not seating, not seated, ready already, or cards
    that other tables share).
    """
    row = _seating(game)
    _set_client_seed(row, _seat_of(row, player), client_seed)
    return row


@transaction.atomic
def seat_ready(*, game: Game, player: Player, client_seed: str | None = None) -> Game:
    """Note that ``player`` agrees to begin, with their letters for the deal if given; deals once everybody has.

    Twice does no harm. Raises Conflict (not seating, not seated) or Invalid (bad ``client_seed``).
    """
    row = rows.locked(game)
    if row.status == GameStatus.RUNNING and row.seat_set.filter(player=player).exists():
        return row
    _require_seating(row)
    seat = _seat_of(row, player)
    if seat.ready:
        return row
    if client_seed is not None:
        _set_client_seed(row, seat, client_seed)
    seat.ready = True
    seat.save(update_fields=["ready"])
    _deal_if_ready(row)
    _changed(row)
    return row


@transaction.atomic
def game_start_due(*, game: Game) -> Game:
    """Deal a game whose ``start_by`` has passed if every seat is taken, ready or not. Safe to repeat."""
    row = rows.locked(game)
    if row.status != GameStatus.SEATING or row.start_by is None or row.start_by > timezone.now():
        return row
    seats = rows.seats_of(row)
    if all(seat.player_id is not None for seat in seats):
        _deal(row, seats)
        _changed(row)
    return row


@transaction.atomic
def game_cancel(*, game: Game, by: Player | None = None) -> Game:
    """Call off a game before its deal. ``by`` None is the house; of a cancelled game nothing changes.

    Raises Conflict (dealt already, or a game of an event), NotAllowed (``by`` did not make the game).
    """
    row = rows.locked(game)
    if row.status == GameStatus.CANCELLED:
        return row
    _require_seating(row)
    if by is not None and row.created_by_id != by.pk:
        raise NotAllowed("Only who opened this table can close it.")
    row.status = GameStatus.CANCELLED
    row.save(update_fields=["status"])
    _changed(row)
    return row


def _seating(game: Game) -> Game:
    row = rows.locked(game)
    _require_seating(row)
    return row


def _require_seating(row: Game) -> None:
    sentence = "This game was called off." if row.status == GameStatus.CANCELLED else "This game has begun already."
    rows.require_status(row, GameStatus.SEATING, sentence, "not-seating")


def _seat(row: Game, number: int) -> Seat:
    seat = row.seat_set.filter(number=number).first()
    if seat is None:
        raise NotFound("This game has no such seat.", code="no-such-seat")
    return seat


def _seat_of(row: Game, player: Player) -> Seat:
    seat = row.seat_set.filter(player=player).first()
    if seat is None:
        raise Conflict("You do not sit in this game.", code="not-seated")
    return seat


def _require_say(row: Game, by: Player | None) -> None:
    if by is not None and row.created_by_id != by.pk and not row.seat_set.filter(player=by).exists():
        raise NotAllowed("Only who sits at this table or opened it can do that.")


def _require_persons(players: Sequence[Player | None]) -> None:
    """Refuse bot accounts at a rated table; into a rated event its organizer may bring them."""
    if any(player is not None and player.is_bot_account for player in players):
        raise NotAllowed("Bot accounts do not play at rated tables.", code="bots-not-rated")


def _require_few_tables(player: Player) -> None:
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if Game.objects.seating().filter(created_by=player).count() >= settings.OPEN_TABLES_A_PLAYER:
        raise Conflict(
            f"You have {settings.OPEN_TABLES_A_PLAYER} open tables; fill or close one first.", code="too-many-tables"
        )


def _set_client_seed(row: Game, seat: Seat, client_seed: str) -> None:
    if seat.ready:
        raise Conflict("You are ready; your letters for the deal are fixed.", code="ready-already")
    if row.deal_group_id is not None and client_seed:
        raise Conflict("Other tables get the same cards: nobody adds letters to the deal.", code="cards-shared")
    try:
        seat.client_seed = check_client_seed(client_seed)
    except EngineError as error:
        raise rows.engine_refusal(error) from None
    seat.save(update_fields=["client_seed"])


def _empty(seat: Seat) -> None:
    seat.player, seat.client_seed, seat.ready = None, "", False
    seat.save(update_fields=["player", "client_seed", "ready"])


def _deal_if_ready(row: Game) -> None:
    seats = rows.seats_of(row)
    if all(seat.player_id is not None and seat.ready for seat in seats):
        _deal(row, seats)


def _deal(row: Game, seats: Sequence[Seat]) -> None:
    row.status = GameStatus.RUNNING
    row.started_at = timezone.now()
    course: Course = rows.course_of(row, seats)
    row.deadline = course.deadline()
    row.save(update_fields=["status", "started_at", "deadline"])


def _changed(row: Game) -> None:
    announce(f"game.{row.pk}", "lobby")


def _whole_rules(terms: Mapping[str, Any], rules: Mapping[str, Any], seats: int) -> dict[str, Any]:
    try:
        return dict(engine_game(terms["game"]).rules(rules, seats))
    except EngineError as error:
        raise rows.engine_refusal(error) from None


def _require_clock(terms: Mapping[str, Any]) -> None:
    _require_between(terms["bank_ms"], BANK_LIMITS_MS, "The time for the game")
    _require_between(terms["increment_ms"], INCREMENT_LIMITS_MS, "The time added after each action")
    _require_between(terms["disconnect_ms"], DISCONNECT_LIMITS_MS, "The time without a connection")
    _require_between(terms["absence_ms"], ABSENCE_LIMITS_MS, "The time that a seat may be gone")
    if terms["time_control"] not in TimeControl.values or terms["absence"] not in Absence.values:
        raise Invalid("There is no such clock, or nothing of this kind can happen to who is gone.", code="bad-clock")
    untimed = terms["time_control"] == TimeControl.UNTIMED
    if terms["rated"] and untimed and not engine_game(terms["game"]).real_time:
        raise Invalid("A rated game needs a clock.", code="rated-untimed")


def _sealed(groups: Collection[UUID]) -> dict[UUID, DealGroup]:
    """Return the locked deal groups of these ids. Raises Conflict if the cards of one are public."""
    found = {group.pk: group for group in DealGroup.objects.select_for_update().filter(pk__in=groups).order_by("pk")}
    if any(not group.is_sealed for group in found.values()):
        raise Conflict("These cards are public already; no table can be dealt them.", code="deal-public")
    return found


def _require_between(value: int, limits: tuple[int, int], what: str) -> None:
    least, most = limits
    if not least <= value <= most:
        raise Invalid(f"{what} must be from {least / 1000:g} to {most / 1000:g} seconds.", code="bad-time")
