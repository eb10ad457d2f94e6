"""Ratings over the API: pools, leaderboards, one player's rating and history. Read-only and open to everybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count
from django.urls import path
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.errors import NotFound
from ratings import profiles
from ratings.exports import HISTORY_HEAD, LEADERBOARD_HEAD, csv_text, history_cells, leaderboard_cells
from ratings.leaderboards import Choice, leaderboard, rows_of
from ratings.models import Rating, RatingPool
from ratings.serializers import (
    ENTRY_EXAMPLE,
    INVALID,
    NOT_FOUND,
    POOL_EXAMPLE,
    ROW_EXAMPLE,
    EntrySerializer,
    HistoryQuery,
    LeaderboardQuery,
    LeaderboardRowSerializer,
    PoolSerializer,
    csv_file,
    paged,
)

LATEST = 100


class CsvRenderer(BaseRenderer):
    """Gives out what a view has made into CSV; errors stay JSON (:mod:`config.errors`)."""

    media_type = "text/csv"
    format = "csv"
    charset = "utf-8"

    def render(self, data: str, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """Encode the text."""
        return data.encode()


@method_decorator(conditional_page, name="dispatch")
class RatingsView(APIView):
    """What the views of ratings share: an ETag over what is sent."""

    renderer_classes: Sequence[type[BaseRenderer]] = (JSONRenderer,)

    def asked(self, query: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """Return the parameters of the request. Raises ValidationError."""
        asked = query(data=self.request.query_params.dict())
        asked.is_valid(raise_exception=True)
        return dict(asked.validated_data)

    def csv(self, name: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> Response:
        """Return ``rows`` as a file to keep."""
        return Response(csv_text(head, rows), headers={"Content-Disposition": f'attachment; filename="{name}.csv"'})


class PoolsView(RatingsView):
    """Every list of ratings."""

    @extend_schema(
        operation_id="ratings_pools",
        summary="Pools",
        tags=["ratings"],
        responses={
            200: OpenApiResponse(
                PoolSerializer(many=True), examples=[OpenApiExample("pools", POOL_EXAMPLE, response_only=True)]
            )
        },
    )
    def get(self, request: Request) -> Response:
        """List the pools: a game and a kind of play each, with ratings of its own."""
        pools = RatingPool.objects.annotate(players=Count("rating")).order_by("name")
        return Response(PoolSerializer(pools, many=True).data)


class LeaderboardView(RatingsView):
    """A pool's leaderboard."""

    renderer_classes = (JSONRenderer, CsvRenderer)

    @extend_schema(
        operation_id="ratings_leaderboard",
        summary="Leaderboard",
        tags=["ratings"],
        parameters=[LeaderboardQuery],
        responses={
            (200, "application/json"): paged("Leaderboard", LeaderboardRowSerializer(many=True), ROW_EXAMPLE),
            (200, "text/csv"): csv_file(LEADERBOARD_HEAD, ROW_EXAMPLE),
            (400, "application/json"): INVALID,
            (404, "application/json"): NOT_FOUND,
        },
    )
    def get(self, request: Request, pool: str) -> Response:
        """List the ratings of a pool, best first.

        JSON comes in pages; CSV (`?format=csv` or `Accept: text/csv`) is the whole list that the filters leave.
        Ranks are those among everybody, people or bots (`who`), whatever `q` and `provisional` leave of them.
        """
        found = get_object_or_404(RatingPool, slug=pool)
        asked = self.asked(LeaderboardQuery)
        choice = Choice(found, asked["who"], asked["q"].strip(), asked["provisional"])
        if request.accepted_renderer.format == CsvRenderer.format:
            return self.csv(f"{found.slug}-ratings", LEADERBOARD_HEAD, leaderboard_cells(choice))
        board = leaderboard(choice, page=asked["page"], size=asked["page_size"])
        rows = LeaderboardRowSerializer(board.rows, many=True).data
        page = board.page
        return Response(
            {"count": page.paginator.count, "page": page.number, "pages": page.paginator.num_pages, "results": rows}
        )


class PlayerView(RatingsView):
    """One player's rating in a pool."""

    @extend_schema(
        operation_id="ratings_player",
        summary="A player's rating",
        tags=["ratings"],
        responses={
            200: OpenApiResponse(
                inline_serializer(
                    "PlayerRating",
                    {
                        **dict(LeaderboardRowSerializer().fields),
                        "history": EntrySerializer(many=True),
                    },
                ),
                examples=[OpenApiExample("a rating", {**ROW_EXAMPLE, "history": [ENTRY_EXAMPLE]})],
            ),
            404: NOT_FOUND,
        },
    )
    def get(self, request: Request, pool: str, player: str) -> Response:
        """Return a player's rating and rank, with the latest 100 games that made it, the newest first."""
        rating = rating_of(pool, player)
        row = rows_of(rating.pool, Rating.objects.listed(rating.pool), [rating])[0]
        entries = profiles.history(rating.pool, rating.player)[:LATEST]
        return Response({**LeaderboardRowSerializer(row).data, "history": EntrySerializer(entries, many=True).data})


class HistoryView(RatingsView):
    """Everything that made one player's rating."""

    renderer_classes = (JSONRenderer, CsvRenderer)

    @extend_schema(
        operation_id="ratings_history",
        summary="A player's history",
        tags=["ratings"],
        parameters=[HistoryQuery],
        responses={
            (200, "application/json"): paged("RatingHistory", EntrySerializer(many=True), ENTRY_EXAMPLE),
            (200, "text/csv"): csv_file(HISTORY_HEAD, ENTRY_EXAMPLE),
            (400, "application/json"): INVALID,
            (404, "application/json"): NOT_FOUND,
        },
    )
    def get(self, request: Request, pool: str, player: str) -> Response:
        """List every rated game of a player in a pool, the newest first; CSV is the whole history."""
        rating = rating_of(pool, player)
        asked = self.asked(HistoryQuery)
        entries = profiles.history(rating.pool, rating.player)
        if request.accepted_renderer.format == CsvRenderer.format:
            return self.csv(f"{rating.pool.slug}-{rating.player.slug}", HISTORY_HEAD, history_cells(entries))
        page = Paginator(entries, asked["page_size"]).get_page(asked["page"])
        return Response(
            {
                "count": page.paginator.count,
                "page": page.number,
                "pages": page.paginator.num_pages,
                "results": EntrySerializer(page, many=True).data,
            }
        )


def rating_of(pool: str, player: str) -> Rating:
    """Return the rating of the player with this slug. Raises NotFound."""
    rating = Rating.objects.filter(pool__slug=pool, player__slug=player).select_related("pool", "player").first()
    if rating is None:
        raise NotFound("There is no rating of such a player here.")
    return rating


urlpatterns = [
    path("ratings/", PoolsView.as_view(), name="ratings"),
    path("ratings/<slug:pool>/", LeaderboardView.as_view(), name="leaderboard"),
    path("ratings/<slug:pool>/players/<slug:player>/", PlayerView.as_view(), name="player-rating"),
    path("ratings/<slug:pool>/players/<slug:player>/history/", HistoryView.as_view(), name="rating-history"),
]
