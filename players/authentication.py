"""Programs at the API: ``Authorization: Bearer <key>``."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from players.models import ApiKey, User
from players.programs import api_key_use


class KeyAuthentication(BaseAuthentication):
    """``request.auth`` is the key; ``request.user`` is who made it, and never whom it plays for.

    Used by name on the views that are for programs: nowhere else does a key stand for its maker.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        """Return maker and key, or None where no key is shown. Raises AuthenticationFailed for one that is no good."""
        kind, _, text = request.headers.get("Authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        key = api_key_use(text=text.strip())
        if key is None:
            raise AuthenticationFailed("This key is unknown, expired or revoked.")
        return key.created_by, key

    def authenticate_header(self, request: Request) -> str:
        """Return what to ask for, so that a missing key is answered by 401."""
        return "Bearer"


class MayPlay(BasePermission):
    """Lets in whoever shows a key for playing."""

    message = "This needs a key that may play."

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether the request shows such a key."""
        return isinstance(request.auth, ApiKey) and ApiKey.Scope.PLAY in request.auth.scopes


class KeyScheme(OpenApiAuthenticationExtension):
    """The API document's words for it."""

    target_class = KeyAuthentication
    name = "apiKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme of the OpenAPI document."""
        return {"type": "http", "scheme": "bearer", "description": "A key of a bot account, from My account, Programs."}
