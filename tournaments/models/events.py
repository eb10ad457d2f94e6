"""An event as a whole, who plays in it, and who is kept apart."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from games.models import PLAYED, Absence, Spectating, TimeControl
from players.models import Club, Player


class TournamentStatus(models.TextChoices):
    """The life of a tournament."""

    OPEN = "open", "open for registration"
    RUNNING = "running", "running"
    FINISHED = "finished", "finished"
    CANCELLED = "cancelled", "cancelled"


class Duplicate(models.TextChoices):
    """Which games of a round are dealt the same cards."""

    NONE = "none", "every game is dealt for itself"
    TABLES = "tables", "the same cards at all tables of a round"
    SEATS = "seats", "the same cards at all tables, and again until everybody has held each hand"


class Publishing(models.TextChoices):
    """How a drawn round becomes public."""

    AUTOMATIC = "automatic", "at once"
    BY_HAND = "by-hand", "when an organizer has looked at it"


class TournamentQuerySet(models.QuerySet["Tournament"]):
    """Reads of tournaments."""

    def open(self) -> TournamentQuerySet:
        """Tournaments that take registrations."""
        return self.filter(status=TournamentStatus.OPEN)

    def running(self) -> TournamentQuerySet:
        """Tournaments under way."""
        return self.filter(status=TournamentStatus.RUNNING)

    def to_advance(self) -> TournamentQuerySet:
        """Running tournaments with an ended game that was not counted, or a match in play that has no open game."""
        # Matches refer to events, so that events know of them only when asked.
        from tournaments.models.matches import Match, MatchGame, MatchStatus

        matches = Match.objects.filter(round__stage__tournament=OuterRef("pk"), status=MatchStatus.PLAYING)
        open_games = MatchGame.objects.filter(match=OuterRef("pk"), game__status__in=["seating", "running"])
        uncounted = MatchGame.objects.filter(
            match__round__stage__tournament=OuterRef("pk"), counted_at=None, game__status__in=PLAYED
        )
        return self.running().filter(Exists(uncounted) | Exists(matches.filter(~Exists(open_games))))


CLOCK_FIELDS = (
    "time_control",
    "bank_ms",
    "increment_ms",
    "disconnect_ms",
    "absence",
    "absence_ms",
    "house_rated",
)
"""What a tournament says about the clocks of its games; the fields of a game have the same names."""


class Pausable(models.Model):
    """What can be paused as a whole: then its games stand, and new ones begin paused.

    ``paused_until`` is when it goes on by itself (null: when somebody resumes it).
    """

    paused_at = models.DateTimeField(null=True, blank=True)
    paused_until = models.DateTimeField(null=True, blank=True)
    paused_by = models.CharField(max_length=80, blank=True, default="")
    pause_reason = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        abstract = True

    @property
    def is_paused(self) -> bool:
        """True from the pause until it is over."""
        return self.paused_at is not None and (self.paused_until is None or self.paused_until > timezone.now())


class Tournament(Pausable):
    """An event. ``version`` counts every change that its pages show, and is what a write must have seen."""

    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=90, unique=True)
    description = models.TextField(blank=True, max_length=4000)
    club = models.ForeignKey(Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="tournaments")
    organizer = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="organized")
    status = models.CharField(max_length=10, choices=TournamentStatus, default=TournamentStatus.OPEN)
    game = models.CharField(max_length=30, default="hold-my-bear")
    rules = models.JSONField(default=dict, blank=True)
    rated = models.BooleanField(default=True)
    capacity = models.PositiveSmallIntegerField(default=64)
    bank_ms = models.PositiveIntegerField(default=300_000)
    increment_ms = models.PositiveIntegerField(default=5_000)
    time_control = models.CharField(max_length=10, choices=TimeControl, default=TimeControl.BANK)
    disconnect_ms = models.PositiveIntegerField(default=0)
    absence = models.CharField(max_length=10, choices=Absence, default=Absence.WAIT)
    absence_ms = models.PositiveIntegerField(default=60_000)
    house_rated = models.BooleanField(default=False)
    ready_seconds = models.PositiveIntegerField(
        default=120, help_text="How long a game waits for its players before it is dealt all the same."
    )
    break_seconds = models.PositiveIntegerField(
        default=30, help_text="How long the next game of a match waits for its players, who have just played."
    )
    duplicate = models.CharField(max_length=10, choices=Duplicate, default=Duplicate.NONE)
    publish_rounds = models.CharField(max_length=10, choices=Publishing, default=Publishing.AUTOMATIC)
    spectating = models.CharField(max_length=10, choices=Spectating, default=Spectating.ALL)
    spectator_delay_seconds = models.PositiveIntegerField(default=0, help_text="So much later spectators see a move.")
    spectator_delay_moves = models.PositiveSmallIntegerField(default=0)
    shown_at_end = models.BooleanField(
        default=False, help_text="When a game is over spectators see its end at once, whatever the delay."
    )
    version = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "pk")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(status__in=["open", "running", "finished", "cancelled"]), name="tournament_status_known"
            ),
            models.CheckConstraint(
                condition=Q(capacity__gte=2, capacity__lte=4096), name="tournament_capacity_2_to_4096"
            ),
            models.CheckConstraint(
                condition=Q(publish_rounds__in=["automatic", "by-hand"]), name="tournament_publish_rounds_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["open", "cancelled"]) | Q(started_at__isnull=False),
                name="tournament_started_has_time",
            ),
            models.CheckConstraint(
                condition=Q(duplicate__in=["none", "tables", "seats"]), name="tournament_duplicate_known"
            ),
            models.CheckConstraint(
                condition=Q(spectating__in=["all", "after-own", "nobody"]), name="tournament_spectating_known"
            ),
            models.CheckConstraint(
                condition=~Q(status="finished") | Q(finished_at__isnull=False), name="tournament_finished_has_time"
            ),
            models.CheckConstraint(
                condition=Q(time_control__in=["bank", "turn"]), name="tournament_time_control_known"
            ),
            models.CheckConstraint(
                condition=Q(absence__in=["wait", "turn", "house", "forfeit"]), name="tournament_absence_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class EntrantStatus(models.TextChoices):
    """Where an entrant stands."""

    REGISTERED = "registered", "registered"
    PLAYING = "playing", "playing"
    OUT = "out", "knocked out"
    WITHDRAWN = "withdrawn", "withdrawn"


class Entrant(models.Model):
    """A player in one tournament: seed and rating are fixed when it starts."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    status = models.CharField(max_length=10, choices=EntrantStatus, default=EntrantStatus.REGISTERED)
    seed = models.PositiveSmallIntegerField(null=True, blank=True, help_text="1 is the best.")
    rating = models.IntegerField(null=True, blank=True, help_text="Tenths of a point, when the tournament started.")
    place = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Final place; ties share.")
    registered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("tournament", "seed", "registered_at", "pk")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("tournament", "player"),
                name="entrant_unique",
                violation_error_message="This player is registered already.",
            ),
            models.UniqueConstraint(
                fields=("tournament", "seed"),
                name="entrant_seed_unique",
                deferrable=models.Deferrable.DEFERRED,
                violation_error_message="Two entrants cannot share a seed.",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["registered", "playing", "out", "withdrawn"]), name="entrant_status_known"
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)


class KeepApart(models.Model):
    """Two entrants who are to meet only if nothing else is left; ``one`` is the entrant with the lower id."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="kept_apart")
    one = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ("tournament", "pk")
        verbose_name_plural = "kept apart"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("one", "other"),
                name="keep_apart_unique",
                violation_error_message="These two are kept apart already.",
            ),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="keep_apart_two_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one} and {self.other}"
