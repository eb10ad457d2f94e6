"""Who a socket speaks for, by right of a session or of an API key, and that it may no longer once that has ended.

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
    """What a socket was opened by right of: a session, which ends with a new password too, or an API key."""

    session_key: str | None
    user_id: int
    """Whose session it is, or who made the key."""
    password_mark: bytes | None
    """SHA-256 of the stored password hash, where there is a session."""
    key_id: int | None = None


HOLDS = """(
    EXISTS (
        SELECT FROM django_session s JOIN players_user u ON u.id = o.account
        WHERE s.session_key = o.session AND s.expire_date > now()
          AND u.is_active AND sha256(convert_to(u.password, 'UTF8')) = o.mark
    ) OR EXISTS (
        SELECT FROM players_apikey k JOIN players_user u ON u.id = k.created_by_id
        WHERE k.id = o.key AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
          AND 'play' = ANY (k.scopes) AND u.is_active AND u.id = o.account
    )
)"""
"""SQL: whether the right in the columns ``account``, ``session``, ``mark`` and ``key`` of ``o`` holds now.

The log asks it in the statement that stores a record. Of a session ``key`` is null, of a key ``session``.
"""
_HOLDING = f"""
SELECT o.place FROM unnest(%s::bigint[], %s::text[], %s::bytea[], %s::bigint[]) WITH ORDINALITY
    AS o (account, session, mark, key, place)
WHERE {HOLDS}
"""  # noqa: S608 (constants)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who opened a socket: a player by some right, or a spectator without either."""

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
        _HOLDING,
        [
            [right.user_id for right in rights],
            [right.session_key for right in rights],
            [right.password_mark for right in rights],
            [right.key_id for right in rights],
        ],
    )
    alive = {rights[row["place"] - 1] for row in rows}
    return set(rights) - alive


def tell_logout(*, request: HttpRequest | None, **_: object) -> None:
    """Receiver of Django's ``user_logged_out``: tell every web process to close the sockets of that session."""
    key = request.session.session_key if request is not None else None
    if key:
        publish_after_commit(Notice(ended_session=session_mark(key)))
