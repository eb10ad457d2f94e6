"""The tournaments app."""

from __future__ import annotations

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Django's handle on the tournaments app."""

    name = "tournaments"

    def ready(self) -> None:
        """Listen for games that end, and tell a game's page which match it belongs to."""
        from games.observing import register
        from tournaments import receivers  # noqa: F401
        from tournaments.surroundings import match_surroundings

        register(match_surroundings)
