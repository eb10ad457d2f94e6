"""The two kinds of socket: a seat or a spectator's place at a game, and a page that watches topics.

Channels routes and authenticates; from there on a socket is a loop that receives, and nothing in between.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

import redis
from channels.sessions import InstanceSessionWrapper
from django.conf import settings

from games.announcing import TOPIC
from games.live import lifespan, limits, messages
from games.live.acting import SESSION_ENDED
from games.live.connection import Connection
from games.live.database import DatabaseAwayError, Reader
from games.live.sessions import SPECTATOR, Identity, identify
from games.live.table import NO_SUCH_GAME, Table
from games.live.tickets import ticket_redeem
from players.errors import Invalid

type Scope = dict[str, Any]
type Receive = Callable[[], Awaitable[dict[str, Any]]]
type Send = Callable[[dict[str, Any]], Awaitable[None]]

DIRECT = "bearena.direct"
"""The extension of the ASGI scope that :mod:`config.websockets` adds."""
TRY_AGAIN = 1013
TOO_LARGE = 1009
NOT_ALLOWED = 4403
TOO_MANY = 4429


def _without_session(send: Send) -> Send:
    """Return ``send`` without Channels' look at the session, which only matters for HTTP responses.

    It costs a tenth of what a move costs altogether.
    """
    wrapper = getattr(send, "__self__", None)
    return wrapper.real_send if isinstance(wrapper, InstanceSessionWrapper) else send


def ticket_of(scope: Scope) -> str | None:
    """Return the ticket in the address of a socket, or None."""
    return next(iter(parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True).get("ticket", [])), None)


async def _identity(scope: Scope, game_id: UUID, reader: Reader) -> Identity | None:
    """Return who opened the socket: by its ticket alone if it has one, else by its session. None: a bad ticket."""
    ticket = ticket_of(scope)
    return await identify(scope, reader) if ticket is None else await ticket_redeem(ticket, game_id, reader)


async def play(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve ``/ws/games/<id>/``: one player's or spectator's socket."""
    await receive()
    hub = lifespan.hub()
    await send({"type": "websocket.accept"})
    game_id = scope["url_route"]["kwargs"]["game_id"]
    connection = Connection(_without_session(send), direct=scope.get("extensions", {}).get(DIRECT))
    try:
        identity = await _identity(scope, game_id, hub.reader)
        table = await hub.table(game_id)
    except (DatabaseAwayError, redis.RedisError):
        await _turn_away(connection, receive, TRY_AGAIN)
        return
    if identity is None:
        await _turn_away(connection, receive, SESSION_ENDED)
        return
    if table is None:
        await _turn_away(connection, receive, NO_SUCH_GAME)
        return
    connection.identity = identity
    claims = limits.claims_of(scope, identity)
    if table.head.seat_of(identity.player_id) is None:
        claims |= limits.claim_to_watch(game_id)
    if not hub.room.enter(claims):
        await _turn_away(connection, receive, TOO_MANY)
        return
    hub.join(connection)
    table.join(connection)
    try:
        with contextlib.suppress(DatabaseAwayError):  # until it is known, the table is closed to who might play
            await hub.look_for_own_games([table])
        await _listen(connection, receive, lambda text: _take(connection, table, text))
    finally:
        hub.leave(connection)
        table.leave(connection)
        hub.room.leave(claims)


async def watch(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve ``/ws/watch/?topic=...``: a page that hears when its topics change."""
    await receive()
    hub = lifespan.hub()
    await send({"type": "websocket.accept"})
    connection = Connection(send)
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("topic", [])
    topics = list(dict.fromkeys(topic for topic in asked if TOPIC.fullmatch(topic)))
    if not topics:
        await _turn_away(connection, receive, NOT_ALLOWED)
        return
    claims = limits.claims_of(scope, SPECTATOR)
    if len(asked) > settings.WATCH_TOPICS or not hub.room.enter(claims):
        await _turn_away(connection, receive, TOO_MANY)
        return
    hub.join(connection)
    hub.watchers.join(connection, topics)
    try:
        await _listen(connection, receive, lambda text: None)
    finally:
        hub.leave(connection)
        hub.watchers.leave(connection, topics)
        hub.room.leave(claims)


async def _turn_away(connection: Connection, receive: Receive, code: int) -> None:
    """Close with ``code`` and wait until the client has gone."""
    connection.close(code)
    await _listen(connection, receive, lambda text: None)


async def _listen(connection: Connection, receive: Receive, take: Callable[[str], None]) -> None:
    """Hand on each message of the client until it goes, or sends more than it may."""
    allowance = limits.Allowance(settings.SOCKET_MESSAGES_A_SECOND)

    def hear(text: str | None) -> None:
        if connection.closed:
            return
        if not allowance.take():
            connection.close(TOO_MANY)
        elif text is None:
            connection.answer(messages.refused(None, "bad-message", "Messages are text.", 0))
        elif len(text) > settings.SOCKET_MESSAGE_SIZE:
            connection.close(TOO_LARGE)
        else:
            take(text)

    if connection.direct is not None:
        connection.direct.take_with(hear)
    while (event := await receive())["type"] != "websocket.disconnect":
        hear(event.get("text"))


def _take(connection: Connection, table: Table, text: str) -> None:
    try:
        message = messages.read(text)
    except Invalid as error:
        connection.answer(messages.refused(None, error.code, error.message, table.number_for(connection)))
        return
    match message:
        case messages.Act():
            table.acting.act(connection, message)
        case messages.Check():
            table.acting.check(connection, message)
        case messages.Hello():
            table.hello(connection, message)
        case messages.Ping():
            connection.answer(messages.write({"type": "pong", "id": message.id}))
        case messages.Probe():
            table.probed(connection, message)
