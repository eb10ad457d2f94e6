"""People in the admin site."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as BaseGroupAdmin
from django.contrib.auth.admin import UserAdmin as BaseUserAdmin
from django.contrib.auth.models import Group
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from players.models import ApiKey, Club, Membership, Player, User

admin.site.unregister(Group)


class UserAddForm(UserCreationForm):
    """A new account, known by its e-mail address."""

    class Meta:
        model = User
        fields = ("email",)
        field_classes: ClassVar[dict[str, type]] = {}


class UserEditForm(UserChangeForm):
    """An account as it is."""

    class Meta:
        model = User
        fields = "__all__"
        field_classes: ClassVar[dict[str, type]] = {}


@admin.register(User)
class UserAdmin(BaseUserAdmin, ModelAdmin):
    """Accounts, their rights, and the player behind each."""

    form = UserEditForm
    add_form = UserAddForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("email", "player", "is_active", "is_staff", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser")
    list_select_related = ("player",)
    search_fields = ("email", "player__name")
    ordering = ("email",)
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "usable_password", "password1", "password2")}),)

    @admin.display(description="player", ordering="player__name")
    def player(self, user: User) -> str:
        """Return the player's name, or nothing."""
        return user.player.name if hasattr(user, "player") else ""


@admin.register(Group)
class GroupAdmin(BaseGroupAdmin, ModelAdmin):
    """Rights that several accounts share."""


@admin.register(Player)
class PlayerAdmin(ModelAdmin):
    """Players, with or without an account; house bots too."""

    list_display = ("name", "slug", "user", "bot", "created_at")
    list_filter = ("bot",)
    list_select_related = ("user",)
    search_fields = ("name", "slug", "user__email")
    autocomplete_fields = ("user",)
    prepopulated_fields: ClassVar = {"slug": ("name",)}


class MembershipInline(TabularInline):
    """Who is in a club, and as what."""

    model = Membership
    extra = 0
    autocomplete_fields = ("player",)


@admin.register(Club)
class ClubAdmin(ModelAdmin):
    """Clubs and their members."""

    list_display = ("name", "slug", "member_count", "created_at")
    search_fields = ("name", "slug")
    prepopulated_fields: ClassVar = {"slug": ("name",)}
    inlines = (MembershipInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        """Count members in the same query."""
        return super().get_queryset(request).annotate(members_number=Count("members"))

    @admin.display(description="members", ordering="members_number")
    def member_count(self, club: Club) -> int:
        """Return how many members the club has."""
        return club.members_number  # type: ignore[attr-defined]


@admin.register(Membership)
class MembershipAdmin(ModelAdmin):
    """Memberships of every club, to be searched."""

    list_display = ("player", "club", "role")
    list_filter = ("role", "club")
    list_select_related = ("player", "club")
    search_fields = ("player__name", "club__name")
    autocomplete_fields = ("player", "club")


@admin.register(ApiKey)
class ApiKeyAdmin(ModelAdmin):
    """Keys of bot accounts, to look at and to revoke; they are made by their owners alone."""

    list_display = ("name", "player", "created_by", "hint", "created_at", "expires_at", "last_used_at", "revoked_at")
    list_select_related = ("player", "created_by")
    list_filter = ("revoked_at",)
    search_fields = ("name", "player__name", "created_by__email")
    fields = ("name", "player", "created_by", "hint", "scopes", "created_at", "expires_at", "revoked_at")
    readonly_fields = ("name", "player", "created_by", "hint", "scopes", "created_at", "expires_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: a key is shown to its owner when it is made, and to nobody else."""
        return False
