"""Perft: how many games of a given length there are from a position, counted once by hand or by another way."""

from __future__ import annotations

import pytest

from games.engine.hold_my_bear import Position
from tests.engine.builders import EXPANSION, GAME, position


def perft(here: Position, depth: int) -> int:
    """Return the number of ways to act ``depth`` times; shorter games that are over count as nothing."""
    if depth == 0:
        return 1
    total = 0
    for seat in GAME.to_act(here):
        for action in GAME.legal(here, seat)[0]:
            for do in GAME.choices(here, seat, action) if "needs" in action else [None]:
                whole = {key: value for key, value in action.items() if key != "needs"}
                if do is not None:
                    whole["do"] = do
                total += perft(GAME.apply(here, seat, whole).position, depth - 1)
    return total


def test_by_hand() -> None:
    """Seat 0 holds tiger-4 and vole-1 against tiger-3, seat 1 holds tiger-5; must play is off.

    Depth 1: two plays (tiger-4 alone; with vole-1 it shares tiger and sums to 5) and one gift (both to seat 1): 3.
    Depth 2:
    - after tiger-4, seat 1 plays tiger-5 or gives it: 2;
    - after both, seat 1 cannot beat 5 with 5, so it gives tiger-5: 1;
    - after the gift, seat 1 holds tiger-4, tiger-5, vole-1 against tiger-3: every set with a tiger is valid
      (4, 5, 4 5, 4 1, 5 1, 4 5 1) and vole-1 alone is not (1 = 1): 6 plays, and gifts of two of three kinds: 3.
    So 2 + 1 + 9 = 12.
    """
    here = position("t4 v1", "t5", must_play=False)
    assert [perft(here, depth) for depth in range(3)] == [1, 3, 12]


# The first count of each row, and the second of the forced bear, were counted by hand too.
GOLDEN = [
    ("bears named", position("b1 b2 t4", "v1 v2 f3", table="t3"), [19, 95, 464]),
    ("own sport", position("b1 b2 t4", "v1 v2 f3", table="t3", rules={"bears_alone": "own-sport"}), [7, 27, 38]),
    ("three seats", position("t4 v1", "f2 h3", "b2 v2", must_play=False), [6, 72, 1780]),
    ("steal", position("", "t1 t2", "f1 f2 f3", owner=1, must_play=False), [2, 65, 26]),
    ("forced bear", position("b2 b4 v1", "h1 h2", "t1", table="t5 t4", owner=0, must_play=False), [10, 13, 40]),
    ("effects", position("a1 v2", "T1 f1", "I1 b1", table="a2", must_play=False, rules=EXPANSION), [6, 78, 2051]),
]


@pytest.mark.parametrize(("here", "counts"), [row[1:] for row in GOLDEN], ids=[row[0] for row in GOLDEN])
def test_golden_counts(here: Position, counts: list[int]) -> None:
    assert [perft(here, depth) for depth in range(1, len(counts) + 1)] == counts
