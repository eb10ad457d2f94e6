"""Perft: how many ways there are to go on from a small position; counted by hand, or another way, once."""

from __future__ import annotations

from itertools import combinations
from math import comb, factorial, perm
from typing import Any

import pytest

from games.engine.pick_a_polar_bear import Position
from tests.engine.pick_a_polar_bear.builders import CLOSE, GAME, GO, IDLE, position

TABLE = {"ready": GO, "grab": IDLE, "bonus": CLOSE}


def perft(here: Position, depth: int) -> int:
    """Return the number of ways to act ``depth`` times, the table's own actions too; after the end there are none."""
    if depth == 0:
        return 1
    if GAME.outcome(here).is_over:
        return 0
    moves: list[tuple[int | None, dict[str, Any]]] = [
        (seat, action) for seat in GAME.to_act(here) for action in GAME.legal(here, seat)[0]
    ]
    if here.seats > 1 or here.setting.phase != "grab":
        moves.append((None, TABLE[here.setting.phase]))
    return sum(perft(GAME.apply(here, seat, action).position, depth - 1) for seat, action in moves)


def test_by_hand() -> None:
    """Two seats, two cards in the grid, an empty pile: whatever ends the round ends the game.

    Depth 1: each seat may grab either card or stop, and the table may end the round: 2 * 3 + 1 = 7.
    Depth 2: after each of the four grabs one card is left: 2 * 2 + 1 = 5; after a stop or the end nothing: 4 * 5 = 20.
    Depth 3: after two grabs (4 * 2 ways) only stops and the table are left: 3, so 24.
    Depth 4: none: every third action ended the game.
    """
    here = position("L-W--", "SAOGF", grid="LAW-- S-OGF")
    assert [perft(here, depth) for depth in range(5)] == [1, 7, 20, 24, 0]


def test_a_question_by_hand() -> None:
    """Two seats are asked about a grid of one card, which shows both elements; nothing is left to lay.

    Depth 1: each seat answers 0 (wrong) or 1 (right), or time is up: 5.
    Depth 2: after the 2 right answers and the close only go: 3; after the 2 wrong ones the other seat's two answers or
    the close: 6. Together 9.
    Depth 3: after the three gos the round is on, each seat may grab or stop, the table end it: 15; after the six
    answers and closes go: 6. Together 21.
    """
    here = position("L-W--", "SAOGF", grid="LAW--", rules={"bonus": True}, question="bonus:large+arm")
    assert [perft(here, depth) for depth in range(1, 4)] == [5, 9, 21]


@pytest.mark.parametrize(("seats", "cards"), [(1, 4), (2, 3), (3, 3)])
def test_grabs_alone_are_counted_by_a_formula(seats: int, cards: int) -> None:
    """Only grabs count: after k of them each of the cards' orders was shared out among the seats in every way."""
    kinds = list(GAME.deck({}))[::3][:cards]
    here = position(*["SAOGF", "SAO-F", "SAOG-"][:seats], grid=" ".join(kinds))

    def grabs(position: Position, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(
            grabs(GAME.apply(position, seat, action).position, depth - 1)
            for seat in GAME.to_act(position)
            for action in GAME.legal(position, seat)[0]
            if action["type"] == "grab"
        )

    for depth in range(cards + 1):
        assert grabs(here, depth) == perm(cards, depth) * seats**depth


def test_every_deal_of_a_round_shows_the_same_view() -> None:
    """Of six cards two lie face down as start cards: however they lie, a spectator sees one and the same."""
    pile = ["L-W--", "L-W-F", "L-WG-", "L-WGF", "L-O--", "L-O-F"]
    views, positions = [], set()
    for pair in combinations(pile, 2):
        rest = [card for card in pile if card not in pair]
        here = position(*pair, grid="SAOGF", pile=" ".join(rest), phase="ready")
        views.append(GAME.view(here, None))
        positions.add(here)
    assert len(positions) == comb(6, 2) == factorial(6) // (factorial(2) * factorial(4))
    assert all(view == views[0] for view in views)


# All counted by hand too.
GOLDEN = [
    ("a round and the next", position("L-W--", "SAOGF", grid="LAW--", pile="L-O-- L-O--"), [5, 8, 13, 21]),
    ("solo", position("L-W--", grid="LAW-- S-OGF", pile="L-O--"), [3, 5, 6, 8]),
    ("three seats", position("L-W--", "SAOGF", "SAOG-", grid="LAW-- S-OGF"), [10, 42, 72, 0]),
]


@pytest.mark.parametrize(("here", "counts"), [row[1:] for row in GOLDEN], ids=[row[0] for row in GOLDEN])
def test_golden_counts(here: Position, counts: list[int]) -> None:
    assert [perft(here, depth) for depth in range(1, len(counts) + 1)] == counts
