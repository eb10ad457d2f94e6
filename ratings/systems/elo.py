"""``bearena-elo``: Elo for tables of 2 to 8, by pairs, all from the ratings before the game.

Sources:

- The expected score of a pair, ``1 / (1 + 10^(-d/400))``: A. E. Elo, *The Rating of Chessplayers, Past and Present*
  (1978), the logistic form that most online services use.
- Several seats: every compared pair is a game of its own at ``K / (n - 1)``, so that a seat's changes add up to at
  most K and a table of eight swings as much as a duel. This is the convention of multi-player Elo as in the package
  multielo, whose ``2K / n`` a pair is ours with ``K`` scaled by ``2 (n - 1) / n``.
- K falls with experience and newcomers move others less, in the manner of FIDE's K of 40, 20 and 10 and of the
  provisional ratings of US Chess; the figures are ours.

Ratings are whole tenths of a point, so that sums are exact and a rebuild gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ratings.systems.pairs import Pair

PARTS = 1 << 32
"""Into how many parts a tenth of a point is divided before rounding."""


class Contestant(NamedTuple):
    """A player as a game finds them.

    ``rating`` is in tenths of a point, ``games`` counts the rated games before this one, and ``key`` (any number that
    is the player's own) decides who gets a tenth that is owed equally to several.
    """

    rating: int
    games: int
    key: int


class Change(NamedTuple):
    """What a game does to one contestant: ``after - before`` is about ``10 * k * (score - expected)``.

    ``before`` and ``after`` are tenths of a point; ``score`` and ``expected`` are summed over the contestant's pairs,
    ``k`` is the mean of what one point of a pair was worth to them, in points of rating.
    """

    before: int
    after: int
    games_before: int
    score: float
    expected: float
    k: float


class Move(NamedTuple):
    """What all pairs do to one seat, before it is rounded.

    ``parts`` are :data:`PARTS` of a tenth of a point, whole numbers so that their sum is the same in any order.
    """

    parts: int
    score: float
    expected: float
    k: float


@dataclass(frozen=True, slots=True)
class BearenaElo:
    """The policy with its figures; :data:`BEARENA_ELO` is the one that pools use.

    A player is *provisional* before ``provisional_games`` rated games, *established* after, *settled* from
    ``settled_games``. A player's own K falls evenly from ``k_start`` to ``k_established`` while they are provisional,
    and is ``k_settled`` in the end. K of a pair:

    - two established or two provisional players: the smaller of their two, for both, so that what one wins the other
      loses;
    - a provisional player against an established one: their own;
    - an established player against a provisional one: their own times the share of ``provisional_games`` that the
      opponent has played. A win over somebody's first game is worth nothing, so fresh accounts cannot be farmed.
    """

    name: str = "bearena-elo/1"
    start: int = 15_000
    scale: float = 400.0
    k_start: float = 64.0
    k_established: float = 32.0
    k_settled: float = 20.0
    provisional_games: int = 20
    settled_games: int = 100

    def is_provisional(self, games: int) -> bool:
        """Say whether a rating after ``games`` rated games is still provisional."""
        return games < self.provisional_games

    def expected(self, difference: int) -> float:
        """Return the expected score of a player who is rated ``difference`` tenths of a point above the other."""
        return 1.0 / (1.0 + 10.0 ** (-difference / (10.0 * self.scale)))  # type: ignore[no-any-return]

    def own_k(self, games: int) -> float:
        """Return the K of a player with ``games`` rated games."""
        if games < self.provisional_games:
            return self.k_start - (self.k_start - self.k_established) * games / self.provisional_games
        return self.k_established if games < self.settled_games else self.k_settled

    def pair_k(self, own_games: int, other_games: int) -> float:
        """Return the K that a player with ``own_games`` has against one with ``other_games``, before ``/ (n - 1)``."""
        own = self.own_k(own_games)
        if self.is_provisional(own_games) == self.is_provisional(other_games):
            return min(own, self.own_k(other_games))
        if self.is_provisional(own_games):
            return own
        return own * other_games / self.provisional_games

    def rate(self, contestants: Sequence[Contestant], pairs: Sequence[Pair]) -> list[Change]:
        """Return the change of each contestant (in seat order) for one game with the given ``pairs``.

        The order of the seats does not matter, and a game among established players, or among provisional ones, sums
        to zero exactly. Raises ValueError unless there are two to eight contestants with different keys.
        """
        keys = [one.key for one in contestants]
        if not 2 <= len(set(keys)) == len(keys) <= 8:
            raise ValueError("A rated game has two to eight seats, and a different player in each.")
        moves = self.moves(contestants, pairs)
        tenths = whole_tenths([move.parts for move in moves], keys)
        return [
            Change(rating, rating + change, games, score, expected, k)
            for (rating, games, _), (_, score, expected, k), change in zip(contestants, moves, tenths, strict=True)
        ]

    def moves(self, contestants: Sequence[Contestant], pairs: Sequence[Pair]) -> list[Move]:
        """Return what ``pairs`` do to each contestant (in seat order), before anything is rounded."""
        seats = len(contestants)
        parts = [0] * seats
        scores = [0.0] * seats
        expectations = [0.0] * seats
        ks = [0.0] * seats
        met = [0] * seats
        for one, other, score in pairs:
            # Seen from the better-rated side, so that the order of the seats does not change a single bit.
            if contestants[one].rating < contestants[other].rating:
                one, other, score = other, one, 1.0 - score
            (rating, games, _), (other_rating, other_games, _) = contestants[one], contestants[other]
            expected = self.expected(rating - other_rating)
            surprise = score - expected
            k = self.pair_k(games, other_games) / (seats - 1)
            parts[one] += round(k * surprise * (10 * PARTS))
            scores[one] += score
            expectations[one] += expected
            ks[one] += k
            met[one] += 1
            k = self.pair_k(other_games, games) / (seats - 1)
            parts[other] -= round(k * surprise * (10 * PARTS))
            scores[other] += 1.0 - score
            expectations[other] += 1.0 - expected
            ks[other] += k
            met[other] += 1
        return [
            Move(parts[seat], scores[seat], expectations[seat], ks[seat] / (met[seat] or 1)) for seat in range(seats)
        ]


def whole_tenths(changes: Sequence[int], keys: Sequence[int]) -> list[int]:
    """Round ``changes``, in :data:`PARTS`, to whole tenths whose sum is the rounded sum (largest remainder method).

    Each is rounded down; the tenths that are then missing go to the largest fractions, of equal ones to the smallest
    key. No result differs from its change by a tenth or more, and none has the other sign.
    """
    rounded = [change // PARTS for change in changes]
    missing = (sum(changes) + PARTS // 2) // PARTS - sum(rounded)
    if missing:
        largest = sorted(range(len(changes)), key=lambda seat: (-(changes[seat] % PARTS), keys[seat]))
        for seat in largest[:missing]:
            rounded[seat] += 1
    return rounded


BEARENA_ELO = BearenaElo()
