"""The best two-seat round under strict priorities: a matching of maximum weight in a graph of who could meet.

All costs of a table go into one integer, a priority worth more than everything that all tables together can cost at
the later ones. Small fields are matched among all pairs. Larger ones are matched among promising pairs first (the
neighbourhood of the natural opponent, the ends of neighbouring score groups), and among more of them, in the end
all, while that result is not proven to be the best.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import rustworkx

from tournaments.pairing.field import BadField
from tournaments.pairing.priorities import FLOAT, ORDER, PRIORITIES, Cost, Ranking
from tournaments.pairing.proof import proven

ALL_PAIRS_AT_ONCE = 48
"""Up to this many entrants everybody is compared with everybody at once."""
ALL_PAIRS_FOR_PROOF = 300
"""Up to this many all pairs are compared if no lower bound proves the promising ones to be the best."""
ALL_PAIRS_FOR_LEGALITY = 1000
"""Up to this many all pairs are compared if no round without a rematch, a second bye or a kept-apart pair turned up."""
REACHES = (10, 40)
"""How many promising opponents an entrant has, at first and at the second attempt."""
LAST_REACH = 160
"""How many in a field that is too large for all pairs, if no legal round turned up."""
DRAW_BITS = 32

type Edge = tuple[int, int | None]
"""Two positions of the ranking, the higher standing first; or one and the allocated bye."""


@dataclass(frozen=True, slots=True)
class Round:
    """Who meets whom, by position in the ranking, and the entrant left over for the bye; ``proven`` as in a pairing."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None
    cost: Cost
    proven: tuple[str, ...]


def best_round(ranking: Ranking, seed: int) -> Round:
    """Return the best round. What is equal at every priority is decided by a draw with ``seed``.

    Raises BadField if points lie so far apart that they cannot be weighed.
    """
    size = len(ranking)
    if size > ALL_PAIRS_AT_ONCE:
        found = None
        for reach in REACHES:
            found = _solve(ranking, _promising(ranking, reach), seed)
            found = found and _with_proof(ranking, found)
            if found is not None and len(found.proven) > FLOAT:
                return found
        if found is not None and size > ALL_PAIRS_FOR_PROOF:
            return found
        if size > ALL_PAIRS_FOR_LEGALITY:
            found = _solve(ranking, _promising(ranking, LAST_REACH), seed)
            found = found or _solve(ranking, _promising(ranking, LAST_REACH, legal=False), seed)
            assert found is not None, "Neighbours in the ranking can meet, so there is a complete round."
            return _with_proof(ranking, found)
    found = _solve(ranking, _all_pairs(ranking, legal=True), seed)
    found = found or _solve(ranking, _all_pairs(ranking, legal=False), seed)
    assert found is not None, "Everybody can meet everybody, so there is a complete round."
    return found


def _all_pairs(ranking: Ranking, *, legal: bool) -> Iterator[Edge]:
    size = len(ranking)
    for upper in range(size):
        for lower in range(upper + 1, size):
            if not legal or ranking.is_legal(upper, lower):
                yield upper, lower
    if size % 2:
        yield from ((one, None) for one in range(size) if not legal or ranking.is_legal(one, None))


def _promising(ranking: Ranking, reach: int, *, legal: bool = True) -> Iterator[Edge]:
    """Yield pairs that good rounds consist of; if not only the ``legal`` ones, then enough for a complete round."""
    edges: set[tuple[int, int]] = set()
    if not legal:
        # Whoever rests, the others can meet their neighbours in the ranking.
        edges.update((one, one + step) for step in (1, 2) for one in range(len(ranking) - step))
    for number, group in enumerate(ranking.groups):
        for one in group:
            edges.update((min(one, other), max(one, other)) for other in _neighbours(ranking, one, group, reach, legal))
        bottom = _floaters(ranking, group, reach, down=True)
        covered = 0
        for below in ranking.groups[number + 1 :]:
            top = _floaters(ranking, below, reach, down=False)
            edges.update((one, other) for one in bottom for other in top if not legal or ranking.is_legal(one, other))
            covered += len(below)
            if covered >= reach:
                break
    yield from sorted(edges)
    if len(ranking) % 2:
        takers = [one for one in range(len(ranking)) if not legal or ranking.is_legal(one, None)]
        takers.sort(key=lambda one: (ranking.bye_rank(one), -one))
        yield from ((one, None) for one in takers[: 4 * reach])


