"""The project's own app: its management commands, and the Celery application that tasks bind to."""

from __future__ import annotations

from django.apps import AppConfig

from config.celery import app as celery_app

__all__ = ["BearenaConfig", "celery_app"]


class BearenaConfig(AppConfig):
    """Holds the project's management commands and the local stack; it has no models."""

    name = "config"
    verbose_name = "Bearena"
