"""Addresses of players."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "players"
urlpatterns: list[URLPattern] = []
