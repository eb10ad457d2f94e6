"""The check at the end of a round: whether the stop was right, and which stacks are sound (rules page)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .cards import FITTING, NEAR, differing

type Reason = Literal["sound", "unsound", "identical", "wrong-stop"]


@dataclass(frozen=True, slots=True)
class Score:
    """What one stack scored and why.

    ``reason`` is ``sound``, ``unsound`` (a pair differs in two or more attributes), ``identical`` (a pair that the
    restricted seat may not take) or ``wrong-stop``. ``pair`` counts the first faulty pair from 0 at the start card,
    ``attributes`` are those in which it differs. ``extra`` is the card for a right stop with a sound stack, ``place``
    the grid place that it came from (None: the pile); ``score`` includes it.
    """

    seat: int
    cards: tuple[str, ...]
    score: int
    reason: Reason
    pair: int | None = None
    attributes: tuple[str, ...] = ()
    extra: str | None = None
    place: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the score as in the event ``score`` and in views."""
        return {
            "seat": self.seat,
            "cards": list(self.cards),
            "score": self.score,
            "reason": self.reason,
            "pair": self.pair,
            "attributes": list(self.attributes),
            "extra": self.extra,
            "place": self.place,
        }


@dataclass(frozen=True, slots=True)
class Check:
    """What the check of one round found. ``stopper`` is None for a round that ended idle.

    ``fits`` holds the places whose cards the stopper could have taken: the stop was right if there are none.
    """

    round: int
    stopper: int | None
    fits: tuple[int, ...]
    scores: tuple[Score, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the check as in views."""
        return {
            "round": self.round,
            "stopper": self.stopper,
            "fits": list(self.fits),
            "scores": [score.to_json() for score in self.scores],
        }


def fitting_places(top: str, grid: Sequence[str | None], restricted: bool) -> tuple[int, ...]:
    """Return the places whose cards may lie on ``top``; ``restricted``: an identical card may not."""
    fitting = NEAR[top] if restricted else FITTING[top]
    return tuple([place for place, card in enumerate(grid) if card in fitting])


def judge_stack(seat: int, cards: tuple[str, ...], restricted: bool) -> Score:
    """Return what the stack of ``seat`` scores by itself, and its first faulty pair if it has one."""
    near = NEAR if restricted else FITTING
    below = cards[0]
    for pair, card in enumerate(cards[1:]):
        if card not in near[below]:
            attributes = differing(below, card)
            return Score(seat, cards, 0, "unsound" if attributes else "identical", pair, attributes)
        below = card
    return Score(seat, cards, len(cards), "sound")
