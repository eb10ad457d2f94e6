"""How much of a round is proven to be the best although not all pairs were compared: lower bounds on its cost."""

from __future__ import annotations

import rustworkx

from tournaments.pairing.priorities import APART, BYE, FLOAT, ORDER, PRIORITIES, SCORE, SEAT, Cost, Ranking

END = 30
"""Up to this many entrants at either end of the ranking are looked at exactly."""
_SCORE = 1 << 16
"""What one at ``score`` weighs against one at ``float`` while both are bounded together."""


def proven(ranking: Ranking, cost: Cost, bye: int | None) -> tuple[str, ...]:
    """Return the priorities, from the first, at which no round costs less than ``cost`` (with ``bye`` left over)."""
    return PRIORITIES[: _levels(ranking, cost, bye)]


def _levels(ranking: Ranking, cost: Cost, bye: int | None) -> int:
    if any(cost[: APART + 1]):
        return 0
    if bye is not None and cost[BYE] > ranking.least_bye():
        return BYE
    score, floats = divmod(_least(ranking, bye), _SCORE)
    if cost[SCORE] > score:
        return SCORE
    if cost[FLOAT] > floats:
        return FLOAT
    for level in (SEAT, ORDER):
        if cost[level]:
            return level
    return len(PRIORITIES)


def _least(ranking: Ranking, bye: int | None) -> int:
    """Return a bound below the cost at ``score`` and ``float`` of legal rounds whose bye is in the group of ``bye``.

    The square of a difference is at least the sum of the squares of the steps that it is made of, so the field can be
    cut: both ends are worked out exactly, with the way out of them as a last resort; in between, a gap under an odd
    number of entrants is crossed once at least.
    """
    groups = ranking.groups
    head = tail = 0
    while head < len(groups) and groups[head].stop <= END:
        head += 1
    while tail < len(groups) - head and len(ranking) - groups[-1 - tail].start <= END:
        tail += 1
    points = [_points(ranking, group.start) for group in groups]
    least = 0
    for number in range(head, len(groups) - 1 - tail):
        above = groups[number].stop - (bye is not None and bye < groups[number].stop)
        least += above % 2 * (points[number] - points[number + 1]) ** 2 * _SCORE
    if head:
        exit_to = points[head] if head < len(groups) else points[-1]
        least += _least_of_end(ranking, range(groups[head - 1].stop), exit_to, bye)
    if tail:
        # The gap between a head and a tail that touch each other belongs to the head.
        exit_to = points[-tail - 1] if head + tail < len(groups) else points[-tail]
        least += _least_of_end(ranking, range(groups[-tail].start, len(ranking)), exit_to, bye)
    return least


def _least_of_end(ranking: Ranking, end: range, exit_to: int, bye: int | None) -> int:
    """Return the least cost of ``end`` if its entrants meet each other or, by the way out, somebody at ``exit_to``."""
    size = len(end)
    standings = [ranking.standings[one] for one in end]
    # Each entrant has a shadow: who goes out is matched with it, and shadows that are left are matched freely.
    edges = []
    for one in range(size):
        away = _points(ranking, end[one]) - exit_to
        floats = [float_ == (-1 if end.start == 0 else 1) for float_ in standings[one].floats]
        edges.append((one, size + one, -(away * away * _SCORE + 4 * floats[0] + floats[1])))
        for other in range(one + 1, size):
            edges.append((size + one, size + other, 0))
            if ranking.is_legal(end[one], end[other]):
                cost = ranking.cost(end[one], end[other])
                edges.append((one, other, -(cost[SCORE] * _SCORE + cost[FLOAT])))
    nodes = 2 * size
    if bye is not None and bye in end:
        resting = ranking.standings[bye].group
        edges += [(one, nodes, 0) for one in range(size) if standings[one].group == resting]
        edges += [(size + one, nodes + 1, 0) for one in range(size)]
        nodes += 2
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.extend_from_weighted_edge_list(edges)
    least = 0
    for one, other in rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int):
        least -= graph.get_edge_data(one, other)
    return least


def _points(ranking: Ranking, position: int) -> int:
    """Return points in steps of the field; only differences mean something."""
    return ranking.standings[position].person.points // ranking.unit
