"""Every write about people that has a consequence."""

from __future__ import annotations

import secrets
import unicodedata
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from players.errors import Conflict, Invalid
from players.models import Player, User

SLUG_ROOM = 50
"""Characters of a name in an address; what is left of the column is for the number behind it."""
RESERVED_SLUG_START = "bot-"
"""Addresses of house bots begin with this; people's do not."""
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = {"\u200c", "\u200d"}
"""Zero-width joiners: invisible alone, but they hold emoji and letters of several scripts together."""


def tidy_name(name: str) -> str:
    """Return ``name`` composed (NFC), without invisible characters, its spaces single and none at the ends.

    Direction overrides and zero-width spaces would let one name look like another or spill over the page.
    Empty if nothing remains that can be seen.
    """
    kept = "".join(
        character
        for character in unicodedata.normalize("NFC", name)
        if character in _JOINERS or character.isspace() or unicodedata.category(character) not in _INVISIBLE
    )
    tidy = " ".join(kept.split())
    return tidy if any(unicodedata.category(character)[0] in "LNPS" for character in tidy) else ""


def player_create_for_user(*, user: User, name: str) -> Player:
    """Return a new player of ``user``. Raises Invalid (unusable name), Conflict (the user has a player)."""
    tidy = require_name(name)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if Player.objects.filter(user=user).exists():
            raise Conflict("This account has a player already.", code="has-player")
        return player_with_free_address(name=tidy, user=user)


def player_rename(*, player: Player, name: str) -> Player:
    """Give ``player`` another name; the address stays, so that links keep working. Raises Invalid, Conflict (a bot)."""
    tidy = require_name(name)
    with transaction.atomic():
        row = Player.objects.select_for_update().get(pk=player.pk)
        if row.is_house_bot:
            raise Conflict("House bots keep their names.", code="is-bot")
        row.name = tidy
        row.save(update_fields=["name"])
    return row


def require_name(name: str) -> str:
    """Return ``name`` tidied. Raises Invalid if nothing that can be seen remains, or too much."""
    tidy = tidy_name(name)
    length = Player._meta.get_field("name").max_length or 0
    if not tidy:
        raise Invalid("Choose a name that can be seen.", code="bad-name")
    if len(tidy) > length:
        raise Invalid(f"A name has at most {length} characters.", code="bad-name")
    return tidy


def player_with_free_address(*, name: str, user: User | None = None, **fields: Any) -> Player:
    """Return a stored player with the first free address; two of one name at once both get one. ``name`` is tidy."""
    base = slugify(name)[:SLUG_ROOM].strip("-_")
    if not base or base.startswith(RESERVED_SLUG_START) or base == "bot":
        base = f"player-{base}" if base else f"player-{secrets.token_hex(3)}"
    number = 1
    while True:
        slug = base if number == 1 else f"{base}-{number}"
        if not Player.objects.filter(slug=slug).exists():
            try:
                with transaction.atomic():
                    return Player.objects.create(name=name, slug=slug, user=user, **fields)
            except IntegrityError:
                if user is not None and Player.objects.filter(user=user).exists():
                    raise
        number += 1
