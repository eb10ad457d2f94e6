"""What was done in a tournament."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models

from players.models import Player
from tournaments.models.events import Tournament


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
