"""The judge answers every line, whatever stands in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.canonical import canonical
from games.engine.judge import judged

HERE = {"hands": [["tiger-4", "vole-1"], ["tiger-5"]], "table": ["tiger-3"], "must_play": False}


def ask(**fields: Any) -> dict[str, Any]:
    line = {"game": "hold-my-bear", "position": HERE, "op": "legal", "seat": 0, **fields}
    (answer,) = judged([json.dumps({key: value for key, value in line.items() if value is not ...}).encode()])
    read: dict[str, Any] = json.loads(answer)
    assert canonical(read) == answer
    return read


def code(**fields: Any) -> str:
    return str(ask(**fields)["error"]["code"])


def test_legal_lists_in_order() -> None:
    assert ask() == {
        "actions": [
            {"cards": ["tiger-4", "vole-1"], "type": "play"},
            {"cards": ["tiger-4"], "type": "play"},
            {"gifts": [{"card": "tiger-4", "to": 1}, {"card": "vole-1", "to": 1}], "type": "give"},
        ]
    }
    assert ask(seat=1) == {"actions": []}


def test_a_limit_says_where_it_cut() -> None:
    assert ask(limit=2) == {"actions": ask()["actions"][:2], "truncated": True}
    assert ask(limit=3) == ask()
    assert ask(limit=0) == {"actions": [], "truncated": True}


def test_apply_gives_the_whole_position() -> None:
    answer = ask(op="apply", action={"type": "play", "cards": ["tiger-4"]})
    assert answer["position"] == {
        "hands": [["vole-1"], ["tiger-5"]],
        "table": ["tiger-4"],
        "table_as": None,
        "owner": 0,
        "turn": 1,
        "must_play": False,
        "must_give": [],
        "out": [],
        "waiting": None,
        "pending": [],
        "unowned_turns": 0,
        "outcome": None,
    }
    assert answer["outcome"] == {"status": "running", "places": None, "points": None}
    assert answer["events"] == [{"type": "play", "seat": 0, "cards": ["tiger-4"], "beaten": None}]


def test_the_table_acts_with_seat_null() -> None:
    answer = ask(op="apply", seat=None, action={"type": "forfeit", "seat": 1, "reason": "time"})
    assert answer["outcome"] == {"status": "finished", "places": [1, 2], "points": None}
    assert answer["position"]["outcome"] == answer["outcome"]
    assert [event["type"] for event in answer["events"]] == ["forfeit", "win"]


def test_draws_follow_the_stream_and_the_answer_goes_on_with_it() -> None:
    here = {
        "hands": [[], ["tiger-1", "tiger-2", "vole-3"]],
        "table": ["vole-5"],
        "owner": 1,
        "seed": "11" * 32,
        "drawn": 9,
    }
    answer = ask(op="apply", position=here, action={"type": "steal", "from": [1, 1, 1]})
    assert (answer["position"]["seed"], answer["position"]["drawn"]) == ("11" * 32, 12)


def test_choices() -> None:
    here = {"hands": [["aardvark-2", "vole-1"], ["tiger-5"]], "table": ["tiger-3"]}
    rules = {"animals": ["aardvark", "bear", "tiger", "vole"]}
    play = {"type": "play", "cards": ["aardvark-2", "vole-1"], "needs": ["aardvark"]}
    table = {**here, "table": ["aardvark-1"]}
    assert play in ask(position=table, rules=rules)["actions"]
    assert ask(position=table, rules=rules, op="choices", action=play) == {
        "choices": [{"aardvark": {"card": "aardvark-2"}}, {"aardvark": {"card": "vole-1"}}]
    }
    alone = {"type": "play", "cards": ["aardvark-2"]}
    assert ask(position=table, rules=rules, op="choices", action=alone) == {"choices": []}
    assert code(position=here, rules=rules, op="choices", action=play) == "illegal-action"


PLAY = {"type": "play", "cards": ["tiger-4"]}


@pytest.mark.parametrize(
    ("expected", "fields"),
    [
        ("bad-format", {"game": "poker"}),
        ("bad-format", {"game": ...}),
        ("bad-format", {"op": "ponder"}),
        ("bad-format", {"op": ...}),
        ("bad-format", {"op": ["legal"]}),
        ("bad-format", {"more": 1}),
        ("bad-format", {"seat": ...}),
        ("bad-format", {"seat": None}),
        ("bad-format", {"seat": 2}),
        ("bad-format", {"seat": True}),
        ("bad-format", {"limit": -1}),
        ("bad-format", {"position": []}),
        ("bad-format", {"position": {**HERE, "more": 1}}),
        ("bad-format", {"position": {"hands": HERE["hands"]}}),
        ("bad-format", {"position": {**HERE, "hands": [["tiger-9"], []]}}),
        ("bad-format", {"position": {**HERE, "turn": "0"}}),
        ("bad-format", {"position": {**HERE, "must_play": 1}}),
        ("bad-format", {"position": {**HERE, "outcome": {"status": "won", "places": None, "points": None}}}),
        ("bad-format", {"position": {**HERE, "waiting": {"seat": 1, "for": "cat", "to": 0}}}),
        ("bad-format", {"position": {**HERE, "seed": "xy"}}),
        ("bad-format", {"rules": {"animals": ["bear", "tiger", "hare"]}}),
        ("bad-format", {"rules": {"animals": ["bear", "tiger"]}}),
        ("bad-format", {"rules": {"animals": ["cat", "tiger", "vole"]}}),
        ("bad-format", {"rules": {"animals": ["bear", "tiger", "tiger"]}}),
        ("bad-format", {"rules": {"animals": "bear"}}),
        ("bad-format", {"rules": {"speed": 1}}),
        ("bad-format", {"rules": []}),
        ("bad-format", {"op": "apply"}),
        ("bad-format", {"op": "apply", "action": "play"}),
        ("bad-position", {"position": {**HERE, "hands": [["tiger-3"], ["tiger-4"]]}}),
        ("bad-position", {"position": {**HERE, "hands": [["tiger-4"]]}}),
        ("bad-position", {"position": {**HERE, "hands": [["cat-4"], []]}}),
        ("bad-position", {"position": {**HERE, "owner": 2}}),
        ("not-your-turn", {"op": "apply", "seat": 1, "action": {"type": "play", "cards": ["tiger-5"]}}),
        ("illegal-action", {"op": "apply", "action": {"type": "play", "cards": ["vole-1"]}}),
        ("illegal-action", {"op": "apply", "action": {"type": "forfeit", "seat": 1, "reason": "time"}}),
        ("illegal-action", {"op": "apply", "seat": None, "action": PLAY}),
        ("game-over", {"op": "apply", "position": {**HERE, "out": [1]}, "action": PLAY}),
    ],
)
def test_what_is_refused(expected: str, fields: dict[str, Any]) -> None:
    assert code(**fields) == expected


def test_a_bad_line_never_ends_the_run() -> None:
    lines = [
        b"",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b"null",
        b"NaN",
        b'{"op": "legal", "op": "legal"}',
        b'"\\ud800"',
        b"{}\n",
    ]
    lines.append(b'{"game": "hold-my-bear", "op": "\\ud800"}')
    answers = [json.loads(answer) for answer in judged([*lines, json.dumps({"op": 1}).encode()])]
    assert [answer["error"]["code"] for answer in answers] == ["bad-format"] * 11


def test_every_message_is_one_line() -> None:
    line = json.dumps({"game": "a\nb", "op": "legal", "position": {}, "seat": 0}).encode()
    (answer,) = judged([line])
    assert "\n" not in json.loads(answer)["error"]["message"]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.sampled_from(["bear-1", "tiger-3", "play", "x"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["type", "cards", "card", "to", "seat", "gifts", "from", "as", "do"]), inner)
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=200)
@given(
    key=st.sampled_from(
        ["hands", "table", "table_as", "owner", "turn", "out", "must_give", "waiting", "pending", "outcome"]
    ),
    value=ANYTHING,
    action=ANYTHING,
    seat=ANYTHING,
    op=st.sampled_from(["legal", "apply", "choices"]),
)
def test_nothing_makes_a_traceback(key: str, value: Any, action: Any, seat: Any, op: str) -> None:
    for position, acted in (({**HERE, key: value}, PLAY), (HERE, action), (HERE, {"type": "play", "cards": action})):
        line = {"game": "hold-my-bear", "op": op, "position": position, "seat": seat}
        if op != "legal":
            line["action"] = acted
        (answer,) = judged([json.dumps(line).encode()])
        assert "\n" not in answer.decode()
