"""Reading the actions of seats: only normal form is accepted (transcript specification, Actions)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.canonical import LARGEST_INTEGER
from games.engine.frame import Action, IllegalAction

LARGEST_LAG = 100
"""The greatest one-way delay in milliseconds that a table makes up for, and how long it may hold a grab back."""

TIMES = ("arrived", "lag")
_GRAB_KEYS = ("type", "place", *TIMES, "beat")


def only_keys(action: Action, allowed: Sequence[str]) -> None:
    """Raise IllegalAction for a key that is not ``allowed``."""
    for key in action:
        if key not in allowed:
            raise IllegalAction(f"The action has a key too many: {key!r}.")


def read_count(action: Action, lying: int) -> int:
    """Return the number that an answer gives, of ``lying`` cards in the grid."""
    only_keys(action, ("type", "count"))
    count = action.get("count")
    if type(count) is not int or not 0 <= count <= lying:
        raise IllegalAction(f"An answer gives a number of cards from 0 to {lying}, as many as lie in the grid.")
    return count


def read_times(action: Action, seat: int, seats: int) -> dict[str, Any]:
    """Return the times that a grab carries (empty for none), as a copy.

    Raises IllegalAction for times that are not whole, or wrong whenever the grab was recorded.
    """
    only_keys(action, _GRAB_KEYS)
    if "arrived" not in action and "lag" not in action:
        if "beat" in action:
            raise IllegalAction("A grab that beat others says when it arrived and with which lag.")
        return {}
    times: dict[str, Any] = {key: _milliseconds(action, key, "A grab with times") for key in TIMES}
    if "beat" in action:
        beat = action["beat"]
        if not isinstance(beat, list) or not beat:
            raise IllegalAction("'beat' lists at least one grab, or is left out.")
        times["beat"] = [_beaten(item, seat, seats) for item in beat]
    fault = _order_fault(times)
    if fault is not None:
        raise IllegalAction(fault)
    return times


def _beaten(item: Any, seat: int, seats: int) -> dict[str, int]:
    if not isinstance(item, dict) or set(item) != {"seat", *TIMES}:
        raise IllegalAction("A beaten grab has a seat, when it arrived, and its lag.")
    other = item["seat"]
    if type(other) is not int or not 0 <= other < seats or other == seat:
        raise IllegalAction("A beaten grab is of another seat of this game.")
    return {"seat": other, **{key: _milliseconds(item, key, "A beaten grab") for key in TIMES}}


def _milliseconds(times: Mapping[str, Any], key: str, what: str) -> int:
    value = times.get(key)
    if type(value) is not int or not 0 <= value <= LARGEST_INTEGER:
        raise IllegalAction(f"{what} has {key!r} in whole milliseconds.")
    return value


def _order_fault(times: Mapping[str, Any]) -> str | None:
    if not 0 <= times["lag"] <= LARGEST_LAG:
        return f"A lag is from 0 to {LARGEST_LAG} ms, not {times['lag']} ms."
    placed = times["arrived"] - times["lag"]
    for beaten in times.get("beat", ()):
        if beaten["arrived"] - beaten["lag"] < placed:
            return f"The grab of seat {beaten['seat']} was placed before the one that beat it."
    return None


def timing_fault(at: int, action: Action) -> str | None:
    """Return what is wrong with the times of a grab recorded at ``at`` (transcript specification, Verification).

    Times that are not whole are left to :func:`read_times`.
    """
    if action.get("type") != "grab" or "lag" not in action:
        return None
    arrived = action.get("arrived")
    if type(arrived) is not int:
        return None
    if not arrived <= at <= arrived + LARGEST_LAG:
        return f"The grab arrived at {arrived} ms and was recorded at {at} ms: it may wait {LARGEST_LAG} ms at most."
    return None
