"""Playing over the API: a bot account opens tables, sits down, and gets tickets for sockets (docs/protocol.md)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from games import services
from games.api.reading import GameSerializer
from games.engine import GAMES
from games.live.tickets import ticket_create
from games.models import Game, GameStatus
from players.authentication import KeyAuthentication, MayPlay
from players.bots import bot_player
from players.models import HOUSE_BOTS, ApiKey, Player

GAMES_SHOWN = 100
OPEN = (GameStatus.SEATING, GameStatus.RUNNING)
LEVELS = [(level.value, str(level.label)) for level in HOUSE_BOTS]
REFUSED = OpenApiResponse(OpenApiTypes.OBJECT, "Refused, with a code and a sentence; nothing has changed.")


class KeyThrottle(SimpleRateThrottle):
    """A key may ask so often, in whatever process."""

    scope = "play"

    def get_rate(self) -> str:
        """Return the rate that the host has set."""
        return f"{settings.API_REQUESTS_A_MINUTE}/min"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        """Return the key under which the requests of this API key are counted."""
        ident = request.auth.pk if isinstance(request.auth, ApiKey) else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}


class ProgramView(APIView):
    """What programs use: a key that may play, and so many requests a minute."""

    authentication_classes = (KeyAuthentication,)
    permission_classes = (MayPlay,)
    throttle_classes = (KeyThrottle,)

    @property
    def player(self) -> Player:
        """The bot account that the key plays for."""
        key = self.request.auth
        assert isinstance(key, ApiKey), "only keys get here"
        return key.player


class NewGameSerializer(serializers.Serializer[Any]):
    """A table to open. Its maker sits down on seat 0, bots on the seats after it, and the rest is free."""

    game = serializers.ChoiceField(choices=list(GAMES))
    rules = serializers.DictField(default=dict, help_text="The engine's options; what is not said has its default.")
    seats = serializers.IntegerField(min_value=1, max_value=8)
    bots = serializers.ListField(
        child=serializers.ChoiceField(choices=LEVELS), default=list, max_length=7, help_text="Levels of house bots."
    )
    listed = serializers.BooleanField(
        default=True, help_text="Shown in the lobby. Else who has the game's address can sit down."
    )
    bank_ms = serializers.IntegerField(default=300_000, help_text="Each seat's time for the game, in milliseconds.")
    increment_ms = serializers.IntegerField(default=5_000, help_text="Added after each action, in milliseconds.")

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        """Refuse more bots than free seats."""
        if len(data["bots"]) >= data["seats"]:
            raise serializers.ValidationError({"bots": f"One seat of {data['seats']} is yours."})
        return data


class TakeSerializer(serializers.Serializer[Any]):
    """A seat to take."""

    number = serializers.IntegerField(
        min_value=0, max_value=7, default=None, allow_null=True, help_text="Null is the first free seat."
    )


class BotSerializer(serializers.Serializer[Any]):
    """A free seat, and the house bot for it."""

    number = serializers.IntegerField(min_value=0, max_value=7)
    level = serializers.ChoiceField(choices=LEVELS)


class ReadySerializer(serializers.Serializer[Any]):
    """That one agrees to begin."""

    client_seed = serializers.CharField(
        default=None,
        allow_null=True,
        allow_blank=True,
        trim_whitespace=False,
        help_text="Letters for the deal, at most 64 bytes.",
    )


class TicketSerializer(serializers.Serializer[Any]):
    """What opens one socket, once."""

    ticket = serializers.CharField()
    address = serializers.CharField(help_text="Path and query of the socket, on the host that was asked.")
    seconds = serializers.IntegerField(help_text="How long the ticket is good for.")


class GamesView(ProgramView):
    """Tables."""

    @extend_schema(operation_id="games_open", summary="Tables with free seats", responses=GameSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return the listed tables that wait for players, the newest first, at most 100."""
        return Response(_games(Game.objects.seating().filter(listed=True)))

    @extend_schema(
        operation_id="game_create",
        summary="Open a table",
        request=NewGameSerializer,
        responses={201: GameSerializer, 400: REFUSED, 409: REFUSED},
    )
    def post(self, request: Request) -> Response:
        """Open an unrated table and sit down on its seat 0. A table without free seats begins once you are ready."""
        asked = _read(NewGameSerializer, request)
        bots: list[Player] = []
        for level in asked["bots"]:
            bots.append(bot_player(level=level, exclude={bot.pk for bot in bots}))
        game = services.game_create(
            game=asked["game"],
            rules=asked["rules"],
            players=[self.player, *bots, *[None] * (asked["seats"] - 1 - len(bots))],
            rated=False,
            listed=asked["listed"],
            bank_ms=asked["bank_ms"],
            increment_ms=asked["increment_ms"],
            created_by=self.player,
        )
        return _answer(game, 201)


