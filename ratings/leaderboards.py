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
    """A page of a leaderboard. Ranks are those of the whole list, also on later pages and in a search.

    ``page`` knows its number and how many there are; its items are the primary keys of the players.
    """

    pool: RatingPool
    rows: list[Row]
    page: Page[int]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which part of a pool's ratings is asked for.

    ``who`` chooses the list in which ranks are counted; ``search`` (part of a name) and ``provisional`` choose what is
    shown of it.
    """

    pool: RatingPool
    who: str = Who.ALL
    search: str = ""
    provisional: bool | None = None

    @property
    def listed(self) -> RatingQuerySet:
        """The list in which ranks are counted, best first."""
        return Rating.objects.listed(self.pool, self.who)

    @property
    def shown(self) -> RatingQuerySet:
        """What is shown of it."""
        shown = self.listed
        if self.search:
            shown = shown.filter(player__name__icontains=self.search)
        if self.provisional is not None:
            enough = self.pool.system.provisional_games
            shown = shown.filter(games__lt=enough) if self.provisional else shown.filter(games__gte=enough)
        return shown


def leaderboard(choice: Choice, *, page: int | str = 1, size: int = PAGE_SIZE) -> Leaderboard:
    """Return a page of what is chosen; ``page`` is brought into the range that there is."""
    # Far down the list only the index is read; names are fetched for the page alone.
    found = Paginator(choice.shown.values_list("player", flat=True), size).get_page(page)
    ratings = choice.listed.filter(player__in=list(found)).select_related("player")
    return Leaderboard(choice.pool, rows_of(choice.pool, choice.listed, list(ratings)), found)


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
