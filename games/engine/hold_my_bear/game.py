"""Hold my Bear as the frame wants it: rules, start, apply, legal actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from games.engine.endings import TABLE_ACTIONS, Leaving, Voiding, read_ending
from games.engine.frame import Action, BadFormat, BadRules, GameOver, IllegalAction, NotYourTurn, Outcome, Seat, Step

from .cards import NUMBER, bears_in, deck_of
from .draft import Draft
from .effects import (
    all_do,
    collect,
    lapse,
    needs_of,
)
from .listing import all_actions
from .phrases import wording
from .position import Cards, Position
from .position_json import check_cards, read_position, write_position
from .rules import MAX_SEATS, MIN_SEATS, read_rules
from .turn import ACT, WHY_ONLY, expected_kinds, read_play
from .view import options_of, own_view_of, shared_view_of

RUNNING = Outcome("running")
_KINDS = frozenset(("resign", *TABLE_ACTIONS, *ACT))


class HoldMyBear:
    """The rules of Hold my Bear. Stateless."""

    name = "hold-my-bear"
    title = "Hold my Bear"
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS
    real_time = False

    def rules(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return ``options`` with every default written out. Raises BadRules."""
        if seats not in range(MIN_SEATS, MAX_SEATS + 1):
            raise BadRules(f"Hold my Bear has {MIN_SEATS} to {MAX_SEATS} seats, not {seats}.")
        return read_rules(options).to_json()

    def deck(self, rules: Mapping[str, Any]) -> Cards:
        """Return the full deck in canonical order. Raises BadRules."""
        return deck_of(read_rules(rules).animals)

    def start(
        self, rules: Mapping[str, Any], seats: int, deck: Sequence[str], deal_seed: bytes, drawn: int
    ) -> Position:
        """Return the first position: the first card on the table, the rest dealt one by one from seat 0."""
        hands = [tuple(sorted(deck[1 + seat :: seats])) for seat in range(seats)]
        starter = max(range(seats), key=lambda seat: max([NUMBER[bear] for bear in bears_in(hands[seat])], default=0))
        draft = Draft(
            Position(
                hands=tuple(hands),
                table=(deck[0],),
                turn=starter,
                seed=deal_seed,
                drawn=drawn,
                rules=read_rules(rules),
                known=((),) * seats,
            )
        )
        draft.settle()
        return draft.freeze()

    # What happens

    def apply(self, position: Position, seat: Seat, action: Action) -> Step[Position]:
        """Return the step that ``action`` makes. Raises IllegalAction, NotYourTurn or GameOver, changing nothing."""
        if position.outcome is not None:
            raise GameOver("The game is over.")
        if seat is not None and not 0 <= seat < position.seats:
            raise IllegalAction(f"There is no seat {seat!r} in this game.")
        kind = action.get("type")
        if not isinstance(kind, str) or kind not in _KINDS:
            raise IllegalAction(f"Hold my Bear has no action of the type {kind!r}.")
        draft = Draft(position)
        if kind not in ACT:
            self._end(draft, read_ending(seat, action, position.seats))
            return Step(draft.freeze(), dict(action), tuple(draft.events))
        if seat is None:
            raise IllegalAction(f"Only a seat can {kind}.")
        if seat in position.out:
            raise NotYourTurn("You are out of this game.")
        due = position.waiting
        if seat != (position.turn if due is None else due.seat):
            raise NotYourTurn(
                "It is not your turn." if due is None else "The game waits for another player to give a card back."
            )
        expected = expected_kinds(position)
        if kind not in expected:
            raise IllegalAction(WHY_ONLY[expected[0]])
        normal: dict[str, Any] = ACT[kind](draft, position, seat, action)
        return Step(draft.freeze(), normal, tuple(draft.events))

    def _end(self, draft: Draft, ending: Leaving | Voiding | None) -> None:
        assert ending is not None
        if isinstance(ending, Voiding):
            draft.tell("void", None, reason=ending.reason)
            draft.void()
            return
        seat = ending.seat
        if seat in draft.out:
            raise IllegalAction("This seat is out already.")
        if ending.reason is None:
            draft.tell("resign", seat)
        else:
            draft.tell("forfeit", seat, reason=ending.reason)
        draft.leave(seat)
        if draft.outcome is not None:
            return
        if draft.waiting is not None:
            lapse(draft, seat)
            if draft.waiting is None:
                draft.end_turn()
        elif draft.turn == seat:
            draft.end_turn()

    # What may happen

    def seats(self, position: Position) -> int:
        """Return how many seats the game has, those that are out included."""
        return position.seats

    def to_act(self, position: Position) -> tuple[int, ...]:
        """Return the seat whose action the game waits for, as a tuple; empty when over."""
        if position.outcome is not None:
            return ()
        return (position.turn if position.waiting is None else position.waiting.seat,)

    def legal(self, position: Position, seat: int, limit: int | None = None) -> tuple[list[dict[str, Any]], bool]:
        """Return the legal actions of ``seat`` in normal form, sorted by canonical JSON, and whether cut at ``limit``.

        A play whose effects need choices is listed once, without ``do`` and with ``needs``.
        """
        if self.to_act(position) != (seat,):
            return [], False
        actions = all_actions(position, seat)
        if limit is None:
            return list(actions), False
        listed = list(islice(actions, limit))
        return listed, next(actions, None) is not None

    def choices(self, position: Position, seat: int, action: Action) -> list[dict[str, Any]]:
        """Return the values of ``do`` that complete a play which ``legal`` listed with ``needs``.

        Empty for a play that needs none. Raises IllegalAction, NotYourTurn or GameOver for a play that is not legal.
        """
        if position.outcome is not None:
            raise GameOver("The game is over.")
        if self.to_act(position) != (seat,):
            raise NotYourTurn("It is not your turn.")
        if action.get("type") != "play" or "do" in action:
            raise IllegalAction("Only a play without 'do' has choices to list.")
        if "play" not in expected_kinds(position):
            raise IllegalAction(WHY_ONLY[expected_kinds(position)[0]])
        cards, _ = read_play(position, seat, action, ("type", "cards", "as", "needs"))
        needs = needs_of(cards)
        if action.get("needs", needs) != needs:
            raise IllegalAction("'needs' does not fit the play.")
        return list(all_do(position, seat, cards)) if needs else []

    def outcome(self, position: Position) -> Outcome:
        """Return how the game stands or ended."""
        return position.outcome or RUNNING

    # What people see

    def view(self, position: Position, viewer: Seat) -> dict[str, Any]:
        """Return all that ``viewer`` may know, as JSON data (see the package's docstring)."""
        return {**shared_view_of(position), **own_view_of(position, viewer)}

    def shared_view(self, position: Position) -> dict[str, Any]:
        """Return what everybody may know, as JSON data."""
        return shared_view_of(position)

    def own_view(self, position: Position, viewer: Seat) -> dict[str, Any]:
        """Return what ``viewer`` may know beside it: ``seat`` and ``hand``."""
        return own_view_of(position, viewer)

    def options(self, position: Position, seat: int, *, plays: bool = False) -> dict[str, Any]:
        """Return what a client offers ``seat`` now, as JSON data (see the package's docstring)."""
        return options_of(position, seat, plays=plays) if self.to_act(position) == (seat,) else {}

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
        draft = Draft(read_position(data, read_rules(rules)))
        if draft.outcome is None:
            left = [seat for seat in range(len(draft.hands)) if seat not in draft.out]
            if len(left) == 1:
                draft.win(left[0])
            elif draft.waiting is None:
                draft.settle()
            else:
                collect(draft, [draft.waiting, *draft.pending])
                if draft.waiting is None:
                    draft.end_turn()
        return draft.freeze()

    def check_cards(self, position: Position) -> None:
        """Raise BadPosition where ``position`` holds cards that the deck does not have."""
        check_cards(position)

    def timing_fault(self, at: int, action: Action) -> str | None:
        """Return None: no action of this game carries times."""
        return None
