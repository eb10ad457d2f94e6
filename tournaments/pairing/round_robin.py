"""Round robin for two by the Berger tables (FIDE Handbook C.05, annex 1): everybody meets everybody once."""

from __future__ import annotations

type Meeting = tuple[int, int]
"""Two seeds; the first of them has the first seat."""


def round_robin(entrants: int) -> tuple[tuple[Meeting, ...], ...]:
    """Return the rounds of a round robin of seeds 1 to ``entrants``, the meetings of each in table order.

    With an odd number each round lets one seed rest: the one that would meet the seed after the last. Raises ValueError
    below two.
    """
    if entrants < 2:
        raise ValueError("A round robin needs two entrants.")
    field = entrants + entrants % 2
    others = field - 1
    rounds = []
    for number in range(others):
        # The last number stands still and changes seats each round; the others go round the table by half its length.
        first = number * (field // 2) % others
        meetings = [(first + 1, field) if number % 2 == 0 else (field, first + 1)]
        meetings += [((first + step) % others + 1, (first - step) % others + 1) for step in range(1, field // 2)]
        rounds.append(tuple(meeting for meeting in meetings if max(meeting) <= entrants))
    return tuple(rounds)
