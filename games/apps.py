"""The games app."""

from __future__ import annotations

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Django's handle on the games app."""

    name = "games"

    def ready(self) -> None:
        """Close the sockets of sessions that end."""
        from django.contrib.auth.signals import user_logged_out

        from games.live.sessions import tell_logout

        user_logged_out.connect(tell_logout, dispatch_uid="games.tell_logout")
