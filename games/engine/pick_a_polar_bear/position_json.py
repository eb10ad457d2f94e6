"""The JSON form of a position, as in the command line's specification, and the checks of one from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, cast

from games.engine.canonical import LARGEST_INTEGER
from games.engine.endings import void_outcome
from games.engine.frame import BadFormat, BadPosition, Outcome
from games.engine.shape import as_integer, as_list, as_object, as_text

from .cards import BONUS, KINDS, PICTURES, deck_of
from .draft import finished
from .position import Cards, Phase, Position, Setting, is_too_few
from .rules import MAX_SEATS, MIN_SEATS, PLACES, Rules, read_rules

REQUIRED = ("grid", "stacks", "pile")
OPTIONAL = ("points", "phase", "question", "answered", "restricted", "round", "out", "outcome")
PHASES = ("bonus", "ready", "grab")


def write_position(position: Position) -> dict[str, Any]:
    """Return ``position`` as JSON data. Its end follows from the rest, unless it is void: then ``outcome`` says so."""
    setting = position.setting
    data: dict[str, Any] = {
        "grid": list(position.grid),
        "stacks": [list(stack) for stack in position.stacks],
        "pile": list(setting.pile),
        "points": list(setting.points),
        "phase": setting.phase,
        "question": setting.question,
        "answered": list(setting.answered),
        "restricted": setting.restricted,
        "round": setting.round,
        "out": list(setting.out),
    }
    if setting.outcome is not None and setting.outcome.status == "void":
        data["outcome"] = setting.outcome.to_json()
    return data


def read_position(data: Mapping[str, Any], options: Mapping[str, Any] | None) -> Position:
    """Return the position that ``data`` describes. Raises BadFormat (BadRules for the rules) or BadPosition."""
    fields = as_object(data, "The position", REQUIRED, OPTIONAL)
    stacks_read = as_list(fields["stacks"], "stacks")
    seats = len(stacks_read)
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise BadPosition(f"Pick-a-Polar-Bear has {MIN_SEATS} to {MAX_SEATS} seats, not {seats}.")
    rules = read_rules(options, seats)
    grid = tuple(
        None if card is None else _picture(card, f"Place {place}", rules)
        for place, card in enumerate(as_list(fields["grid"], "grid"))
    )
    if len(grid) != PLACES[rules.decks]:
        raise BadPosition(f"The grid of {seats} seats has {PLACES[rules.decks]} places, not {len(grid)}.")
    stacks = tuple(_cards(stack, f"Stack {seat}", rules) for seat, stack in enumerate(stacks_read))
    pile = tuple(
        card if isinstance(card, str) and card in BONUS else _picture(card, "The pile", rules)
        for card in as_list(fields["pile"], "pile")
    )
    question = fields.get("question")
    if question is not None and as_text(question, "question") not in BONUS:
        raise BadFormat(f"The question {question!r} is no bonus card.")
    answered = _seats(fields.get("answered", []), "answered", seats)
    out = _seats(fields.get("out", []), "out", seats)
    position = Position(
        grid,
        stacks,
        Setting(
            phase=_phase(fields.get("phase", "grab" if question is None else "bonus")),
            pile=pile,
            points=_points(fields.get("points"), seats),
            question=question,
            answered=answered,
            counts=(None,) * len(answered),
            restricted=_restricted(fields.get("restricted"), seats, rules, out),
            round=as_integer(fields.get("round", 1), "round", least=1),
            out=out,
            outcome=None,
            rules=rules,
            gone=_gone(chain(grid, *stacks, pile, (question,)), rules),
            check=None,
        ),
    )
    outcome = _end(position)
    if outcome is None:
        _check_running(position)
    given = fields.get("outcome")
    if given is not None:
        void = void_outcome(seats)
        if given == void.to_json():
            outcome = void
        elif outcome is None or given != outcome.to_json():
            raise BadPosition("The outcome does not follow from the position.")
    return position._replace(setting=position.setting._replace(outcome=outcome))


def _picture(value: Any, what: str, rules: Rules) -> str:
    if as_text(value, f"{what}: a card") not in PICTURES:
        raise BadFormat(f"{what}: {value!r} is no picture card.")
    if len(value) != len(KINDS[rules.decks][0]):
        raise BadPosition(f"{what}: {value!r} is no card of a game with {rules.decks} decks.")
    return cast(str, value)


def _cards(value: Any, what: str, rules: Rules) -> Cards:
    return tuple(_picture(card, what, rules) for card in as_list(value, what))


def _seat(value: Any, what: str, seats: int) -> int:
    if as_integer(value, what, least=-LARGEST_INTEGER) not in range(seats):
        raise BadPosition(f"{what} names seat {value}, the seats are 0 to {seats - 1}.")
    return cast(int, value)


def _seats(value: Any, what: str, seats: int) -> tuple[int, ...]:
    named = tuple(_seat(item, what, seats) for item in as_list(value, what))
    if len(set(named)) != len(named):
        raise BadPosition(f"{what} names a seat twice.")
    return named


def _phase(value: Any) -> Phase:
    if as_text(value, "phase") not in PHASES:
        raise BadFormat(f"The phase is one of {', '.join(PHASES)}.")
    return cast(Phase, value)


def _points(value: Any, seats: int) -> tuple[int, ...]:
    if value is None:
        return (0,) * seats
    points = tuple(as_integer(item, "An item of points", least=-LARGEST_INTEGER) for item in as_list(value, "points"))
    if len(points) != seats:
        raise BadPosition(f"points has an item per seat: {seats}, not {len(points)}.")
    return points


def _restricted(value: Any, seats: int, rules: Rules, out: tuple[int, ...]) -> int | None:
    """Return the restricted seat; a seat that left restricts nobody."""
    if value is None:
        return None
    if not rules.different or seats == 1:
        raise BadPosition("Only the variant 'different' restricts a seat, and never in a solo game.")
    seat = _seat(value, "restricted", seats)
    return None if seat in out else seat


def _gone(lying: Iterable[str | None], rules: Rules) -> Cards:
    """Return the cards of the deck that are nowhere, sorted."""
    there = Counter(card for card in lying if card is not None)
    return tuple(sorted((Counter(deck_of(rules.decks, rules.bonus)) - there).elements()))


def _end(position: Position) -> Outcome | None:
    """Return how the game ended if it did: too few seats are in, or no round could begin."""
    setting, staying = position.setting, position.staying()
    if any(position.stacks[seat] for seat in setting.out):
        raise BadPosition("A seat that is out has no stack.")
    over = is_too_few(len(staying), position.seats)
    if not over and not any(position.stacks):
        if setting.question is not None or sum(card not in BONUS for card in setting.pile) >= len(staying):
            raise BadPosition("Each seat that is in has a start card.")
        over = True
    return finished(setting.points, setting.out) if over else None


def _check_running(position: Position) -> None:
    """Raise BadPosition where parts of a running game's ``position`` contradict each other."""
    setting = position.setting
    for seat in position.staying():
        stack = position.stacks[seat]
        if not stack:
            raise BadPosition(f"Seat {seat} has no start card.")
        if len(stack) > 1 and setting.phase != "grab":
            raise BadPosition(f"Seat {seat} took cards before go.")
    if (setting.phase == "bonus") != (setting.question is not None):
        raise BadPosition("There is a question in the phase bonus, and only there.")
    if setting.question is None and setting.answered:
        raise BadPosition("Nobody can have answered where nothing is asked.")


def check_cards(position: Position) -> None:
    """Raise BadPosition where there are more cards of a kind than the deck has."""
    setting = position.setting
    have = Counter(deck_of(setting.rules.decks, setting.rules.bonus))
    lying = chain(position.grid, *position.stacks, setting.pile, (setting.question,))
    for card, count in Counter(lying).items():
        if card is not None and count > have[card]:
            raise BadPosition(f"There are {count} {card}, the deck has {have[card]}.")
