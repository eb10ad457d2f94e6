"""Rounds: what a pairing said, whether it is public, and who has no table."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from tournaments.models.events import Entrant, Pausable
from tournaments.models.stages import Stage, StageStatus


class RoundStatus(models.TextChoices):
    """Whether a round is public."""

    DRAFT = "draft", "draft"
    PUBLISHED = "published", "published"


class RoundQuerySet(models.QuerySet["Round"]):
    """Reads of rounds."""

    def published(self) -> RoundQuerySet:
        """Rounds that everybody may see."""
        return self.filter(status=RoundStatus.PUBLISHED)

    def wanted(self) -> RoundQuerySet:
        """Rounds of running tournaments that wait for their pairing, unless the last attempt failed."""
        return self.filter(
            status=RoundStatus.DRAFT,
            pairing__isnull=True,
            pairing_error="",
            stage__status=StageStatus.RUNNING,
            stage__tournament__status="running",
        )


class Round(Pausable):
    """One round of a stage.

    A draft has no matches: what was drawn is a :class:`RoundPairing`, which publishing makes matches of. Without one it
    is being drawn, unless ``pairing_error`` says why it could not be.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    status = models.CharField(max_length=9, choices=RoundStatus, default=RoundStatus.PUBLISHED)
    lot = models.PositiveSmallIntegerField(default=0, help_text="Counts how often it was drawn with other lots.")
    asked_at = models.DateTimeField(null=True, blank=True, help_text="When its pairing was asked for.")
    pairing_error = models.TextField(blank=True, default="", help_text="Why it could not be drawn, in a sentence.")

    objects = RoundQuerySet.as_manager()

    class Meta:
        ordering = ("stage", "number")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("stage", "number"), name="round_unique", violation_error_message="This round exists already."
            ),
            models.CheckConstraint(condition=Q(status__in=["draft", "published"]), name="round_status_known"),
            models.CheckConstraint(
                condition=Q(status="published") | Q(asked_at__isnull=False), name="round_draft_asked_for"
            ),
            models.CheckConstraint(condition=Q(pairing_error="") | Q(status="draft"), name="round_error_of_a_draft"),
        ]

    def __str__(self) -> str:
        return self.name


class RoundPairing(models.Model):
    """What was drawn for a round, and why it is so; a row of its own, for it is large and rarely read.

    ``inputs`` is the digest of what it was drawn from (``tournaments.drawing.Question``).
    """

    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="pairing")
    inputs = models.CharField(max_length=64)
    drawn = models.JSONField()

    def __str__(self) -> str:
        return f"pairing of {self.round}"


class ByeKind(models.TextChoices):
    """Why an entrant has no table in a round, and what for (``tournaments.standings.results.Kind``)."""

    ALLOCATED = "bye-allocated", "bye: nobody was left to play"
    FULL = "bye-full", "full-point bye"
    HALF = "bye-half", "half-point bye"
    ZERO = "bye-zero", "zero-point bye"


class Bye(models.Model):
    """An entrant who has no table in a published round."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="byes")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="byes")
    kind = models.CharField(max_length=13, choices=ByeKind)

    class Meta:
        ordering = ("round", "entrant")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("round", "entrant"),
                name="bye_unique",
                violation_error_message="This entrant has a bye in this round already.",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["bye-allocated", "bye-full", "bye-half", "bye-zero"]), name="bye_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant}: {self.get_kind_display()}"


class ByeRequest(models.Model):
    """A bye that an entrant has asked for in a round that has not been published."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="bye_requests")
    round_number = models.PositiveSmallIntegerField()
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="bye_requests")
    kind = models.CharField(max_length=13, choices=ByeKind)

    class Meta:
        ordering = ("stage", "round_number", "entrant")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("stage", "round_number", "entrant"),
                name="bye_request_unique",
                violation_error_message="This entrant has asked for a bye in this round already.",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["bye-full", "bye-half", "bye-zero"]), name="bye_request_kind_known"
            ),
            models.CheckConstraint(condition=Q(round_number__gte=1), name="bye_request_round_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant}, round {self.round_number}: {self.get_kind_display()}"
