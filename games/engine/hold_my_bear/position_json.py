"""The JSON form of a position, as in the command line's specification, and the checks of one from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any, cast

from games.engine.deal import EXPLICIT_DEAL_SEED
from games.engine.endings import competition_ranks
from games.engine.frame import BadFormat, BadPosition, Outcome
from games.engine.shape import as_flag, as_hash, as_integer, as_list, as_object, as_text

from .cards import ANIMAL, COPIES, NUMBER, PACK, bears_in, deck_of
from .position import LARGEST_GIFT, Position, Return
from .rules import MAX_SEATS, MIN_SEATS, Rules
from .sets import LARGEST_SET

REQUIRED = ("hands", "table")
OPTIONAL = (
    "table_as",
    "owner",
    "turn",
    "must_play",
    "must_give",
    "out",
    "waiting",
    "pending",
    "unowned_turns",
    "outcome",
    "seed",
    "drawn",
)


def write_position(position: Position) -> dict[str, Any]:
    """Return ``position`` as JSON data; the random stream only where it is not the start of an explicit deal's."""
    data: dict[str, Any] = {
        "hands": [list(hand) for hand in position.hands],
        "table": list(position.table),
        "table_as": position.table_as,
        "owner": position.owner,
        "turn": position.turn,
        "must_play": position.must_play,
        "must_give": list(position.must_give),
        "out": list(position.out),
        "waiting": position.waiting and position.waiting.to_json(),
        "pending": [due.to_json() for due in position.pending],
        "unowned_turns": position.unowned_turns,
        "outcome": position.outcome and position.outcome.to_json(),
    }
    if position.drawn or position.seed != EXPLICIT_DEAL_SEED:
        data["seed"] = position.seed.hex()
        data["drawn"] = position.drawn
    return data


def read_position(data: Mapping[str, Any], rules: Rules) -> Position:
    """Return the position that ``data`` describes, nothing settled yet. Raises BadFormat or BadPosition."""
    fields = as_object(data, "The position", REQUIRED, OPTIONAL)
    _check_size(fields, rules)
    hands = tuple(_cards(hand, f"Hand {seat}") for seat, hand in enumerate(as_list(fields["hands"], "hands")))
    seats = len(hands)
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise BadPosition(f"Hold my Bear has {MIN_SEATS} to {MAX_SEATS} seats, not {seats}.")
    table = _cards(fields["table"], "The table")
    owner = fields.get("owner")
    outcome = fields.get("outcome")
    waiting = fields.get("waiting")
    seed = fields.get("seed")
    position = Position(
        hands=hands,
        table=table,
        table_as=_table_as(fields.get("table_as"), table, rules),
        owner=None if owner is None else _seat(owner, "The owner", seats),
        turn=_seat(fields.get("turn", 0), "The turn", seats),
        must_play=as_flag(fields.get("must_play", True), "must_play") or "rabbit" in map(ANIMAL.get, table),
        must_give=tuple(sorted(_seats(fields.get("must_give", []), "must_give", seats))),
        out=_seats(fields.get("out", []), "out", seats),
        waiting=None if waiting is None else _return(waiting, "waiting", seats),
        pending=tuple(_return(item, "pending", seats) for item in as_list(fields.get("pending", []), "pending")),
        unowned_turns=as_integer(fields.get("unowned_turns", 0), "unowned_turns"),
        outcome=None if outcome is None else _outcome(outcome, seats),
        seed=EXPLICIT_DEAL_SEED if seed is None else bytes.fromhex(as_hash(seed, "seed")),
        drawn=as_integer(fields.get("drawn", 0), "drawn"),
        rules=rules,
        known=((),) * seats,
        gone=_gone(hands, table, rules),
    )
    _check_sense(position)
    return position


def _check_size(fields: Mapping[str, Any], rules: Rules) -> None:
    """Raise BadPosition for more of anything than a game has, before the time is spent to read it."""
    hands = as_list(fields["hands"], "hands")
    cards = len(as_list(fields["table"], "The table")) + sum([len(as_list(hand, "A hand")) for hand in hands])
    deck = len(PACK) * len(rules.animals)
    if cards > deck:
        raise BadPosition(f"There are {cards} cards, the deck has {deck}.")
    if len(as_list(fields.get("pending", []), "pending")) > LARGEST_GIFT - 1:
        raise BadPosition(f"At most {LARGEST_GIFT} cards are given at once: one response waits, the other is pending.")


def _cards(value: Any, what: str) -> tuple[str, ...]:
    for card in as_list(value, what):
        if as_text(card, f"{what}: a card") not in NUMBER:
            raise BadFormat(f"{what}: {card!r} is no card.")
    return tuple(sorted(value))


