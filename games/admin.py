"""Games in the admin site: to be looked at; what is true of a game only its services change."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin, TabularInline

from games.disclosure import secrets_are_public, shown
from games.models import ClockEvent, DealGroup, Game, Record, Seat


class ReadOnly:
    """Shows, and lets nobody add, change or delete.

    A list is narrowed by its own filters alone. Django would narrow it by any field that an address names, so that
    what is not shown could be guessed letter by letter: the seed of a running game, or how one ended.
    """

    list_filter: Any
    date_hierarchy: str | None

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Return whether the list offers to be narrowed so."""
        offered = [
            one if isinstance(one, str) else one[0] if isinstance(one, tuple) else one.parameter_name
            for one in self.list_filter
        ]
        if self.date_hierarchy:
            offered.append(self.date_hierarchy)
        return any(lookup == name or lookup.startswith(f"{name}__") for name in offered)

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
        return found.select_related("player", "game__deal_group")

    @admin.display(description="place")
    def place(self, seat: Seat) -> int | None:
        """Return the place that the seat reached."""
        places = shown(seat.game, None).places
        return places[seat.number] if places else None


class StandsFilter(admin.SimpleListFilter):
    """Games by how they stand for anybody: one whose end spectators have yet to see is in play."""

    title = "status"
    parameter_name = "stands"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        """Return what one can choose."""
        return [("seating", "waiting for players"), ("running", "in play"), ("over", "over")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Game]) -> QuerySet[Game]:
        """Return the games that stand so."""
        games = Game.objects.all()
        chosen = {"seating": games.seating, "running": games.running_for_all, "over": games.ended_for_all}
        narrow = chosen.get(self.value() or "")
        return queryset if narrow is None else queryset.filter(pk__in=narrow())


@admin.register(Game)
class GameAdmin(ReadOnly, ModelAdmin):
    """Games with their seats, as anybody may know them: who works here may be playing elsewhere with the same cards.

    The server seed is shown once everybody may have it, and never before.
    """

    list_display = ("id", "game", "status_shown", "seats", "rated", "listed", "deal_group", "created_at", "started_at")
    list_filter = (StandsFilter, "game", "rated", "listed")
    search_fields = ("id", "seat__player__name")
    date_hierarchy = "created_at"
    show_full_result_count = False
    inlines = (SeatInline,)
    exclude = ("server_seed", "status", "places", "points", "record_count", "deadline", "finished_at")
    readonly_fields = ("status_shown", "records_shown", "end_shown", "revealed_seed", "addresses")
    list_select_related = ("deal_group",)

    @admin.display(description="status")
    def status_shown(self, game: Game) -> str:
        """Return how the game stands for anybody."""
        return str(shown(game, None).status.label)

    @admin.display(description="records")
    def records_shown(self, game: Game) -> int:
        """Return how many records anybody may know."""
        return shown(game, None).record_count

    @admin.display(description="finished at")
    def end_shown(self, game: Game) -> datetime | None:
        """Return when the game ended, once anybody may know."""
        return shown(game, None).finished_at

    @admin.display(description="server seed")
    def revealed_seed(self, game: Game) -> str:
        """Return the seed of an ended game."""
        if secrets_are_public(game, None):
            return bytes(game.server_seed).hex()
        return (
            "secret until all tables with these cards are over" if game.is_sealed else "secret until the game is over"
        )

    @admin.display(description="pages")
    def addresses(self, game: Game) -> SafeString:
        """Return links to what everybody can see of the game; positions only of ended ones."""
        table = format_html('<a href="{}">table</a>', reverse("games:table", args=[game.pk]))
        if game.started_at is None or not secrets_are_public(game, None):
            return table
        return format_html(
            '{}, <a href="{}">transcript</a>, <a href="{}">verification</a>',
            table,
            reverse("games:transcript", args=[game.pk]),
            reverse("games:verify", args=[game.pk]),
        )


@admin.register(ClockEvent)
class ClockEventAdmin(ReadOnly, ModelAdmin):
    """What stopped clocks and let them go on, and who did it."""

    list_display = ("game", "number", "after_record", "at", "kind", "seat", "until", "who", "by", "reason")
    list_filter = ("kind",)
    search_fields = ("=game__id", "who")
    list_select_related = ("game", "by")
    show_full_result_count = False
    ordering = ("-pk",)


@admin.register(Record)
class RecordAdmin(ReadOnly, ModelAdmin):
    """Records, which are public at the table as they are made; hands and draws are not in them.

    Those of games that spectators see later, or not yet at all, are listed once the game is over for everybody.
    """

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

    def get_queryset(self, request: HttpRequest) -> QuerySet[Record]:
        """Leave out the records of games that are closed."""
        found: QuerySet[Record] = super().get_queryset(request)
        return found.filter(game__in=Game.objects.open_to_all())

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


@admin.register(DealGroup)
class DealGroupAdmin(ReadOnly, ModelAdmin):
    """Deals that tables share. The server seed is shown once all of them have finished."""

    list_display = ("id", "commitment", "created_at", "opened_at")
    search_fields = ("id", "commitment")
    exclude = ("server_seed",)
    readonly_fields = ("revealed_seed",)

    @admin.display(description="server seed")
    def revealed_seed(self, group: DealGroup) -> str:
        """Return the seed of an open deal."""
        return "secret until all tables have finished" if group.is_sealed else bytes(group.server_seed).hex()
