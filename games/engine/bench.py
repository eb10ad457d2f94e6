"""Figures of speed on one core: playing, refereeing and replaying games."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from .registry import game as game_called
from .replay import Refereed
from .simulate import Simulation
from .transcript import Transcript
from .verify import verify

GAME, SEATS = "hold-my-bear", 4


def figures(games: int) -> dict[str, float]:
    """Return the figures for ``games`` games of four bots, each a number a second (higher is better)."""
    simulation = Simulation(game=GAME, seats=SEATS, games=games, seed="bench", bots=("greedy", "random"))
    playing, transcripts = _timed(lambda: list(simulation.run()))
    documents = [transcript.to_json() for transcript in transcripts]
    moves = sum(len(transcript.records) for transcript in transcripts)

    def replay() -> list[Refereed]:
        return [
            Refereed.resume(each.header, bytes.fromhex(each.server_seed or ""), each.records) for each in transcripts
        ]

    replaying, _ = _timed(replay)
    verifying, _ = _timed(lambda: [verify(document) for document in documents])
    positions = [_halfway(each) for each in transcripts]
    game = game_called(GAME)
    listing, listed = _timed(lambda: [game.legal(position, game.to_act(position)[0]) for position in positions])
    viewing, _ = _timed(lambda: [game.view(position, seat) for position in positions for seat in range(SEATS)])
    return {
        "games played by bots a second": _rate(games, playing),
        "moves played by bots a second": _rate(moves, playing),
        "games replayed a second": _rate(games, replaying),
        "moves replayed a second": _rate(moves, replaying),
        "games verified a second": _rate(games, verifying),
        "moves verified a second": _rate(moves, verifying),
        "positions listed a second": _rate(len(positions), listing),
        "legal actions listed a second": _rate(sum(len(actions) for actions, _ in listed), listing),
        "views a second": _rate(len(positions) * SEATS, viewing),
    }


def _halfway(transcript: Transcript) -> Any:
    records = transcript.records[: len(transcript.records) // 2]
    return Refereed.resume(transcript.header, bytes.fromhex(transcript.server_seed or ""), records).position


def _timed[T](work: Callable[[], T]) -> tuple[float, T]:
    begun = time.process_time()
    result = work()
    return time.process_time() - begun, result


def _rate(count: int, seconds: float) -> float:
    return round(count / seconds, 1)
