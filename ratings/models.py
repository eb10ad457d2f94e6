"""Rating pools, the append-only ledger, and the derived current ratings."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Q, Subquery

from players.models import Player
from ratings.systems.elo import BearenaElo
from ratings.systems.policies import POLICIES


class RatingPool(models.Model):
    """One list of ratings: a game of the engine and a kind (online play, for a start), under one policy.

    ``version`` counts the changes of the pool's ratings, so that a page knows whether it is stale.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    game = models.CharField(max_length=30)
    kind = models.CharField(max_length=20, default="online")
    policy = models.CharField(max_length=30, default="bearena-elo")
    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering = ("name",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("game", "kind"), name="pool_unique", violation_error_message="This pool exists already."
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def system(self) -> BearenaElo:
        """The policy itself, as a pure value."""
        return POLICIES[self.policy]


class LedgerQuerySet(models.QuerySet["LedgerEntry"]):
    """Reads of the ledger."""

    def standing(self) -> LedgerQuerySet:
        """Entries that count: of each cause and player the highest revision, unless it is a void."""
        newer = self.model._default_manager.filter(
            pool=OuterRef("pool"), cause=OuterRef("cause"), player=OuterRef("player"), revision__gt=OuterRef("revision")
        )
        return self.filter(~Exists(newer), voided=False)

    def last_of(self, pool: RatingPool, players: Iterable[int], *, before: str | None = None) -> list[LedgerEntry]:
        """Return the last entry that counts of each of ``players`` (primary keys), if any, in no order.

        ``before`` is an order key: only causes that come earlier are looked at.
        """
        entries = self.standing().filter(pool=pool, player=OuterRef("pk"))
        if before is not None:
            entries = entries.filter(order_key__lt=before)
        last = Subquery(entries.order_by("-order_key").values("pk")[:1])
        found = Player.objects.filter(pk__in=players).annotate(last=last).values_list("last", flat=True)
        return list(self.filter(pk__in=[pk for pk in found if pk is not None]))


class LedgerEntry(models.Model):
    """What one cause (a finished rated game) did to one player's rating. Append-only.

    Ratings are whole tenths of a point. Of the entries of one (pool, cause, player) the highest ``revision`` counts;
    a void is a revision whose ``voided`` is set and that changes nothing. ``order_key`` sorts causes and is made with
    the cause: finish time in UTC to the microsecond, then the game's id.
    """

    pool = models.ForeignKey(RatingPool, on_delete=models.PROTECT, related_name="entries", related_query_name="entry")
    cause = models.UUIDField(help_text="The id of the game.")
    # Bytes decide, in every database: a locale's collation could skip punctuation.
    order_key = models.CharField(max_length=80, db_collation="C")
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="ledger_entries", related_query_name="ledger_entry"
    )
    revision = models.PositiveIntegerField(default=0)
    voided = models.BooleanField(default=False)
    before = models.IntegerField(help_text="Tenths of a point.")
    after = models.IntegerField(help_text="Tenths of a point.")
    games_before = models.PositiveIntegerField(help_text="Rated games before this one; decides provisional.")
    score = models.FloatField(help_text="Sum of the pair scores (1, one half, 0).")
    expected = models.FloatField(help_text="Sum of the expected pair scores.")
    k = models.FloatField(help_text="Mean K of the pairs.")
    policy = models.CharField(max_length=30, help_text="Policy and version, for instance bearena-elo/1.")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LedgerQuerySet.as_manager()

    class Meta:
        ordering = ("pool", "order_key", "player", "revision")
        verbose_name_plural = "ledger entries"
        indexes: ClassVar = [
            models.Index(fields=("pool", "player", "order_key"), name="ledger_by_player"),
            models.Index(fields=("pool", "order_key"), name="ledger_by_order"),
            models.Index(fields=("cause",), name="ledger_by_cause"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("pool", "cause", "player", "revision"),
                name="ledger_entry_unique",
                violation_error_message="This game has been rated already.",
            ),
            models.CheckConstraint(
                condition=Q(voided=False) | Q(after=F("before")), name="ledger_void_changes_nothing"
            ),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.before / 10:.1f} to {self.after / 10:.1f}"


class Who(models.TextChoices):
    """Whom a leaderboard lists."""

    ALL = "all", "everybody"
    PEOPLE = "people", "people"
    BOTS = "bots", "bots"


class RatingQuerySet(models.QuerySet["Rating"]):
    """Reads of current ratings."""

    def listed(self, pool: RatingPool, who: str = Who.ALL) -> RatingQuerySet:
        """The leaderboard of ``pool``, best first: of everybody, of people, or of bots."""
        ratings = self.filter(pool=pool).order_by("-value", "player")
        if who == Who.PEOPLE:
            return ratings.filter(player__bot="")
        if who == Who.BOTS:
            return ratings.exclude(player__bot="")
        return ratings

    def ranks(self, values: Collection[int]) -> dict[int, int]:
        """Return the rank that each of ``values`` (tenths of a point) has in this list: one more than are better."""
        if not values:
            return {}
        better = self.filter(value__gt=min(values)).order_by("-value").values_list("value")
        ranks: dict[int, int] = {}
        wanted = sorted(values)
        above = 0
        for value, count in better.annotate(count=Count("pk")):
            while wanted and wanted[-1] >= value:
                ranks[wanted.pop()] = above + 1
            above += count
        return ranks | dict.fromkeys(wanted, above + 1)


class Rating(models.Model):
    """A player's current rating in a pool. Derived from the ledger; ``rebuild_ratings`` yields the same numbers."""

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="ratings", related_query_name="rating")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="ratings", related_query_name="rating")
    value = models.IntegerField(help_text="Tenths of a point.")
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    last_change = models.IntegerField(default=0, help_text="What the last rated game did, in tenths of a point.")
    last_game_at = models.DateTimeField(null=True, blank=True)

    objects = RatingQuerySet.as_manager()

    class Meta:
        ordering = ("pool", "-value", "player")
        indexes: ClassVar = [models.Index(fields=("pool", "-value", "player"), name="rating_leaderboard")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("pool", "player"),
                name="rating_unique",
                violation_error_message="This player has a rating in the pool already.",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.value / 10:.1f}"

    @property
    def is_provisional(self) -> bool:
        """True while the player has too few rated games for the rating to mean much."""
        return self.pool.system.is_provisional(self.games)
