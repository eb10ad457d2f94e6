"""The worked examples of the rules pages, through the judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.engine.judge import judged

FOLDER = Path(__file__).parents[1] / "data/engine"
FILES = {"worked-examples.jsonl": 17, "worked-examples-pick-a-polar-bear.jsonl": 13}
"""How many examples each rules page has."""


def rows(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / file).read_text().splitlines()]


EXAMPLES = [row for file in FILES for row in rows(file)]


@pytest.mark.parametrize("file", FILES)
def test_all_examples_are_there(file: str) -> None:
    assert {row["example"] for row in rows(file)} == set(range(1, FILES[file] + 1))


@pytest.mark.parametrize(
    "row", EXAMPLES, ids=[f"{row['question']['game']} {row['example']}: {row['verdict']}" for row in EXAMPLES]
)
def test_worked_example(row: dict[str, Any]) -> None:
    (line,) = judged([json.dumps(row["question"]).encode()])
    answer = json.loads(line)
    for key, expected in row["answer"].items():
        if key == "position":
            assert {field: answer["position"][field] for field in expected} == expected
        else:
            assert answer[key] == expected
    assert ("error" in answer) == ("error" in row["answer"])
