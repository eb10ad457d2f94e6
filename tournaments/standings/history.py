"""The outcomes of a stage as each entrant saw them, round by round: what every tie-break is worked out from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tournaments.standings.results import POINT, Entrant, Kind, Outcome


@dataclass(frozen=True, slots=True)
class Turn:
    """One entrant's round.

    ``opponents`` are those it met, or would have met but for a no-show; ``against`` what it has against each of them
    by place alone: 840 ahead, 420 level, 0 behind. ``seat`` counts from 0, -1 without a match.
    """

    round: int
    kind: Kind
    points: int = 0
    place: int = 0
    seat: int = -1
    game_points: int = 0
    played: bool = False
    chosen: bool = False
    """Not played, and by the entrant's own doing (a bye asked for, a no-show): FIDE's voluntary unplayed round."""
    won: bool = False
    """As many points as a win brings, whether it was played or not; at a table: first, and alone."""
    opponents: tuple[int, ...] = ()
    against: tuple[int, ...] = ()

    @property
    def opponent(self) -> int | None:
        """The other one of a match of two."""
        return self.opponents[0] if self.opponents else None


@dataclass(frozen=True, slots=True)
class History:
    """All turns of all entrants, one a round, and what a win and a draw bring in this stage.

    ``predetermined`` is a stage whose pairings are known from the start (a round robin): what was not played there
    counts as if it had been (FIDE C.07, 16.1).
    """

    entrants: Mapping[int, Entrant]
    rounds: int
    turns: Mapping[int, Sequence[Turn]]
    points: Mapping[int, int]
    win: int
    draw: int
    predetermined: bool
    two_seats: bool
    """True if no match had more than two seats."""


def history(
    entrants: Iterable[Entrant],
    outcomes: Iterable[Outcome],
    *,
    rounds: int | None = None,
    win: int = POINT,
    draw: int = POINT // 2,
    predetermined: bool = False,
) -> History:
    """Return the history of a stage after ``rounds`` (by default the last with an outcome).

    A round in which an entrant has no outcome is a zero bye: before a late entry, after a withdrawal. Raises
    ValueError for a stranger, for two outcomes of one entrant in one round and for a round that is yet to come.
    """
    known = {entrant.id: entrant for entrant in sorted(entrants, key=lambda entrant: (entrant.seed, entrant.id))}
    listed = list(outcomes)
    last = max((outcome.round for outcome in listed), default=0)
    if rounds is not None and rounds < last:
        raise ValueError(f"There is an outcome of round {last}, after {rounds} rounds.")
    length = last if rounds is None else rounds
    by_round: dict[int, dict[int, Turn]] = {entrant: {} for entrant in known}
    for outcome in sorted(listed, key=lambda outcome: outcome.kind == Kind.VOID):
        for turn, entrant in _turns(outcome, win):
            if entrant not in known:
                raise ValueError("An outcome names somebody who is not in the stage.")
            if outcome.kind == Kind.VOID and outcome.round in by_round[entrant]:
                continue  # it was played again
            there = by_round[entrant].get(outcome.round)
            if there is not None:
                raise ValueError("An entrant has two outcomes in one round.")
            by_round[entrant][outcome.round] = turn
    turns = {
        entrant: tuple(
            theirs.get(number) or Turn(number, Kind.BYE_ZERO, chosen=True) for number in range(1, length + 1)
        )
        for entrant, theirs in by_round.items()
    }
    return History(
        entrants=known,
        rounds=length,
        turns=turns,
        points={entrant: sum(turn.points for turn in theirs) for entrant, theirs in turns.items()},
        win=win,
        draw=draw,
        predetermined=predetermined,
        two_seats=all(len(outcome.shares) <= 2 for outcome in listed),
    )


def _turns(outcome: Outcome, win: int) -> Iterable[tuple[Turn, int]]:
    """Return the turn of each entrant of a match."""
    kind, shares = outcome.kind, outcome.shares
    if kind == Kind.VOID:
        return [(Turn(outcome.round, kind), share.entrant) for share in shares]
    if len(shares) == 1:
        share = shares[0]
        chosen = kind in (Kind.BYE_HALF, Kind.BYE_ZERO)
        return [(Turn(outcome.round, kind, share.points, chosen=chosen, won=share.points == win), share.entrant)]
    turns = []
    for seat, share in enumerate(shares):
        played = kind == Kind.PLAYED and share.came
        others = [
            other for other in shares if other is not share and (other.came or not played)
        ]  # a no-show is nobody's opponent at a table that was played
        if played:
            against = tuple(
                POINT if share.place < other.place else POINT // 2 if share.place == other.place else 0
                for other in others
            )
        else:
            against = tuple(POINT if share.came else 0 for _ in others)
        turns.append(
            (
                Turn(
                    round=outcome.round,
                    kind=kind,
                    points=share.points,
                    place=share.place,
                    seat=seat,
                    game_points=share.game_points,
                    played=played,
                    chosen=not share.came,
                    won=share.place == 1 and POINT // 2 not in against if played else share.came,
                    opponents=tuple(other.entrant for other in others),
                    against=against,
                ),
                share.entrant,
            )
        )
    return turns
