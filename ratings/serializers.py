"""How the API writes ratings, and how it documents what it writes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, inline_serializer
from rest_framework import serializers

from ratings.causes import time_of
from ratings.exports import csv_text
from ratings.models import LedgerEntry, RatingPool, Who


class PoolSerializer(serializers.ModelSerializer[RatingPool]):
    """A list of ratings."""

    players = serializers.IntegerField(help_text="How many players have a rating here.")
    version = serializers.IntegerField(help_text="Grows with every change of a rating.")

    class Meta:
        model = RatingPool
        fields = ("slug", "name", "game", "kind", "policy", "version", "players")


class PointsField(serializers.FloatField):
    """Tenths of a point inside, points with one decimal outside."""

    def to_representation(self, value: int) -> float:  # type: ignore[override]
        """Return points."""
        return value / 10


class LeaderboardRowSerializer(serializers.Serializer[Any]):
    """A line of a leaderboard."""

    rank = serializers.IntegerField(help_text="Equal ratings share a rank.")
    player = serializers.CharField(source="rating.player.slug", help_text="The player's name in addresses.")
    name = serializers.CharField(source="rating.player.name")
    bot = serializers.BooleanField(source="rating.player.is_bot")
    rating = PointsField(source="rating.value")
    provisional = serializers.BooleanField(source="rating.is_provisional")
    games = serializers.IntegerField(source="rating.games")
    wins = serializers.IntegerField(source="rating.wins")
    change = PointsField(source="rating.last_change", help_text="What the last rated game changed.")
    last_game_at = serializers.DateTimeField(source="rating.last_game_at")


class EntrySerializer(serializers.Serializer[Any]):
    """What one rated game did: ``change`` is about ``k * (score - expected)``."""

    at = serializers.SerializerMethodField(help_text="When the game ended.")
    game = serializers.UUIDField(source="cause")
    before = PointsField()
    after = PointsField()
    change = serializers.SerializerMethodField()
    score = serializers.FloatField(help_text="Points against the others: 1 a win, 0.5 a draw, 0 a loss.")
    expected = serializers.FloatField(help_text="The score that the ratings foretold.")
    k = serializers.FloatField(help_text="What a point of score was worth, on average.")
    policy = serializers.CharField()

    def get_at(self, entry: LedgerEntry) -> datetime:
        """Return the time of the cause."""
        return time_of(entry.order_key)

    def get_change(self, entry: LedgerEntry) -> float:
        """Return the difference in points."""
        return (entry.after - entry.before) / 10


class LeaderboardQuery(serializers.Serializer[Any]):
    """What to list."""

    who = serializers.ChoiceField(
        choices=Who.choices, default=Who.ALL, help_text="The list in which ranks are counted."
    )
    q = serializers.CharField(default="", allow_blank=True, max_length=40, help_text="Part of a name.")
    provisional = serializers.BooleanField(
        default=None, allow_null=True, help_text="Only provisional ratings, or none."
    )
    page = serializers.IntegerField(default=1, min_value=1, max_value=1_000_000)
    page_size = serializers.IntegerField(default=100, min_value=1, max_value=1000)


class HistoryQuery(serializers.Serializer[Any]):
    """Which part of a history."""

    page = serializers.IntegerField(default=1, min_value=1, max_value=1_000_000)
    page_size = serializers.IntegerField(default=100, min_value=1, max_value=1000)


ERROR = inline_serializer(
    "Error",
    {
        "error": inline_serializer(
            "ErrorDetail",
            {
                "code": serializers.CharField(),
                "message": serializers.CharField(),
                "fields": serializers.DictField(
                    child=serializers.ListField(child=serializers.CharField()), required=False
                ),
            },
        )
    },
)
NOT_FOUND = OpenApiResponse(
    ERROR,
    "There is no such pool or player, or the player has no rating in the pool.",
    [OpenApiExample("not found", {"error": {"code": "not-found", "message": "There is no such thing here."}})],
)
INVALID = OpenApiResponse(
    ERROR,
    "A parameter cannot be used.",
    [
        OpenApiExample(
            "invalid",
            {
                "error": {
                    "code": "invalid",
                    "message": "Some of the input cannot be used.",
                    "fields": {"who": ['"cats" is not a valid choice.']},
                }
            },
        )
    ],
)
POOL_EXAMPLE = {
    "slug": "hold-my-bear",
    "name": "Hold my Bear",
    "game": "hold-my-bear",
    "kind": "online",
    "policy": "bearena-elo",
    "version": 5127,
    "players": 214,
}
ROW_EXAMPLE = {
    "rank": 1,
    "player": "ana",
    "name": "Ana",
    "bot": False,
    "rating": 1712.4,
    "provisional": False,
    "games": 131,
    "wins": 60,
    "change": 5.3,
    "last_game_at": "2026-03-01T12:00:00Z",
}
ENTRY_EXAMPLE = {
    "at": "2026-03-01T12:00:00Z",
    "game": "5f0c9a52-7a3e-4b0c-9d0e-3f1f6a1a2b3c",
    "before": 1707.1,
    "after": 1712.4,
    "change": 5.3,
    "score": 3.0,
    "expected": 2.2,
    "k": 6.67,
    "policy": "bearena-elo/1",
}


def paged(name: str, item: serializers.Serializer[Any], example: dict[str, Any]) -> OpenApiResponse:
    """Return the documentation of a page of ``item``."""
    fields: dict[str, serializers.Field[Any, Any, Any, Any]] = {
        "count": serializers.IntegerField(help_text="Items on all pages."),
        "page": serializers.IntegerField(),
        "pages": serializers.IntegerField(),
        "results": item,
    }
    whole = {"count": 1, "page": 1, "pages": 1, "results": [example]}
    return OpenApiResponse(inline_serializer(name, fields), examples=[OpenApiExample("a page", whole)])


def csv_file(head: Sequence[str], example: dict[str, Any]) -> OpenApiResponse:
    """Return the documentation of a list as CSV."""
    cells = [{True: "yes", False: "no"}[value] if isinstance(value, bool) else value for value in example.values()]
    text = csv_text(head, [cells])
    return OpenApiResponse(OpenApiTypes.STR, "The whole list.", [OpenApiExample("CSV", text, media_type="text/csv")])
