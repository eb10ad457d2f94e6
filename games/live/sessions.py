"""Who a socket speaks for, and that it may no longer once its session has ended.

The check that counts is made in the statement that stores a record (:mod:`games.live.log`). The announcement here,
and a look at all open sockets now and then, close what would otherwise stay open and silent.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from games.announcing import Notice, publish_after_commit, session_mark
from games.live.database import Reader


@dataclass(frozen=True, slots=True)
class Entitlement:
    """The session and account that a socket was opened with; it ends with either, or with a new password."""

    session_key: str
    user_id: int
    password_mark: bytes
    """SHA-256 of the stored password hash."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who opened a socket: a player by right of a session, or a spectator without either."""

    player_id: int | None = None
    entitlement: Entitlement | None = None


SPECTATOR = Identity()


async def identify(scope: dict[str, Any], reader: Reader) -> Identity:
    """Return who opened the socket of ``scope``, which Channels has authenticated. Raises DatabaseAwayError."""
    user = scope.get("user")
    if user is None or not user.is_authenticated:
        return SPECTATOR
    rows = await reader.rows(
        "SELECT p.id, sha256(convert_to(u.password, 'UTF8')) AS mark"
        " FROM players_user u LEFT JOIN players_player p ON p.user_id = u.id WHERE u.id = %s",
        [user.pk],
    )
    if not rows:
        return SPECTATOR
    right = Entitlement(scope["session"].session_key, user.pk, bytes(rows[0]["mark"]))
    return Identity(rows[0]["id"], right)


async def ended(entitlements: Collection[Entitlement], reader: Reader) -> set[Entitlement]:
    """Return those of ``entitlements`` that no longer hold. Raises DatabaseAwayError."""
    rights = list(entitlements)
    if not rights:
        return set()
    rows = await reader.rows(
        "SELECT o.place FROM unnest(%s::text[], %s::bigint[], %s::bytea[]) WITH ORDINALITY"
        " AS o (session, account, mark, place)"
        " JOIN django_session s ON s.session_key = o.session AND s.expire_date > now()"
        " JOIN players_user u ON u.id = o.account AND u.is_active AND sha256(convert_to(u.password, 'UTF8')) = o.mark",
        [[r.session_key for r in rights], [r.user_id for r in rights], [r.password_mark for r in rights]],
    )
    alive = {rights[row["place"] - 1] for row in rows}
    return set(rights) - alive


def tell_logout(*, request: HttpRequest | None, **_: object) -> None:
    """Receiver of Django's ``user_logged_out``: tell every web process to close the sockets of that session."""
    key = request.session.session_key if request is not None else None
    if key:
        publish_after_commit(Notice(ended_session=session_mark(key)))
