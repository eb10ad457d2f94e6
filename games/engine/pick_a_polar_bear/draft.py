"""A position in the making: the check, the next round, bonus questions, leaving and the end.

A draft lives inside one ``apply``; what leaves it is a frozen position and its events. It checks no action: that was
done before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.engine.endings import out_last, void_outcome
from games.engine.frame import Event, Outcome, Seat

from .cards import BONUS, SHOWING
from .check import Check, Score, fitting_places, judge_stack
from .position import Phase, Position, Setting, is_too_few

LEAST_FOR_A_QUESTION = 10
"""How many cards lie in the grid when a bonus card is asked; with fewer it is discarded."""
BONUS_POINTS = 2
"""What a right answer wins and a wrong one costs."""


class Draft:
    """The mutable copy of a position's fields, and the events so far."""

    def __init__(self, position: Position) -> None:
        setting = position.setting
        self.rules = setting.rules
        self.grid = list(position.grid)
        self.stacks = list(position.stacks)
        self.pile = list(reversed(setting.pile))  # the top is last, to be popped
        self.points = list(setting.points)
        self.phase: Phase = setting.phase
        self.question = setting.question
        self.answered = setting.answered
        self.counts = setting.counts
        self.restricted = setting.restricted
        self.round = setting.round
        self.out = setting.out
        self.outcome = setting.outcome
        self.gone = list(setting.gone)
        self.check = setting.check
        self.events: list[Event] = []

    def freeze(self) -> Position:
        """Return the position that the draft has become."""
        setting = Setting(
            phase=self.phase,
            pile=tuple(reversed(self.pile)),
            points=tuple(self.points),
            question=self.question,
            answered=self.answered,
            counts=self.counts,
            restricted=self.restricted,
            round=self.round,
            out=self.out,
            outcome=self.outcome,
            rules=self.rules,
            gone=tuple(sorted(self.gone)),
            check=self.check,
        )
        return Position(tuple(self.grid), tuple(self.stacks), setting)

    def tell(
        self, kind: str, seat: Seat, private: Mapping[int, Mapping[str, Any]] | None = None, **public: Any
    ) -> None:
        """Add an event."""
        self.events.append(Event(kind, seat, public, private or {}))

    def staying(self) -> list[int]:
        """Return the seats that are in."""
        return [seat for seat in range(len(self.stacks)) if seat not in self.out]

    # The end of a round

    def end_round(self, stopper: int | None) -> None:
        """Check all stacks, pay them out, and begin the next round. ``stopper`` is None for an idle round."""
        fits: tuple[int, ...] = ()
        if stopper is not None:
            fits = fitting_places(self.stacks[stopper][-1], self.grid, stopper == self.restricted)
            self.tell("claim", stopper, right=not fits, top=self.stacks[stopper][-1], fits=self._lying(fits))
        scores = []
        for seat in self.staying():
            score = judge_stack(seat, self.stacks[seat], seat == self.restricted)
            if seat == stopper:
                score = self._extra(score) if not fits else Score(seat, score.cards, 0, "wrong-stop")
            scores.append(score)
            self.points[seat] += score.score
            self._leave_game(*score.cards)
            self.stacks[seat] = ()
        self.check = Check(self.round, stopper, fits, tuple(scores))
        for score in scores:
            found = score.to_json()
            self.tell("score", found.pop("seat"), **found)
        self.restricted = self._most(scores) if self.rules.different and len(self.stacks) > 1 else None
        self.next_round()

    def _lying(self, places: tuple[int, ...]) -> list[dict[str, Any]]:
        return [{"place": place, "card": self.grid[place]} for place in places]

    def _extra(self, score: Score) -> Score:
        """Return the ``score`` of a right stop: a sound stack wins one more card, if there is one."""
        if score.reason != "sound":
            return score
        card, place = self._draw("extra"), None
        if card is None:
            place = next((place for place, lying in enumerate(self.grid) if lying is not None), None)
            if place is None:
                return score
            card, self.grid[place] = self.grid[place], None
        assert card is not None
        self._leave_game(card)
        return replace(score, score=score.score + 1, extra=card, place=place)

    @staticmethod
    def _most(scores: list[Score]) -> int | None:
        """Return who alone scored the most cards, or None; two seats at least are in, so nobody alone scored none."""
        most = max(score.score for score in scores)
        best = [score.seat for score in scores if score.score == most]
        return best[0] if len(best) == 1 else None

    # The next round

    def next_round(self) -> None:
        """Deal start cards and fill the grid, or end the game where the pile is too small."""
        staying = self.staying()
        self.phase = "ready"
        if sum(card not in BONUS for card in self.pile) < len(staying):
            self.finish()
            return
        self.round += 1
        self.tell("round", None, round=self.round, restricted=self.restricted)
        for seat in staying:
            card = self._draw("start")
            assert card is not None, "the pile was counted"
            self.stacks[seat] = (card,)
        self.fill()

    def fill(self) -> None:
        """Fill the empty places, lowest first, until a question comes up or nothing is left to lay."""
        self.phase = "ready"
        empty = [place for place, card in enumerate(self.grid) if card is None]
        lying = len(self.grid) - len(empty)
        for place in empty:
            while self.pile and self.pile[-1] in BONUS:
                card = self.pile.pop()
                if lying >= LEAST_FOR_A_QUESTION:
                    self._ask(card)
                    return
                self._discard(card, "few")
            if not self.pile:
                return
            self.grid[place] = self.pile.pop()
            lying += 1

    def _draw(self, purpose: str) -> str | None:
        """Return the top picture card of the pile; bonus cards above it are discarded. None where there is none."""
        while self.pile:
            card = self.pile.pop()
            if card not in BONUS:
                return card
            self._discard(card, purpose)
        return None

    def _discard(self, card: str, reason: str) -> None:
        self._leave_game(card)
        self.tell("discard", None, card=card, reason=reason, count=None)

    def _leave_game(self, *cards: str) -> None:
        self.gone.extend(cards)

    # Bonus questions

    def _ask(self, card: str) -> None:
        self.phase, self.question, self.answered, self.counts = "bonus", card, (), ()
        self.tell("question", None, card=card)

    def right_count(self) -> int:
        """Return how many cards of the grid show both elements of the question."""
        assert self.question is not None
        showing = SHOWING[self.question]
        return sum(card in showing for card in self.grid)

    def answer(self, seat: int, count: int) -> None:
        """Take the answer of ``seat``: a right one wins the card, a wrong one costs points."""
        card, right = self.question, self.right_count()
        assert card is not None
        if count == right:
            self.points[seat] += BONUS_POINTS
            self.tell("answer", seat, right=True, card=card, count=count)
            self._leave_game(card)
            self._no_question()
            self.fill()
            return
        self.points[seat] -= BONUS_POINTS
        # How it was wrong would help the others, who may still answer.
        self.tell("answer", seat, {seat: {"count": count}}, right=False, card=card)
        self.answered = (*self.answered, seat)
        self.counts = (*self.counts, count)
        self.settle_question()

    def settle_question(self) -> None:
        """Discard the question where everybody has answered it."""
        if self.question is not None and set(self.staying()) <= set(self.answered):
            self.close("all-wrong")

    def close(self, reason: str) -> None:
        """Discard the question, which nobody answered right, and go on filling."""
        assert self.question is not None
        self.tell("discard", None, card=self.question, reason=reason, count=self.right_count())
        self._leave_game(self.question)
        self._no_question()
        self.fill()

    def _no_question(self) -> None:
        self.question, self.answered, self.counts = None, (), ()

    # Leaving and ending

    def leave(self, seat: int) -> None:
        """Put ``seat`` out, with all that follows (rules page, End)."""
        self.out = (*self.out, seat)
        self._leave_game(*self.stacks[seat])
        self.stacks[seat] = ()
        if self.restricted == seat:
            self.restricted = None
        if is_too_few(len(self.staying()), len(self.stacks)):
            self.finish()
        else:
            self.settle_question()

    def finish(self) -> None:
        """End the game: most points first, who is out below."""
        self.outcome = finished(self.points, self.out)
        self.tell("end", None, places=list(self.outcome.places or ()), points=list(self.points))

    def void(self) -> None:
        """End the game as never played."""
        self.outcome = void_outcome(len(self.stacks))


def finished(points: list[int] | tuple[int, ...], out: tuple[int, ...]) -> Outcome:
    """Return the outcome of a finished game (rules page, End)."""
    return Outcome("finished", out_last(len(points), out, [-won for won in points]), tuple(points))
