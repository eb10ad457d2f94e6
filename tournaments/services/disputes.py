"""Disputes: a claim about a record, its replay, the ruling and everything that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games.models import Game
from players.models import Player, User
from tournaments.models import Dispute, Match

type Ruling = Literal["stand", "replay"]


@dataclass(frozen=True, slots=True)
class Preview:
    """What "void and replay" would touch, as the tournament stands at ``version``."""

    version: int
    match: Match
    games: tuple[Game, ...]
    """Games that become void: the disputed one, later ones of its match, and those of matches that depended on it."""
    matches: tuple[Match, ...]
    """Later matches that have begun and are undone."""
    players: tuple[Player, ...]
    """Players whose ratings are worked out again because a rated game of theirs becomes void."""
    reopens: bool
    """True if a finished tournament goes back to running."""


def dispute_raise(*, match_game_id: int, player: Player, record_number: int, text: str) -> Dispute:
    """Record that ``player`` says something is wrong at ``record_number`` of an ended game of theirs; queue the replay.

    Raises NotAllowed (not a player of the game), Conflict (not ended, void, or an open dispute of theirs), Invalid (no
    such record, no text), NotFound.
    """
    raise NotImplementedError


def dispute_check(*, dispute_id: int) -> Dispute:
    """Replay the stored records, attach the report, and set the status to checked. Safe to repeat."""
    raise NotImplementedError


def dispute_preview(*, dispute_id: int) -> Preview:
    """Return what a ruling of "replay" would touch; changes nothing."""
    raise NotImplementedError


def dispute_rule(*, dispute_id: int, by: User | None, ruling: Ruling, note: str, seen_version: int) -> Dispute:
    """Close a checked dispute: the result stands, or the game is void and its match goes on with a new one.

    ``seen_version`` is the tournament's version that the preview was made of. With ``replay`` later games of the match
    and of every match that depended on it are void and unrated, their slots are cleared, and a finished tournament
    runs again. Raises Conflict (ruled already, not checked yet, changed since), Invalid (unknown ruling), NotAllowed.
    """
    raise NotImplementedError
