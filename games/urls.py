"""Addresses of games, below ``/games/``."""

from __future__ import annotations

from django.urls import path

from games import pages

app_name = "games"
urlpatterns = [
    path("<uuid:game_id>/", pages.table, name="table"),
    path("<uuid:game_id>/transcript.json", pages.transcript, name="transcript"),
    path("<uuid:game_id>/verify/", pages.verify, name="verify"),
    path("<uuid:game_id>/take/", pages.take, name="take"),
    path("<uuid:game_id>/leave/", pages.leave, name="leave"),
    path("<uuid:game_id>/bot/", pages.add_bot, name="add_bot"),
    path("<uuid:game_id>/seed/", pages.seed, name="seed"),
    path("<uuid:game_id>/ready/", pages.ready, name="ready"),
    path("<uuid:game_id>/cancel/", pages.cancel, name="cancel"),
]
