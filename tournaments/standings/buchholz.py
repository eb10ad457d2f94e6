"""The tie-breaks that look at the opponents' points: Buchholz and its relatives (FIDE Handbook C.07, 8, 9 and 16).

An opponent's points are adjusted first: rounds that it chose not to play, after the last that it was there for, count
as draws. A round without a game counts as one against a dummy with the entrant's own points; since March 2026 these are
capped: by the adjusted points of who should have been the opponent, or by a draw in every round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.standings.history import History, Turn
from tournaments.standings.results import POINT, Kind
from tournaments.standings.tie_break import Groups, Rules, Value


@dataclass(frozen=True, slots=True)
class _Part:
    """What one round adds: ``value`` from an opponent with ``score``; ``chosen`` if it was left unplayed by choice."""

    score: int
    value: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class _Scores:
    """``as_opponent``: adjusted points; ``as_dummy``: what the entrant's own dummy has before any cap."""

    as_opponent: Mapping[int, int]
    as_dummy: Mapping[int, int]


def _scores(history: History, *, fore: bool) -> _Scores:
    """Return everybody's adjusted points (C.07, 16.3); ``fore`` takes the last round's games as drawn."""
    as_opponent, as_dummy = {}, {}
    for entrant, turns in history.turns.items():
        there = max((turn.round for turn in turns if not turn.chosen), default=0)
        last = turns[-1] if turns else None
        paired_last = last is not None and (bool(last.opponents) or last.kind == Kind.BYE_ALLOCATED)
        if fore and paired_last:
            there = history.rounds
        nothing = 0 if history.predetermined else history.draw
        adjusted = sum(turn.points if turn.round <= there or turn.opponents else nothing for turn in turns)
        correction = history.draw - last.points if fore and last is not None and last.opponents else 0
        as_opponent[entrant] = adjusted + correction
        as_dummy[entrant] = history.points[entrant] + correction
    return _Scores(as_opponent, as_dummy)


def _parts(history: History, scores: _Scores, entrant: int, rules: Rules, *, fore: bool, won: bool) -> list[_Part]:
    """Return what each round adds; with ``won`` the opponent's score counts times the points from that round."""
    parts = []
    for turn in history.turns[entrant]:
        score, chosen = _score(history, scores, entrant, turn, rules, fore=fore)
        if score is not None:
            parts.append(_Part(score, score * turn.points if won else score, chosen))
    return parts


def _score(
    history: History, scores: _Scores, entrant: int, turn: Turn, rules: Rules, *, fore: bool
) -> tuple[int | None, bool]:
    """Return the score that stands for a round's opponent, and whether the round was left unplayed by choice."""
    opponent = turn.opponent
    counts_as_played = turn.played or history.predetermined or (fore and turn.round == history.rounds)
    if opponent is not None and counts_as_played:
        return scores.as_opponent[opponent], False
    if history.predetermined:
        return None, False
    dummy = scores.as_dummy[entrant]
    if rules == Rules.FIDE_2026:
        dummy = min(dummy, history.draw * history.rounds if opponent is None else scores.as_opponent[opponent])
    return dummy, turn.chosen


def _cut(parts: Sequence[_Part], lowest: int, highest: int, rounds: int) -> list[_Part]:
    """Return ``parts`` without the least and most significant ones (C.07, 14 and 16.5).

    A round left unplayed by choice goes before the lowest opponent, unless the latter adds more.
    """
    left = list(parts)
    lowest = min(lowest, rounds)
    for _ in range(min(lowest, len(left))):
        least = min(left, key=lambda part: (part.score, part.value))
        chosen = min((part for part in left if part.chosen), key=lambda part: (part.value, part.score), default=None)
        left.remove(least if chosen is None or least.value > chosen.value else chosen)
    for _ in range(min(highest, rounds - lowest, len(left))):
        left.remove(max(left, key=lambda part: (part.score, part.value)))
    return left


@dataclass(frozen=True, slots=True)
class _Cuts:
    """The modifiers ``/Cn`` (without the n lowest) and ``/Mn`` (without the n lowest and the n highest)."""

    rules: Rules
    lowest: int = 0
    highest: int = 0

    @property
    def suffix(self) -> str:
        """The modifier in a code."""
        if not self.lowest:
            return ""
        return f"/M{self.lowest}" if self.highest else f"/C{self.lowest}"

    @property
    def words(self) -> str:
        """The modifier in a name."""
        if not self.lowest:
            return ""
        return f", median {self.lowest}" if self.highest else f", cut {self.lowest}"


@dataclass(frozen=True, slots=True)
class Buchholz(_Cuts):
    """BH: the sum of the opponents' adjusted points (8.1)."""

    lower_is_better: bool = False
    two_seats_only: bool = True

    @property
    def code(self) -> str:
        """``BH``, with its cut."""
        return f"BH{self.suffix}"

    @property
    def name(self) -> str:
        """The name, with its cut."""
        return f"Buchholz{self.words}"

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the sums."""
        sums = _sums(history, self, fore=False, won=False)
        return {entrant: Fraction(value, POINT) for entrant, value in sums.items()}


@dataclass(frozen=True, slots=True)
class ForeBuchholz(_Cuts):
    """FB: Buchholz as if all games of the last round were drawn (8.3)."""

    lower_is_better: bool = False
    two_seats_only: bool = True

    @property
    def code(self) -> str:
        """``FB``, with its cut."""
        return f"FB{self.suffix}"

    @property
    def name(self) -> str:
        """The name, with its cut."""
        return f"Fore Buchholz{self.words}"

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the sums."""
        sums = _sums(history, self, fore=True, won=False)
        return {entrant: Fraction(value, POINT) for entrant, value in sums.items()}


@dataclass(frozen=True, slots=True)
class SonnebornBerger(_Cuts):
    """SB: each opponent's adjusted points times what was won against it (9.1)."""

    lower_is_better: bool = False
    two_seats_only: bool = True

    @property
    def code(self) -> str:
        """``SB``, with its cut."""
        return f"SB{self.suffix}"

    @property
    def name(self) -> str:
        """The name, with its cut."""
        return f"Sonneborn-Berger{self.words}"

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the sums."""
        sums = _sums(history, self, fore=False, won=True)
        return {entrant: Fraction(value, POINT * POINT) for entrant, value in sums.items()}


@dataclass(frozen=True, slots=True)
class AverageOfBuchholz:
    """AOB: the mean Buchholz of the opponents in games that were played (8.2)."""

    rules: Rules
    code: str = "AOB"
    name: str = "Average of opponents' Buchholz"
    lower_is_better: bool = False
    two_seats_only: bool = True

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the exact means; nothing for who has played nobody."""
        sums = _sums(history, _Cuts(self.rules), fore=False, won=False)
        means: dict[int, Value] = {}
        for entrant, turns in history.turns.items():
            met = [opponent for turn in turns if turn.played for opponent in turn.opponents]
            means[entrant] = Fraction(sum(sums[one] for one in met), POINT * len(met)) if met else None
        return means


def _sums(history: History, cuts: _Cuts, *, fore: bool, won: bool) -> dict[int, int]:
    scores = _scores(history, fore=fore)
    return {
        entrant: sum(
            part.value
            for part in _cut(
                _parts(history, scores, entrant, cuts.rules, fore=fore, won=won),
                cuts.lowest,
                cuts.highest,
                history.rounds,
            )
        )
        for entrant in history.entrants
    }