def _seat(value: Any, what: str, seats: int) -> int:
    if as_integer(value, what, least=-(2**53)) not in range(seats):
        raise BadPosition(f"{what} names seat {value}, the seats are 0 to {seats - 1}.")
    return cast(int, value)


def _seats(value: Any, what: str, seats: int) -> tuple[int, ...]:
    named = tuple(_seat(item, what, seats) for item in as_list(value, what))
    if len(set(named)) != len(named):
        raise BadPosition(f"{what} names a seat twice.")
    return named


def _return(value: Any, what: str, seats: int) -> Return:
    fields = as_object(value, what, ("seat", "for", "to"), ("number",))
    animal, number = fields["for"], fields.get("number")
    if animal not in ("turtle", "bison"):
        raise BadFormat(f"{what}: 'for' is turtle or bison.")
    if (number is None) == (animal == "turtle"):
        raise BadFormat(f"{what}: a turtle has a number, a bison has none.")
    if number is not None and as_integer(number, f"{what}: number") not in COPIES:
        raise BadPosition(f"{what}: there is no turtle with the number {number}.")
    seat, to = _seat(fields["seat"], what, seats), _seat(fields["to"], what, seats)
    return Return(seat, animal, to, number)


def _table_as(named: Any, table: tuple[str, ...], rules: Rules) -> str | None:
    if named is None:
        return None
    if as_text(named, "table_as") not in rules.nameable:
        raise BadPosition(f"The table set cannot be named {named!r}.")
    if len(bears_in(table)) != len(table):
        raise BadPosition("Only a table set of bears alone can be named.")
    return cast(str, named)


def _outcome(value: Any, seats: int) -> Outcome | None:
    fields = as_object(value, "The outcome", ("status", "places", "points"))
    status, places = fields["status"], fields["places"]
    if status not in ("running", "finished", "drawn", "void"):
        raise BadFormat("The outcome's status is running, finished, drawn or void.")
    if fields["points"] is not None:
        raise BadPosition("Hold my Bear has no points.")
    if status == "running":
        if places is not None:
            raise BadPosition("A running game has no places yet.")
        return None
    if places is None:
        raise BadPosition("A game that is over has places.")
    ranks = tuple(as_integer(place, "A place", least=1) for place in as_list(places, "places"))
    if len(ranks) != seats or competition_ranks(ranks) != ranks or (status == "void" and set(ranks) != {1}):
        raise BadPosition(f"The places do not fit a game of {seats} seats that is {status}.")
    return Outcome(status, ranks)


def check_cards(position: Position) -> None:
    """Raise BadPosition where there are more cards of a kind than the deck has."""
    have = Counter(deck_of(position.rules.animals))
    for card, count in Counter(chain(position.table, *position.hands)).items():
        if count > have[card]:
            raise BadPosition(f"There are {count} {card}, the deck has {have[card]}.")


def _gone(hands: tuple[tuple[str, ...], ...], table: tuple[str, ...], rules: Rules) -> tuple[str, ...]:
    """Return the cards of the deck that are nowhere."""
    return tuple(sorted((Counter(deck_of(rules.animals)) - Counter(chain(table, *hands))).elements()))


def _check_sense(position: Position) -> None:
    """Raise BadPosition where parts of ``position`` contradict each other."""
    if not 1 <= len(position.table) <= LARGEST_SET:
        raise BadPosition(f"The table set has 1 to {LARGEST_SET} cards, not {len(position.table)}.")
    if len(position.out) == position.seats:
        raise BadPosition("At least one seat is in.")
    if position.owner is not None:
        if position.owner in position.out:
            raise BadPosition("The owner of the table set is out: the set would belong to nobody.")
        if position.unowned_turns:
            raise BadPosition("unowned_turns counts only while the table set belongs to nobody.")
    if position.unowned_turns > position.seats:
        raise BadPosition("More turns without an owner than a draw takes.")
    if not set(position.must_give).isdisjoint(position.out):
        raise BadPosition("A seat in must_give is out.")
    if position.outcome is None:
        _check_running(position)
    elif position.waiting or position.pending:
        raise BadPosition("The game is over: nothing can be due.")


def _check_running(position: Position) -> None:
    if position.turn in position.out:
        raise BadPosition(f"It is the turn of seat {position.turn}, which is out.")
    if position.pending and position.waiting is None:
        raise BadPosition("pending comes after a waiting response, and there is none.")
    for due in (position.waiting, *position.pending):
        if due is None:
            continue
        if due.to != position.turn or due.seat == due.to or due.seat in position.out:
            raise BadPosition(f"Seat {due.seat} cannot owe seat {due.to} a card on the turn of seat {position.turn}.")
        if due.animal not in position.rules.animals:
            raise BadPosition(f"There is no {due.animal} in this deck.")
    if position.waiting is not None and position.owner == position.turn:
        raise BadPosition("A seat cannot have given cards while its own set lies on the table.")
