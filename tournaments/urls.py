"""Addresses of home, lobby, tournaments, matches and disputes."""

from __future__ import annotations

from django.urls import path

from tournaments.pages import disputes, drafts, entrants, events, home, lobby, matches, pauses

app_name = "tournaments"
urlpatterns = [
    path("", home.home, name="home"),
    path("live/home/", home.home_live, name="home_live"),
    path("live/my-game/", home.my_game, name="my_game"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("live/lobby/", lobby.lobby_live, name="lobby_live"),
    path("lobby/open/", lobby.open_table, name="lobby_open"),
    path("lobby/bots/", lobby.play_bots, name="lobby_bots"),
    path("lobby/<uuid:game_id>/take/", lobby.take_seat, name="lobby_take"),
    path("tournaments/", events.tournament_list, name="list"),
    path("live/tournaments/", events.tournament_list_live, name="list_live"),
    path("tournaments/new/", events.create, name="create"),
    path("tournaments/<slug:slug>/", events.detail, name="detail"),
    path("tournaments/<slug:slug>/live/", events.live, name="live"),
    path("tournaments/<slug:slug>/edit/", events.edit, name="edit"),
    path("tournaments/<slug:slug>/start/", events.start, name="start"),
    path("tournaments/<slug:slug>/cancel/", events.cancel, name="cancel"),
    path("tournaments/<slug:slug>/rounds/<int:pk>/publish/", drafts.publish, name="round_publish"),
    path("tournaments/<slug:slug>/rounds/<int:pk>/draw/", drafts.draw_again, name="round_draw_again"),
    path("tournaments/<slug:slug>/pause/", pauses.pause, name="pause"),
    path("tournaments/<slug:slug>/resume/", pauses.resume, name="resume"),
    path("tournaments/<slug:slug>/register/", entrants.register, name="register"),
    path("tournaments/<slug:slug>/withdraw/", entrants.withdraw, name="withdraw"),
    path("tournaments/<slug:slug>/entrants/search/", entrants.search, name="entrant_search"),
    path("tournaments/<slug:slug>/entrants/add/", entrants.add, name="entrant_add"),
    path("tournaments/<slug:slug>/entrants/bots/", entrants.add_bots, name="entrant_bots"),
    path("tournaments/<slug:slug>/entrants/<int:pk>/remove/", entrants.remove, name="entrant_remove"),
    path("tournaments/<slug:slug>/matches/<int:pk>/", matches.match_page, name="match"),
    path("tournaments/<slug:slug>/matches/<int:pk>/live/", matches.match_live, name="match_live"),
    path(
        "tournaments/<slug:slug>/matches/<int:pk>/games/<int:number>/dispute/", disputes.raise_dispute, name="dispute"
    ),
    path("tournaments/<slug:slug>/deals/<int:pk>/open/", matches.open_deal, name="deal_open"),
    path("tournaments/<slug:slug>/disputes/<int:pk>/", disputes.dispute_detail, name="dispute_detail"),
    path("tournaments/<slug:slug>/disputes/<int:pk>/live/", disputes.dispute_live, name="dispute_live"),
    path("tournaments/<slug:slug>/disputes/<int:pk>/rule/", disputes.dispute_rule, name="dispute_rule"),
]
