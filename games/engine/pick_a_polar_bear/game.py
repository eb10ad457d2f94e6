"""Pick-a-Polar-Bear as the frame wants it: rules, start, apply, legal actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.endings import TABLE_ACTIONS, Leaving, Voiding, read_ending
from games.engine.frame import Action, BadFormat, Event, GameOver, IllegalAction, NotYourTurn, Outcome, Seat, Step

from .actions import only_keys, read_count, read_times, timing_fault
from .cards import deck_of
from .draft import Draft
from .phrases import wording
from .position import Phase, Position, Setting
from .position_json import check_cards, read_position, write_position
from .rules import MAX_SEATS, MIN_SEATS, PLACES, read_options, read_rules
from .view import RUNNING, options_of, own_view_of, shared_view_of

PHASE_OF: dict[str, Phase] = {
    "grab": "grab",
    "stop": "grab",
    "answer": "bonus",
    "go": "ready",
    "idle": "grab",
    "close": "bonus",
}
"""The phase that each of the game's own actions belongs to."""

OWN_OF_TABLE = ("go", "idle", "close")
ENDINGS = ("resign", *TABLE_ACTIONS)

WHY_NOT_NOW: dict[Phase, str] = {
    "ready": "The round has not begun: wait for go.",
    "bonus": "A bonus question is open: now only an answer counts.",
    "grab": "The round is on: there is no question, and go was said.",
}

LISTED_PLACES = sorted(range(max(PLACES.values())), key=str)
"""All places in the order of the canonical JSON of their grabs."""


