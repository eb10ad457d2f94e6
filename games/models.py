"""Games as they are stored: the header, its seats, and the append-only records that are the truth."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q

from players.models import Player


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


def new_game_id() -> uuid.UUID:
    """Return a random id; it goes into the deal and the hash chain."""
    return uuid.uuid4()


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

    def of_player(self, player: Player) -> GameQuerySet:
        """Games in which ``player`` has a seat."""
        return self.filter(seat__player=player)


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
    bank_ms = models.PositiveIntegerField(default=300_000, help_text="Each seat's time for the game.")
    increment_ms = models.PositiveIntegerField(default=5_000, help_text="Added to a seat's time after each action.")
    created_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    start_by = models.DateTimeField(
        null=True, blank=True, help_text="When the deal is made even if not everybody is ready; only with full seats."
    )
    started_at = models.DateTimeField(null=True, blank=True, help_text="The moment from which records count time.")
    deadline = models.DateTimeField(null=True, blank=True, help_text="When the seat to act runs out of time.")
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
                condition=Q(status__in=["seating", "cancelled"]) | Q(started_at__isnull=False),
                name="game_started_has_time",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["finished", "drawn"]) | Q(places__isnull=False, finished_at__isnull=False),
                name="game_played_has_places",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {str(self.id)[:8]}"

    @property
    def is_over(self) -> bool:
        """True once nothing more can happen in this game."""
        return self.status in OVER


class Seat(models.Model):
    """A position 0..n-1 in a game, and who sits there."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seat_set", related_query_name="seat")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, blank=True, related_name="seats", related_query_name="seat"
    )
    client_seed = models.CharField(max_length=64, default="", blank=True)
    ready = models.BooleanField(default=False, help_text="The player has agreed to begin; bots always have.")

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
