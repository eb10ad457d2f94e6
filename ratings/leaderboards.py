"""Reads what a leaderboard shows: a page of ratings with their ranks."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from players.models import Player
from ratings.models import Rating, RatingPool, RatingQuerySet, Who

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a leaderboard."""

    rank: int
    rating: Rating


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a leaderboard. Ranks are those of the whole list, also on later pages and in a search."""

    pool: RatingPool
    rows: list[Row]
    page: Page[Rating]


def leaderboard(
    pool: RatingPool,
    *,
    who: str = Who.ALL,
    search: str = "",
    provisional: bool | None = None,
    page: int | str = 1,
    size: int = PAGE_SIZE,
) -> Leaderboard:
    """Return a page of the leaderboard of ``pool``; ``page`` is brought into the range that there is.

    ``who`` chooses the list in which ranks are counted; ``search`` (part of a name) and ``provisional`` choose what is
    shown of it.
    """
    listed = Rating.objects.listed(pool, who)
    shown = listed
    if search:
        shown = shown.filter(player__name__icontains=search)
    if provisional is not None:
        enough = pool.system.provisional_games
        shown = shown.filter(games__lt=enough) if provisional else shown.filter(games__gte=enough)
    found = Paginator(shown.select_related("player"), size).get_page(page)
    return Leaderboard(pool, rows_of(pool, listed, list(found)), found)


def rows_of(pool: RatingPool, listed: RatingQuerySet, ratings: list[Rating]) -> list[Row]:
    """Return ``ratings`` of ``pool`` with their ranks in the list ``listed``."""
    ranks = listed.ranks({rating.value for rating in ratings})
    for rating in ratings:
        rating.pool = pool
    return [Row(ranks[rating.value], rating) for rating in ratings]


def page_of(pool: RatingPool, player: Player, *, who: str = Who.ALL, size: int = PAGE_SIZE) -> int | None:
    """Return the page of the leaderboard on which ``player`` stands, or None if the list does not have them."""
    listed = Rating.objects.listed(pool, who)
    own = listed.filter(player=player).first()
    if own is None:
        return None
    before = listed.filter(value__gt=own.value).count() + listed.filter(value=own.value, player__lt=player).count()
    return before // size + 1
