"""Tells browsers and the other web processes that something has changed, by name alone and never with its contents.

One Valkey channel carries everything; every web process listens (:mod:`games.live.bus`). What is lost heals: pages
fetch again after a reconnect, live games are compared with the database now and then.
"""

from __future__ import annotations

import functools
import hashlib
import re

import msgspec
import redis
import structlog
from django.conf import settings
from django.db import transaction

log = structlog.get_logger(__name__)

CHANNEL = "bearena:live"
TOPIC = re.compile(r"lobby|game\.[0-9a-f-]{36}|(tournament|player)\.[0-9]{1,18}|pool\.[-a-z0-9]{1,60}")
"""What pages may watch: ``lobby``, ``game.<id>``, ``tournament.<pk>``, ``player.<pk>``, ``pool.<slug>``."""


class Notice(msgspec.Struct, omit_defaults=True):
    """What travels on the channel. Every part is optional."""

    sender: str = ""
    """The web process that sent it; empty from elsewhere."""
    arrived: bool = False
    """The sender has just begun to listen."""
    topics: tuple[str, ...] = ()
    """Topics of pages that have changed; of a game, its seats, status or records."""
    games: dict[str, int] = {}
    """Games that have reached this number of records."""
    present: dict[str, tuple[int, ...]] = {}
    """Seats of games that have a socket at the sender."""
    ended_session: str = ""
    """The mark (see :func:`session_mark`) of a session that has ended."""


def session_mark(session_key: str) -> str:
    """Return what names a session on the channel without giving it away."""
    return hashlib.sha256(session_key.encode()).hexdigest()


def announce(*topics: str) -> None:
    """Tell, after the commit of the current transaction, everybody who watches ``topics`` that they have changed.

    Raises ValueError for a topic of no known form. That Valkey is away is logged and breaks nothing.
    """
    for topic in topics:
        if not TOPIC.fullmatch(topic):
            raise ValueError(f"{topic!r} is no topic")
    publish_after_commit(Notice(topics=topics))


def publish_after_commit(notice: Notice) -> None:
    """Send ``notice`` once the current transaction is committed, or at once if there is none."""
    transaction.on_commit(functools.partial(_publish, notice), robust=True)


def _publish(notice: Notice) -> None:
    try:
        valkey().publish(CHANNEL, msgspec.json.encode(notice))
    except redis.RedisError as error:
        log.warning("announcement-lost", topics=notice.topics, error=str(error))


@functools.cache
def valkey() -> redis.Redis:
    """Return this process's client; short limits, because pages wait for it."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1)
