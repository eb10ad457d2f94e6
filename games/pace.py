"""When the table itself has to act in a game without turns, worked out from the times of the records. Pure.

What becomes due is a deadline in the game's row, like thinking time in a game with turns. At the opening the table
waits for everybody: once all are there a countdown begins (:meth:`Pace.all_here`), the one thing that does not follow
from the records; it is a new deadline in the same row. Nobody is waited for later in the game.
"""

from __future__ import annotations

import copy
from typing import Any, Self

from games.engine.frame import Action, Event
from games.engine.pick_a_polar_bear import Position
from games.engine.real_time import GO_AFTER, IDLE_LIMIT, QUESTION_TIME

CHECK_MS = 8_000
"""How long the check of a round is shown before the next go."""
MISSING_MS = 30_000
"""How long the opening waits for seats that are not there; then the game begins all the same."""
ABANDONED_MS = 1_800_000
"""A solo game has no time limit, but one in which nothing has happened for so long has been left."""


class Pace:
    """What the table has to do next and when. All times are milliseconds since the game's start."""

    def __init__(self, position: Position) -> None:
        self.is_opening = True
        """True as long as nothing has begun: the table waits for everybody, unless ``is_counting``."""
        self.is_counting = False
        """True once everybody was there at the opening and its deadline has been brought forward."""
        self.due_at: int | None = None
        self.began = 0
        """The number of the record that began this stage of the game; what was decided before it is stale."""
        self.takers: dict[int, int] = {}
        """Who took the card of which place in this round."""
        self.staying = frozenset(position.staying())
        """The seats that are in."""
        self._stage = stage_of(position)
        self._phase = position.setting.phase
        self._solo = position.seats == 1
        self._over = position.setting.outcome is not None
        self._wait(position, 0, new_round=False)
        self._opening_until = self.due_at or 0

    def record(self, number: int, at: int, action: Action, events: tuple[Event, ...], position: Position) -> None:
        """Fold in a record that led to ``position``."""
        for event in events:
            if event.type == "grab" and event.seat is not None:
                self.takers[event.public["place"]] = event.seat
        self._over = position.setting.outcome is not None
        self.staying = frozenset(position.staying())
        stage = stage_of(position)
        if stage != self._stage:
            new_round = stage[0] != self._stage[0]
            self._stage, self.began, self.is_opening, self.is_counting = stage, number, False, False
            if new_round:
                self.takers = {}
            self._wait(position, at, new_round=new_round)
        elif self._over:
            self.due_at = None
        elif action.get("type") == "grab" or (self._solo and action.get("type") == "answer"):
            self._wait(position, at, new_round=False)

    def _wait(self, position: Position, at: int, *, new_round: bool) -> None:
        """Set what the table waits for from ``at`` on."""
        self._phase = position.setting.phase
        if self._over:
            self.due_at = None
        elif self._solo and (self.is_opening or self._phase != "ready"):
            self.due_at = at + ABANDONED_MS
        elif self.is_opening:
            self.due_at = at + MISSING_MS + (QUESTION_TIME if self._phase == "bonus" else 0)
        elif self._phase == "ready":
            self.due_at = at + (CHECK_MS if new_round else GO_AFTER)
        else:
            self.due_at = at + (IDLE_LIMIT if self._phase == "grab" else QUESTION_TIME)

    def all_here(self, at: int) -> int | None:
        """Return the deadline of the opening once everybody is there at ``at``, or None where nobody is waited for."""
        if not self.is_opening or self.is_counting or self._over or (self._solo and self._phase == "bonus"):
            return None
        due_at = at + (GO_AFTER if self._phase == "ready" else QUESTION_TIME)
        return due_at if due_at < self._opening_until else None

    def keep(self, due_at: int) -> bool:
        """Take over the deadline of an opening from the game's row, and return whether that is news.

        One before the time is up is a countdown.
        """
        is_news, self.due_at = due_at != self.due_at, due_at
        self.is_counting = due_at < self._opening_until
        return is_news

    def put_off(self, milliseconds: int) -> None:
        """Move what is due by a time that did not count, a pause for instance."""
        self._opening_until += milliseconds
        if self.due_at is not None:
            self.due_at += milliseconds

    @property
    def _is_for_ever(self) -> bool:
        """Whether nothing but the end of a game that was left can be due."""
        return self._solo and (self._phase != "ready" or (self.is_opening and not self.is_counting))

    def due(self, at: int) -> dict[str, Any] | None:
        """Return the action of the table itself that is due at ``at``, or None."""
        if self.due_at is None or at < self.due_at or self._over:
            return None
        if self._is_for_ever:
            return {"type": "forfeit", "seat": 0, "reason": "left"}
        return {"type": {"ready": "go", "grab": "idle", "bonus": "close"}[self._phase]}

    def left(self, at: int) -> dict[str, int | None]:
        """Return the milliseconds that are left for each kind of deadline at ``at``, None where it does not run."""
        left = None if self.due_at is None or self._is_for_ever else max(0, self.due_at - at)
        waits = self.is_opening and not self.is_counting and left is not None and left > GO_AFTER
        return {
            "go": left if self._phase == "ready" and not waits else None,
            "idle": left if self._phase == "grab" else None,
            "question": left if self._phase == "bonus" and not waits else None,
        }

    def copy(self) -> Self:
        """Return a pace that goes its own way."""
        twin = copy.copy(self)
        twin.takers = dict(self.takers)
        return twin


def stage_of(position: Position) -> tuple[int, str, str | None]:
    """Return what an action is decided on besides the grid: the round, its phase, and the question that is open."""
    setting = position.setting
    return setting.round, setting.phase, setting.question
