"""Tie-breaks that count an entrant's own rounds: points, wins, second seats, progress, game points, places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from tournaments.standings.history import History, Turn
from tournaments.standings.results import POINT, Kind
from tournaments.standings.tie_break import Groups, Value


@dataclass(frozen=True, slots=True)
class Points:
    """PTS: what the stage has awarded."""

    code: str = "PTS"
    name: str = "Points"
    lower_is_better: bool = False
    two_seats_only: bool = False

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the points of each entrant."""
        return {entrant: Fraction(points, POINT) for entrant, points in history.points.items()}


@dataclass(frozen=True, slots=True)
class TurnCount:
    """How many of an entrant's rounds are of a kind."""

    code: str
    name: str
    counts: Callable[[Turn], bool]
    two_seats_only: bool = False
    lower_is_better: bool = False

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the number of such rounds."""
        return {entrant: Fraction(sum(map(self.counts, turns))) for entrant, turns in history.turns.items()}


def _first_seat_was_the_others(turn: Turn) -> bool:
    return turn.played and turn.seat == 1


WINS = TurnCount("WIN", "Wins", lambda turn: turn.won)
"""C.07, 7.1: rounds that brought as much as a win, played or not; at tables: first places that nobody shares."""
GAMES_WON = TurnCount("WON", "Games won", lambda turn: turn.won and turn.played)
"""C.07, 7.2: wins in play."""
SECOND_SEATS = TurnCount("BPG", "Games played from the second seat", _first_seat_was_the_others, two_seats_only=True)
"""C.07, 7.3: games played with Black, which is the second seat here."""
SECOND_SEAT_WINS = TurnCount(
    "BWG",
    "Games won from the second seat",
    lambda turn: turn.won and _first_seat_was_the_others(turn),
    two_seats_only=True,
)
"""C.07, 7.4: games won with Black."""
ROUNDS_ELECTED = TurnCount("REP", "Rounds one elected to play", lambda turn: not turn.chosen and turn.kind != Kind.VOID)
"""C.07, 7.6: all rounds but the byes asked for and the no-shows."""


@dataclass(frozen=True, slots=True)
class PlaceCount:
    """PL/n: how often an entrant was n-th at a table, shared places included; as a list PL/1, PL/2, ... a countback."""

    place: int

    lower_is_better: bool = False
    two_seats_only: bool = False

    @property
    def code(self) -> str:
        """``PL/`` and the place."""
        return f"PL/{self.place}"

    @property
    def name(self) -> str:
        """The place in words."""
        return f"Times at place {self.place}"

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the number of rounds that were played and ended so."""
        return {
            entrant: Fraction(sum(turn.played and turn.place == self.place for turn in turns))
            for entrant, turns in history.turns.items()
        }


@dataclass(frozen=True, slots=True)
class ProgressiveScore:
    """PS: the sum of the points after each round, without the first ``cut`` of them (C.07, 7.5)."""

    cut: int = 0
    lower_is_better: bool = False
    two_seats_only: bool = False

    @property
    def code(self) -> str:
        """``PS``, with its cut."""
        return f"PS/C{self.cut}" if self.cut else "PS"

    @property
    def name(self) -> str:
        """The name, with its cut."""
        return "Progressive scores" + (f", cut {self.cut}" if self.cut else "")

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the sums."""
        return {
            entrant: Fraction(sum(list(accumulate(turn.points for turn in turns))[self.cut :]), POINT)
            for entrant, turns in history.turns.items()
        }


@dataclass(frozen=True, slots=True)
class GamePoints:
    """GP: the sum of the points from the single games of all matches."""

    code: str = "GP"
    name: str = "Game points"
    lower_is_better: bool = False
    two_seats_only: bool = False

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the sums."""
        return {
            entrant: Fraction(sum(turn.game_points for turn in turns), POINT)
            for entrant, turns in history.turns.items()
        }


@dataclass(frozen=True, slots=True)
class Koya:
    """KS: points against those who have at least half of what could be had (C.07, 9.2; for round robins)."""

    code: str = "KS"
    name: str = "Koya system"
    lower_is_better: bool = False
    two_seats_only: bool = True

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the points against the upper half."""
        # With an odd number everybody rests once in each cycle of the round robin.
        rests = max(
            (sum(not turn.opponents for turn in turns) for turns in history.turns.values()),
            default=0,
        )
        games = history.rounds - (rests if history.predetermined and len(history.entrants) % 2 else 0)
        limit = history.win * games
        return {
            entrant: Fraction(
                sum(
                    turn.points
                    for turn in turns
                    if turn.opponent is not None and 2 * history.points[turn.opponent] >= limit
                ),
                POINT,
            )
            for entrant, turns in history.turns.items()
        }
