"""Chance for bots: one of several things, and the choices that a play of effects needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

NUMBERS = (1, 2, 3, 4, 5)


def pick[T](items: Sequence[T], rng: Random) -> T:
    """Return one of ``items``, each equally likely."""
    return items[int(rng.random() * len(items))]


def complete(action: dict[str, Any], view: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Return ``action`` with ``do`` in place of ``needs``, chosen at random."""
    if "needs" not in action:
        return action
    do = {need: _CHOICE[need](action, view, rng) for need in action["needs"]}
    return {**{key: value for key, value in action.items() if key != "needs"}, "do": do}


def _aardvark(action: dict[str, Any], view: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    return {"card": pick(action["cards"], rng)}


def _giraffe(action: dict[str, Any], view: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    return {"animal": pick(view["animals"], rng)}


def _kangaroo(action: dict[str, Any], view: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    others = [seat for seat in range(len(view["counts"])) if seat != view["seat"] and seat not in view["out"]]
    return {"seat": pick(others, rng), "card": f"{pick(view['animals'], rng)}-{pick(NUMBERS, rng)}"}


_CHOICE = {"aardvark": _aardvark, "giraffe": _giraffe, "kangaroo": _kangaroo}