class PickAPolarBear:
    """The rules of Pick-a-Polar-Bear. Stateless."""

    name = "pick-a-polar-bear"
    title = "Pick-a-Polar-Bear"
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS
    real_time = True

    def rules(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return ``options`` with every default written out; the seats decide the decks. Raises BadRules."""
        return read_rules(options, seats).to_json()

    def deck(self, rules: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the full deck in canonical order. Raises BadRules."""
        options = read_options(rules)
        return deck_of(options.decks, options.bonus)

    def start(
        self, rules: Mapping[str, Any], seats: int, deck: Sequence[str], deal_seed: bytes, drawn: int
    ) -> Position:
        """Return the first position: the start cards dealt and the grid filled, or the first question open."""
        options = read_rules(rules, seats)
        setting = Setting(
            phase="ready",
            pile=tuple(deck),
            points=(0,) * seats,
            question=None,
            answered=(),
            counts=(),
            restricted=None,
            round=0,
            out=(),
            outcome=None,
            rules=options,
            gone=(),
            check=None,
        )
        draft = Draft(Position((None,) * PLACES[options.decks], ((),) * seats, setting))
        draft.next_round()
        return draft.freeze()

    # What happens

    def apply(self, position: Position, seat: Seat, action: Action) -> Step[Position]:
        """Return the step that ``action`` makes. Raises IllegalAction, NotYourTurn or GameOver, changing nothing."""
        setting = position.setting
        if setting.outcome is not None:
            raise GameOver("The game is over.")
        if seat is not None and not 0 <= seat < len(position.stacks):
            raise IllegalAction(f"There is no seat {seat!r} in this game.")
        kind = action.get("type")
        if kind == "grab" and seat is not None and setting.phase == "grab" and seat not in setting.out:
            return self._grab(position, seat, action)
        if not isinstance(kind, str) or (kind not in PHASE_OF and kind not in ENDINGS):
            raise IllegalAction(f"Pick-a-Polar-Bear has no action of the type {kind!r}.")
        ending = read_ending(seat, action, len(position.stacks))
        draft = Draft(position)
        if ending is not None:
            self._end(draft, ending)
            return Step(draft.freeze(), dict(action), tuple(draft.events))
        if (seat is None) != (kind in OWN_OF_TABLE):
            who = "the table itself" if kind in OWN_OF_TABLE else "a seat"
            raise IllegalAction(f"Only {who} can say {kind}." if kind != "grab" else f"Only {who} can grab.")
        if seat in setting.out:
            raise NotYourTurn("You are out of this game.")
        if setting.phase != PHASE_OF[kind]:
            raise IllegalAction(WHY_NOT_NOW[setting.phase])
        if kind == "answer":
            assert seat is not None
            self._answer(draft, seat, action)
        else:
            only_keys(action, ("type",))
            self._ACT[kind](self, draft, seat)
        return Step(draft.freeze(), dict(action), tuple(draft.events))

    def _grab(self, position: Position, seat: int, action: Action) -> Step[Position]:
        """Take a card. Every grab of a place that holds one is accepted; the check finds faults (rules, Grabbing)."""
        grid, stacks = position.grid, position.stacks
        place = action.get("place")
        times = read_times(action, seat, len(stacks)) if len(action) != 2 else {}
        if type(place) is not int or not 0 <= place < len(grid):
            raise IllegalAction(f"A grab names a place from 0 to {len(grid) - 1}.")
        card = grid[place]
        if card is None:
            raise IllegalAction("Somebody was faster: this place is empty.")
        moved = Position(
            (*grid[:place], None, *grid[place + 1 :]),
            (*stacks[:seat], (*stacks[seat], card), *stacks[seat + 1 :]),
            position.setting,
        )
        told: dict[str, Any] = {"place": place, "card": card}
        if "beat" in times:
            told["beat"] = [beaten["seat"] for beaten in times["beat"]]
        return Step(moved, {"type": "grab", "place": place, **times}, (Event("grab", seat, told),))

    def _stop(self, draft: Draft, seat: Seat) -> None:
        draft.tell("stop", seat)
        draft.end_round(seat)

    def _go(self, draft: Draft, seat: Seat) -> None:
        draft.phase = "grab"
        draft.tell("go", None, starts=[stack[0] if stack else None for stack in draft.stacks])

    def _idle(self, draft: Draft, seat: Seat) -> None:
        if len(draft.stacks) == 1:
            raise IllegalAction("A solo round ends only by a stop.")
        draft.tell("idle", None)
        draft.end_round(None)

    def _close(self, draft: Draft, seat: Seat) -> None:
        draft.tell("close", None)
        draft.close("time")

    _ACT = {"stop": _stop, "go": _go, "idle": _idle, "close": _close}

    def _answer(self, draft: Draft, seat: int, action: Action) -> None:
        if seat in draft.answered:
            raise IllegalAction("You have answered this question: one answer each.")
        lying = sum(card is not None for card in draft.grid)
        draft.answer(seat, read_count(action, lying))

    def _end(self, draft: Draft, ending: Leaving | Voiding) -> None:
        if isinstance(ending, Voiding):
            draft.tell("void", None, reason=ending.reason)
            draft.void()
            return
        if ending.seat in draft.out:
            raise IllegalAction("This seat is out already.")
        if ending.reason is None:
            draft.tell("resign", ending.seat)
        else:
            draft.tell("forfeit", ending.seat, reason=ending.reason)
        draft.leave(ending.seat)

    # What may happen

    def seats(self, position: Position) -> int:
        """Return how many seats the game has, those that are out included."""
        return len(position.stacks)

    def to_act(self, position: Position) -> tuple[int, ...]:
        """Return the seats that may act now; empty while the game waits for the table's go, and when over."""
        setting = position.setting
        if setting.outcome is not None or setting.phase == "ready":
            return ()
        return tuple([seat for seat in position.staying() if seat not in setting.answered])

    def legal(self, position: Position, seat: int, limit: int | None = None) -> tuple[list[dict[str, Any]], bool]:
        """Return what ``seat`` may send now, sorted by canonical JSON, and whether cut at ``limit``."""
        if seat not in self.to_act(position):
            return [], False
        grid = position.grid
        actions: list[dict[str, Any]]
        if position.setting.phase == "grab":
            size = len(grid)
            actions = [
                {"type": "grab", "place": place} for place in LISTED_PLACES if place < size and grid[place] is not None
            ]
            actions.append({"type": "stop"})
        else:
            lying = sum(card is not None for card in grid)
            actions = [{"type": "answer", "count": count} for count in sorted(range(lying + 1), key=str)]
        if limit is None or len(actions) <= limit:
            return actions, False
        return actions[:limit], True

    def choices(self, position: Position, seat: int, action: Action) -> list[dict[str, Any]]:
        """Raise GameOver or IllegalAction: no action of this game has choices to list."""
        if position.setting.outcome is not None:
            raise GameOver("The game is over.")
        raise IllegalAction("No action of Pick-a-Polar-Bear has choices to list.")

    def outcome(self, position: Position) -> Outcome:
        """Return how the game stands or ended."""
        return position.setting.outcome or RUNNING

    # What people see

    def view(self, position: Position, viewer: Seat) -> dict[str, Any]:
        """Return all that ``viewer`` may know, as JSON data (see the package's docstring)."""
        return {**shared_view_of(position), **own_view_of(position, viewer)}

    def shared_view(self, position: Position) -> dict[str, Any]:
        """Return what everybody may know, as JSON data."""
        return shared_view_of(position)

    def own_view(self, position: Position, viewer: Seat) -> dict[str, Any]:
        """Return what ``viewer`` may know beside it: ``seat`` and ``answer``."""
        return own_view_of(position, viewer)

    def options(self, position: Position, seat: int, *, plays: bool = False) -> dict[str, Any]:
        """Return what a client offers ``seat`` now, as JSON data (see the package's docstring)."""
        return options_of(position) if seat in self.to_act(position) else {}

    def wording(self, event: Mapping[str, Any], names: Sequence[str]) -> str:
        """Return one plain-text sentence for ``event``."""
        return wording(event, names)

    # JSON

    def to_json(self, position: Position) -> dict[str, Any]:
        """Return the whole position, as in the command line's specification."""
        return write_position(position)

    def from_json(self, data: Mapping[str, Any], rules: Mapping[str, Any] | None = None) -> Position:
        """Return the position that ``data`` describes, after all that happens in it by itself.

        Raises BadFormat (BadRules for the rules) or BadPosition.
        """
        if not isinstance(data, dict):
            raise BadFormat("The position must be an object.")
        position = read_position(data, rules)
        setting = position.setting
        if setting.outcome is not None or not set(position.staying()) <= set(setting.answered):
            return position
        draft = Draft(position)
        draft.settle_question()
        return draft.freeze()

    def check_cards(self, position: Position) -> None:
        """Raise BadPosition where ``position`` holds cards that the deck does not have."""
        check_cards(position)

    def timing_fault(self, at: int, action: Action) -> str | None:
        """Return what is wrong with the times that a grab carries, or None."""
        return timing_fault(at, action)
