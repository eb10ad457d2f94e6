"""Tournaments in words: formats, times, places, and how a match or a game stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.models import Absence, Game, GameStatus, TimeControl
from tournaments import decks
from tournaments.models import SWISS_KINDS, TABLE_KINDS, Format, Match, Stage, Tournament

GAME_TITLES = {"hold-my-bear": "Hold my Bear", "pick-a-polar-bear": "Pick-a-Polar-Bear"}


FORMAT_MEANINGS = {
    Format.SINGLE_ELIMINATION: "Who loses a match is out. The fewest matches; half of the field plays one only.",
    Format.DOUBLE_ELIMINATION: "Who loses plays on in the losers’ bracket; who loses twice is out.",
    Format.TABLE_ELIMINATION: "Tables of three to eight; some of each table go on to the next round.",
    Format.ROUND_ROBIN: "Everybody meets everybody: the fairest, and the most matches.",
    Format.GROUPS: "Everybody meets everybody in their group; the best of each group can play on in another stage.",
    Format.SWISS: "Everybody plays every round, against somebody of about the same points whom they have not met.",
    Format.FIDE_DUTCH: "A Swiss by the rules of chess (FIDE, Dutch system), for clubs that need just those.",
    Format.TABLE_SWISS: "Tables of three to eight: everybody plays every round, with others of about the same points.",
    Format.TABLE_SCHEDULE: "Tables of three to eight, all rounds drawn at the start so that few meet twice.",
}
"""What a format means for who plays, in a sentence."""


def game_title(game: str) -> str:
    """Return the name for people of one of the engine's games."""
    return GAME_TITLES.get(game, game)


def ordinal(number: int) -> str:
    """Return ``1st``, ``2nd``, ``11th`` and so on."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def duration(milliseconds: int) -> str:
    """Return a stretch of time as ``2 h``, ``5 min``, ``90 s`` or ``0 s``."""
    seconds = round(milliseconds / 1000)
    if seconds and seconds % 3600 == 0:
        return f"{seconds // 3600} h"
    if seconds and seconds % 60 == 0:
        return f"{seconds // 60} min"
    return f"{seconds} s"


def time_control(kind: str, bank_ms: int, increment_ms: int) -> str:
    """Return a clock in words, for instance ``5 min each, plus 5 s a move``."""
    if kind == TimeControl.UNTIMED:
        return "No clock"
    if kind == TimeControl.TURN:
        return f"{duration(bank_ms)} for each move"
    words = f"{duration(bank_ms)} each"
    return f"{words}, plus {duration(increment_ms)} a move" if increment_ms else words


def absence(tournament: Tournament) -> str:
    """Return what happens to a player who is to act and has no connection, in a sentence."""
    spare = tournament.disconnect_ms
    first = f"{duration(spare)} without a connection cost nobody time" if spare else "The clock runs on"
    after = duration(tournament.absence_ms)
    unrated = "" if tournament.house_rated or not tournament.rated else ", and the game is not rated"
    then = {
        Absence.WAIT: "",
        Absence.TURN: f"; after {after} the house plays that turn{unrated}",
        Absence.HOUSE: f"; after {after} the house plays until the player is back{unrated}",
        Absence.FORFEIT: f"; after {after} the player is out",
    }[Absence(tournament.absence)]
    return f"{first}{then}."


def clock(thing: Tournament | Game) -> str:
    """Return the clock of a tournament or a game; in a game without turns nobody's time runs."""
    if thing.game == "pick-a-polar-bear":
        return "Everybody at once"
    return time_control(thing.time_control, thing.bank_ms, thing.increment_ms)


def stage_format(stage: Stage) -> str:
    """Return one sentence part that says how a stage is played."""
    if stage.format == Format.TABLE_ELIMINATION:
        go = "goes" if stage.advance == 1 else "go"
        games = f", {stage.best_of} games a match" if stage.best_of > 1 else ""
        return f"Elimination at tables of up to {stage.table_size}, {stage.advance} of each {go} on{games}"
    several = f"all of {stage.best_of} games a match" if stage.play_all else f"best of {stage.best_of} games"
    games = "one game a match" if stage.best_of == 1 else several
    if stage.format == Format.ROUND_ROBIN:
        return f"Round robin, everyone meets everyone{' twice' if stage.twice else ''}, {games}"
    if stage.format == Format.GROUPS:
        number = "1 group" if stage.group_count == 1 else f"{stage.group_count} groups"
        return (
            f"Round robin in {number}, everyone meets everyone in the group{' twice' if stage.twice else ''}, {games}"
        )
    if stage.format in TABLE_KINDS:
        smallest, largest = stage.smallest_table or stage.table_size, stage.largest_table or stage.table_size
        tables = f"{smallest} to {largest}" if smallest < largest else f"{largest}"
        what = "Swiss" if stage.format == Format.TABLE_SWISS else "Fixed schedule"
        return f"{what} at tables of {tables}, {_rounds(stage)}, {games}"
    if stage.format in SWISS_KINDS:
        rules = " by FIDE’s Dutch rules" if stage.format == Format.FIDE_DUTCH else ""
        return f"Swiss{rules}, two at a table, {_rounds(stage)}, {games}"
    if stage.format == Format.DOUBLE_ELIMINATION:
        return f"Double elimination, two at a table, {games}"
    third = ", with a match for third place" if stage.third_place else ""
    return f"Single elimination, two at a table, {games}{third}"


def _rounds(stage: Stage) -> str:
    return "1 round" if stage.round_count == 1 else f"{stage.round_count} rounds"


def deck(game: str, rules: Mapping[str, Any]) -> str:
    """Return in words what is played with: the deck of Hold my Bear, the variants of Pick-a-Polar-Bear."""
    if game == "pick-a-polar-bear":
        return decks.variant_words(rules)
    return decks.words(rules.get("animals", decks.DECKS[0].animals))


def source(match: Match, place: int) -> str:
    """Return where the entrant of a slot will come from: a place of an earlier ``match``."""
    what = ("Winner" if place == 1 else "Loser") if match.advance == 1 else ordinal(place)
    return f"{what} of {match.round.name}, table {match.table}"


def game_state(status: str) -> str:
    """Return in two or three words how a game of this status stands."""
    return {
        GameStatus.SEATING: "waiting for players",
        GameStatus.RUNNING: "in play",
        GameStatus.FINISHED: "finished",
        GameStatus.DRAWN: "drawn",
        GameStatus.VOID: "void",
        GameStatus.CANCELLED: "cancelled",
    }[GameStatus(status)]
