"""A form that is sent twice (double click, reload, a lost answer) acts once."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest

from players.errors import Invalid
from players.models import Player

KEEP_SECONDS = 24 * 3600


def new_key() -> str:
    """Return a key for a form about to be shown; the form sends it back as ``key``."""
    return str(uuid.uuid4())


def once(request: HttpRequest, player: Player, make: Callable[[], str]) -> str:
    """Return the address that ``make`` returned for this form's key, calling it only the first time.

    ``make`` runs in a transaction that holds the player's row, so the second of two that come together waits for the
    first and gets its answer. Raises Invalid for a form without a key; a refusal by ``make`` leaves the key unused.
    """
    try:
        key = f"form:{player.pk}:{uuid.UUID(request.POST.get('key', ''))}"
    except ValueError:
        raise Invalid("This form is incomplete; load the page again and send it once more.") from None
    made = False
    try:
        with transaction.atomic():
            Player.objects.select_for_update().get(pk=player.pk)
            done: str | None = cache.get(key)
            if done is not None:
                return done
            address = make()
            # Before the commit: whoever waits for the row must find it.
            cache.set(key, address, KEEP_SECONDS)
            made = True
            return address
    except BaseException:
        if made:  # the commit failed
            cache.delete(key)
        raise
