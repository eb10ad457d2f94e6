"""Whatever stands in a line or a transcript: an answer with a code, soon. No traceback, no hang.

Every place of a transcript and of each kind of question is replaced in turn by every kind of trouble, as text, for
much of the trouble is none of Python's values.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from games.engine.canonical import canonical, read_json
from games.engine.frame import BadFormat
from games.engine.judge import judged
from games.engine.verify import FAULTS, verify
from tests.engine.builders import document

MARK = "here"
TROUBLE = {
    "deep lists": "[" * 2_000 + "]" * 2_000,
    "deep objects": '{"a":' * 2_000 + "1" + "}" * 2_000,
    "fairly deep lists": "[" * 400 + "]" * 400,
    "unclosed": "[" * 50_000,
    "5,000 digits": "7" * 5_000,
    "negative digits": "-" + "7" * 4_000,
    "huge exponent": "1e400",
    "tiny exponent": "1e-400",
    "a whole number as a float": "1.0",
    "minus nought": "-0",
    "beyond exact integers": "9007199254740993",
    "NaN": "NaN",
    "Infinity": "-Infinity",
    "a key twice": '{"type": "play", "type": "give"}',
    "the same key escaped": '{"type": "play", "\\u0074ype": "give"}',
    "half a pair": '"\\ud800"',
    "half a pair as a key": '{"\\udfff": 1}',
    "a zero byte": '"\\u0000"',
    "a raw control character": '"\n"',
    "true": "true",
    "null": "null",
    "a text": '"1"',
    "an empty text": '""',
    "an empty list": "[]",
    "an empty object": "{}",
    "lists of lists": "[[[]], [{}]]",
    "a long text": json.dumps("x" * 100_000),
    "nothing": "",
}
CODES = {"bad-format", "bad-position", "illegal-action", "not-your-turn", "game-over"}
SECONDS = 2.0
"""Far more than any of it takes, even on a busy machine: process time."""

HERE = {
    "hands": [["aardvark-1", "giraffe-2", "kangaroo-3", "turtle-1"], ["bear-1", "bison-2"], ["aardvark-5"]],
    "table": ["aardvark-2"],
    "table_as": None,
    "owner": 2,
    "turn": 0,
    "must_play": False,
    "must_give": [1],
    "out": [],
    "waiting": None,
    "pending": [],
    "unowned_turns": 0,
    "outcome": None,
    "seed": "00" * 32,
    "drawn": 1,
}
WAITING = {"waiting": {"seat": 1, "for": "turtle", "to": 0, "number": 1}, "owner": None, "must_give": []}
RULES = {
    "animals": ["aardvark", "bear", "bison", "giraffe", "kangaroo", "turtle"],
    "bears_alone": "named",
}
DO = {"aardvark": {"card": "aardvark-1"}, "giraffe": {"animal": "bear"}, "kangaroo": {"seat": 1, "card": "bear-1"}}
PLAY = {"type": "play", "cards": ["aardvark-1", "giraffe-2", "kangaroo-3"]}


def question(op: str, action: Any = None, seat: int | None = 0, **fields: Any) -> dict[str, Any]:
    line = {"game": "hold-my-bear", "rules": RULES, "op": op, "seat": seat, "position": {**HERE, **fields}}
    return line if action is None else {**line, "action": action}


QUESTIONS = [
    question("legal") | {"limit": 3},
    question("choices", {**PLAY, "needs": sorted(DO)}),
    question("apply", {**PLAY, "do": DO}),
    question("apply", {"type": "give", "gifts": [{"card": "aardvark-1", "to": 1}, {"card": "turtle-1", "to": 2}]}),
    question("apply", {"type": "steal", "from": [1, 1, 2]}, hands=[[], *HERE["hands"][1:]]),
    question("apply", {"type": "force-bear", "card": "bear-1", "as": "turtle"}, 1, owner=1, turn=1),
    question("apply", {"type": "respond", "card": "bear-1"}, 1, **WAITING),
    question("apply", {"type": "forfeit", "seat": 1, "reason": "time"}, None),
    question("apply", {"type": "void", "reason": "fire"}, None),
    question("apply", {"type": "resign"}),
    question("legal", outcome={"status": "drawn", "places": [1, 1, 1], "points": None}),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside ``value``; of a long list only the first two items."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value[:2]):
            yield from places(inner, (*path, number))


def with_trouble(value: Any, path: tuple[Any, ...], text: str) -> str:
    """Return ``value`` as JSON text with ``text`` at ``path``."""
    if not path:
        return text
    copy = json.loads(json.dumps(value))
    place = copy
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = MARK
    return json.dumps(copy).replace(json.dumps(MARK), text, 1)


def judge(line: str) -> dict[str, Any]:
    began = time.process_time()
    (answer,) = judged([line.encode(errors="surrogatepass")])
    assert time.process_time() - began < SECONDS
    assert b"\n" not in answer
    assert canonical(read_json(answer)) == answer
    read: dict[str, Any] = json.loads(answer)
    assert "error" not in read or (read["error"]["code"] in CODES and read["error"]["message"])
    return read


def test_the_questions_are_good_before_they_are_broken() -> None:
    assert [judge(json.dumps(line)).get("error") for line in QUESTIONS] == [None] * len(QUESTIONS)


@pytest.mark.parametrize("trouble", TROUBLE.values(), ids=TROUBLE)
def test_judge(trouble: str) -> None:
    for line in QUESTIONS:
        for path in places(line):
            judge(with_trouble(line, path, trouble))


@pytest.mark.parametrize("trouble", TROUBLE.values(), ids=TROUBLE)
def test_verify(trouble: str) -> None:
    good = document(seed="broken", seats=3)
    good["records"][0]["action"] = {"type": "give", "gifts": [{"card": "bear-1", "to": 1}]}
    for path in places(good):
        began = time.process_time()
        try:
            read = read_json(with_trouble(good, path, trouble).encode(errors="surrogatepass"))
        except BadFormat:
            continue
        report = verify(read)
        assert report.fault in FAULTS, path
        canonical(report.to_json())
        assert time.process_time() - began < SECONDS


@pytest.mark.parametrize("key", ["n", "at", "seat"])
def test_true_is_no_number(key: str) -> None:
    good = document(seed="broken", seats=3)
    good["records"][0][key] = True
    assert verify(good).fault == "bad-format"


MILLION = 1_000_000


@pytest.mark.parametrize(
    "path",
    [("rules", "animals"), ("names",), ("fairness", "client_seeds"), ("outcome", "places")],
    ids=lambda path: path[-1],
)
def test_verify_of_a_million(path: tuple[str, ...]) -> None:
    good = document(seed="broken", seats=3)
    place = good
    for step in path[:-1]:
        place = place[step]
    item = place[path[-1]][0] if place[path[-1]] else ""
    place[path[-1]] = [item] * MILLION
    began = time.process_time()
    assert verify(good).fault is not None
    assert time.process_time() - began < 5 * SECONDS


@pytest.mark.parametrize("item", ["bear-1", 1, None, [], "bear-1" * 1000])
def test_verify_of_a_deck_of_a_million_cards(item: Any) -> None:
    good = document(seed="broken", seats=3)
    good["fairness"], good["deal"] = None, {"deck": [item] * MILLION}
    began = time.process_time()
    assert verify(good).fault == "bad-format"
    assert time.process_time() - began < SECONDS


MANY = [
    ("apply", ("rules", "animals"), "bear"),
    ("apply", ("position", "table"), "bear-1"),
    ("apply", ("position", "hands", 0), "bear-1"),
    ("legal", ("position", "hands", 0), "turtle-5"),
    ("apply", ("position", "hands"), []),
    ("apply", ("position", "out"), 1),
    ("apply", ("position", "must_give"), 1),
    ("apply", ("position", "pending"), WAITING["waiting"]),
    ("apply", ("action", "gifts"), {"card": "turtle-1", "to": 1}),
]


@pytest.mark.parametrize(("op", "path", "item"), MANY, ids=[".".join(map(str, path)) for _, path, _ in MANY])
def test_judge_of_a_million(op: str, path: tuple[Any, ...], item: Any) -> None:
    line = json.loads(json.dumps(QUESTIONS[3] if op == "apply" else QUESTIONS[0]))
    place = line
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = place[path[-1]] + [item] * MILLION
    began = time.process_time()
    (answer,) = judged([json.dumps(line).encode()])
    assert json.loads(answer)["error"]["code"] in CODES
    assert len(answer) < 2_000
    assert time.process_time() - began < 5 * SECONDS
