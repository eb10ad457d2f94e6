"""The project's own app: static file ignores, start-up checks and the admin site's settings."""

from __future__ import annotations

from django.apps import AppConfig


class BearenaConfig(AppConfig):
    """Holds the project's management commands and the local stack; it has no models."""

    name = "config"
    verbose_name = "Bearena"
