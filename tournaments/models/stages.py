"""Stages: the format, what points and lots go by, where entrants come from, and who is in."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q

from tournaments.models.events import Entrant, Tournament


class Format(models.TextChoices):
    """How a stage pairs its entrants."""

    SINGLE_ELIMINATION = "single-elimination", "single elimination, two seats"
    DOUBLE_ELIMINATION = "double-elimination", "double elimination, two seats"
    TABLE_ELIMINATION = "table-elimination", "elimination at tables"
    ROUND_ROBIN = "round-robin", "round robin, two seats"
    SWISS = "swiss", "Swiss, two seats"
    FIDE_DUTCH = "fide-dutch", "Swiss by the FIDE Dutch rules, two seats"
    TABLE_SWISS = "table-swiss", "Swiss at tables"
    TABLE_SCHEDULE = "table-schedule", "fixed schedule at tables"
    GROUPS = "groups", "round robin in groups, two seats"


SWISS_KINDS = (Format.SWISS, Format.FIDE_DUTCH, Format.TABLE_SWISS)
"""Formats that draw each round when the one before it is over."""
TABLE_KINDS = (Format.TABLE_SWISS, Format.TABLE_SCHEDULE)
"""Formats at tables in which places bring points."""
POINTS_KINDS = (Format.ROUND_ROBIN, Format.GROUPS, Format.TABLE_SCHEDULE, *SWISS_KINDS)
"""Formats with points, from which nobody is knocked out."""


class StageStatus(models.TextChoices):
    """The life of a stage."""

    WAITING = "waiting", "waiting for its entrants"
    RUNNING = "running", "running"
    FINISHED = "finished", "finished"


class ShortTables(models.TextChoices):
    """Where the smaller tables are if the field does not fill tables of the preferred size."""

    LOW = "low", "smaller tables at the low end"
    HIGH = "high", "smaller tables at the high end"
    BYES = "byes", "no smaller tables: byes"


class Takes(models.TextChoices):
    """Which places of an earlier stage lead into a stage."""

    PLACES = "places", "places of the stage"
    GROUP_PLACES = "group-places", "places of each group"
    REST = "rest", "whoever goes nowhere else"


class TieRule(models.TextChoices):
    """What decides a tie on the last place that leads into a stage (``tournaments.standings.cut.LastPlace``)."""

    TIE_BREAKS = "tie-breaks", "tie-breaks"
    PLAY_OFF = "play-off", "a play-off"
    ORGANIZER = "organizer", "the organizer"


class TieBreakRules(models.TextChoices):
    """The version of FIDE's tie-break regulations (Handbook C.07)."""

    FIDE_2024 = "2024", "FIDE, from August 2024"
    FIDE_2026 = "2026", "FIDE, from March 2026"


