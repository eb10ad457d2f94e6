"""The ratings app."""

from __future__ import annotations

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Django's handle on the ratings app."""

    name = "ratings"
