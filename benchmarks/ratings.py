"""Prints how many games a second the policy bearena-elo rates of processor time, beside plain loops without it.

    python -m benchmarks.ratings [--games 100000]

Tables of two and of four drawn from 10,000 players, one winner each, every game rated from the ratings of the one
before, with the history kept. The plain loop does the same Elo with floats in lists, with one K and no rounding: what
it takes to do the arithmetic at all in Python.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random

from ratings.systems.elo import BEARENA_ELO, Contestant
from ratings.systems.pairs import winner_only

PLAYERS = 10_000

type Table = list[int]


def policy(tables: list[Table]) -> list[tuple[int, int]]:
    """Rate ``tables`` (the winner first) by bearena-elo; return the history."""
    values = [BEARENA_ELO.start] * PLAYERS
    games = [0] * PLAYERS
    pairs = {seats: winner_only([1] + [2] * (seats - 1), ()) for seats in range(2, 9)}
    history = []
    for table in tables:
        contestants = [Contestant(values[player], games[player], player) for player in table]
        for player, change in zip(table, BEARENA_ELO.rate(contestants, pairs[len(table)]), strict=True):
            values[player] = change.after
            games[player] += 1
            history.append((player, change.after))
    return history


def plain(tables: list[Table]) -> list[tuple[int, float]]:
    """Rate ``tables`` by the shortest loop that is still Elo by pairs."""
    values = [1500.0] * PLAYERS
    history = []
    for table in tables:
        winner = table[0]
        before = values[winner]
        k = 32.0 / (len(table) - 1)
        for loser in table[1:]:
            moved = k / (1.0 + 10.0 ** ((before - values[loser]) / 400.0))
            values[winner] += moved
            values[loser] -= moved
            history.append((loser, values[loser]))
        history.append((winner, values[winner]))
    return history


def rate_of(work: Callable[[list[Table]], object], tables: list[Table]) -> float:
    """Return games a second of processor time, the best of three runs."""
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        work(tables)
        best = max(best, len(tables) / (time.process_time() - start))
    return best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000)
    games = parser.parse_args().games
    random = Random(7)
    for seats in (2, 4):
        tables = [random.sample(range(PLAYERS), seats) for _ in range(games)]
        own, bare = rate_of(policy, tables), rate_of(plain, tables)
        print(f"{seats} seats: bearena-elo {own:,.0f} games/s, plain loop {bare:,.0f} games/s, ratio {own / bare:.2f}")


if __name__ == "__main__":
    main()
