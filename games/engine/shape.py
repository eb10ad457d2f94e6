"""Checks of the shape of JSON data that comes from outside. All raise BadFormat with a sentence."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from .canonical import LARGEST_INTEGER
from .frame import BadFormat

_HASH = re.compile(r"[0-9a-f]{64}")


def as_any_object(value: Any, what: str) -> dict[str, Any]:
    """Return ``value``, an object whose keys are judged elsewhere."""
    if not isinstance(value, dict):
        raise BadFormat(f"{what} must be an object.")
    return value


def as_object(value: Any, what: str, required: Collection[str] = (), optional: Collection[str] = ()) -> dict[str, Any]:
    """Return ``value``, an object with all ``required`` keys and no others but the ``optional`` ones."""
    fields = as_any_object(value, what)
    for key in required:
        if key not in fields:
            raise BadFormat(f"{what} lacks the key {key!r}.")
    if len(fields) > len(required):
        for key in fields:
            if key not in required and key not in optional:
                raise BadFormat(f"{what} has an unknown key {key!r}.")
    return fields


def as_list(value: Any, what: str, length: int | None = None) -> list[Any]:
    """Return ``value``, a list (of ``length`` items, if given)."""
    if not isinstance(value, list):
        raise BadFormat(f"{what} must be a list.")
    if length is not None and len(value) != length:
        raise BadFormat(f"{what} must have {length} items, not {len(value)}.")
    return value


def as_text(value: Any, what: str) -> str:
    """Return ``value``, a text that UTF-8 can carry."""
    if not isinstance(value, str):
        raise BadFormat(f"{what} must be text.")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise BadFormat(f"{what} holds half of a surrogate pair.") from None
    return value


def as_integer(value: Any, what: str, least: int = 0, most: int = LARGEST_INTEGER) -> int:
    """Return ``value``, an integer from ``least`` to ``most`` (true and 1.0 are none)."""
    if type(value) is not int:
        raise BadFormat(f"{what} must be an integer.")
    if not least <= value <= most:
        raise BadFormat(f"{what} must be from {least} to {most}, not {value}.")
    return value


def as_flag(value: Any, what: str) -> bool:
    """Return ``value``, true or false."""
    if not isinstance(value, bool):
        raise BadFormat(f"{what} must be true or false.")
    return value


def as_hash(value: Any, what: str) -> str:
    """Return ``value``, 32 bytes written as 64 lower-case hexadecimal digits."""
    if not isinstance(value, str) or _HASH.fullmatch(value) is None:
        raise BadFormat(f"{what} must be 64 lower-case hexadecimal digits.")
    return value
