"""What standings are made of: the entrants of a stage and the outcome of each of their matches.

Points are integers of 1/840 point, which 1 to 8 divide, so that shared points stay exact.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

POINT = 840


class Kind(StrEnum):
    """What became of a match, or why there was none."""

    PLAYED = "played"
    WALKOVER = "walkover"
    """Due, but only one came."""
    DOUBLE_WALKOVER = "double-walkover"
    """Due, but nobody came."""
    BYE_ALLOCATED = "bye-allocated"
    """Nobody was left to be paired with."""
    BYE_FULL = "bye-full"
    BYE_HALF = "bye-half"
    BYE_ZERO = "bye-zero"
    """The byes that an entrant asked for, and the rounds before a late entry or after a withdrawal."""
    VOID = "void"
    """As if never played."""


BYES = frozenset({Kind.BYE_ALLOCATED, Kind.BYE_FULL, Kind.BYE_HALF, Kind.BYE_ZERO})


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody in the standings; ``seed`` orders those who share a place, ``rating`` is None for the unrated."""

    id: int
    seed: int
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """What one entrant has from a match: ``place`` is 1 for the best, ties share; ``came`` False is a no-show."""

    entrant: int
    points: int
    place: int = 1
    game_points: int = 0
    came: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """One match of ``round`` (from 1) with its entrants in seat order, or one bye.

    Raises ValueError if the kind does not fit those who came, or somebody sits twice.
    """

    round: int
    kind: Kind
    shares: tuple[Share, ...]

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if self.round < 1:
            raise ValueError("Rounds count from 1.")
        if any(times > 1 for times in Counter(share.entrant for share in self.shares).values()):
            raise ValueError("An entrant sits twice at one table.")
        if self.kind in BYES:
            if len(self.shares) != 1:
                raise ValueError("A bye is for one entrant.")
            return
        if len(self.shares) < 2:
            raise ValueError("A match has two entrants at least.")
        came = sum(share.came for share in self.shares)
        expected = {0: Kind.DOUBLE_WALKOVER, 1: Kind.WALKOVER}.get(came, Kind.PLAYED)
        if self.kind not in (expected, Kind.VOID):
            raise ValueError(f"{came} of {len(self.shares)} came: that is not {self.kind}.")
