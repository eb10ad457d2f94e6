"""Games over the API: what is public of a game, its transcript, and the verification of any transcript."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from games import services
from games.disclosure import shown
from games.engine.verify import FAULTS
from games.models import Game, Seat
from games.verification import LARGEST_TRANSCRIPT, report_of
from players.models import Player


class SeatSerializer(serializers.ModelSerializer[Seat]):
    """A seat and who sits there."""

    name = serializers.CharField(source="player.name", default=None, help_text="Null for an open seat.")
    slug = serializers.CharField(source="player.slug", default=None, help_text="The player's name in addresses.")
    bot = serializers.SerializerMethodField(help_text="True for a house bot and for a bot account.")
    place = serializers.SerializerMethodField(help_text="1 is best, equal places are ties; null until the end.")

    class Meta:
        model = Seat
        fields = ("number", "name", "slug", "bot", "ready", "place")

    def get_bot(self, seat: Seat) -> bool:
        """Return whether no person decides here."""
        return seat.player is not None and seat.player.is_bot

    def get_place(self, seat: Seat) -> int | None:
        """Return the place that the seat reached, once whoever asks may know."""
        places = shown(seat.game, self.context.get("viewer")).places
        return places[seat.number] if places else None


class GameSerializer(serializers.ModelSerializer[Game]):
    """What is public of a game at any time. The context's ``viewer`` is the player who asks; without one it is anybody.

    To spectators a delayed game runs until they may know its end.
    """

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

    def to_representation(self, game: Game) -> dict[str, Any]:
        """Return the fields, with status, end and number of records as whoever asks may know them."""
        data = super().to_representation(game)
        known = shown(game, self.context.get("viewer"))
        data |= {"status": known.status.value, "record_count": known.record_count}
        if known.finished_at is None:
            data["finished_at"] = None
        return data


def viewer_of(request: Request) -> Player | None:
    """Return the player of whoever asks, or None."""
    return Player.objects.filter(user=request.user).first() if request.user.is_authenticated else None


class GameView(APIView):
    """One game."""

    @extend_schema(operation_id="game", summary="One game", responses=GameSerializer)
    def get(self, request: Request, game_id: UUID) -> Response:
        """Return the game with its seats and, after its end, the places."""
        game = get_object_or_404(Game.objects.prefetch_related("seat_set__player"), pk=game_id)
        return Response(GameSerializer(game, context={"viewer": viewer_of(request)}).data)


class TranscriptView(APIView):
    """The transcript of one game."""

    @extend_schema(
        operation_id="game_transcript",
        summary="The transcript of a game",
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "The document that `python -m games.engine verify` checks."),
            409: OpenApiResponse(OpenApiTypes.OBJECT, "Not dealt yet, or closed: `code` says why."),
        },
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Return the transcript; the server seed is null until the game is over.

        Of a game with delayed spectators they get the records that they may know by now. Games that share their cards
        are closed until all tables have finished.
        """
        game = get_object_or_404(Game.objects.select_related("deal_group"), pk=game_id)
        return Response(services.transcript(game, viewer_of(request)))


class VerifyThrottle(SimpleRateThrottle):
    """Verification works; an address may ask for so much of it."""

    scope = "verify"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        """Return the key under which the requests of this address are counted."""
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class ReportSerializer(serializers.Serializer[Any]):
    """What verification found (transcript specification, Verification)."""

    ok = serializers.BooleanField()
    fault = serializers.ChoiceField(choices=FAULTS, allow_null=True, help_text="The first fault, or null.")
    at_record = serializers.IntegerField(allow_null=True, help_text="The record of the fault, where one applies.")
    message = serializers.CharField()
    records = serializers.IntegerField()
    complete = serializers.BooleanField(help_text="False while the game runs: then only the chain can be checked.")
    places = serializers.ListField(child=serializers.IntegerField(), allow_null=True)


class VerifyView(APIView):
    """The verification of a transcript from anywhere; nothing is kept."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = (VerifyThrottle,)

    @extend_schema(
        operation_id="verify",
        summary="Verify a transcript",
        request={"application/json": OpenApiTypes.OBJECT},
        responses={
            200: ReportSerializer,
            400: OpenApiResponse(OpenApiTypes.OBJECT, "More than 1 MiB, or more work than the server spends on one."),
            429: OpenApiResponse(OpenApiTypes.OBJECT, "Too many; wait a minute."),
            503: OpenApiResponse(OpenApiTypes.OBJECT, "Too many people at once; wait a moment."),
        },
    )
    def post(self, request: Request) -> Response:
        """Return the report on the transcript in the body; the same as the engine's command line gives.

        The body goes to the engine as it came: its reader is strict about what JSON may hold.
        """
        body = request.stream.read(LARGEST_TRANSCRIPT + 1) if request.stream is not None else b""
        return Response(report_of(body))
