"""Ratings in the administration: to look at and to search, never to change; the ledger is corrected by causes."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from unfold.admin import ModelAdmin

from games.admin import ReadOnly
from ratings.models import LedgerEntry, Rating, RatingPool
from ratings.templatetags.ratings import points, signed_points


@admin.register(RatingPool)
class RatingPoolAdmin(ReadOnly, ModelAdmin):
    """The lists of ratings."""

    list_display = ("name", "game", "kind", "policy", "version")
    search_fields = ("name", "slug")


@admin.register(Rating)
class RatingAdmin(ReadOnly, ModelAdmin):
    """Current ratings, best first."""

    list_display = ("player", "pool", "rating", "last", "games", "wins", "last_game_at")
    list_filter = ("pool",)
    list_select_related = ("player", "pool")
    search_fields = ("player__name", "player__slug")
    ordering = ("pool", "-value", "player")

    @admin.display(description="rating", ordering="value")
    def rating(self, rating: Rating) -> str:
        """Write points."""
        return points(rating.value)

    @admin.display(description="last change", ordering="last_change")
    def last(self, rating: Rating) -> str:
        """Write points with their sign."""
        return signed_points(rating.last_change)


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnly, ModelAdmin):
    """Every revision of every entry, the latest causes first. Search by player or by a game's id."""

    list_display = ("when", "pool", "player", "change", "rating", "revision", "voided", "policy", "game")
    list_filter = ("pool", "voided")
    list_select_related = ("player", "pool")
    search_fields = ("player__name", "player__slug", "=cause")
    ordering = ("-order_key", "player", "-revision")
    # Counting millions of entries for a headline is not worth the wait.
    show_full_result_count = False

    @admin.display(description="cause", ordering="order_key")
    def when(self, entry: LedgerEntry) -> str:
        """Write the time of the cause."""
        return entry.order_key.partition(" ")[0]

    @admin.display(description="change")
    def change(self, entry: LedgerEntry) -> str:
        """Write points with their sign."""
        return signed_points(entry.after - entry.before)

    @admin.display(description="rating", ordering="after")
    def rating(self, entry: LedgerEntry) -> str:
        """Write points."""
        return points(entry.after)

    @admin.display(description="game")
    def game(self, entry: LedgerEntry) -> str:
        """Lead to the game."""
        return format_html('<a href="{}">{}</a>', reverse("games:table", args=[entry.cause]), str(entry.cause)[:8])

    def get_queryset(self, request: HttpRequest) -> QuerySet[LedgerEntry]:
        """Read player and pool along also on the page of one entry."""
        found: QuerySet[LedgerEntry] = super().get_queryset(request)
        return found.select_related("player", "pool")
