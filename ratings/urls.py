"""Addresses of leaderboards and profiles."""

from __future__ import annotations

from django.urls import path

from ratings import pages

app_name = "ratings"
urlpatterns = [
    path("leaderboards/", pages.leaderboards, name="leaderboards"),
    path("leaderboards/<slug:slug>/", pages.leaderboard_page, name="leaderboard"),
    path("players/<slug:slug>/", pages.profile, name="profile"),
]
