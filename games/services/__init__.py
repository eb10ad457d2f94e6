"""Every write to a game that has consequences, and its transcript."""

from __future__ import annotations

from games.services.clocks import game_pause, game_resume, seat_away, seat_back
from games.services.deals import deal_group_create, deal_group_open
from games.services.ending import game_all_here, game_close, game_do_due, game_forfeit, game_void
from games.services.seating import (
    NewTable,
    client_seed_set,
    game_cancel,
    game_create,
    game_start_due,
    games_create,
    seat_bot_add,
    seat_leave,
    seat_ready,
    seat_take,
)
from games.services.transcripts import game_verify, transcript

__all__ = [
    "NewTable",
    "client_seed_set",
    "deal_group_create",
    "deal_group_open",
    "game_all_here",
    "game_cancel",
    "game_close",
    "game_create",
    "game_do_due",
    "game_forfeit",
    "game_pause",
    "game_resume",
    "game_start_due",
    "game_verify",
    "game_void",
    "games_create",
    "seat_away",
    "seat_back",
    "seat_bot_add",
    "seat_leave",
    "seat_ready",
    "seat_take",
    "transcript",
]
