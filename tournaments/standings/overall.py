"""Final places of an event with several stages: who did not go on ranks below who did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished stage: the place in it of everybody who played there (in groups: in the group; None without one).

    ``following`` are the stages that it led on to, the one with the better places first.
    """

    places: Mapping[int, int | None]
    following: Sequence[Finished] = ()


def final_places(stage: Finished) -> dict[int, int]:
    """Return the place of everybody in ``stage`` over it and all that follow; ties share.

    First come those who went on, stage by stage and in each by its own places; then the others by their places here.
    Who has no place anywhere is not in the answer. Where nobody was first in a stage, that place stays empty.
    """
    places: dict[int, int] = {}
    ahead = 0
    for level in _levels(stage):
        places |= dict.fromkeys(level, ahead + 1)
        ahead += max(1, len(level))
    return places


def _levels(stage: Finished) -> list[list[int]]:
    """Return those who share a place, the best first; an empty level is a first place that nobody has."""
    levels: list[list[int]] = []
    seen: set[int] = set()
    for following in stage.following:
        for level in _levels(following):
            seen.update(level)
            levels.append(level)
    if min((place for place in stage.places.values() if place is not None), default=1) > 1:
        levels.insert(0, [])
    here: dict[int, list[int]] = {}
    for entrant, place in stage.places.items():
        if place is not None and entrant not in seen:
            here.setdefault(place, []).append(entrant)
    return levels + [here[place] for place in sorted(here)]
