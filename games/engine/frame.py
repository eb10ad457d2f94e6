"""What every game of the engine offers, and the values it speaks in.

The frame knows no game. It carries turn-based games with hidden hands and real-time games alike: a position
changes only through :meth:`Game.apply`, time enters only as the ``at`` of a record, chance only through the
deal's random stream, and who may act now is :meth:`Game.to_act`, which may name several seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

type Action = Mapping[str, Any]
"""One action as plain JSON data, for instance ``{"type": "play", "cards": ["bear-1"]}``."""

type Seat = int | None
"""A seat number from 0, or None for the table itself (as sender) or a spectator (as viewer)."""

type OutcomeStatus = Literal["running", "finished", "drawn", "void"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game stands or ended, as in the transcript's ``outcome``.

    ``places`` holds one competition rank per seat (1 is best, ties share), ``points`` one total per seat for
    games that count points; both are None while the game runs.
    """

    status: OutcomeStatus
    places: tuple[int, ...] | None = None
    points: tuple[int, ...] | None = None

    @property
    def is_over(self) -> bool:
        """True once no further action can be accepted."""
        return self.status != "running"

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as in a transcript."""
        return {
            "status": self.status,
            "places": None if self.places is None else list(self.places),
            "points": None if self.points is None else list(self.points),
        }


class Event(NamedTuple):
    """One thing that happened, derived from a record, with what each seat may know of it.

    ``public`` is what everybody may know; ``private`` adds, per seat, what only that seat may know (the card a
    thief drew, for instance).
    """

    type: str
    seat: Seat
    public: Mapping[str, Any] = MappingProxyType({})
    private: Mapping[int, Mapping[str, Any]] = MappingProxyType({})

    def seen_by(self, viewer: Seat) -> dict[str, Any]:
        """Return the event as ``viewer`` (a seat, or None for a spectator) may know it, as JSON data."""
        known = {"type": self.type, "seat": self.seat, **self.public}
        if viewer is not None:
            known.update(self.private.get(viewer, {}))
        return known

    def whole(self) -> dict[str, Any]:
        """Return the event with every secret, for finished games and for the judge."""
        known = {"type": self.type, "seat": self.seat, **self.public}
        for secrets in self.private.values():
            known.update(secrets)
        return known


class Step[P](NamedTuple):
    """The result of one accepted action: the new position, the action in normal form, and what happened."""

    position: P
    action: dict[str, Any]
    events: tuple[Event, ...]


class EngineError(ValueError):
    """A request that the engine refuses, with a code for machines and a sentence for people."""

    code = "engine-error"


class BadFormat(EngineError):
    """Input that is not of the stated form."""

    code = "bad-format"


class BadRules(BadFormat):
    """Rules options that are unknown, out of range, or do not fit the number of seats."""

    code = "bad-rules"


class BadPosition(EngineError):
    """A position that no game could be in."""

    code = "bad-position"


class IllegalAction(EngineError):
    """An action that the rules forbid in this position; the message tells a player why."""

    code = "illegal-action"


class NotYourTurn(IllegalAction):
    """An action from a seat that has nothing to do now."""

    code = "not-your-turn"


class GameOver(IllegalAction):
    """An action after the end of the game."""

    code = "game-over"


class Game[P](Protocol):
    """The rules of one game. Instances are stateless; ``P`` is the game's own frozen position type."""

    name: str
    """Key in transcripts, URLs and the registry, for instance ``hold-my-bear``."""
    title: str
    """Name for people."""
    min_seats: int
    max_seats: int
    real_time: bool
    """Whether seats act all at once, without turns."""

    def rules(self, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
        """Return ``options`` with every default written out. Raises BadRules."""
        ...

    def deck(self, rules: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the full deck in canonical order (transcript specification, Deal, 7)."""
        ...

    def start(self, rules: Mapping[str, Any], seats: int, deck: Sequence[str], deal_seed: bytes, drawn: int) -> P:
        """Return the first position for a shuffled ``deck`` (top first).

        ``drawn`` is how many words of the stream of ``deal_seed`` the shuffle used; draws in play go on from there.
        """
        ...

    def apply(self, position: P, seat: Seat, action: Action) -> Step[P]:
        """Return the step that ``action`` makes. Raises IllegalAction, NotYourTurn or GameOver, changing nothing."""
        ...

    def seats(self, position: P) -> int:
        """Return how many seats the game has, those that are out included."""
        ...

    def to_act(self, position: P) -> tuple[int, ...]:
        """Return the seats whose action the game waits for (their clocks run); empty when over."""
        ...

    def legal(self, position: P, seat: int, limit: int | None = None) -> tuple[list[dict[str, Any]], bool]:
        """Return the legal actions of ``seat`` in normal form, and whether the list was cut at ``limit``."""
        ...

    def choices(self, position: P, seat: int, action: Action) -> list[dict[str, Any]]:
        """Return the values of ``do`` that complete a play which ``legal`` listed with ``needs``."""
        ...

    def outcome(self, position: P) -> Outcome:
        """Return how the game stands or ended."""
        ...

    def view(self, position: P, viewer: Seat) -> dict[str, Any]:
        """Return, as JSON data, all that ``viewer`` may know, public memory included, and nothing more.

        It is :meth:`shared_view` and :meth:`own_view` together.
        """
        ...

    def shared_view(self, position: P) -> dict[str, Any]:
        """Return, as JSON data, what everybody may know: the same for every seat and spectator."""
        ...

    def own_view(self, position: P, viewer: Seat) -> dict[str, Any]:
        """Return, as JSON data, what ``viewer`` may know beside the shared view, its ``seat`` (or null) included."""
        ...

    def options(self, position: P, seat: int, *, plays: bool = False) -> dict[str, Any]:
        """Return, as JSON data, what a client offers ``seat`` now (see the game's docstring).

        ``plays`` asks for the list of plays where the game has one, which is the costly part.
        """
        ...

    def wording(self, event: Mapping[str, Any], names: Sequence[str]) -> str:
        """Return one plain-text sentence for ``event`` (as ``seen_by`` gave it)."""
        ...

    def to_json(self, position: P) -> dict[str, Any]:
        """Return the whole position as in the command line's specification."""
        ...

    def from_json(self, data: Mapping[str, Any], rules: Mapping[str, Any] | None = None) -> P:
        """Return the position that ``data`` describes. Raises BadFormat or BadPosition."""
        ...

    def check_cards(self, position: P) -> None:
        """Raise BadPosition where ``position``, read from JSON, holds cards that the deck does not have."""
        ...

    def timing_fault(self, at: int, action: Action) -> str | None:
        """Return what is wrong with the times that a record carries inside its action, or None."""
        ...
