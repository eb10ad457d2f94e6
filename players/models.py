"""People: users (accounts), players (persons, with or without a user), clubs and their members."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower


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
    """Which of the engine's bots plays for a player; empty for a person."""

    NONE = "", "a person"
    RANDOM = "random", "Cub (random)"
    GREEDY = "greedy", "Grizzly (greedy)"
    SEARCH = "search", "Kodiak (thinks ahead)"


class PlayerQuerySet(models.QuerySet["Player"]):
    """Reads of players."""

    def people(self) -> PlayerQuerySet:
        """Players who are persons."""
        return self.filter(bot="")

    def bots(self) -> PlayerQuerySet:
        """Players whom a bot plays."""
        return self.exclude(bot="")


class Player(models.Model):
    """A person who plays, with or without a user; or a house bot."""

    name = models.CharField(max_length=40, help_text="Shown everywhere; any characters, emoji too.")
    slug = models.SlugField(max_length=60, unique=True, help_text="The player's name in addresses.")
    user = models.OneToOneField(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="player")
    bot = models.CharField(max_length=10, choices=Bot, default=Bot.NONE, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ("name", "pk")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(bot__in=["", "random", "greedy", "search"]), name="player_bot_known"
            ),
            models.CheckConstraint(condition=~models.Q(name=""), name="player_name_given"),
            models.CheckConstraint(condition=models.Q(bot="") | models.Q(user=None), name="player_bot_has_no_user"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_bot(self) -> bool:
        """True if the engine plays for this player."""
        return self.bot != ""


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
