"""Figures of speed on one core, in process time: playing, refereeing, replaying and verifying games."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from statistics import median
from typing import Any

from .frame import Game, IllegalAction
from .hold_my_bear import HoldMyBear
from .hold_my_bear.turn import read_play
from .registry import game as game_called
from .replay import Refereed, opening
from .simulate import Simulation
from .transcript import Transcript
from .verify import verify

SEATS = 4
LISTED_HAND = 13
LISTED_POSITIONS = 60
PLAYS_A_POSITION = 50


def figures(games: int) -> dict[str, float]:
    """Return the figures for ``games`` games of four bots of each game by its default rules, by what they count."""
    return {
        **_figures_of("hold-my-bear", ("greedy", "random"), games),
        **_large_hands(),
        **_figures_of("pick-a-polar-bear", ("greedy", "kodiak", "grizzly", "cub"), games),
    }


def _figures_of(name: str, bots: Sequence[str], games: int) -> dict[str, float]:
    game = game_called(name)
    simulation = Simulation(game=name, seats=SEATS, games=games, seed="bench", bots=bots)
    playing, transcripts = _timed(lambda: list(simulation.run()))
    documents = [transcript.to_json() for transcript in transcripts]
    moves = sum(len(transcript.records) for transcript in transcripts)
    starts = [opening(each.header, _seed(each)) for each in transcripts]
    applying, _ = _timed(lambda: [_applied(game, start, each) for start, each in zip(starts, transcripts, strict=True)])
    replaying, _ = _timed(lambda: [Refereed.resume(each.header, _seed(each), each.records) for each in transcripts])
    refereeing, _ = _timed(lambda: [verify(document, check_hashes=False) for document in documents])
    verifying, _ = _timed(lambda: [verify(document) for document in documents])
    ends = [_halfway(each) for each in transcripts]
    viewing, _ = _timed(lambda: [game.view(position, seat) for position in ends for seat in range(SEATS)])
    return {
        f"{name}: moves played by bots a second": _rate(moves, playing),
        f"{name}: records in an average game": round(moves / games, 1),
        f"{name}: applied actions a second": _rate(moves, applying),
        f"{name}: games replayed a second": _rate(games, replaying),
        f"{name}: games verified a second without hashes": _rate(games, refereeing),
        f"{name}: games verified a second": _rate(games, verifying),
        f"{name}: views a second": _rate(len(ends) * SEATS, viewing),
    }


_HOLD_MY_BEAR = HoldMyBear()


def _applied(game: Game[Any], position: Any, transcript: Transcript) -> Any:
    for record in transcript.records:
        position = game.apply(position, record.seat, record.action).position
    return position


def _halfway(transcript: Transcript) -> Any:
    records = transcript.records[: len(transcript.records) // 2]
    return Refereed.resume(transcript.header, _seed(transcript), records).position


def _seed(transcript: Transcript) -> bytes:
    return bytes.fromhex(transcript.server_seed or "")


def _large_hands() -> dict[str, float]:
    """Return how long one play takes to judge, legal or not, and all plays to list, for hands of 13 cards."""
    rng = Random("large hands")
    rules = _HOLD_MY_BEAR.rules({}, 2)
    judging, listing = [], []
    for _ in range(LISTED_POSITIONS):
        deck = list(_HOLD_MY_BEAR.deck(rules))
        rng.shuffle(deck)
        lying = rng.randint(1, 3)
        hands = [deck[lying : lying + LISTED_HAND], deck[lying + LISTED_HAND :]]
        position = _HOLD_MY_BEAR.from_json({"hands": hands, "table": deck[:lying], "owner": 1, "must_play": False})
        sets = [sorted(rng.sample(position.hands[0], rng.randint(1, 5))) for _ in range(PLAYS_A_POSITION)]
        plays = [{"type": "play", "cards": cards} for cards in sets]
        judging.append(_timed(partial(_judge, position, plays))[0] / PLAYS_A_POSITION)
        listing.append(_timed(partial(_HOLD_MY_BEAR.legal, position, 0))[0])
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
