"""A bracket as a value: every match of a knock-out, and where each of its entrants comes from.

Entrants are seeds, 1 the best. A place of a match leads to one slot of a later match at most. Seeds that miss the first
rounds (a bye) stand in a later match as seeds, so there are no matches against nobody.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Whoever takes ``place`` (1 is the first to go on) in the match at index ``match`` of the bracket."""

    match: int
    place: int


type Feed = int | Place
"""Who fills a slot: a seed from 1, or a place of an earlier match."""


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match at ``table`` of ``round`` (both from 1): its slots in order of expected strength, and how many go on."""

    round: int
    table: int
    feeds: tuple[Feed, ...]
    advance: int


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches, round by round and table by table; the last one is the final, whose winner wins it all."""

    matches: tuple[PlannedMatch, ...]

    @property
    def rounds(self) -> tuple[tuple[PlannedMatch, ...], ...]:
        """The matches of each round."""
        last = self.matches[-1].round
        return tuple(tuple(m for m in self.matches if m.round == number) for number in range(1, last + 1))

    def names(self) -> tuple[str, ...]:
        """Return a name for each round, for people: the last three of a two-seat bracket by their usual words."""
        rounds = self.rounds
        two_seats = all(len(match.feeds) == 2 for match in self.matches)
        usual = {1: "Final", 2: "Semi-finals", 3: "Quarter-finals"} if two_seats else {1: "Final"}
        return tuple(usual.get(len(rounds) - index, f"Round {index + 1}") for index in range(len(rounds)))
