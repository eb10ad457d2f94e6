"""Plays a bracket to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tournaments.pairing.bracket import Bracket, PlannedMatch
from tournaments.pairing.double_elimination import second_final

type Rule = Callable[[Sequence[int]], list[int]]
"""Puts those who sit at a table in order, first to last."""


def play_out(bracket: Bracket, rule: Rule) -> tuple[Bracket, dict[int, list[int]]]:
    """Return the bracket, with its second final if there was one, and the result of every match.

    Matches are played in waves: all that are ready, then all that are ready after them.
    """
    results: dict[int, list[int]] = {}
    while ready := bracket.ready(results):
        sitting = bracket.sitting(results)
        for index in ready:
            seeds = [seed for seed in sitting[index] if seed is not None]
            assert len(seeds) == len(bracket.matches[index].feeds)
            results[index] = rule(seeds)
        extra = second_final(bracket, results)
        if extra is not None and extra not in bracket.matches:
            bracket = replace(bracket, matches=(*bracket.matches, extra))
    assert len(results) == len(bracket.matches)
    return bracket, results


def better_seed(seeds: Sequence[int]) -> list[int]:
    """The better seed always wins."""
    return sorted(seeds)


def lasts(bracket: Bracket, results: dict[int, list[int]]) -> dict[int, tuple[PlannedMatch, int]]:
    """Return for each seed the last match it sat in, and its place there."""
    found: dict[int, tuple[PlannedMatch, int]] = {}
    for index, match in sorted(enumerate(bracket.matches), key=lambda pair: pair[1].round):
        for place, seed in enumerate(results[index], start=1):
            found[seed] = (match, place)
    return found
