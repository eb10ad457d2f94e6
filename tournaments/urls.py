"""Addresses of tournaments."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "tournaments"
urlpatterns: list[URLPattern] = []
