"""Standings as the pages show them: columns and what they mean, every round of a line, and why it is where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from players.models import Player
from tournaments.kept_standings import Order
from tournaments.models import Entrant
from tournaments.standings.results import BYES, Kind, Outcome, Share
from tournaments.wording import ordinal

MEANINGS: Mapping[str, str] = {
    "PTS": "What the matches and byes have brought.",
    "BH": "The sum of the points of all opponents.",
    "FB": "The sum of the points of all opponents, counting every match of the last round as drawn.",
    "SB": "The points of each opponent, times what the match against that one brought.",
    "AOB": "The mean of the Buchholz of all opponents.",
    "DE": "The matches among those who are level, if all of them have met or nobody could catch up.",
    "HH": "The places at tables where those who are level met.",
    "KS": "The points from matches against those who have at least half of what could be had.",
    "PS": "The points after each round, summed up: who scored earlier is ahead.",
    "WIN": "Rounds that brought as many points as a win.",
    "WON": "Matches won by play.",
    "REP": "Rounds for which the entrant was there.",
    "BPG": "Matches played from the second seat.",
    "BWG": "Matches won from the second seat.",
    "GP": "The points from single games within the matches.",
    "ARO": "The mean rating of the opponents.",
    "TPR": "The rating at which these results were to be expected.",
    "PTP": "The lowest rating at which as many points were to be expected.",
    "APRO": "The mean of the opponents' performance ratings.",
    "APPO": "The mean of the opponents' perfect performances.",
    "PL": "How often this place was taken at a table.",
    "OA": "The mean of the points of everybody met at tables, in each round.",
    "TS": "How strong the tables were at which the points were won.",
    "MWP": "Matches won, as a share of those played.",
    "OMW": "The mean of the opponents' match-win percentages.",
    "CMP": "How everybody did against others who held the same cards.",
}
"""What a column counts, by its code without a modifier."""
MODIFIERS = {"C": "without the lowest", "M": "without the highest and the lowest"}

_RESULT = {True: ("W", "won against"), False: ("L", "lost to"), None: ("D", "drew with")}
_BYES = {
    Kind.BYE_ALLOCATED: ("bye", "had the bye: nobody was left to play"),
    Kind.BYE_FULL: ("full", "had a full-point bye, as asked for"),
    Kind.BYE_HALF: ("half", "had a half-point bye, as asked for"),
    Kind.BYE_ZERO: ("zero", "was not there: no points"),
}


@dataclass(frozen=True, slots=True)
class Heading:
    """A column: its code, name, and what it counts in a sentence."""

    code: str
    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One round of one entrant: ``text`` for the table (``W 4`` is a win against line 4), ``words`` in full."""

    text: str = ""
    words: str = ""
    match_id: int | None = None
    unplayed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant; ``number`` counts the lines, ``place`` is shared where all columns are equal.

    ``columns`` are the values with the code of their column; ``late`` is who came when play had begun.
    """

    number: int
    place: int
    shared: bool
    entrant: Entrant
    values: tuple[str, ...]
    marks: tuple[Mark, ...]
    why: str
    mine: bool
    columns: tuple[tuple[str, str], ...] = ()
    late: bool = False


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """Headings, the numbers of the rounds that have begun, and lines, best first.

    ``own`` is the line of whoever looks, if it is not among them.
    """

    headings: tuple[Heading, ...]
    rounds: tuple[int, ...]
    lines: tuple[Line, ...]
    own: Line | None = None


def meaning(code: str) -> str:
    """Return what a tie-break counts, in words, its cut included. Raises KeyError for a code without words."""
    base, _, modifier = code.partition("/")
    words = MEANINGS[base]
    if base == "PL":
        return f"How often the {ordinal(int(modifier))} place at a table was taken."
    if modifier:
        number = int(modifier[1:])
        times = "" if number == 1 else f" {number}"
        words = f"{words[:-1]}, {MODIFIERS[modifier[0]]}{times}."
    return words


def scoreboard(
    order: Order,
    shown: Sequence[int],
    entrants: Mapping[int, Entrant],
    outcomes: Sequence[Outcome],
    matches: Mapping[tuple[int, int], int],
    viewer: Player | None,
    rounds: Sequence[int],
    began: datetime | None = None,
) -> Scoreboard:
    """Return the lines of ``order`` at the positions ``shown`` (from 0), with their marks of ``rounds``.

    ``entrants`` (players loaded) are by id: those of the lines, of those just above, and whoever they met.
    ``outcomes`` are those of the lines, ``matches`` the ids of the matches by round and entrant.
    ``began`` is when the tournament did.
    """
    numbers = {row.entrant: number for number, row in enumerate(order.rows, start=1)}
    marks: dict[tuple[int, int], Mark] = {}
    wanted = {order.rows[at].entrant for at in shown}
    for outcome in outcomes:
        for share in outcome.shares:
            if share.entrant in wanted:
                where = (outcome.round, share.entrant)
                marks[where] = _mark(outcome, share, numbers, entrants, matches.get(where))
    lines = []
    for at in shown:
        row = order.rows[at]
        entrant = entrants[row.entrant]
        beside = order.rows[max(0, at - 1) : at] + order.rows[at + 1 : at + 2]
        lines.append(
            Line(
                number=at + 1,
                place=row.place,
                shared=any(other.place == row.place for other in beside),
                entrant=entrant,
                values=row.values,
                marks=tuple(marks.get((number, row.entrant), Mark()) for number in rounds),
                why=_why(order, at, entrants),
                mine=viewer is not None and entrant.player_id == viewer.pk,
                columns=tuple((value, code) for value, (code, _) in zip(row.values, order.columns, strict=True)),
                late=began is not None and entrant.registered_at > began,
            )
        )
    return Scoreboard(
        tuple(Heading(code, name, meaning(code)) for code, name in order.columns), tuple(rounds), tuple(lines)
    )


def _why(order: Order, at: int, entrants: Mapping[int, Entrant]) -> str:
    """Return why a line is behind the one above it."""
    if at == 0:
        return ""
    row, above = order.rows[at], order.rows[at - 1]
    name = entrants[above.entrant].player.name
    if row.decided_by is None:
        return f"Level with {name} in every column: they share the place."
    column = [code for code, _ in order.columns].index(row.decided_by)
    return f"Behind {name} by {order.columns[column][1]}: {row.values[column]} to {above.values[column]}."


def _mark(
    outcome: Outcome, share: Share, numbers: Mapping[int, int], entrants: Mapping[int, Entrant], match_id: int | None
) -> Mark:
    who = entrants[share.entrant].player.name
    begin = f"Round {outcome.round}: {who}"
    if outcome.kind in BYES:
        text, words = _BYES[outcome.kind]
        return Mark(text, f"{begin} {words}.", match_id, unplayed=True)
    others = [other for other in outcome.shares if other.entrant != share.entrant]
    against = ", ".join(entrants[other.entrant].player.name for other in others)
    if outcome.kind == Kind.VOID:
        return Mark("void", f"{begin} against {against}: void, as if never played.", match_id, unplayed=True)
    numbered = f" {numbers[others[0].entrant]}" if len(others) == 1 else ""
    if not share.came:
        return Mark(f"−{numbered}", f"{begin} did not come against {against}.", match_id, unplayed=True)
    if outcome.kind == Kind.WALKOVER:
        return Mark(f"+{numbered}", f"{begin} won without play: {against} did not come.", match_id, unplayed=True)
    if len(others) == 1:
        text, words = _RESULT[None if share.place == others[0].place else share.place < others[0].place]
        return Mark(f"{text}{numbered}", f"{begin} {words} {against}.", match_id)
    size = len(outcome.shares)
    return Mark(f"{share.place}/{size}", f"{begin} was {ordinal(share.place)} of {size}, with {against}.", match_id)
