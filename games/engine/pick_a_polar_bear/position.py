"""The position of Pick-a-Polar-Bear: everything true, secrets included."""

from __future__ import annotations

from typing import Literal, NamedTuple

from games.engine.frame import Outcome

from .check import Check
from .rules import Rules

type Cards = tuple[str, ...]
type Phase = Literal["bonus", "ready", "grab"]


class Setting(NamedTuple):
    """What a grab leaves as it is, so that all positions of a round share it.

    ``pile`` has its top first. ``question`` is the bonus card that is asked, ``answered`` the seats that answered it
    in order, and ``counts`` their answers (None where a position from outside did not tell). ``restricted`` is the
    seat that may take no identical card. ``out`` keeps the order of leaving. ``outcome`` is None while the game runs.
    ``gone`` holds the cards that left the game, sorted; ``check`` is what the last check found: both are public
    memory.
    """

    phase: Phase
    pile: Cards
    points: tuple[int, ...]
    question: str | None
    answered: tuple[int, ...]
    counts: tuple[int | None, ...]
    restricted: int | None
    round: int
    out: tuple[int, ...]
    outcome: Outcome | None
    rules: Rules
    gone: Cards
    check: Check | None


class Position(NamedTuple):
    """One position: the grid by place (None is an empty place), each seat's stack from its start card up, the rest.

    Equal positions compare equal. A named tuple, because one is made for every grab.
    """

    grid: tuple[str | None, ...]
    stacks: tuple[Cards, ...]
    setting: Setting

    @property
    def seats(self) -> int:
        """How many seats the game has, those that are out included."""
        return len(self.stacks)

    def staying(self) -> list[int]:
        """Return the seats that are in."""
        return [seat for seat in range(len(self.stacks)) if seat not in self.setting.out]


def is_too_few(staying: int, seats: int) -> bool:
    """Return whether the game ends because of who left: one seat is left in, or none of a solo game."""
    return staying <= (0 if seats == 1 else 1)
