"""Games as they are stored: the header, its seats, and the append-only records that are the truth."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import DurationField, ExpressionWrapper, F, Q
from django.db.models.functions import Now

from players.models import Player, User


class GameStatus(models.TextChoices):
    """The life of a game; the last four are ends."""

    SEATING = "seating", "seating"
    RUNNING = "running", "running"
    FINISHED = "finished", "finished"
    DRAWN = "drawn", "drawn"
    VOID = "void", "void"
    CANCELLED = "cancelled", "cancelled"


PLAYED = (GameStatus.FINISHED, GameStatus.DRAWN)
"""Ends that count: they have places."""
OVER = (GameStatus.FINISHED, GameStatus.DRAWN, GameStatus.VOID, GameStatus.CANCELLED)


class Spectating(models.TextChoices):
    """Who may look on while a game is in play, besides its seats."""

    ALL = "all", "everybody"
    AFTER_OWN = "after-own", "who is logged in and has no game of the event open"
    NOBODY = "nobody", "nobody before the end"


class TimeControl(models.TextChoices):
    """How thinking time is given. Untimed is a week for each action, so that no game waits for ever."""

    BANK = "bank", "time for the game"
    TURN = "turn", "time a turn"
    UNTIMED = "untimed", "no clock"


class Absence(models.TextChoices):
    """What happens to a seat that is to act and has had no socket for a stated time."""

    WAIT = "wait", "its clock runs"
    TURN = "turn", "the house plays that turn"
    HOUSE = "house", "the house plays until the player is back"
    FORFEIT = "forfeit", "it is put out"


def new_game_id() -> uuid.UUID:
    """Return a random id; it goes into the deal and the hash chain."""
    return uuid.uuid4()


class DealGroup(models.Model):
    """Games that are dealt the same cards (transcript specification, Deal, 3): one server seed, no client seeds.

    It is sealed until ``opened_at``: before, nothing that tells of the cards leaves the tables of its games. Every game
    of the group is over by then, and no game joins it afterwards.
    """

    id = models.UUIDField(primary_key=True, default=new_game_id, editable=False)
    commitment = models.CharField(max_length=64, help_text="SHA-256 of the server seed, hexadecimal.")
    server_seed = models.BinaryField(max_length=32)
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True, help_text="When the cards of the group became public.")

    class Meta:
        ordering = ("-created_at", "pk")

    def __str__(self) -> str:
        return f"deal {str(self.id)[:8]}"

    @property
    def is_sealed(self) -> bool:
        """True until every game with these cards is over."""
        return self.opened_at is None


class GameQuerySet(models.QuerySet["Game"]):
    """Reads of games."""

    def seating(self) -> GameQuerySet:
        """Games that wait for players."""
        return self.filter(status=GameStatus.SEATING)

    def running(self) -> GameQuerySet:
        """Games in play."""
        return self.filter(status=GameStatus.RUNNING)

    def played(self) -> GameQuerySet:
        """Games that ended with places."""
        return self.filter(status__in=PLAYED)

    def ended_for_all(self) -> GameQuerySet:
        """Games of which everybody may know how they ended: the rule of ``games.disclosure`` for many at once."""
        return self.filter(_ended_for_all())

    def running_for_all(self) -> GameQuerySet:
        """Games that are in play as far as everybody may know, those included whose end is not to be seen yet."""
        return self.filter(
            Q(status=GameStatus.RUNNING) | Q(status__in=OVER, started_at__isnull=False) & ~_ended_for_all()
        )

    def open_to_all(self) -> GameQuerySet:
        """Games of which everybody may see every record now."""
        undelayed = Q(spectator_delay_ms=0, spectator_delay_moves=0, spectating=Spectating.ALL)
        unsealed = Q(deal_group=None) | Q(deal_group__opened_at__isnull=False)
        return self.filter(unsealed).filter(undelayed | _ended_for_all())

    def of_player(self, player: Player) -> GameQuerySet:
        """Games in which ``player`` has a seat."""
        return self.filter(seat__player=player)


def _ended_for_all() -> Q:
    delay = ExpressionWrapper(F("spectator_delay_ms") * timedelta(milliseconds=1), output_field=DurationField())
    return Q(status__in=OVER) & (Q(shown_at_end=True) | Q(finished_at=None) | Q(finished_at__lte=Now() - delay))


class Game(models.Model):
    """One deal, refereed by the engine. What its transcript's header says stands here; records are rows of their own.

    ``server_seed`` is secret until the game is over. ``record_count``, ``places`` and ``points`` are derived from
    the records and written in the transaction of the record that changes them.
    """

    id = models.UUIDField(primary_key=True, default=new_game_id, editable=False)
    game = models.CharField(max_length=30, help_text="The engine's name of the game, for instance hold-my-bear.")
    rules = models.JSONField(help_text="Every rules option with its value.")
    seats = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=GameStatus, default=GameStatus.SEATING)
    rated = models.BooleanField(default=True)
    listed = models.BooleanField(default=True, help_text="Shown in the lobby, open to whoever comes.")
    commitment = models.CharField(max_length=64, help_text="SHA-256 of the server seed, hexadecimal.")
    server_seed = models.BinaryField(max_length=32)
    deal_group = models.ForeignKey(
        DealGroup,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="games",
        help_text="Whose seed and commitment this game has, if other tables are dealt the same cards.",
    )
    spectating = models.CharField(max_length=10, choices=Spectating, default=Spectating.ALL)
    circle = models.CharField(
        max_length=40, default="", blank=True, help_text="Names the event of the game, for who may look on meanwhile."
    )
    spectator_delay_ms = models.PositiveIntegerField(default=0, help_text="So much later spectators see a record.")
    spectator_delay_moves = models.PositiveSmallIntegerField(
        default=0, help_text="So many records later spectators see a record, while the game runs."
    )
    shown_at_end = models.BooleanField(default=False, help_text="Spectators see all at once when the game is over.")
    bank_ms = models.PositiveIntegerField(default=300_000, help_text="Each seat's time for the game, or for each turn.")
    increment_ms = models.PositiveIntegerField(default=5_000, help_text="Added to a seat's time after each action.")
    time_control = models.CharField(max_length=10, choices=TimeControl, default=TimeControl.BANK)
    disconnect_ms = models.PositiveIntegerField(
        default=0, help_text="How long a seat may be without a socket, over the game, before its own time runs."
    )
    absence = models.CharField(max_length=10, choices=Absence, default=Absence.WAIT)
    absence_ms = models.PositiveIntegerField(
        default=60_000, help_text="How long a seat may be gone while it is to act."
    )
    house_rated = models.BooleanField(default=False, help_text="The game stays rated if the house played for somebody.")
    clock_count = models.PositiveIntegerField(default=0, help_text="The number of clock events.")
    created_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    start_by = models.DateTimeField(
        null=True, blank=True, help_text="When the deal is made even if not everybody is ready; only with full seats."
    )
    started_at = models.DateTimeField(null=True, blank=True, help_text="The moment from which records count time.")
    deadline = models.DateTimeField(
        null=True, blank=True, help_text="When time alone makes something happen: a seat falls, or the house plays."
    )
    finished_at = models.DateTimeField(null=True, blank=True)
    record_count = models.PositiveIntegerField(default=0)
    places = models.JSONField(null=True, blank=True, help_text="A place per seat, once the game is over.")
    points = models.JSONField(null=True, blank=True)

    objects = GameQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "pk")
        indexes: ClassVar = [
            models.Index(fields=("status", "created_at"), name="game_by_status"),
            models.Index(fields=("deadline",), name="game_by_deadline", condition=Q(status="running")),
            models.Index(fields=("finished_at",), name="game_by_finish", condition=Q(status__in=["finished", "drawn"])),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(status__in=["seating", "running", "finished", "drawn", "void", "cancelled"]),
                name="game_status_known",
            ),
            models.CheckConstraint(condition=Q(seats__gte=1, seats__lte=8), name="game_seats_1_to_8"),
            models.CheckConstraint(
                condition=Q(spectating__in=["all", "after-own", "nobody"]), name="game_spectating_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["seating", "cancelled"]) | Q(started_at__isnull=False),
                name="game_started_has_time",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["finished", "drawn"]) | Q(places__isnull=False, finished_at__isnull=False),
                name="game_played_has_places",
            ),
            models.CheckConstraint(
                condition=Q(time_control__in=["bank", "turn", "untimed"]), name="game_time_control_known"
            ),
            models.CheckConstraint(
                condition=Q(absence__in=["wait", "turn", "house", "forfeit"]), name="game_absence_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {str(self.id)[:8]}"

    @property
    def is_over(self) -> bool:
        """True once nothing more can happen in this game."""
        return self.status in OVER

    @property
    def is_sealed(self) -> bool:
        """True while another table may still play with the same cards."""
        return self.deal_group is not None and self.deal_group.is_sealed


class Seat(models.Model):
    """A position 0..n-1 in a game, and who sits there."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seat_set", related_query_name="seat")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, blank=True, related_name="seats", related_query_name="seat"
    )
    client_seed = models.CharField(max_length=64, default="", blank=True)
    ready = models.BooleanField(default=False, help_text="The player has agreed to begin; bots always have.")
    house_played = models.BooleanField(default=False, help_text="The house has played for an absent player.")

    class Meta:
        ordering = ("game", "number")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("game", "number"), name="seat_unique", violation_error_message="This seat exists already."
            ),
            models.UniqueConstraint(
                fields=("game", "player"),
                name="seat_player_unique",
                violation_error_message="Nobody can hold two seats of one game.",
            ),
            models.CheckConstraint(condition=Q(number__lte=7), name="seat_number_0_to_7"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.game_id}"


