"""Figures of speed on one core, in process time: playing, refereeing, replaying and verifying games."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from random import Random
from statistics import median
from typing import Any

from .frame import IllegalAction
from .hold_my_bear import HoldMyBear
from .hold_my_bear.turn import read_play
from .replay import Refereed, opening
from .simulate import Simulation
from .transcript import Transcript
from .verify import verify

SEATS = 4
LISTED_HAND = 13
LISTED_POSITIONS = 60
PLAYS_A_POSITION = 50


def figures(games: int) -> dict[str, float]:
    """Return the figures for ``games`` games of four bots with the default deck, by what they count."""
    simulation = Simulation(game="hold-my-bear", seats=SEATS, games=games, seed="bench", bots=("greedy", "random"))
    playing, transcripts = _timed(lambda: list(simulation.run()))
    documents = [transcript.to_json() for transcript in transcripts]
    moves = sum(len(transcript.records) for transcript in transcripts)
    starts = [opening(each.header, _seed(each)) for each in transcripts]
    applying, _ = _timed(lambda: [_applied(start, each) for start, each in zip(starts, transcripts, strict=True)])
    replaying, _ = _timed(lambda: [Refereed.resume(each.header, _seed(each), each.records) for each in transcripts])
    refereeing, _ = _timed(lambda: [verify(document, check_hashes=False) for document in documents])
    verifying, _ = _timed(lambda: [verify(document) for document in documents])
    ends = [_halfway(each) for each in transcripts]
    viewing, _ = _timed(lambda: [_GAME.view(position, seat) for position in ends for seat in range(SEATS)])
    return {
        "hold-my-bear: moves played by bots a second": _rate(moves, playing),
        "hold-my-bear: records in an average game": round(moves / games, 1),
        "hold-my-bear: applied actions a second": _rate(moves, applying),
        "hold-my-bear: games replayed a second": _rate(games, replaying),
        "hold-my-bear: games verified a second without hashes": _rate(games, refereeing),
        "hold-my-bear: games verified a second": _rate(games, verifying),
        "hold-my-bear: views a second": _rate(len(ends) * SEATS, viewing),
        **_large_hands(),
    }


_GAME = HoldMyBear()


def _applied(position: Any, transcript: Transcript) -> Any:
    for record in transcript.records:
        position = _GAME.apply(position, record.seat, record.action).position
    return position


def _halfway(transcript: Transcript) -> Any:
    records = transcript.records[: len(transcript.records) // 2]
    return Refereed.resume(transcript.header, _seed(transcript), records).position


def _seed(transcript: Transcript) -> bytes:
    return bytes.fromhex(transcript.server_seed or "")


def _large_hands() -> dict[str, float]:
    """Return how long one play takes to judge, legal or not, and all plays to list, for hands of 13 cards."""
    rng = Random("large hands")
    rules = _GAME.rules({}, 2)
    judging, listing = [], []
    for _ in range(LISTED_POSITIONS):
        deck = list(_GAME.deck(rules))
        rng.shuffle(deck)
        lying = rng.randint(1, 3)
        hands = [deck[lying : lying + LISTED_HAND], deck[lying + LISTED_HAND :]]
        position = _GAME.from_json({"hands": hands, "table": deck[:lying], "owner": 1, "must_play": False})
        sets = [sorted(rng.sample(position.hands[0], rng.randint(1, 5))) for _ in range(PLAYS_A_POSITION)]
        plays = [{"type": "play", "cards": cards} for cards in sets]
        judging.append(_timed(partial(_judge, position, plays))[0] / PLAYS_A_POSITION)
        listing.append(_timed(partial(_GAME.legal, position, 0))[0])
    return {
        "hold-my-bear: microseconds to judge one play": round(median(judging) * 1e6, 2),
        "hold-my-bear: milliseconds to list a hand of 13": round(median(listing) * 1e3, 3),
    }


def _judge(position: Any, plays: Iterable[dict[str, Any]]) -> None:
    for play in plays:
        with suppress(IllegalAction):
            read_play(position, 0, play, ())


def _timed[T](work: Callable[[], T]) -> tuple[float, T]:
    begun = time.process_time()
    result = work()
    return time.process_time() - begun, result


def _rate(count: int, seconds: float) -> float:
    return round(count / seconds, 1)
