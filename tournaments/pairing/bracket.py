"""A bracket as a value: every match of a knock-out, and where each of its entrants comes from.

Entrants are seeds, 1 the best. A place of a match leads to one slot of a later match at most. Seeds that miss the first
rounds (a bye) stand in a later match as seeds, so there are no matches against nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """The part of a bracket that a match belongs to."""

    MAIN = "main"
    """Where everybody begins; with a losers' part its last match sends both its entrants on."""
    LOSERS = "losers"
    """Where those play who have lost once."""
    THIRD_PLACE = "third-place"
    FINAL = "final"
    """Between the winners of the main and the losers' part."""


@dataclass(frozen=True, slots=True)
class Place:
    """Whoever takes ``place`` (1 is the first to go on) in the match at index ``match`` of the bracket.

    A place below those that go on leads to a match of those who lost.
    """

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
    part: Part = Part.MAIN


type Results = Mapping[int, Sequence[int | None]]
"""The decided matches by their index: who took each place, first to last; None for a place that nobody took."""


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
        """Return a name for each round, for people: the last ones of a two-seat bracket by their usual words."""
        rounds = self.rounds
        main = [index for index, matches in enumerate(rounds) if matches[0].part == Part.MAIN]
        losers = [index for index, matches in enumerate(rounds) if matches[0].part == Part.LOSERS]
        double = any(match.part == Part.FINAL for match in self.matches)
        two_seats = all(len(match.feeds) == 2 for match in self.matches)
        names = {}
        for number, index in enumerate(main, start=1):
            if double:
                names[index] = "Winners’ final" if index == main[-1] else f"Winners’ round {number}"
            else:
                usual = {0: "Final", 1: "Semi-finals", 2: "Quarter-finals"} if two_seats else {0: "Final"}
                names[index] = usual.get(len(main) - number, f"Round {number}")
        for number, index in enumerate(losers, start=1):
            names[index] = "Losers’ final" if index == losers[-1] else f"Losers’ round {number}"
        for index, matches in enumerate(rounds):
            if matches[0].part == Part.THIRD_PLACE:
                names[index] = "Match for third place"
            elif matches[0].part == Part.FINAL:
                names[index] = "Final" if index == len(rounds) - 1 else "First final"
        return tuple(names[index] for index in range(len(rounds)))

    def leads_to(self) -> dict[Place, tuple[int, int]]:
        """Return where each place leads: the index of a match and the slot in it. Other places lead out."""
        return {
            feed: (index, slot)
            for index, match in enumerate(self.matches)
            for slot, feed in enumerate(match.feeds)
            if isinstance(feed, Place)
        }

    def sitting(self, results: Results) -> tuple[tuple[int | None, ...], ...]:
        """Return the seed on every slot of every match as far as ``results`` tell; None where nobody is (yet).

        Raises ValueError for a result that names somebody who does not sit there.
        """
        filled: list[tuple[int | None, ...]] = []
        for index, match in enumerate(self.matches):
            seeds = tuple(feed if isinstance(feed, int) else _taken(results, feed) for feed in match.feeds)
            if not {seed for seed in results.get(index, ()) if seed is not None} <= set(seeds):
                raise ValueError("The result of a match names somebody who does not sit there.")
            filled.append(seeds)
        return tuple(filled)

    def ready(self, results: Results) -> tuple[int, ...]:
        """Return the indexes of the matches that are to be played next: undecided, and all their slots are settled."""
        return tuple(
            index
            for index, match in enumerate(self.matches)
            if index not in results and all(isinstance(feed, int) or feed.match in results for feed in match.feeds)
        )


def _taken(results: Results, feed: Place) -> int | None:
    order = results.get(feed.match, ())
    return order[feed.place - 1] if feed.place <= len(order) else None
