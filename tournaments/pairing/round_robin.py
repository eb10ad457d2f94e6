"""Round robin for two by the Berger tables (FIDE Handbook C.05, annex 1): everybody meets everybody once, or twice.

A large field is divided into groups of nearly the same size and strength, each with its own round robin.
"""

from __future__ import annotations

type Meeting = tuple[int, int]
"""Two seeds; the first of them has the first seat."""


def round_robin(entrants: int, *, double: bool = False) -> tuple[tuple[Meeting, ...], ...]:
    """Return the rounds of a round robin of seeds 1 to ``entrants``, the meetings of each in table order.

    With an odd number each round lets one seed rest: the one that would meet the seed after the last. A ``double`` one
    is played once more with the seats exchanged; the last two rounds of its first half change places, as FIDE
    recommends, so that with six and more nobody has the same seat three times in a row. Raises ValueError below two.
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
    if double:
        rounds[-2:] = reversed(rounds[-2:])
        rounds += [tuple((second, first) for first, second in meetings) for meetings in rounds]
    return tuple(rounds)


def serpentine(entrants: int, groups: int) -> tuple[tuple[int, ...], ...]:
    """Return seeds 1 to ``entrants`` in ``groups`` of nearly the same size: dealt out forwards, backwards, forwards.

    Raises ValueError if a group would have fewer than two.
    """
    if groups < 1 or entrants < 2 * groups:
        raise ValueError("Every group needs two entrants.")
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for seed in range(1, entrants + 1):
        lap, at = divmod(seed - 1, groups)
        dealt[at if lap % 2 == 0 else groups - 1 - at].append(seed)
    return tuple(tuple(group) for group in dealt)