def _neighbours(ranking: Ranking, one: int, group: range, reach: int, legal: bool) -> Iterator[int]:
    """Yield up to ``reach`` opponents around the natural one, most of them due another seat."""
    half = len(group) // 2
    natural = one + half if one - group.start < half else one - half
    due = ranking.standings[one].due.seat
    clashing = agreeing = 0
    for step in range(2 * min(2 * reach, len(group)) + 1):
        other = natural + (step + 1) // 2 * (1 if step % 2 else -1)
        if other not in group or other == one or (legal and not ranking.is_legal(one, other)):
            continue
        if due is not None and ranking.standings[other].due.seat == due:
            clashing += 1
            if clashing > reach // 3 and len(group) > reach:
                continue
        else:
            agreeing += 1
        yield other
        if agreeing == reach - reach // 3:
            return


def _floaters(ranking: Ranking, group: range, reach: int, *, down: bool) -> list[int]:
    """Return the ends of a group that may float: half of them not due the first seat, half not due the second."""
    order = reversed(group) if down else iter(group)
    floated = -1 if down else 1
    standings = ranking.standings
    ends = sorted(order, key=lambda one: [past == floated for past in standings[one].floats])
    if len(ends) <= reach:
        return ends
    chosen = dict.fromkeys(ends[: reach // 2])
    for seat in (0, 1):
        chosen.update(
            dict.fromkeys([one for one in ends[: 8 * reach] if standings[one].due.seat != seat][: reach // 4])
        )
    return list(chosen)


def _solve(ranking: Ranking, edges: Iterable[Edge], seed: int) -> Round | None:
    """Return the best round that ``edges`` allow, proven among them alone; None if they allow no complete one."""
    size = len(ranking)
    pairs = (size + 1) // 2
    listed = list(edges)
    costs = [ranking.cost(upper, lower) for upper, lower in listed]
    if not listed:
        return None if size else Round((), None, (0,) * len(PRIORITIES), PRIORITIES)
    highest = [max(column) for column in zip(*costs, strict=True)]
    # The algorithm adds up to about as many weights as there are entrants, in 128 bits.
    room = 125 - (size + 1).bit_length()
    steps = 0
    bits = [(pairs * top).bit_length() for top in highest]
    steps = max(sum(bits) - room, 0)
    if steps > highest[ORDER].bit_length():
        raise BadField("The points of the entrants lie too far apart to be weighed against each other.")
    bits[ORDER] -= steps
    draw = min(DRAW_BITS, room - sum(bits) - pairs.bit_length())
    numbers = _drawn_numbers(ranking, seed)
    weighed = []
    for (upper, lower), cost in zip(listed, costs, strict=True):
        weight = 0
        for level, width in enumerate(bits):
            weight = (weight << width) + (cost[level] >> (steps if level == ORDER else 0))
        if draw > 0:
            other = numbers[size if lower is None else lower]
            weight = (weight << draw + pairs.bit_length()) + (numbers[upper] * other % _PRIME >> 61 - draw)
        weighed.append((upper, size if lower is None else lower, -weight))
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(size + size % 2))
    graph.extend_from_weighted_edge_list(weighed)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if len(matched) < pairs:
        return None
    tables = sorted((min(pair), max(pair)) for pair in matched)
    bye = next((upper for upper, lower in tables if lower == size), None)
    chosen = [ranking.cost(upper, None if lower == size else lower) for upper, lower in tables]
    total = tuple(sum(column) for column in zip(*chosen, strict=True))
    met = tuple((upper, lower) for upper, lower in tables if lower < size)
    return Round(met, bye, total, PRIORITIES[:ORDER] if steps else PRIORITIES)


_PRIME = (1 << 61) - 1


def _drawn_numbers(ranking: Ranking, seed: int) -> list[int]:
    """Return a number for every position and the bye, drawn in order of seeds; a product of two is a pair's draw."""
    source = random.Random(seed)  # noqa: S311 a draw that can be repeated is what is wanted
    by_seed = sorted(range(len(ranking)), key=lambda one: ranking.standings[one].person.seed)
    numbers = [0] * (len(ranking) + 1)
    for position in [*by_seed, len(ranking)]:
        numbers[position] = source.getrandbits(60) + 2
    return numbers


def _with_proof(ranking: Ranking, found: Round) -> Round:
    return replace(found, proven=proven(ranking, found.cost, found.bye))
