"""How seats leave and games end, alike in every game: resign, forfeit, void, and competition ranks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from .frame import Action, IllegalAction, Outcome, Seat

FORFEIT_REASONS = ("time", "left", "arbiter")
TABLE_ACTIONS = ("forfeit", "void")


@dataclass(frozen=True, slots=True)
class Leaving:
    """A seat that goes out. ``reason`` is None for a resignation, else one of FORFEIT_REASONS."""

    seat: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Voiding:
    """The game is to count as never played."""

    reason: str


def read_ending(seat: Seat, action: Action, seats: int) -> Leaving | Voiding | None:
    """Return what ``action`` ends, or None for an action of the game itself. Raises IllegalAction.

    Only the table (seat None) forfeits and voids; only a seat resigns (transcript specification, Actions).
    """
    kind = action.get("type")
    if kind == "resign":
        if seat is None:
            raise IllegalAction("Only a seat can resign.")
        _only_keys(action, {"type"})
        return Leaving(seat, None)
    if kind == "forfeit":
        _from_table(seat, "put a seat out")
        _only_keys(action, {"type", "seat", "reason"})
        leaver, reason = action.get("seat"), action.get("reason")
        if type(leaver) is not int or not 0 <= leaver < seats:
            raise IllegalAction(f"A forfeit names a seat from 0 to {seats - 1}.")
        if not isinstance(reason, str) or reason not in FORFEIT_REASONS:
            raise IllegalAction(f"A forfeit has one of the reasons {', '.join(FORFEIT_REASONS)}.")
        return Leaving(leaver, reason)
    if kind == "void":
        _from_table(seat, "void a game")
        _only_keys(action, {"type", "reason"})
        reason = action.get("reason")
        if not isinstance(reason, str):
            raise IllegalAction("A void gives its reason as text.")
        return Voiding(reason)
    return None


def _from_table(seat: Seat, deed: str) -> None:
    if seat is not None:
        raise IllegalAction(f"Only the table itself can {deed}.")


def _only_keys(action: Action, allowed: set[str]) -> None:
    extra = next((key for key in action if key not in allowed), None)
    if extra is not None:
        raise IllegalAction(f"The action has a key too many: {extra!r}.")


def competition_ranks(keys: Sequence[Hashable]) -> tuple[int, ...]:
    """Return a place per seat: 1 for the smallest key, ties share, and the next place skips (1, 2, 2, 4).

    >>> competition_ranks([0, 1, 1, 2])
    (1, 2, 2, 4)
    """
    order = sorted(keys)  # type: ignore[type-var]
    return tuple(order.index(key) + 1 for key in keys)


def void_outcome(seats: int) -> Outcome:
    """Return the outcome of a void game: every place 1."""
    return Outcome("void", (1,) * seats)


def out_last(seats: int, out: Sequence[int], rank_of_in: Sequence[int]) -> tuple[int, ...]:
    """Return places where who is in stands by ``rank_of_in`` (small is good) and who is out stands below.

    ``out`` lists the seats that left in their order of leaving; who left later is placed better.
    """
    keys = [(0, rank_of_in[seat]) for seat in range(seats)]
    for order, seat in enumerate(out):
        keys[seat] = (1, -order)
    return competition_ranks(keys)
