"""Template filters of events: tournaments in words."""

from __future__ import annotations

from django import template

from games.models import Game
from tournaments import wording
from tournaments.models import Stage, Tournament

register = template.Library()


@register.filter
def format_words(tournament: Tournament) -> str:
    """Return how the first stage of ``tournament`` is played (its stages loaded)."""
    stages: list[Stage] = list(tournament.stages.all())
    return wording.stage_format(stages[0]) if stages else ""


@register.filter
def clock_words(thing: Tournament | Game) -> str:
    """Return the clock of a tournament or a game."""
    return wording.clock(thing)


@register.filter
def deck_words(tournament: Tournament) -> str:
    """Return the deck of ``tournament``."""
    return wording.deck(tournament.game, tournament.rules)


@register.filter
def ordinal(number: int) -> str:
    """Return 1 as 1st."""
    return wording.ordinal(number)


@register.filter
def tenths(value: int | None) -> str:
    """Return a rating in tenths of a point as whole points; empty without one."""
    return "" if value is None else f"{value / 10:.0f}"


@register.filter
def points(value: int) -> str:
    """Return a rating in tenths of a point with its decimal."""
    return f"{value / 10:.1f}"
