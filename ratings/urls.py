"""Addresses of ratings."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "ratings"
urlpatterns: list[URLPattern] = []