class MyGamesView(ProgramView):
    """Own games."""

    @extend_schema(
        operation_id="games_mine", summary="Own games that are not over", responses=GameSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """Return the games in which the bot account has a seat and which are not over, newest first, at most 100."""
        return Response(_games(Game.objects.of_player(self.player).filter(status__in=OPEN)))


class SeatView(ProgramView):
    """One's seat at a table that has not begun."""

    @extend_schema(
        operation_id="seat_take",
        summary="Sit down",
        request=TakeSerializer,
        responses={200: GameSerializer, 403: REFUSED, 404: REFUSED, 409: REFUSED},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Sit down. Again changes nothing."""
        number = _read(TakeSerializer, request)["number"]
        return _answer(services.seat_take(game=_game(game_id), number=number, player=self.player))

    @extend_schema(operation_id="seat_leave", summary="Stand up", responses={200: GameSerializer, 409: REFUSED})
    def delete(self, request: Request, game_id: UUID) -> Response:
        """Stand up before the deal."""
        return _answer(services.seat_leave(game=_game(game_id), player=self.player))


class BotView(ProgramView):
    """House bots at a table that has not begun."""

    @extend_schema(
        operation_id="seat_bot_add",
        summary="Put a house bot on a free seat",
        request=BotSerializer,
        responses={200: GameSerializer, 403: REFUSED, 404: REFUSED, 409: REFUSED},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Put a house bot on a free seat of a table that one opened or sits at."""
        asked = _read(BotSerializer, request)
        game = services.seat_bot_add(game=_game(game_id), number=asked["number"], level=asked["level"], by=self.player)
        return _answer(game)


class ReadyView(ProgramView):
    """Agreeing to begin."""

    @extend_schema(
        operation_id="seat_ready",
        summary="Be ready",
        request=ReadySerializer,
        responses={200: GameSerializer, 400: REFUSED, 409: REFUSED},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Agree to begin. The deal is made once every seat is taken and everybody is ready. Again changes nothing."""
        seed = _read(ReadySerializer, request)["client_seed"]
        return _answer(services.seat_ready(game=_game(game_id), player=self.player, client_seed=seed))


class TicketView(ProgramView):
    """Tickets for sockets."""

    @extend_schema(
        operation_id="game_ticket",
        summary="A ticket for a socket to a game",
        request=None,
        responses={201: TicketSerializer, 404: REFUSED},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Return a ticket that opens one socket to this game, once and soon: as the seat's player, or to watch."""
        assert isinstance(request.auth, ApiKey), "only keys get here"
        game = _game(game_id)
        ticket = ticket_create(key=request.auth, game=game)
        return Response(
            {
                "ticket": ticket,
                "address": f"/ws/games/{game.pk}/?ticket={ticket}",
                "seconds": settings.TICKET_SECONDS,
            },
            status=201,
            headers={"Cache-Control": "no-store"},
        )


def _game(game_id: UUID) -> Game:
    return get_object_or_404(Game, pk=game_id)


def _games(games: QuerySet[Game]) -> Any:
    shown = games.prefetch_related("seat_set__player").order_by("-created_at", "pk")[:GAMES_SHOWN]
    return GameSerializer(shown, many=True).data


def _answer(game: Game, status: int = 200) -> Response:
    return Response(GameSerializer(game).data, status=status)


def _read(shape: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    given = shape(data=request.data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)
