"""Draws checked: every round of a stage drawn again from what was known before it."""

from __future__ import annotations

from dataclasses import replace

from tournaments.drawing import draw
from tournaments.fields import question
from tournaments.models import SWISS_KINDS, Stage
from tournaments.pairing.field import Difference, Pairing, Person, differences


def stage_differences(stage: Stage) -> tuple[Difference, ...]:
    """Draw every public round of ``stage`` again, by its number and lots, and return where that gives another draw.

    Results stand as they do now, so that a correction of a past round shows too. Takes as long as all the draws did.
    Raises ValueError for a format that does not draw round by round, Undrawable where a round has no draw any more.
    """
    if stage.format not in SWISS_KINDS:
        raise ValueError(f"{stage} does not draw round by round.")
    lots = dict(stage.rounds.published().values_list("number", "lot"))
    if not lots:
        return ()
    whole = question(stage, max(lots) + 1, 0)

    def again(people: tuple[Person, ...], number: int) -> Pairing:
        [pairing] = draw(replace(whole, number=number, people=people, seed=whole.seed + lots[number]))
        return pairing

    return differences(whole.people, sorted(lots), again)
