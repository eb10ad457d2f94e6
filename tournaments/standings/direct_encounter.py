"""Direct encounter: who did better in the matches of those who are level (FIDE Handbook C.07, 6).

If all of them have met, the points from these matches decide (the mean, where two met more than once). If not, whoever
would be first even if the missing matches all went to the others is ranked, then the next, as far as that goes. Those
who are still level after a step are compared among themselves again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.standings.history import History
from tournaments.standings.results import POINT
from tournaments.standings.tie_break import Groups, Value


@dataclass(frozen=True, slots=True)
class DirectEncounter:
    """DE, for two seats, and HH (head to head), for tables: ahead of each other 1, level a half.

    The value is the rank among those who are level, 0 where nothing could be told.
    """

    code: str = "DE"
    name: str = "Direct encounter"
    by_place: bool = False
    lower_is_better: bool = True

    @property
    def two_seats_only(self) -> bool:
        """True for DE."""
        return not self.by_place

    def values(self, history: History, level: Groups) -> Mapping[int, Value]:
        """Return the rank of each entrant within its group of ``level``."""
        ranks: dict[int, Value] = {}
        for group in level:
            parts = self._split(history, group)
            rank = 1 if len(parts) > 1 else 0
            for part in parts:
                ranks.update(dict.fromkeys(part, Fraction(rank)))
                rank += len(part)
        return ranks

    def _split(self, history: History, group: Sequence[int]) -> list[list[int]]:
        """Return the group in parts, best first, as far as the matches of its members tell them apart."""
        if len(group) == 1:
            return [list(group)]
        sums, most = {}, {}
        for entrant in group:
            met = self._met(history, entrant, group)
            sums[entrant] = sum((sum(scores) / len(scores) for scores in met.values()), Fraction())
            most[entrant] = sums[entrant] + (len(group) - 1 - len(met)) * (POINT if self.by_place else history.win)
        order = sorted(group, key=lambda entrant: sums[entrant], reverse=True)
        if sums == most:
            parts = [
                [entrant for entrant in order if sums[entrant] == value]
                for value in sorted({*sums.values()}, reverse=True)
            ]
        else:
            sure = 0
            while sure < len(order) - 1 and sums[order[sure]] > max(most[other] for other in order[sure + 1 :]):
                sure += 1
            parts = [[entrant] for entrant in order[:sure]] + [order[sure:]]
        if len(parts) == 1:
            return parts
        return [smaller for part in parts for smaller in self._split(history, part)]

    def _met(self, history: History, entrant: int, group: Sequence[int]) -> dict[int, list[Fraction]]:
        """Return what an entrant has from each match with each other member of the group."""
        members = frozenset(group)
        met: dict[int, list[Fraction]] = {}
        for turn in history.turns[entrant]:
            if not (turn.played or history.predetermined):
                continue
            for opponent, ahead in zip(turn.opponents, turn.against, strict=True):
                if opponent in members:
                    met.setdefault(opponent, []).append(Fraction(ahead if self.by_place else turn.points))
        return met
