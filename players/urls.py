"""Addresses of one's own account; profiles belong to ratings."""

from __future__ import annotations

from django.urls import path

from players import pages

app_name = "players"
urlpatterns = [
    path("account/", pages.account, name="account"),
]
