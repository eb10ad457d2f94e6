"""The cut of a stage: who goes on, who is substitute, and what must happen first if the last place is shared."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.standings.ranking import Row


class LastPlace(StrEnum):
    """The stated rule for a tie on the last place that goes on."""

    TIE_BREAKS = "tie-breaks"
    """The tie-breaks decide; if they leave a place shared, the organizer does."""
    PLAY_OFF = "play-off"
    """Those level on points play for it, whatever the tie-breaks say."""
    ORGANIZER = "organizer"
    """The organizer decides between those level on points."""


class Needed(StrEnum):
    """What has to happen before a cut is whole."""

    PLAY_OFF = "play-off"
    ORGANIZER = "organizer"


@dataclass(frozen=True, slots=True)
class Cut:
    """``through`` go on, best first; ``substitutes`` are the others, the first to be asked first.

    While something is ``needed``, ``level`` are those it is between, for the ``open`` places that are left: they are in
    neither list, and never more go on than there are places.
    """

    through: tuple[int, ...]
    substitutes: tuple[int, ...]
    level: tuple[int, ...] = ()
    open: int = 0
    needed: Needed | None = None


def cut(
    rows: Sequence[Row],
    places: int,
    rule: LastPlace,
    *,
    decided: Sequence[int] = (),
    unavailable: Collection[int] = (),
) -> Cut:
    """Return the cut of a stage after its first ``places``.

    ``rows`` are the standings, best first; who is ``unavailable`` (withdrawn, or already through another way) is passed
    over, and the next moves up. ``decided`` is the order in which the play-off or the organizer has put those who were
    level. Raises ValueError if it does not name exactly those, or without a tie, or for a number below one.
    """
    if places < 1:
        raise ValueError("One entrant at least goes on.")
    left = [row for row in rows if row.entrant not in unavailable]
    if len(left) <= places:
        _refuse(decided)
        return Cut(tuple(row.entrant for row in left), ())
    last, next_one = left[places - 1], left[places]
    if rule == LastPlace.TIE_BREAKS:
        tied = last.place == next_one.place
        level = [row.entrant for row in left if row.place == last.place]
        needed = Needed.ORGANIZER
    else:
        # The first column is the points, or what decides before them.
        tied = last.values[0] == next_one.values[0]
        level = [row.entrant for row in left if row.values[0] == last.values[0]]
        needed = Needed.PLAY_OFF if rule == LastPlace.PLAY_OFF else Needed.ORGANIZER
    everybody = [row.entrant for row in left]
    if not tied:
        _refuse(decided)
        return Cut(tuple(everybody[:places]), tuple(everybody[places:]))
    first = everybody.index(level[0])
    ahead, behind = everybody[:first], everybody[first + len(level) :]
    if not decided:
        return Cut(tuple(ahead), tuple(behind), tuple(level), places - first, needed)
    if sorted(decided) != sorted(level):
        raise ValueError("A decision about the last place names exactly those who are level, in order.")
    order = [*ahead, *decided, *behind]
    return Cut(tuple(order[:places]), tuple(order[places:]))


def _refuse(decided: Sequence[int]) -> None:
    if decided:
        raise ValueError("Nobody is level on the last place: there is nothing to decide.")
