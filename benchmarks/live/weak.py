"""Games that last: everybody makes a weak play, as long as there is one. Worked out before the run."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import msgspec

from benchmarks.live.plan import Move
from games.engine.canonical import canonical_text
from games.engine.hold_my_bear.cards import ANIMAL, BEAR, NUMBER
from games.engine.hold_my_bear.plays import plays_of, usable
from games.engine.hold_my_bear.position import Position
from games.models import Game
from games.services.rows import course_of

LOOKED_AT = 16
"""How many plays are compared; more make games a little longer."""


def moves_of(game: Game) -> list[Move]:
    """Return the moves of a dealt game of Hold my Bear to its end, about 30 with four seats."""
    referee = course_of(game).refereed
    engine, position = referee.game, referee.position
    moves = []
    while seats := engine.to_act(position):
        step = engine.apply(position, seats[0], _action(position, seats[0], engine.options(position, seats[0])))
        moves.append(Move(seats[0], msgspec.Raw(canonical_text(step.action).encode())))
        position = step.position
    return moves


def _action(position: Position, seat: int, options: Mapping[str, Any]) -> dict[str, Any]:
    hand = position.hands[seat]
    if options["force_bear"]:
        return {"type": "force-bear", "card": options["force_bear"][-1]}
    if options["steal"]:
        victims = [int(other) for other, held in options["steal"]["from"].items() for _ in range(held)]
        return {"type": "steal", "from": sorted(victims[: options["steal"]["take"]])}
    if options["play"]:
        cards, named = _weak_play(position, hand)
        return {"type": "play", "cards": list(cards)} | ({"as": named} if named else {})
    give = options["give"]
    to = position.owner if position.owner in give["to"] else give["to"][0]
    return {"type": "give", "gifts": [{"card": card, "to": to} for card in sorted(hand)[: give["cards"]]]}


def _weak_play(position: Position, hand: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """Return one of the weakest plays, without a bear if it can be: what may be played without bears may be at all."""
    without_bears = tuple(card for card in usable(hand) if ANIMAL[card] != BEAR)
    table = (position.table, position.table_as, position.rules)
    found = list(islice(plays_of(without_bears, *table), LOOKED_AT)) or list(islice(plays_of(hand, *table), LOOKED_AT))
    return min(found, key=lambda play: (len(play[0]), sum(NUMBER[card] for card in play[0])))
