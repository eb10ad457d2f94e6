"""Who sits first at a table: each entrant has each seat as often as the others do, as far as that goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def seat_order(table: Sequence[int], before: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """Return the entrants of ``table`` in the order of their seats.

    ``before`` holds the seats (0 is the first) that each had, in order. The sum of how often each had its new seat is
    as small as can be; among those orders, fewest have the seat that they had last; and among those, whoever is named
    first sits first. Exact, by dynamic programming over the sets of seats.
    """
    size = len(table)
    # Set of seats taken by the first entrants of the table -> (cost, those seats in the order of the entrants).
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for entrant in table:
        had = before.get(entrant, ())
        last = had[-1] if had else None
        # One seat again weighs more than all sitting as they sat last.
        costs = [(size + 1) * had.count(seat) + (seat == last) for seat in range(size)]
        following: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (cost, seats) in best.items():
            for seat in range(size):
                if taken >> seat & 1:
                    continue
                way = (cost + costs[seat], (*seats, seat))
                if following.get(taken | 1 << seat, way) >= way:
                    following[taken | 1 << seat] = way
        best = following
    seats = best[(1 << size) - 1][1]
    return tuple(entrant for _, entrant in sorted(zip(seats, table, strict=True)))
