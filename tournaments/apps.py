"""The tournaments app."""

from __future__ import annotations

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Django's handle on the tournaments app."""

    name = "tournaments"
