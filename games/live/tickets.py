"""Tickets: what a program asks the API for, with its key, to open one socket to one game.

A ticket is in the socket's address, where keys have no business: proxies write addresses down. It is good once, for
some seconds, for one game. What the socket may do afterwards hangs on the key, as a browser's hangs on its session.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from uuid import UUID

import msgspec
from django.conf import settings

from games.announcing import valkey
from games.live.database import Reader
from games.live.sessions import Entitlement, Identity, ended
from games.models import Game
from players.models import ApiKey

TICKET_BYTES = 24


class Ticket(msgspec.Struct):
    """What is kept of a ticket, under its SHA-256, in Valkey; a lost one is asked for again."""

    game: UUID
    key: int


_decode = msgspec.json.Decoder(Ticket).decode


def ticket_create(*, key: ApiKey, game: Game) -> str:
    """Return a new ticket for a socket to ``game`` by right of ``key``. Raises redis.RedisError if Valkey is away."""
    text = secrets.token_urlsafe(TICKET_BYTES)
    kept = msgspec.json.encode(Ticket(game=game.pk, key=key.pk))
    valkey().set(_place(text), kept, ex=settings.TICKET_SECONDS)
    return text


async def ticket_redeem(text: str, game_id: UUID, reader: Reader) -> Identity | None:
    """Use up the ticket ``text``; return who may now speak in the game, or None if it opens nothing (any more).

    Raises redis.RedisError if Valkey is away, DatabaseAwayError.
    """
    kept = await asyncio.to_thread(valkey().getdel, _place(text))
    if kept is None:
        return None
    ticket = _decode(kept)
    if ticket.game != game_id:
        return None
    rows = await reader.rows("SELECT player_id, created_by_id FROM players_apikey WHERE id = %s", [ticket.key])
    if not rows:
        return None
    right = Entitlement(None, rows[0]["created_by_id"], None, ticket.key)
    if await ended([right], reader):
        return None
    return Identity(rows[0]["player_id"], right)


def _place(text: str) -> str:
    return f"bearena:ticket:{hashlib.sha256(text.encode()).hexdigest()}"
