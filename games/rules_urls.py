"""Addresses of the rules for players, below ``/rules/``."""

from __future__ import annotations

from django.urls import path

from games import pages

app_name = "rules"
urlpatterns = [path("<slug:game>/", pages.rules, name="page")]