class PointsRule(models.TextChoices):
    """What the standings of a stage with points go by first."""

    RESULTS = "results", "results"
    SAME_CARDS = "same-cards", "comparison with who held the same cards"


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
    round_count = models.PositiveSmallIntegerField(null=True, blank=True, help_text="How many, where it can be chosen.")
    smallest_table = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Entrants at a short table.")
    largest_table = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Entrants at a large table.")
    short_tables = models.CharField(max_length=4, choices=ShortTables, default=ShortTables.LOW)
    place_points = models.JSONField(
        default=dict, blank=True, help_text="Whole points for each place, first to last, by the size of the table."
    )
    draw_seed = models.CharField(
        max_length=20, blank=True, default="", help_text="A number, drawn when the stage starts: every lot follows it."
    )
    group_count = models.PositiveSmallIntegerField(null=True, blank=True, help_text="How many groups.")
    source = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="leads_to", help_text="Where from."
    )
    takes = models.CharField(max_length=12, choices=Takes, blank=True, default="")
    takes_first = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The first place taken.")
    takes_last = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The last place taken.")
    tie_rule = models.CharField(max_length=10, choices=TieRule, default=TieRule.TIE_BREAKS)
    status = models.CharField(max_length=8, choices=StageStatus, default=StageStatus.WAITING)

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
                    format__in=[
                        "single-elimination",
                        "double-elimination",
                        "table-elimination",
                        "round-robin",
                        "swiss",
                        "fide-dutch",
                        "table-swiss",
                        "table-schedule",
                        "groups",
                    ]
                ),
                name="stage_format_known",
            ),
            models.CheckConstraint(
                condition=Q(
                    format__in=["table-elimination", "table-swiss", "table-schedule"],
                    table_size__gte=3,
                    table_size__lte=8,
                )
                | (~Q(format__in=["table-elimination", "table-swiss", "table-schedule"]) & Q(table_size=2)),
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
                condition=Q(points_rule="results")
                | Q(points_rule="same-cards", format__in=["round-robin", "groups", "table-schedule"]),
                name="stage_points_rule_fits",
            ),
            models.CheckConstraint(
                condition=Q(third_place=False) | Q(format="single-elimination"), name="stage_third_place_fits"
            ),
            models.CheckConstraint(
                condition=Q(twice=False) | Q(format__in=["round-robin", "groups"]), name="stage_twice_fits"
            ),
            models.CheckConstraint(
                condition=Q(tie_break_rules__in=["2024", "2026"]), name="stage_tie_break_rules_known"
            ),
            models.CheckConstraint(
                condition=Q(
                    format__in=["swiss", "fide-dutch", "table-swiss", "table-schedule"],
                    round_count__gte=1,
                    round_count__lte=99,
                )
                | (
                    ~Q(format__in=["swiss", "fide-dutch", "table-swiss", "table-schedule"])
                    & Q(round_count__isnull=True)
                ),
                name="stage_round_count_fits",
            ),
            models.CheckConstraint(
                condition=Q(
                    format__in=["table-swiss", "table-schedule"],
                    smallest_table__gte=3,
                    smallest_table__lte=F("table_size"),
                    largest_table__gte=F("table_size"),
                    largest_table__lte=8,
                )
                | (
                    ~Q(format__in=["table-swiss", "table-schedule"])
                    & Q(smallest_table__isnull=True, largest_table__isnull=True)
                ),
                name="stage_table_sizes_fit",
            ),
            models.CheckConstraint(
                condition=Q(short_tables__in=["low", "high", "byes"]), name="stage_short_tables_known"
            ),
            models.CheckConstraint(
                condition=Q(format="groups", group_count__gte=1) | (~Q(format="groups") & Q(group_count__isnull=True)),
                name="stage_group_count_fits",
            ),
            models.CheckConstraint(
                condition=Q(source__isnull=True, takes="", takes_first__isnull=True, takes_last__isnull=True)
                | Q(source__isnull=False, takes="rest", takes_first__isnull=True, takes_last__isnull=True)
                | Q(
                    source__isnull=False,
                    takes__in=["places", "group-places"],
                    takes_first__gte=1,
                    takes_last__gte=F("takes_first"),
                ),
                name="stage_source_complete",
            ),
            models.CheckConstraint(
                condition=Q(tie_rule__in=["tie-breaks", "play-off", "organizer"]), name="stage_tie_rule_known"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "running", "finished"]), name="stage_status_known"
            ),
            models.CheckConstraint(condition=Q(draw_seed__regex=r"^[0-9]*$"), name="stage_draw_seed_number"),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(
                name="draw_seed_stays",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    """NOT (OLD."draw_seed" = '') AND OLD."draw_seed" IS DISTINCT FROM (NEW."draw_seed")"""
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, stage {self.number}"


class StageEntrantStatus(models.TextChoices):
    """Where an entrant stands in a stage."""

    IN = "in", "in"
    SUBSTITUTE = "substitute", "substitute"
    WITHDRAWN = "withdrawn", "withdrawn"
    CUT = "cut", "did not get in"


class StageEntrant(models.Model):
    """An entrant in one stage: the stored list of who is in, and of substitutes, the first to be asked first."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="stage_entrants")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="stage_entrants")
    seed = models.PositiveSmallIntegerField(help_text="1 is the best in this stage; late entries come last.")
    group = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Counts from 1.")
    status = models.CharField(max_length=10, choices=StageEntrantStatus, default=StageEntrantStatus.IN)
    place = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Place in the finished stage (in groups: in the group); ties share."
    )

    class Meta:
        ordering = ("stage", "seed")
        verbose_name_plural = "stage entrants"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("stage", "entrant"),
                name="stage_entrant_unique",
                violation_error_message="This entrant is in the stage already.",
            ),
            models.UniqueConstraint(
                fields=("stage", "seed"),
                name="stage_entrant_seed_unique",
                deferrable=models.Deferrable.DEFERRED,
                violation_error_message="Two entrants of a stage cannot share a seed.",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["in", "substitute", "withdrawn", "cut"]), name="stage_entrant_status_known"
            ),
            models.CheckConstraint(condition=Q(seed__gte=1), name="stage_entrant_seed_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant} in {self.stage}"
