"""Tournaments: stages, rounds, matches at tables, the games played for them, disputes and the log."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from games.models import PLAYED, Absence, DealGroup, Game, Spectating, TimeControl
from players.models import Club, Player, User


class TournamentStatus(models.TextChoices):
    """The life of a tournament."""

    OPEN = "open", "open for registration"
    RUNNING = "running", "running"
    FINISHED = "finished", "finished"
    CANCELLED = "cancelled", "cancelled"


class Format(models.TextChoices):
    """How a stage pairs its entrants."""

    SINGLE_ELIMINATION = "single-elimination", "single elimination, two seats"
    DOUBLE_ELIMINATION = "double-elimination", "double elimination, two seats"
    TABLE_ELIMINATION = "table-elimination", "elimination at tables"
    ROUND_ROBIN = "round-robin", "round robin, two seats"


class MatchPart(models.TextChoices):
    """The part of a bracket that a match belongs to; every match of other formats is in the main one."""

    MAIN = "main", "main part"
    LOSERS = "losers", "losers' part"
    THIRD_PLACE = "third-place", "match for third place"
    FINAL = "final", "final of both parts"


class TieBreakRules(models.TextChoices):
    """The version of FIDE's tie-break regulations (Handbook C.07)."""

    FIDE_2024 = "2024", "FIDE, from August 2024"
    FIDE_2026 = "2026", "FIDE, from March 2026"


class Duplicate(models.TextChoices):
    """Which games of a round are dealt the same cards."""

    NONE = "none", "every game is dealt for itself"
    TABLES = "tables", "the same cards at all tables of a round"
    SEATS = "seats", "the same cards at all tables, and again until everybody has held each hand"


class PointsRule(models.TextChoices):
    """What the standings of a stage with points go by first."""

    RESULTS = "results", "results"
    SAME_CARDS = "same-cards", "comparison with who held the same cards"


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
                condition=Q(capacity__gte=2, capacity__lte=512), name="tournament_capacity_2_to_512"
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


class Stage(models.Model):
    """One format with its own standings; a tournament has one or more."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(max_length=20, choices=Format)
    table_size = models.PositiveSmallIntegerField(default=2, help_text="Preferred entrants at a table.")
    advance = models.PositiveSmallIntegerField(default=1, help_text="How many of a table go on.")
    best_of = models.PositiveSmallIntegerField(default=1, help_text="Games of a match, at most.")
    play_all = models.BooleanField(
        default=False, help_text="Every game of a match is played and counts; else whoever has won enough is through."
    )
    points_rule = models.CharField(max_length=10, choices=PointsRule, default=PointsRule.RESULTS)
    third_place = models.BooleanField(default=False, help_text="The losers of the semi-finals play for third place.")
    twice = models.BooleanField(default=False, help_text="In a round robin everybody meets everybody twice.")
    tie_breaks = models.JSONField(
        default=list, blank=True, help_text="The codes of what parts those level on points, in order."
    )
    tie_break_rules = models.CharField(max_length=4, choices=TieBreakRules, default=TieBreakRules.FIDE_2026)

    class Meta:
        ordering = ("tournament", "number")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("tournament", "number"),
                name="stage_unique",
                violation_error_message="This stage exists already.",
            ),
            models.CheckConstraint(
                condition=Q(
                    format__in=["single-elimination", "double-elimination", "table-elimination", "round-robin"]
                ),
                name="stage_format_known",
            ),
            models.CheckConstraint(
                condition=Q(format="table-elimination", table_size__gte=3, table_size__lte=8)
                | (~Q(format="table-elimination") & Q(table_size=2)),
                name="stage_table_size_fits",
            ),
            models.CheckConstraint(
                condition=Q(advance__gte=1, advance__lt=F("table_size")), name="stage_advance_below_table_size"
            ),
            models.CheckConstraint(
                condition=Q(best_of=1)
                | Q(best_of__in=[3, 5, 7, 9], table_size=2)
                | Q(best_of__gte=1, best_of__lte=9, play_all=True),
                name="stage_best_of_fits",
            ),
            models.CheckConstraint(
                condition=Q(points_rule="results") | Q(points_rule="same-cards", format="round-robin"),
                name="stage_points_rule_fits",
            ),
            models.CheckConstraint(
                condition=Q(third_place=False) | Q(format="single-elimination"), name="stage_third_place_fits"
            ),
            models.CheckConstraint(condition=Q(twice=False) | Q(format="round-robin"), name="stage_twice_fits"),
            models.CheckConstraint(
                condition=Q(tie_break_rules__in=["2024", "2026"]), name="stage_tie_break_rules_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, stage {self.number}"


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


class Round(Pausable):
    """One round of a stage."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)

    class Meta:
        ordering = ("stage", "number")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("stage", "number"), name="round_unique", violation_error_message="This round exists already."
            )
        ]

    def __str__(self) -> str:
        return self.name


class MatchStatus(models.TextChoices):
    """The life of a match."""

    WAITING = "waiting", "waiting for earlier matches"
    PLAYING = "playing", "playing"
    DECIDED = "decided", "decided"


