"""Tournaments over the API, read-only: the list, one tournament with its bracket, and its entrants."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import Count, F, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.pagination import LimitOffsetPagination

from games.disclosure import shown
from games.models import GameStatus
from players.models import Bot
from tournaments import cards
from tournaments.models import (
    Entrant,
    EntrantStatus,
    Format,
    Match,
    MatchGame,
    MatchStatus,
    PointsRule,
    Round,
    Tournament,
    TournamentStatus,
)


class Page(LimitOffsetPagination):
    """``?limit=`` (at most 200) and ``?offset=``."""

    default_limit = 50
    max_limit = 200


class PlayerSerializer(serializers.Serializer[Any]):
    """A player by name and address."""

    name = serializers.CharField()
    slug = serializers.CharField()
    bot = serializers.ChoiceField(
        choices=Bot.choices, help_text="Which bot plays (program: a bot account); empty for a person."
    )


class StageSerializer(serializers.Serializer[Any]):
    """How a stage is played."""

    number = serializers.IntegerField()
    format = serializers.ChoiceField(choices=Format.choices)
    table_size = serializers.IntegerField()
    advance = serializers.IntegerField(help_text="How many of a table go on.")
    best_of = serializers.IntegerField(help_text="Games of a match, at most.")
    play_all = serializers.BooleanField(help_text="True if all games of a match are played.")
    points_rule = serializers.ChoiceField(choices=PointsRule.choices, help_text="What the standings go by first.")


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    """A tournament without its bracket."""

    organizer = serializers.CharField(source="organizer.slug", help_text="The organizer's slug.")
    club = serializers.CharField(source="club.slug", default=None, allow_null=True, help_text="The club's slug.")
    status = serializers.ChoiceField(choices=TournamentStatus.choices)
    stages = StageSerializer(many=True)
    entrant_count = serializers.IntegerField(help_text="Entrants who have not withdrawn.")

    class Meta:
        model = Tournament
        fields = (
            "slug",
            "name",
            "description",
            "status",
            "game",
            "rules",
            "rated",
            "capacity",
            "entrant_count",
            "organizer",
            "club",
            "bank_ms",
            "increment_ms",
            "break_seconds",
            "duplicate",
            "spectating",
            "spectator_delay_seconds",
            "spectator_delay_moves",
            "shown_at_end",
            "version",
            "created_at",
            "started_at",
            "finished_at",
            "stages",
        )
        read_only_fields = fields


class EntrantSerializer(serializers.ModelSerializer[Entrant]):
    """An entrant; ``rating`` is in tenths of a point, as it was at the start."""

    player = PlayerSerializer()
    status = serializers.ChoiceField(choices=EntrantStatus.choices)

    class Meta:
        model = Entrant
        fields = ("player", "status", "seed", "rating", "place", "registered_at")
        read_only_fields = fields


class SlotSerializer(serializers.Serializer[Any]):
    """A chair of a match. ``source_match`` and ``source_place`` say who will sit there while ``player`` is null."""

    number = serializers.IntegerField()
    player = serializers.CharField(source="entrant.player.slug", default=None, allow_null=True)
    seed = serializers.IntegerField(source="entrant.seed", default=None, allow_null=True)
    source_match = serializers.IntegerField(source="source_id", allow_null=True)
    source_place = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    walkover = serializers.BooleanField()


class MatchGameSerializer(serializers.Serializer[Any]):
    """A game of a match; its transcript is at ``/api/v1/games/{game}/transcript/``."""

    number = serializers.IntegerField()
    game = serializers.UUIDField(source="game_id")
    status = serializers.SerializerMethodField(help_text="As anybody may know it.")

    @extend_schema_field(serializers.ChoiceField(choices=GameStatus.choices))
    def get_status(self, match_game: MatchGame) -> str:
        """Return how the game stands; with delayed spectators it runs until they may know its end."""
        return shown(match_game.game, None).status.value


class MatchSerializer(serializers.Serializer[Any]):
    """A match at a numbered table."""

    id = serializers.IntegerField(source="pk")
    table = serializers.IntegerField()
    advance = serializers.IntegerField(help_text="How many go on; 0 in a round robin.")
    best_of = serializers.IntegerField()
    status = serializers.ChoiceField(choices=MatchStatus.choices)
    slots = SlotSerializer(many=True)
    games = MatchGameSerializer(source="match_games", many=True)


class RoundSerializer(serializers.Serializer[Any]):
    """A round with its matches."""

    stage = serializers.IntegerField(source="stage.number")
    number = serializers.IntegerField()
    name = serializers.CharField()
    matches = MatchSerializer(source="loaded_matches", many=True)


class TournamentDetailSerializer(TournamentSerializer):
    """A tournament with every round of its stages; no rounds before the start."""

    rounds = RoundSerializer(many=True, source="loaded_rounds")

    class Meta:
        model = Tournament
        fields = (*TournamentSerializer.Meta.fields, "rounds")
        read_only_fields = fields


def tournaments() -> QuerySet[Tournament]:
    """Return tournaments with what the API says about them, newest first."""
    counted = Count("entrants", filter=~Q(entrants__status=EntrantStatus.WITHDRAWN))
    return (
        Tournament.objects.select_related("organizer", "club")
        .prefetch_related("stages")
        .annotate(entrant_count=counted)
        .order_by("-created_at", "pk")
    )


class TournamentFilter(django_filters.FilterSet):
    """``?status=running``, ``?club=<slug>``, ``?player=<slug>``."""

    status = django_filters.ChoiceFilter(choices=TournamentStatus.choices)
    club = django_filters.CharFilter(field_name="club__slug", help_text="A club's slug.")
    player = django_filters.CharFilter(method="of_player", help_text="The slug of a player who is in it.")

    def of_player(self, query: QuerySet[Tournament], name: str, value: str) -> QuerySet[Tournament]:
        """Keep the tournaments that a player is in; a subquery, so that entrants stay countable."""
        return query.filter(pk__in=Entrant.objects.filter(player__slug=value).values("tournament"))

    class Meta:
        model = Tournament
        fields = ("status", "club", "player")


@extend_schema_view(get=extend_schema(summary="Tournaments, newest first", tags=["tournaments"]))
class TournamentList(generics.ListAPIView[Tournament]):
    """Every tournament, newest first."""

    serializer_class = TournamentSerializer
    pagination_class = Page
    filterset_class = TournamentFilter
    queryset = tournaments()


@extend_schema_view(get=extend_schema(summary="A tournament with its bracket", tags=["tournaments"]))
class TournamentDetail(generics.RetrieveAPIView[Tournament]):
    """One tournament: settings, state, and every round with its matches, slots and games."""

    serializer_class = TournamentDetailSerializer
    filter_backends = ()
    lookup_field = "slug"
    queryset = tournaments()

    def get_object(self) -> Tournament:
        """Return the tournament with its rounds and matches loaded by a fixed number of queries."""
        tournament = super().get_object()
        rounds = list(
            Round.objects.published()
            .filter(stage__tournament=tournament)
            .select_related("stage")
            .order_by("stage__number", "number")
        )
        matches: dict[int, list[Match]] = {each.pk: [] for each in rounds}
        for match in cards.stage_matches(tournament):
            matches[match.round_id].append(match)
        for each in rounds:
            each.loaded_matches = matches[each.pk]  # type: ignore[attr-defined]
        tournament.loaded_rounds = rounds  # type: ignore[attr-defined]
        return tournament


@extend_schema_view(get=extend_schema(summary="Entrants of a tournament", tags=["tournaments"]))
class EntrantList(generics.ListAPIView[Entrant]):
    """The entrants: by final place once there is one, then by seed, then by registration."""

    serializer_class = EntrantSerializer
    pagination_class = Page
    filter_backends = ()
    queryset = Entrant.objects.none()

    def get_queryset(self) -> QuerySet[Entrant]:
        """Return the entrants of the tournament in the address. Raises Http404."""
        tournament = get_object_or_404(Tournament, slug=self.kwargs["slug"])
        order = (F("place").asc(nulls_last=True), F("seed").asc(nulls_last=True), "registered_at", "pk")
        return tournament.entrants.select_related("player").order_by(*order)


urlpatterns: list[URLPattern] = [
    path("tournaments/", TournamentList.as_view(), name="tournaments"),
    path("tournaments/<slug:slug>/", TournamentDetail.as_view(), name="tournament"),
    path("tournaments/<slug:slug>/entrants/", EntrantList.as_view(), name="tournament-entrants"),
]
