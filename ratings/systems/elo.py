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
from math import floor, fsum
from typing import NamedTuple

from ratings.systems.pairs import Pair


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
    """What one pair does to one of its seats: the move in tenths of a point, unrounded, and what it is made of."""

    tenths: float
    score: float
    expected: float
    k: float


@dataclass(frozen=True, slots=True)
class BearenaElo:
    """The policy with its figures; :data:`BEARENA_ELO` is the one that pools use.

    A player is *provisional* before ``provisional_games`` rated games, *established* after, *settled* from
    ``settled_games``. K of a pair:

    - two established players: the smaller of their two, for both, so that what one wins the other loses;
    - a provisional player: ``k_provisional``, whoever the opponent is;
    - an established player against a provisional one: their own K times the share of ``provisional_games`` that the
      opponent has played. A win over somebody's first game is worth nothing, so fresh accounts cannot be farmed.
    """

    name: str = "bearena-elo/1"
    start: int = 15_000
    scale: float = 400.0
    k_provisional: float = 64.0
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

    def pair_k(self, own_games: int, other_games: int) -> float:
        """Return the K that a player with ``own_games`` has against one with ``other_games``, before ``/ (n - 1)``."""
        if own_games < self.provisional_games:
            return self.k_provisional
        own = self.k_established if own_games < self.settled_games else self.k_settled
        if other_games < self.provisional_games:
            return own * other_games / self.provisional_games
        return min(own, self.k_established if other_games < self.settled_games else self.k_settled)

    def rate(self, contestants: Sequence[Contestant], pairs: Sequence[Pair]) -> list[Change]:
        """Return the change of each contestant (in seat order) for one game with the given ``pairs``.

        The order of the seats does not matter, and a game between established players (or between provisional ones)
        sums to zero exactly. Raises ValueError unless there are two to eight contestants with different keys.
        """
        if not 2 <= len({one.key for one in contestants}) == len(contestants) <= 8:
            raise ValueError("A rated game has two to eight seats, and a different player in each.")
        moves = self.moves(contestants, pairs)
        tenths = whole_tenths([fsum(pair.tenths for pair in own) for own in moves], [one.key for one in contestants])
        return [
            Change(
                before=contestant.rating,
                after=contestant.rating + change,
                games_before=contestant.games,
                score=fsum(pair.score for pair in own),
                expected=fsum(pair.expected for pair in own),
                k=fsum(pair.k for pair in own) / len(own) if own else 0.0,
            )
            for contestant, own, change in zip(contestants, moves, tenths, strict=True)
        ]

    def moves(self, contestants: Sequence[Contestant], pairs: Sequence[Pair]) -> list[list[Move]]:
        """Return, per seat, what each of its pairs does to it, before anything is rounded."""
        moves: list[list[Move]] = [[] for _ in contestants]
        opponents = len(contestants) - 1
        for one, other, score in pairs:
            # Seen from the better-rated side, so that the order of the seats does not change a single bit.
            if contestants[one].rating < contestants[other].rating:
                one, other, score = other, one, 1.0 - score
            better, worse = contestants[one], contestants[other]
            expected = self.expected(better.rating - worse.rating)
            surprise = score - expected
            k = self.pair_k(better.games, worse.games) / opponents
            moves[one].append(Move(10.0 * k * surprise, score, expected, k))
            k = self.pair_k(worse.games, better.games) / opponents
            moves[other].append(Move(-10.0 * k * surprise, 1.0 - score, 1.0 - expected, k))
        return moves


def whole_tenths(changes: Sequence[float], keys: Sequence[int]) -> list[int]:
    """Round ``changes`` to integers whose sum is the rounded sum of the changes (largest remainder method).

    Each is rounded down; the units that are then missing go to the largest fractions, of equal ones to the smallest
    key. No result differs from its change by one or more, and none has the other sign.
    """
    rounded = [floor(change) for change in changes]
    missing = floor(fsum(changes) + 0.5) - sum(rounded)
    largest = sorted(range(len(changes)), key=lambda seat: (rounded[seat] - changes[seat], keys[seat]))
    for seat in largest[:missing]:
        rounded[seat] += 1
    return rounded


BEARENA_ELO = BearenaElo()
