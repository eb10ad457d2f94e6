"""What one seat or a spectator may know of a position, and what a client offers the seat that must act."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from games.engine.frame import Outcome, Seat

from .cards import bears_in
from .effects import needs_of, returnable
from .plays import can_play, plays_of
from .position import LARGEST_GIFT, Position
from .sets import worth

OFFERED_PLAYS = 60
"""How many plays a client is offered; with more it lets the player choose freely."""


_RUNNING = Outcome("running")


def own_view_of(position: Position, viewer: Seat) -> dict[str, Any]:
    """Return what ``viewer`` alone knows: its hand."""
    return {"seat": viewer, "hand": None if viewer is None else list(position.hands[viewer])}


def shared_view_of(position: Position) -> dict[str, Any]:
    """Return what everybody may know. Hands are only counts, after the end too."""
    return {
        "game": "hold-my-bear",
        "animals": list(position.rules.animals),
        "bears_alone": position.rules.bears_alone,
        "counts": [len(hand) for hand in position.hands],
        "table": list(position.table),
        "table_as": position.table_as,
        "owner": position.owner,
        "turn": position.turn,
        "must_play": position.must_play,
        "must_give": list(position.must_give),
        "waiting": position.waiting and position.waiting.to_json(),
        "out": list(position.out),
        "known": [list(cards) for cards in position.known],
        "gone": list(position.gone),
        "counted": {
            count.animal: [
                [low, min(high, len(hand))] for (low, high), hand in zip(count.bounds, position.hands, strict=True)
            ]
            for count in position.counted
        },
        "denied": [list(cards) for cards in position.denied or ((),) * len(position.hands)],
        "unowned_turns": position.unowned_turns,
        "outcome": (position.outcome or _RUNNING).to_json(),
    }


def options_of(position: Position, seat: int, *, plays: bool) -> dict[str, Any]:
    """Return what a client offers ``seat``, which is the seat to act; ``plays`` asks for the list of plays."""
    hand, due = position.hands[seat], position.waiting
    options: dict[str, Any] = {
        "must_play": position.must_play,
        "must_give": seat in position.must_give,
        "play": False,
        "plays": [] if plays else None,
        "plays_truncated": False,
        "give": None,
        "steal": None,
        "force_bear": None,
        "name": [],
        "respond": None,
    }
    if due is not None:
        cards = returnable(hand, due)
        options["respond"] = {"for": due.animal, "to": due.to, "cards": cards}
    elif position.owner == seat:
        options["force_bear"] = sorted(set(bears_in(hand)))
        options["name"] = list(position.rules.nameable)
    elif not hand:
        held = {str(other): len(cards) for other, cards in enumerate(position.hands) if other != seat and cards}
        options["steal"] = {"take": position.stealable(seat), "from": held}
    else:
        if seat not in position.must_give:
            _offer_plays(position, seat, options, listed=plays)
        if not (options["play"] and position.must_play):
            options["give"] = {"cards": min(LARGEST_GIFT, len(hand)), "to": position.others_in(seat)}
    return options


def _offer_plays(position: Position, seat: int, options: dict[str, Any], *, listed: bool) -> None:
    hand = position.hands[seat]
    options["play"] = can_play(hand, position.table, position.table_as, position.rules.nameable)
    if not options["play"]:
        return
    if bears_in(hand):
        options["name"] = list(position.rules.nameable)
    if not listed:
        return
    found = list(islice(plays_of(hand, position.table, position.table_as, position.rules), EXAMINED_PLAYS + 1))
    options["plays_truncated"] = len(found) > OFFERED_PLAYS
    found.sort(key=_strength)
    options["plays"] = [_play(cards, name) for cards, name in found[:OFFERED_PLAYS]]


EXAMINED_PLAYS = 2000
"""How many valid moves are looked at for the offer, so that a huge hand stays quick."""


def _strength(play: tuple[tuple[str, ...], str | None]) -> tuple[int, int, int]:
    figures = worth(*play)
    return figures.bears, figures.count, figures.sum


def _play(cards: Iterable[str], name: str | None) -> dict[str, Any]:
    cards = tuple(cards)
    action: dict[str, Any] = {"type": "play", "cards": list(cards)}
    if name is not None:
        action["as"] = name
    if needs := needs_of(cards):
        action["needs"] = needs
    return action
