"""The ratings app."""

from __future__ import annotations

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Django's handle on the ratings app."""

    name = "ratings"

    def ready(self) -> None:
        """Listen for games that end."""
        from ratings import receivers  # noqa: F401
