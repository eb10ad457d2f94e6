"""Games over the API: reading them, verifying transcripts, and playing as a bot account."""

from __future__ import annotations

from django.urls import path

from games.api import playing, reading

urlpatterns = [
    path("verify/", reading.VerifyView.as_view(), name="verify"),
    path("games/", playing.GamesView.as_view(), name="games"),
    path("games/mine/", playing.MyGamesView.as_view(), name="my-games"),
    path("games/<uuid:game_id>/", reading.GameView.as_view(), name="game"),
    path("games/<uuid:game_id>/transcript/", reading.TranscriptView.as_view(), name="game-transcript"),
    path("games/<uuid:game_id>/seat/", playing.SeatView.as_view(), name="game-seat"),
    path("games/<uuid:game_id>/bot/", playing.BotView.as_view(), name="game-bot"),
    path("games/<uuid:game_id>/ready/", playing.ReadyView.as_view(), name="game-ready"),
    path("games/<uuid:game_id>/ticket/", playing.TicketView.as_view(), name="game-ticket"),
]
