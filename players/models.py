"""People: users (accounts), players (persons, with or without a user), their bot accounts and keys, clubs."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone


class UserManager(BaseUserManager["User"]):
    """Creates users that log in by e-mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Return a new user; ``password`` None makes the account unusable for password login."""
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Return a new user with every permission."""
        return self.create_user(email, password, **{"is_staff": True, "is_superuser": True, **fields})


class User(AbstractUser):
    """An account. The person behind it is its :class:`Player`."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField("e-mail address")

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects = UserManager()  # type: ignore[assignment,misc]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                Lower("email"), name="user_email_unique", violation_error_message="This e-mail address has an account."
            )
        ]

    def __str__(self) -> str:
        return self.email


class Bot(models.TextChoices):
    """What plays for a player: nothing but the person, one of the engine's bots, or somebody's own program."""

    NONE = "", "a person"
    RANDOM = "random", "Cub (random)"
    GREEDY = "greedy", "Grizzly (greedy)"
    SEARCH = "search", "Kodiak (thinks ahead)"
    PROGRAM = "program", "a program of its owner"


HOUSE_BOTS = (Bot.RANDOM, Bot.GREEDY, Bot.SEARCH)
"""The levels of bots that the house plays; a bot account is played by its owner's program, over the API."""


class PlayerQuerySet(models.QuerySet["Player"]):
    """Reads of players."""

    def people(self) -> PlayerQuerySet:
        """Players who are persons."""
        return self.filter(bot="")

    def bots(self) -> PlayerQuerySet:
        """Players whom a bot plays."""
        return self.exclude(bot="")

    def not_of_the_house(self) -> PlayerQuerySet:
        """Persons, and the bot accounts of persons."""
        return self.exclude(bot__in=HOUSE_BOTS)


class Player(models.Model):
    """A person who plays, with or without a user; a house bot; or a bot account, which belongs to its ``owner``."""

    name = models.CharField(max_length=40, help_text="Shown everywhere; any characters, emoji too.")
    slug = models.SlugField(max_length=60, unique=True, help_text="The player's name in addresses.")
    user = models.OneToOneField(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="player")
    bot = models.CharField(max_length=10, choices=Bot, default=Bot.NONE, blank=True)
    owner = models.ForeignKey(
        User,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="bot_accounts",
        help_text="Who answers for this bot account.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ("name", "pk")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(bot__in=["", "random", "greedy", "search", "program"]), name="player_bot_known"
            ),
            models.CheckConstraint(condition=~models.Q(name=""), name="player_name_given"),
            models.CheckConstraint(condition=models.Q(bot="") | models.Q(user=None), name="player_bot_has_no_user"),
            models.CheckConstraint(
                condition=models.Q(bot="program") | models.Q(owner=None), name="player_owner_of_bot"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_bot(self) -> bool:
        """True if no person decides: a house bot, or somebody's program. Pages show it."""
        return self.bot != ""

    @property
    def is_house_bot(self) -> bool:
        """True if the engine plays for this player."""
        return self.bot in HOUSE_BOTS

    @property
    def is_bot_account(self) -> bool:
        """True if a program of its owner plays for this player."""
        return self.bot == Bot.PROGRAM


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    """Reads of keys."""

    def valid(self) -> ApiKeyQuerySet:
        """Keys that open something now: not revoked, not expired, and whoever made them is not blocked."""
        return self.filter(revoked_at=None, created_by__is_active=True).filter(
            models.Q(expires_at=None) | models.Q(expires_at__gt=timezone.now())
        )


class ApiKey(models.Model):
    """What a program shows to act for ``player``. Only its SHA-256 is kept; the key itself was shown once."""

    class Scope(models.TextChoices):
        """What a key opens."""

        PLAY = "play", "play: make games, sit down, play"

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="api_keys")
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=40, help_text="What it is for, in the words of whoever made it.")
    digest = models.BinaryField(max_length=32, unique=True)
    hint = models.CharField(max_length=4, help_text="The last letters of the key, to tell keys apart.")
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope))
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="To the minute.")

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "pk")
        constraints: ClassVar = [
            models.CheckConstraint(condition=~models.Q(scopes=[]), name="api_key_opens_something"),
        ]

    def __str__(self) -> str:
        return f"{self.name} (…{self.hint})"

    @property
    def is_expired(self) -> bool:
        """True once the key's time is over."""
        return self.expires_at is not None and self.expires_at <= timezone.now()


class Club(models.Model):
    """A club: its members, and the events it runs."""

    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=80, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    members = models.ManyToManyField(Player, through="Membership", related_name="clubs")

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A player in a club, with a role."""

    class Role(models.TextChoices):
        """What a member may do for the club."""

        MEMBER = "member", "member"
        ORGANIZER = "organizer", "organizer"
        SECRETARY = "secretary", "secretary"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=("club", "player"),
                name="membership_unique",
                violation_error_message="This player is a member of the club already.",
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=["member", "organizer", "secretary"]), name="membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.club}"
