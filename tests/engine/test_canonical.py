"""Canonical JSON against RFC 8785's own examples."""

from __future__ import annotations

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.canonical import NotJson, canonical, read_json
from games.engine.frame import BadFormat

# RFC 8785, appendix B: IEEE 754 bits and the ECMAScript text
NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]


@pytest.mark.parametrize(("bits", "text"), NUMBERS)
def test_numbers_are_written_as_ecmascript_writes_them(bits: str, text: str) -> None:
    (value,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical(value) == text.encode()


def test_the_example_of_the_rfc() -> None:
    source = r"""{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}"""
    expected = (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )
    assert canonical(read_json(source)) == expected.encode()


def test_keys_are_sorted_by_utf16_units() -> None:
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    written = json.loads(canonical(dict.fromkeys(keys, 0)))
    assert list(written) == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {1: 2}, {"a": {2}}, b"a", 10**400])
def test_what_json_cannot_carry_is_refused(value: object) -> None:
    with pytest.raises(BadFormat):
        canonical(value)


def test_nesting_without_end_is_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(BadFormat):
        canonical(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
def test_reading_back_and_writing_again_changes_nothing(value: object) -> None:
    try:
        written = canonical(value)
    except BadFormat:  # an integer beyond every double
        return
    assert canonical(read_json(written)) == written


@pytest.mark.parametrize("source", [b"", b"{", b"NaN", b"[Infinity]", b"\xff", b"[" * 100_000, b"1" * 5000, b"{} {}"])
def test_what_is_not_json_is_told_apart(source: bytes) -> None:
    with pytest.raises(NotJson):
        read_json(source)


def test_a_repeated_key_is_json_but_not_ours() -> None:
    with pytest.raises(BadFormat, match="twice") as caught:
        read_json('{"a": 1, "a": 1}')
    assert not isinstance(caught.value, NotJson)
