"""CSV that a spreadsheet can open without running anything."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.exports import csv_text, defused


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_a_formula_gets_an_apostrophe(start: str) -> None:
    assert defused(f"{start}1+1") == f"'{start}1+1"


@pytest.mark.parametrize("cell", ["Ana", "", "a=b", -5.3, 0, None])
def test_other_cells_stay_as_they_are(cell: object) -> None:
    assert defused(cell) == cell


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=2)))
def test_what_is_written_can_be_read_again(rows: list[list[str]]) -> None:
    text = csv_text(["a", "b"], rows)
    read = list(csv.reader(StringIO(text, newline="")))
    assert read == [["a", "b"], *([defused(cell) for cell in row] for row in rows)]
