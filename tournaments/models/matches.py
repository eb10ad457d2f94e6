"""Matches at tables, their slots, and the games played for them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.models import DealGroup, Game
from tournaments.models.events import Entrant
from tournaments.models.rounds import Round


class MatchPart(models.TextChoices):
    """The part of a bracket that a match belongs to; every match of other formats is in the main one."""

    MAIN = "main", "main part"
    LOSERS = "losers", "losers' part"
    THIRD_PLACE = "third-place", "match for third place"
    FINAL = "final", "final of both parts"


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
