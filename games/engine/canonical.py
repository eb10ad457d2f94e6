"""Canonical JSON (RFC 8785) and strict reading of JSON.

Everything that is hashed goes through :func:`canonical`: keys sorted by their UTF-16 code units, numbers written as
ECMAScript writes them, no white space, UTF-8. :func:`read_json` accepts exactly what can be written that way.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring as _quoted
from typing import Any

from .frame import BadFormat

LARGEST_INTEGER = 2**53 - 1
"""The largest integer that every reader of JSON keeps exact (RFC 7493)."""


class NotJson(BadFormat):
    """Text that is not JSON at all."""


def canonical(value: Any) -> bytes:
    """Return ``value`` as RFC 8785 bytes.

    Raises BadFormat for what JSON cannot carry: infinities, lone surrogates, keys that are not text, other types.
    """
    try:
        return _written(value).encode()
    except UnicodeEncodeError:
        raise BadFormat("Text with half of a surrogate pair cannot be written as UTF-8.") from None
    except RecursionError:
        raise BadFormat("The value is nested too deeply.") from None


def canonical_text(value: Any) -> str:
    """Return :func:`canonical` as text."""
    return canonical(value).decode()


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be")


def _written_object(value: Mapping[Any, Any]) -> str:
    try:
        # Code point order and UTF-16 order agree on ASCII, where all keys of the formats lie.
        order = sorted(value) if "".join(value).isascii() else sorted(value, key=_utf16)
    except TypeError:
        raise BadFormat("The keys of an object must be text.") from None
    return "{" + ",".join([f"{_quoted(key)}:{_written(value[key])}" for key in order]) + "}"


def _written(value: Any) -> str:
    kind = type(value)
    if kind is str:
        return _quoted(value)
    if kind is int:
        return str(value) if -LARGEST_INTEGER <= value <= LARGEST_INTEGER else _written_float(_as_float(value))
    if kind is list or kind is tuple:
        return "[" + ",".join([_written(item) for item in value]) + "]"
    if kind is dict or isinstance(value, Mapping):
        return _written_object(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if kind is float:
        return _written_float(value)
    raise BadFormat(f"JSON cannot carry a {kind.__name__}.")


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        raise BadFormat("A number is too large.") from None


def _written_float(value: float) -> str:
    """Write a double as ECMAScript's Number::toString does (the shortest digits that round-trip)."""
    if not math.isfinite(value):
        raise BadFormat("JSON has no infinite numbers and no NaN.")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = whole + fraction
    point = len(whole) + int(exponent or 0)
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    size = len(digits)
    if size <= point <= 21:
        return sign + digits + "0" * (point - size)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = point - 1
    tail = f".{digits[1:]}" if size > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if power > 0 else '-'}{abs(power)}"


def _no_repeated_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadFormat(f"The key {twice!r} stands twice in one object.")
    return read


def _no_constant(name: str) -> Any:
    raise NotJson(f"{name} is not JSON.")


_decode: Callable[[str], Any] = json.JSONDecoder(object_pairs_hook=_no_repeated_key, parse_constant=_no_constant).decode


def read_json(source: bytes | str) -> Any:
    """Return the JSON value of ``source`` (UTF-8).

    Raises NotJson where it is not JSON, BadFormat where an object repeats a key.
    """
    try:
        return _decode(source.decode() if isinstance(source, bytes) else source)
    except BadFormat:
        raise
    except UnicodeDecodeError as error:
        raise NotJson(f"Not UTF-8: byte {error.start} cannot be read.") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"Not JSON: {error.msg} at character {error.pos + 1}.") from None
    except RecursionError:
        raise NotJson("Not readable: nested too deeply.") from None
    except ValueError:  # an integer of thousands of digits
        raise NotJson("Not readable: a number is too long.") from None
