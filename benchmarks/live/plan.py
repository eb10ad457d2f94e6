"""What the load client is told, and what it tells when it has finished; both are one JSON document on a pipe."""

from __future__ import annotations

from typing import Literal

import msgspec

type Dialect = Literal["bearena", "polar", "boardgame.io", "colyseus"]


class Line(msgspec.Struct):
    """One socket to open."""

    url: str
    headers: dict[str, str] = {}


class Move(msgspec.Struct, array_like=True):
    """What a seat does next, worked out before the run, so that the client need not think."""

    seat: int
    action: msgspec.Raw


class Deal(msgspec.Struct):
    """One game: its sockets by seat, and all its moves (none with peers, whose games never end)."""

    lines: list[Line]
    moves: list[Move] = []


class Plan(msgspec.Struct):
    """A run: each table plays its deals one after another."""

    dialect: Dialect
    tables: list[list[Deal]]
    seconds: float
    """How long the window is that is measured."""
    warm_up: float = 1.0
    """Seconds of play before the window."""
    rate: float | None = None
    """Moves a second of all tables together; None is a closed loop: whoever is at turn acts at once. In
    Pick-a-Polar-Bear: grabs a second of each seat."""
    watched: dict[str, list[int]] = {}
    """Processes whose CPU time and memory are measured with all their children, by a name."""
    sampled: list[int] = []
    """Processes with a sampler (``sampling.py``) that is to count in the window alone."""


class Usage(msgspec.Struct):
    """What a group of processes used in the window."""

    cpu_seconds: float
    memory_bytes: int
    """Resident at the end of the window, shared pages counted in each process that has them."""


class Spread(msgspec.Struct):
    """Median, 99th percentile and worst of a number of times, in milliseconds."""

    count: int
    p50: float
    p99: float
    worst: float


class Figures(msgspec.Struct):
    """What one run measured."""

    moves: int
    seconds: float
    acknowledged: Spread
    """From sending a move to hearing that it is stored (with peers: to the mover's own view)."""
    seen: Spread
    """From sending a move until the last seat of the table has heard of it."""
    frame_bytes: float
    """Mean payload of what a seat gets for a move."""
    own_cpu_seconds: float
    usage: dict[str, Usage]
    refused: dict[str, int]
    late: int
    """Paced moves that could not be sent when due, because the table still waited for the move before."""
    stalled: int
    """Tables where nothing moved during the last second of the window: a slow commit, or worse (see ``differing``)."""
    differing: int
    """Tables whose seats did not show the same last record and hash some seconds after the end."""
    by_host: dict[str, int]
    """Acknowledged moves by the address of the server that took them."""
    ran_out: bool
    """Whether a table had played all its games, which ended the window early."""


def spread(seconds: list[float]) -> Spread:
    """Return the figures of ``seconds``."""
    ordered = sorted(seconds)
    if not ordered:
        return Spread(0, 0.0, 0.0, 0.0)
    p50, p99 = (1000 * ordered[min(int(len(ordered) * share), len(ordered) - 1)] for share in (0.5, 0.99))
    return Spread(len(ordered), p50, p99, 1000 * ordered[-1])
