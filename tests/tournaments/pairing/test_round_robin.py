"""Round robin: double rounds and groups (the Berger tables themselves are compared in the bracket tests)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from tournaments.pairing.round_robin import round_robin, serpentine


@pytest.mark.parametrize("entrants", range(2, 30))
def test_a_double_round_robin_meets_everybody_on_both_seats(entrants: int) -> None:
    rounds = round_robin(entrants, double=True)
    assert len(rounds) == 2 * (entrants - 1 + entrants % 2)
    for meetings in rounds:
        playing = [seed for meeting in meetings for seed in meeting]
        assert len(playing) == len(set(playing)) == entrants - entrants % 2
    everything = Counter(meeting for meetings in rounds for meeting in meetings)
    assert everything == {(a, b): 1 for a in range(1, entrants + 1) for b in range(1, entrants + 1) if a != b}


@pytest.mark.parametrize("entrants", range(6, 30, 2))
def test_nobody_has_a_seat_three_times_in_a_row_in_a_double_round_robin(entrants: int) -> None:
    seats: dict[int, list[int]] = {seed: [] for seed in range(1, entrants + 1)}
    for meetings in round_robin(entrants, double=True):
        for meeting in meetings:
            for seat, seed in enumerate(meeting):
                seats[seed].append(seat)
    for had in seats.values():
        assert all(len({*had[at : at + 3]}) == 2 for at in range(len(had) - 2))


def test_a_serpentine_spreads_strength() -> None:
    assert serpentine(10, 3) == ((1, 6, 7), (2, 5, 8), (3, 4, 9, 10))
    for entrants in range(2, 60):
        for groups in range(1, entrants // 2 + 1):
            dealt = serpentine(entrants, groups)
            assert sorted(seed for group in dealt for seed in group) == list(range(1, entrants + 1))
            assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
            assert all(a < b for group in dealt for a, b in pairwise(group))
    with pytest.raises(ValueError, match="two entrants"):
        serpentine(5, 3)
