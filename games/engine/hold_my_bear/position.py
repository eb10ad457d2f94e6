"""The position of Hold my Bear: everything true, secrets included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from games.engine.deal import EXPLICIT_DEAL_SEED
from games.engine.frame import Outcome

from .rules import DEFAULT_RULES, Rules

type Cards = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Return:
    """A card that ``seat`` owes ``to``, the giver of a turtle or a bison. ``number`` is the turtle's."""

    seat: int
    animal: Literal["turtle", "bison"]
    to: int
    number: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the value of ``waiting``, or an item of ``pending``, in a position's JSON."""
        data: dict[str, Any] = {"seat": self.seat, "for": self.animal, "to": self.to}
        if self.number is not None:
            data["number"] = self.number
        return data


class Count(NamedTuple):
    """The fewest and the most cards of ``animal`` that each seat can hold, as far as everybody knows."""

    animal: str
    bounds: tuple[tuple[int, int], ...]


class Position(NamedTuple):
    """One position. Hands and ``gone`` are in canonical order; equal positions compare equal.

    A named tuple, because one is made for every action and a frozen dataclass takes thrice as long to make.

    ``must_play`` is the effective value. ``out`` keeps the order of leaving. ``unowned_turns`` counts the turns
    passed since the table set belongs to nobody. ``waiting`` is the card due now, ``pending`` what comes after it.
    ``outcome`` is None while the game runs. ``seed`` and ``drawn`` are the state of the random stream.

    The rest is public memory, what everybody knows of the hands. ``known``: per seat the cards that are certainly
    there. ``counted``: for each animal that a giraffe asked for, the fewest and the most that each seat can hold now.
    ``denied``: per seat the cards that a kangaroo asked for in vain and that cannot have come since.
    """

    hands: tuple[Cards, ...]
    table: Cards
    table_as: str | None = None
    owner: int | None = None
    turn: int = 0
    must_play: bool = True
    must_give: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    waiting: Return | None = None
    pending: tuple[Return, ...] = ()
    unowned_turns: int = 0
    outcome: Outcome | None = None
    seed: bytes = EXPLICIT_DEAL_SEED
    drawn: int = 0
    rules: Rules = DEFAULT_RULES
    known: tuple[Cards, ...] = ()
    gone: Cards = ()
    counted: tuple[Count, ...] = ()
    denied: tuple[Cards, ...] = ()

    @property
    def seats(self) -> int:
        """How many seats the game has, those that are out included."""
        return len(self.hands)

    def others_in(self, seat: int) -> list[int]:
        """Return the seats still in, without ``seat``."""
        return [other for other in range(len(self.hands)) if other != seat and other not in self.out]

    def stealable(self, seat: int) -> int:
        """Return how many cards a steal by ``seat`` takes: four, or all that the others hold."""
        return min(LARGEST_STEAL, sum(map(len, self.hands)) - len(self.hands[seat]))


LARGEST_GIFT = 2
LARGEST_STEAL = 4
