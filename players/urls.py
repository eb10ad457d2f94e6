"""Addresses of one's own account; profiles belong to ratings."""

from __future__ import annotations

from django.urls import path

from players import pages

app_name = "players"
urlpatterns = [
    path("account/", pages.account, name="account"),
    path("account/programs/", pages.programs, name="programs"),
    path("account/programs/new/", pages.bot_create, name="bot_create"),
    path("account/programs/<int:pk>/keys/new/", pages.key_create, name="key_create"),
    path("account/programs/keys/<int:pk>/revoke/", pages.key_revoke, name="key_revoke"),
]
