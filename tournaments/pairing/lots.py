"""Drawing lots from a seed: the same seed gives the same lots on every machine and in every version of Python.

The numbers come from SHAKE128 (FIPS 202), a standard with one right output, and not from :mod:`random`, which promises
that for one of its methods only. Nothing here is a secret: who knows the seed knows the lots.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import shake_128

WORD = 1 << 32


def words(seed: str, count: int) -> Iterator[tuple[int, int]]:
    """Return ``count`` pairs of numbers below 2**32 that follow from ``seed``."""
    return struct.iter_unpack("<II", shake_128(seed.encode()).digest(8 * count))


def shuffled[Thing](things: Sequence[Thing], seed: str) -> list[Thing]:
    """Return ``things`` in an order drawn by lot. It follows from the seed and from the order in which they came."""
    lots = [first << 32 | second for first, second in words(seed, len(things))]
    return [things[place] for place in sorted(range(len(things)), key=lambda place: (lots[place], place))]
