"""Addresses of the sockets."""

from __future__ import annotations

from typing import Any

from django.urls import path

from games.live import sockets

_play: Any = sockets.play
_watch: Any = sockets.watch

websocket_urlpatterns = [
    path("ws/games/<uuid:game_id>/", _play),
    path("ws/watch/", _watch),
]
"""For Channels' URLRouter: ASGI applications, not pages."""
