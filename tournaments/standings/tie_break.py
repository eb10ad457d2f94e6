"""What a tie-break is: a named column that orders those who are level on everything before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Protocol

from tournaments.standings.history import History

type Value = Fraction | None
"""What people read in a column, exact; None where there is nothing to count, which is behind every number."""

type Groups = Sequence[Sequence[int]]
"""Entrants in the order so far, those who are still level together."""


class Rules(StrEnum):
    """The version of FIDE's tie-break regulations (Handbook C.07) by which a tournament is ranked."""

    FIDE_2024 = "2024"
    """From 1 August 2024."""
    FIDE_2026 = "2026"
    """From 1 March 2026: the score of a dummy opponent is capped (16.4)."""


class TieBreak(Protocol):
    """One column of the standings."""

    @property
    def code(self) -> str:
        """The FIDE code where there is one, cuts included: ``BH/C1``."""

    @property
    def name(self) -> str:
        """The name for people."""

    @property
    def lower_is_better(self) -> bool:
        """True for a column that counts like a rank."""

    @property
    def two_seats_only(self) -> bool:
        """True if the rule has no meaning where more than two sit at a table."""

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the value of every entrant; ``level`` matters to those that look at who is tied."""


@dataclass(frozen=True, slots=True)
class Given:
    """A column whose values come from elsewhere: scores on the same cards, a play-off, lots drawn by the organizer."""

    code: str
    name: str
    by_entrant: Mapping[int, Value]
    lower_is_better: bool = False
    two_seats_only: bool = False

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the given values; nothing for who has none."""
        return {entrant: self.by_entrant.get(entrant) for entrant in history.entrants}
