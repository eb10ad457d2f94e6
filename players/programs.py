"""Bot accounts of people, and the keys with which their programs act.

A bot account is a player of its own that says on every page that it is a bot and whose it is. A program never acts
as a person: keys for playing belong to bot accounts alone.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from players.errors import Conflict, Invalid, NotAllowed
from players.models import ApiKey, Bot, Player, User
from players.services import player_with_free_address, require_name, tidy_name

KEY_START = "bearena_"
"""Every key begins with this, so that whoever finds one, or scans for leaked ones, knows what it is."""
KEY_BYTES = 32
KEYS_A_BOT = 5
"""Valid keys of one bot account: enough to change them one after the other."""
USE_NOTED_EVERY = timedelta(minutes=1)


@transaction.atomic
def bot_account_create(*, owner: User, name: str) -> Player:
    """Return a new bot account of ``owner``.

    Raises Invalid (unusable name), NotAllowed (``owner`` has no player), Conflict (too many bot accounts).
    """
    tidy = require_name(name)
    User.objects.select_for_update().get(pk=owner.pk)
    if not Player.objects.filter(user=owner).exists():
        raise NotAllowed("Choose a player name of your own first.", code="no-player")
    if Player.objects.filter(owner=owner).count() >= settings.BOT_ACCOUNTS_A_PERSON:
        raise Conflict(f"You have {settings.BOT_ACCOUNTS_A_PERSON} bot accounts; no more.", code="too-many-bots")
    return player_with_free_address(name=tidy, bot=Bot.PROGRAM, owner=owner)


@transaction.atomic
def api_key_create(*, player: Player, by: User, name: str, expires_at: datetime | None = None) -> tuple[ApiKey, str]:
    """Return a new key for playing as the bot account ``player``, and its text, which is kept nowhere.

    Raises NotAllowed (not the owner), Invalid (unusable name, an end in the past), Conflict (too many valid keys).
    """
    row = Player.objects.select_for_update().get(pk=player.pk)
    _require_owner(row, by)
    tidy, room = tidy_name(name), ApiKey._meta.get_field("name").max_length or 0
    if not tidy or len(tidy) > room:
        raise Invalid(f"Say in 1 to {room} characters what the key is for.", code="bad-name")
    if expires_at is not None and expires_at <= timezone.now():
        raise Invalid("A key cannot expire in the past.", code="bad-time")
    if row.api_keys.valid().count() >= KEYS_A_BOT:
        raise Conflict(f"This bot has {KEYS_A_BOT} valid keys; revoke one first.", code="too-many-keys")
    text = KEY_START + secrets.token_urlsafe(KEY_BYTES)
    key = ApiKey.objects.create(
        player=row,
        created_by=by,
        name=tidy,
        digest=digest_of(text),
        hint=text[-4:],
        scopes=[ApiKey.Scope.PLAY],
        expires_at=expires_at,
    )
    return key, text


@transaction.atomic
def api_key_revoke(*, key: ApiKey, by: User) -> ApiKey:
    """End ``key`` for good; from the commit on nothing is stored in its name. Again changes nothing.

    Raises NotAllowed (not the owner of its bot account).
    """
    row = ApiKey.objects.select_for_update(of=("self",)).select_related("player").get(pk=key.pk)
    _require_owner(row.player, by)
    if row.revoked_at is None:
        row.revoked_at = timezone.now()
        row.save(update_fields=["revoked_at"])
    return row


def api_key_use(*, text: str) -> ApiKey | None:
    """Return the valid key that ``text`` is, with its player and maker, noting that it was used; else None."""
    key = ApiKey.objects.valid().select_related("player", "created_by").filter(digest=digest_of(text)).first()
    if key is not None:
        now = timezone.now()
        if key.last_used_at is None or now - key.last_used_at >= USE_NOTED_EVERY:
            ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
    return key


def digest_of(text: str) -> bytes:
    """Return what is kept of a key. It was drawn at random, so that a plain SHA-256 cannot be guessed back."""
    return hashlib.sha256(text.encode()).digest()


def _require_owner(player: Player, by: User) -> None:
    if player.owner_id is None or player.owner_id != by.pk:
        raise NotAllowed("This is not a bot account of yours.", code="not-yours")
