"""The players app."""

from __future__ import annotations

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """Django's handle on the players app."""

    name = "players"
