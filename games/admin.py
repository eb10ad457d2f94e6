"""Games in the admin site: to be looked at; what is true of a game only its services change."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin, TabularInline

from games.models import Game, Record, Seat


class ReadOnly:
    """Shows, and lets nobody add, change or delete."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody adds."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody changes."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody deletes."""
        return False


class SeatInline(ReadOnly, TabularInline):
    """The seats of a game. A client seed is part of the deal: shown once the game is over."""

    model = Seat
    extra = 0
    fields = ("number", "player", "ready", "place")
    readonly_fields = ("place",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """Fetch players and the game with the seats."""
        found: QuerySet[Seat] = super().get_queryset(request)
        return found.select_related("player", "game")

    @admin.display(description="place")
    def place(self, seat: Seat) -> int | None:
        """Return the place that the seat reached."""
        return seat.game.places[seat.number] if seat.game.places else None


@admin.register(Game)
class GameAdmin(ReadOnly, ModelAdmin):
    """Games with their seats. The server seed is shown once the game is over, and never before."""

    list_display = ("id", "game", "status", "seats", "rated", "listed", "record_count", "started_at", "finished_at")
    list_filter = ("status", "game", "rated", "listed")
    search_fields = ("id", "seat__player__name")
    date_hierarchy = "created_at"
    show_full_result_count = False
    inlines = (SeatInline,)
    exclude = ("server_seed",)
    readonly_fields = ("revealed_seed", "addresses")

    @admin.display(description="server seed")
    def revealed_seed(self, game: Game) -> str:
        """Return the seed of an ended game."""
        return bytes(game.server_seed).hex() if game.is_over else "secret until the game is over"

    @admin.display(description="pages")
    def addresses(self, game: Game) -> SafeString:
        """Return links to what everybody can see of the game; positions only of ended ones."""
        table = format_html('<a href="{}">table</a>', reverse("games:table", args=[game.pk]))
        if not game.is_over or game.started_at is None:
            return table
        return format_html(
            '{}, <a href="{}">transcript</a>, <a href="{}">verification</a>',
            table,
            reverse("games:transcript", args=[game.pk]),
            reverse("games:verify", args=[game.pk]),
        )


@admin.register(Record)
class RecordAdmin(ReadOnly, ModelAdmin):
    """Records, which are public as they are made; hands and draws are not in them."""

    list_display = ("game", "number", "at", "seat", "action")
    search_fields = ("game__id",)
    list_select_related = ("game",)
    show_full_result_count = False
    ordering = ("-pk",)
    exclude = ("hash", "message_id")
    readonly_fields = ("chain_hash",)

    @admin.display(description="hash")
    def chain_hash(self, record: Record) -> str:
        """Return the chain's hash in hexadecimal."""
        return bytes(record.hash).hex()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Record], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search by a game's whole id, which an index finds."""
        term = search_term.strip()
        if not term:
            return queryset, False
        try:
            return queryset.filter(game_id=term), False
        except ValidationError:
            return queryset.none(), False