class Record(models.Model):
    """One accepted action of a game. Append-only: the database refuses changes and deletions.

    ``number`` counts from 1 and is the transcript's ``n``; ``at`` is milliseconds since the game's start.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="records", related_query_name="record")
    number = models.PositiveIntegerField()
    at = models.PositiveBigIntegerField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    action = models.JSONField()
    hash = models.BinaryField(max_length=32)
    message_id = models.CharField(  # noqa: DJ001 (null is no message; the unique key lets many be null)
        max_length=40, null=True, blank=True, help_text="The client's id of the message, against repeats."
    )

    class Meta:
        ordering = ("game", "number")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("game", "number"),
                name="record_unique",
                violation_error_message="This game has gone on; look again.",
            ),
            models.UniqueConstraint(
                fields=("game", "seat", "message_id"),
                name="record_message_unique",
                violation_error_message="This message was accepted before.",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="record_number_from_1"),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"record {self.number} of {self.game_id}"


class ClockKind(models.TextChoices):
    """What stops clocks, lets them go on, or changes whose time they count (:mod:`games.clock`)."""

    PAUSE = "pause", "paused"
    RESUME = "resume", "goes on"
    OUTAGE = "outage", "the server was away"
    AWAY = "away", "a seat has no socket"
    BACK = "back", "a seat has a socket again"
    HOUSE = "house", "the house plays for a seat"


class ClockEvent(models.Model):
    """Something besides the records that thinking time depends on. Append-only.

    ``number`` counts from 1 in each game; the event stands between record ``after_record`` and the next. It holds from
    ``at``, and what stops clocks does so until ``until`` (null: until further notice).
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="clock_events")
    number = models.PositiveIntegerField()
    after_record = models.PositiveIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=10, choices=ClockKind)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True, default="")
    who = models.CharField(max_length=80, blank=True, default="", help_text="Whoever paused or resumed, as shown.")
    by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ("game", "number")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("game", "number"),
                name="clock_event_unique",
                violation_error_message="This game's clock has changed; look again.",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="clock_event_number_from_1"),
            models.CheckConstraint(
                condition=Q(kind__in=["pause", "resume", "outage"], seat__isnull=True)
                | Q(kind__in=["away", "back", "house"], seat__isnull=False),
                name="clock_event_kind_known",
            ),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"clock event {self.number} of {self.game_id}"


class Beat(models.Model):
    """One row: when a web process that stores moves last said that it is there. A gap is an outage."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=Q(id=1), name="beat_one_row")]

    def __str__(self) -> str:
        return f"beat at {self.at}"
