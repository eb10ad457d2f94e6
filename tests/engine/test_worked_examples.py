"""The worked examples of the rules page, through the judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.engine.judge import judged

EXAMPLES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data/engine/worked-examples.jsonl").read_text().splitlines()
]


def test_all_seventeen_examples_are_there() -> None:
    assert {row["example"] for row in EXAMPLES} == set(range(1, 18))


@pytest.mark.parametrize("row", EXAMPLES, ids=[f"{row['example']}: {row['verdict']}" for row in EXAMPLES])
def test_worked_example(row: dict[str, Any]) -> None:
    (line,) = judged([json.dumps(row["question"]).encode()])
    answer = json.loads(line)
    for key, expected in row["answer"].items():
        if key == "position":
            assert {field: answer["position"][field] for field in expected} == expected
        else:
            assert answer[key] == expected
    assert ("error" in answer) == ("error" in row["answer"])
