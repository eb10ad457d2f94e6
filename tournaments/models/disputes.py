"""What players claim about a game, and what became of it."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from players.models import Player, User
from tournaments.models.matches import MatchGame


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