class Match(models.Model):
    """2 to 8 entrants at one numbered table of a round, of whom ``advance`` go on (0 in a round robin).

    Its result is derived from its games by ``tournaments.pairing.match``.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches")
    table = models.PositiveSmallIntegerField(help_text="Counts from 1 in each round.")
    part = models.CharField(max_length=11, choices=MatchPart, default=MatchPart.MAIN)
    advance = models.PositiveSmallIntegerField(default=1)
    best_of = models.PositiveSmallIntegerField(default=1)
    play_all = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=MatchStatus, default=MatchStatus.WAITING)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("round", "table")
        verbose_name_plural = "matches"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("round", "table"), name="match_unique", violation_error_message="This table is taken."
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "playing", "decided"]), name="match_status_known"
            ),
            models.CheckConstraint(
                condition=Q(part__in=["main", "losers", "third-place", "final"]), name="match_part_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}, table {self.table}"


class Slot(models.Model):
    """A chair of a match: an entrant, or where the entrant will come from (a place of an earlier match)."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="slots")
    number = models.PositiveSmallIntegerField(help_text="Counts from 0.")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, null=True, blank=True, related_name="slots")
    source = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, blank=True, related_name="feeds")
    source_place = models.PositiveSmallIntegerField(null=True, blank=True, help_text="1: the first to go on.")
    place = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Place in the match, once decided.")
    walkover = models.BooleanField(default=False, help_text="Decided against this entrant without play; never rated.")

    class Meta:
        ordering = ("match", "number")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("match", "number"), name="slot_unique", violation_error_message="This slot exists already."
            ),
            models.UniqueConstraint(
                fields=("match", "entrant"),
                name="slot_entrant_unique",
                violation_error_message="An entrant cannot sit twice in one match.",
            ),
            models.UniqueConstraint(
                fields=("source", "source_place"),
                name="slot_source_unique",
                violation_error_message="A place of a match leads to one slot only.",
            ),
            models.CheckConstraint(
                condition=Q(source__isnull=True, source_place__isnull=True)
                | Q(source__isnull=False, source_place__isnull=False),
                name="slot_source_complete",
            ),
        ]

    def __str__(self) -> str:
        return f"slot {self.number} of {self.match}"


class MatchGame(models.Model):
    """A game played for a match. A void one stays on record and another takes the next number."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="match_games")
    number = models.PositiveSmallIntegerField(help_text="Counts from 1 in each match.")
    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="match_game")
    counted_at = models.DateTimeField(null=True, blank=True, help_text="When its result was taken into the match.")

    class Meta:
        ordering = ("match", "number")
        indexes: ClassVar = [
            models.Index(fields=("match",), name="match_game_uncounted", condition=Q(counted_at__isnull=True))
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("match", "number"),
                name="match_game_unique",
                violation_error_message="This game of the match exists already.",
            )
        ]

    def __str__(self) -> str:
        return f"game {self.number} of {self.match}"


class RoundDeal(models.Model):
    """The cards that the tables of a round share: one deal for each ``board``, by the number of seats at the table.

    A match plays board after board; with ``Duplicate.SEATS`` a board is played as often as the table has seats.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="deals")
    board = models.PositiveSmallIntegerField(help_text="Counts from 1 in each round.")
    seats = models.PositiveSmallIntegerField()
    group = models.OneToOneField(DealGroup, on_delete=models.PROTECT, related_name="round_deal")

    class Meta:
        ordering = ("round", "board", "seats")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("round", "board", "seats"),
                name="round_deal_unique",
                violation_error_message="These tables have their cards already.",
            )
        ]

    def __str__(self) -> str:
        return f"{self.round}, board {self.board}, tables of {self.seats}"


class DisputeStatus(models.TextChoices):
    """The life of a dispute."""

    RAISED = "raised", "waiting for the replay"
    CHECKED = "checked", "waiting for a ruling"
    STANDS = "stands", "result stands"
    REPLAYED = "replayed", "voided and replayed"


class DisputeQuerySet(models.QuerySet["Dispute"]):
    """Reads of disputes."""

    def unchecked(self) -> DisputeQuerySet:
        """Disputes whose game has not been replayed yet."""
        return self.filter(status=DisputeStatus.RAISED)

    def waiting(self) -> DisputeQuerySet:
        """Disputes that nobody has ruled on."""
        return self.filter(status__in=[DisputeStatus.RAISED, DisputeStatus.CHECKED])


class Dispute(models.Model):
    """A player's claim about one record of a finished game, the replay's report, and the ruling."""

    match_game = models.ForeignKey(MatchGame, on_delete=models.CASCADE, related_name="disputes")
    raised_by = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="disputes")
    record_number = models.PositiveIntegerField(help_text="The record that the player points at.")
    text = models.TextField(max_length=2000)
    status = models.CharField(max_length=10, choices=DisputeStatus, default=DisputeStatus.RAISED)
    raised_at = models.DateTimeField(auto_now_add=True)
    report = models.JSONField(null=True, blank=True, help_text="The verification report of the replay.")
    checked_at = models.DateTimeField(null=True, blank=True)
    ruled_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    ruled_at = models.DateTimeField(null=True, blank=True)
    ruling_note = models.TextField(blank=True, max_length=2000)

    objects = DisputeQuerySet.as_manager()

    class Meta:
        ordering = ("-raised_at",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("match_game", "raised_by"),
                condition=Q(status__in=["raised", "checked"]),
                name="dispute_one_open_each",
                violation_error_message="You have an open dispute about this game already.",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["raised", "checked", "stands", "replayed"]), name="dispute_status_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["raised", "checked"]) | Q(ruled_at__isnull=False), name="dispute_ruled_has_time"
            ),
        ]

    def __str__(self) -> str:
        return f"dispute {self.pk} about {self.match_game}"


class LogLine(models.Model):
    """What was done in a tournament, by whom. Append-only; public lines are shown on its page."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="log_lines")
    at = models.DateTimeField(auto_now_add=True)
    action = models.CharField(max_length=40, help_text="Dotted type, for instance dispute.stands.")
    text = models.TextField(help_text="One sentence for people.")
    data = models.JSONField(default=dict, blank=True)
    actor = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    public = models.BooleanField(default=True)

    class Meta:
        ordering = ("-at", "-pk")
        indexes: ClassVar = [models.Index(fields=("tournament", "-at"), name="log_by_tournament")]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.text
