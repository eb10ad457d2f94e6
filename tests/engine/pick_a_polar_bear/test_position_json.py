"""Positions as JSON, through the judge: defaults, strictness, and that reading undoes writing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.canonical import canonical
from games.engine.judge import judged
from tests.engine.pick_a_polar_bear.builders import GAME, STOP, VARIANTS, act, answer, data, grab, position, walk
from tests.engine.test_judge import ANYTHING

HERE = data("L-W-- LAW--", "SAOGF", grid="LAWG- . L-O--", pile="LAO-- LAO-- S-OGF")
BONUS = {"bonus": True}
ASKED = data("L-W--", "SAOGF", grid="LAWG- . L-O--", question="bonus:large+arm")


def ask(**fields: Any) -> dict[str, Any]:
    line = {"game": "pick-a-polar-bear", "position": HERE, "op": "legal", "seat": 0, **fields}
    (read,) = judged([json.dumps({key: value for key, value in line.items() if value is not ...}).encode()])
    answered: dict[str, Any] = json.loads(read)
    assert canonical(answered) == read
    return answered


def code(**fields: Any) -> str:
    answered = ask(**fields)
    assert "\n" not in answered["error"]["message"]
    return str(answered["error"]["code"])


def test_legal_lists_what_may_be_sent_now() -> None:
    assert ask() == {"actions": [grab(0), grab(2), STOP]}
    assert ask(limit=2) == {"actions": [grab(0), grab(2)], "truncated": True}
    assert ask(limit=3) == ask()
    assert ask(position={**HERE, "stacks": [["L-W--"], ["SAOGF"]], "phase": "ready"}) == {"actions": []}
    assert ask(position=ASKED, rules=BONUS) == {"actions": [answer(0), answer(1), answer(2)]}
    assert ask(position={**ASKED, "answered": [0]}, rules=BONUS) == {"actions": []}
    assert ask(position={**HERE, "out": [0], "stacks": [[], ["SAOGF"]]}) == {"actions": []}


def test_many_places_are_listed_in_the_order_of_their_json() -> None:
    grid = " ".join(GAME.deck({})[:30])
    listed = ask(position=data("SAOGF", grid=grid))["actions"]
    texts = [canonical(action) for action in listed]
    assert texts == sorted(texts)
    assert len(texts) == 31


def test_the_defaults_are_written_out() -> None:
    answered = ask(op="apply", action=grab(2))
    assert answered["position"] == {
        "grid": ["LAWG-", *[None] * 29],
        "stacks": [["L-W--", "LAW--", "L-O--"], ["SAOGF"]],
        "pile": ["LAO--", "LAO--", "S-OGF"],
        "points": [0, 0],
        "phase": "grab",
        "question": None,
        "answered": [],
        "restricted": None,
        "round": 1,
        "out": [],
    }
    assert answered["outcome"] == {"status": "running", "places": None, "points": None}
    assert answered["events"] == [{"type": "grab", "seat": 0, "place": 2, "card": "L-O--"}]


def test_a_question_makes_the_phase() -> None:
    answered = ask(op="apply", position=ASKED, rules=BONUS, action=answer(0))
    assert (answered["position"]["phase"], answered["position"]["answered"]) == ("bonus", [0])
    assert answered["events"][0]["count"] == 0


def test_a_question_that_everybody_answered_is_discarded_as_it_is_read() -> None:
    asked = {**ASKED, "answered": [1, 0], "pile": ["S-OGF"]}
    answered = ask(op="apply", position=asked, rules=BONUS, seat=None, action={"type": "go"})
    assert answered["position"]["phase"] == "grab"
    assert answered["position"]["grid"][1] == "S-OGF"


def test_a_game_that_is_over_is_known_by_its_position() -> None:
    over = ask(op="apply", seat=1, action={"type": "resign"})["position"]
    assert code(op="apply", position=over, action=grab(0)) == "game-over"
    assert ask(position=over) == {"actions": []}
    exhausted = ask(op="apply", position={**HERE, "pile": []}, seat=None, action={"type": "idle"})["position"]
    assert exhausted["stacks"] == [[], []]
    assert code(op="apply", position=exhausted, seat=None, action={"type": "go"}) == "game-over"
    void = ask(op="apply", seat=None, action={"type": "void", "reason": "x"})["position"]
    assert void["outcome"] == {"status": "void", "places": [1, 1], "points": None}
    assert code(op="apply", position=void, action=grab(0)) == "game-over"
    assert code(op="choices", position=void, action=grab(0)) == "game-over"
    with_outcome = {**exhausted, "outcome": {"status": "finished", "places": [1, 2], "points": [2, 1]}}
    assert code(op="apply", position=with_outcome, action=grab(0)) == "game-over"


@pytest.mark.parametrize(
    ("expected", "fields"),
    [
        ("bad-format", {"position": []}),
        ("bad-format", {"position": {**HERE, "more": 1}}),
        ("bad-format", {"position": {key: HERE[key] for key in ("grid", "stacks")}}),
        ("bad-format", {"position": {key: HERE[key] for key in ("grid", "pile")}}),
        ("bad-format", {"position": {key: HERE[key] for key in ("pile", "stacks")}}),
        ("bad-format", {"position": {**HERE, "pile": ["L-W-"]}}),
        ("bad-format", {"position": {**HERE, "pile": ["bonus:arm"]}}),
        ("bad-format", {"position": {**HERE, "pile": [None]}}),
        ("bad-format", {"position": {**HERE, "pile": [["L-W--"]]}}),
        ("bad-format", {"position": {**HERE, "grid": ["", *[None] * 29]}}),
        ("bad-format", {"position": {**HERE, "grid": ["bonus:arm+fish", *[None] * 29]}}),
        ("bad-format", {"position": {**HERE, "stacks": [["L-W--"], None]}}),
        ("bad-format", {"position": {**HERE, "phase": "over"}}),
        ("bad-format", {"position": {**HERE, "phase": None}}),
        ("bad-format", {"position": {**HERE, "question": "L-W--"}}),
        ("bad-format", {"position": {**HERE, "points": [0, 0.5]}}),
        ("bad-format", {"position": {**HERE, "points": 3}}),
        ("bad-format", {"position": {**HERE, "round": 0}}),
        ("bad-format", {"position": {**HERE, "round": True}}),
        ("bad-format", {"position": {**HERE, "out": None}}),
        ("bad-format", {"rules": {"decks": 2}}),
        ("bad-format", {"rules": {"different": "yes"}}),
        ("bad-format", {"rules": {"animals": []}}),
        ("bad-format", {"rules": []}),
        ("bad-format", {"seat": 2}),
        ("bad-format", {"op": "apply"}),
        ("bad-position", {"position": {**HERE, "stacks": []}}),
        ("bad-position", {"position": {**HERE, "stacks": [["L-W--"]] * 9}}),
        ("bad-position", {"position": {**HERE, "grid": ["LAWG-"]}}),
        ("bad-position", {"position": {**HERE, "grid": [None] * 49}}),
        ("bad-position", {"position": {**HERE, "pile": ["L-W--P"]}}),
        ("bad-position", {"position": {**HERE, "pile": ["bonus:arm+fish"]}}),
        ("bad-position", {"position": {**HERE, "pile": ["bonus:arm+fish"] * 2}, "rules": BONUS}),
        ("bad-position", {"position": {**HERE, "pile": ["SAOGF"] * 3}}),
        ("bad-position", {"position": {**HERE, "stacks": [["L-W--"], []]}}),
        ("bad-position", {"position": {**HERE, "stacks": [[], []]}}),
        ("bad-position", {"position": {**HERE, "out": [1]}}),
        ("bad-position", {"position": {**HERE, "out": [2], "stacks": [["L-W--"], []]}}),
        ("bad-position", {"position": {**HERE, "points": [0]}}),
        ("bad-position", {"position": {**HERE, "phase": "bonus"}}),
        ("bad-position", {"position": {**HERE, "phase": "ready"}}),
        ("bad-position", {"position": {**HERE, "answered": [0]}}),
        ("bad-position", {"position": {**ASKED, "phase": "grab"}, "rules": BONUS}),
        ("bad-position", {"position": ASKED}),
        ("bad-position", {"position": {**ASKED, "answered": [0, 0]}, "rules": BONUS}),
        ("bad-position", {"position": {**ASKED, "stacks": [["L-W--", "L-W--"], ["SAOGF"]]}, "rules": BONUS}),
        ("bad-position", {"position": {**HERE, "restricted": 0}}),
        ("bad-position", {"position": {**HERE, "restricted": 2}, "rules": {"different": True}}),
        ("bad-position", {"position": {**data("L-W--"), "restricted": 0}, "rules": {"different": True}}),
        ("bad-position", {"position": {**HERE, "outcome": {"status": "finished", "places": [1, 2], "points": [1, 0]}}}),
        ("bad-position", {"position": {**HERE, "outcome": "void"}}),
        ("illegal-action", {"op": "apply", "action": grab(1)}),
        ("illegal-action", {"op": "apply", "action": {"type": "idle"}}),
        ("illegal-action", {"op": "apply", "seat": None, "action": {"type": "go"}}),
        ("illegal-action", {"op": "apply", "seat": None, "action": STOP}),
        ("illegal-action", {"op": "choices", "action": STOP}),
        (
            "not-your-turn",
            {"op": "apply", "position": data("L-W--", "SAOGF", "", grid="LAO--", out=[2]), "seat": 2, "action": STOP},
        ),
    ],
)
def test_what_is_refused(expected: str, fields: dict[str, Any]) -> None:
    assert code(**fields) == expected


def test_a_restricted_seat_that_left_restricts_nobody() -> None:
    here = position("L-W--", "L-W--", "", rules={"different": True}, restricted=2, out=[2])
    assert here.setting.restricted is None


def test_a_pile_of_a_million_cards_is_refused_without_a_hang() -> None:
    assert code(position={**HERE, "pile": ["SAOGF"] * 1_000_000}) == "bad-position"


@settings(deadline=None, max_examples=12)
@given(st.integers(0, 2**32), st.integers(1, 8), st.sampled_from(VARIANTS), st.sampled_from([0.0, 0.03]))
def test_reading_undoes_writing(seed: int, seats: int, rules: dict[str, Any], quit_chance: float) -> None:
    for here in walk(seed, seats, rules, quit_chance):
        written = GAME.to_json(here)
        again = GAME.from_json(written, here.setting.rules.to_json())
        # Public memory is no part of a position's JSON.
        known = again.setting._replace(counts=here.setting.counts, check=here.setting.check)
        assert again._replace(setting=known) == here
        assert GAME.to_json(again) == written
        GAME.check_cards(again)


@settings(deadline=None, max_examples=150)
@given(
    key=st.sampled_from([*HERE, "points", "phase", "question", "answered", "restricted", "round", "out", "outcome"]),
    value=ANYTHING,
    action=ANYTHING,
    seat=ANYTHING,
    op=st.sampled_from(["legal", "apply", "choices"]),
)
def test_nothing_makes_a_traceback(key: str, value: Any, action: Any, seat: Any, op: str) -> None:
    for here, acted in (({**HERE, key: value}, STOP), (HERE, action), (HERE, {"type": "grab", "place": action})):
        line = {"game": "pick-a-polar-bear", "op": op, "position": here, "seat": seat}
        if op != "legal":
            line["action"] = acted
        (read,) = judged([json.dumps(line).encode()])
        assert "\n" not in read.decode()


def test_an_accepted_action_is_its_own_copy() -> None:
    sent = {"type": "void", "reason": "x"}
    step = act(GAME.from_json(HERE), (None, sent))
    sent["reason"] = "y"
    assert step.action["reason"] == "x"
