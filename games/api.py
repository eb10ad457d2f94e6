"""Games over the API, read only: what is public of a game, and its transcript."""

from __future__ import annotations

from uuid import UUID

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import services
from games.models import Game, Seat


class SeatSerializer(serializers.ModelSerializer[Seat]):
    """A seat and who sits there."""

    name = serializers.CharField(source="player.name", default=None, help_text="Null for an open seat.")
    slug = serializers.CharField(source="player.slug", default=None, help_text="The player's name in addresses.")
    bot = serializers.SerializerMethodField(help_text="True if a house bot plays here.")
    place = serializers.SerializerMethodField(help_text="1 is best, equal places are ties; null until the end.")

    class Meta:
        model = Seat
        fields = ("number", "name", "slug", "bot", "ready", "place")

    def get_bot(self, seat: Seat) -> bool:
        """Return whether a house bot plays here."""
        return seat.player is not None and seat.player.is_bot

    def get_place(self, seat: Seat) -> int | None:
        """Return the place that the seat reached."""
        places = seat.game.places
        return places[seat.number] if places else None


class GameSerializer(serializers.ModelSerializer[Game]):
    """What is public of a game at any time."""

    seats = SeatSerializer(source="seat_set", many=True)

    class Meta:
        model = Game
        fields = (
            "id",
            "game",
            "rules",
            "status",
            "rated",
            "commitment",
            "bank_ms",
            "increment_ms",
            "created_at",
            "started_at",
            "finished_at",
            "record_count",
            "seats",
        )


class GameView(APIView):
    """One game."""

    @extend_schema(operation_id="game", summary="One game", responses=GameSerializer)
    def get(self, request: Request, game_id: UUID) -> Response:
        """Return the game with its seats and, after its end, the places."""
        game = get_object_or_404(Game.objects.prefetch_related("seat_set__player"), pk=game_id)
        return Response(GameSerializer(game).data)


class TranscriptView(APIView):
    """The transcript of one game."""

    @extend_schema(
        operation_id="game_transcript",
        summary="The transcript of a game",
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "The document that `python -m games.engine verify` checks."),
            409: OpenApiResponse(OpenApiTypes.OBJECT, "The game has not been dealt yet."),
        },
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Return the transcript; the server seed is null until the game is over."""
        return Response(services.transcript(get_object_or_404(Game, pk=game_id)))


urlpatterns = [
    path("games/<uuid:game_id>/", GameView.as_view(), name="game"),
    path("games/<uuid:game_id>/transcript/", TranscriptView.as_view(), name="game-transcript"),
]
