"""Sessions in the database, as Django's, for browsers that send anything at all as their key."""

from __future__ import annotations

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Takes a key that no session can have for none, before PostgreSQL refuses it as no text (a quoted zero byte)."""

    def _validate_session_key(self, key: str | None) -> bool:
        return super()._validate_session_key(key) and str(key).isalnum()  # type: ignore[misc]  # not in the stubs
