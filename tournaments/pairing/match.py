"""The course of one match: from the results of its games so far to the next game, or to the decision.

A match is a queue for its places. The entrants begin as one group; every game splits the group that played it by its
places, and of the parts only the one that the cut goes through plays on. That yields all the rules:

- at a table a game with one winner sends the winner on, and the others play on in a new game until enough are through;
- a seat that was put out in a game (forfeit, resignation) lost to those still in, so it plays on only if those who were
  still in all fit into the places that are left;
- a drawn game is replayed at most twice in a row; after the third draw the better seed takes what was played for;
- who has left the tournament is behind everybody else and never goes on; a place that nobody can take stays empty.

Two entrants play until one has won more than half of ``best_of`` games. Where nobody is knocked out (``advance`` 0) a
draw is a result: a match ends after ``best_of`` games at the latest, and equal wins are a drawn match. At a table all
games are played, and their places, or what several add up to as below, are those of the match.

With ``play_all`` all ``best_of`` games are played by everybody, at tables of any size. A game is worth a point for each
entrant whom one has beaten and half a point for each with whom one shares a place; the sum splits the group, and if the
cut goes through some who are level, those play on as above.

The seats of the games of a match follow the *Williams order*: as many games as there are seats give everybody each seat
once, and with an even number everybody also comes directly after everybody else once (with an odd number twice as many
games do that: the second half is the first one with the seats in reverse).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

REPLAYS_OF_A_DRAW = 2


@dataclass(frozen=True, slots=True)
class NextGame:
    """The match goes on: these entrants play, in the order of their seats."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """The match is over: who goes on, first to last, and a place for every entrant (1 is best, ties share).

    A place up to the number that go on is held by somebody who goes on, or by nobody.
    """

    through: tuple[int, ...]
    places: Mapping[int, int]
    by_seed: bool = False
    """True if a place was given to the better seed after too many draws."""


POINT = 840
"""What beating one other entrant in a game is worth in the sum of ``play_all``: a point, in 1/840 point."""

type Course = NextGame | Decided
type Result = Mapping[int, int]
"""The place (1 is best, ties share) of each entrant who had a seat in a game."""


def match_course(
    entrants: Sequence[int],
    *,
    advance: int,
    best_of: int = 1,
    play_all: bool = False,
    results: Sequence[Result] = (),
    gone: Iterable[int] = (),
    first_seat: int = 0,
) -> Course:
    """Return what comes next in a match.

    ``entrants`` are ids, the better seed first (with ``advance`` 0: in the order of their seats); ``results`` those of
    the games that count, in order; ``gone`` the entrants who have left the tournament; ``first_seat`` says where in the
    Williams order the first game stands, and each later game stands one further. Raises ValueError for results that
    cannot belong to this match.
    """
    if len(set(entrants)) != len(entrants):
        raise ValueError("An entrant is named twice.")
    left = frozenset(gone) & frozenset(entrants)
    turn = first_seat + len(results)
    if advance == 0:
        return _meeting(entrants, best_of, play_all, results, left, turn)
    if play_all and best_of > 1:
        return _all_games(entrants, advance, best_of, results, left, turn)
    if len(entrants) == 2 and best_of > 1:
        return _series(entrants, best_of, results, left, turn)
    return _play_on([list(entrants)], advance, results, left, turn)


def sums[Who](entrants: Iterable[Who], results: Iterable[Mapping[Who, int]]) -> dict[Who, int]:
    """Return what each entrant has from ``results`` with ``play_all``, in 1/840 point."""
    totals = dict.fromkeys(entrants, 0)
    for result in results:
        for entrant, place in result.items():
            beaten = sum(other > place for other in result.values())
            level = sum(other == place for other in result.values()) - 1
            totals[entrant] += beaten * POINT + level * POINT // 2
    return totals


def _all_games(
    entrants: Sequence[int], advance: int, games: int, results: Sequence[Result], gone: frozenset[int], turn: int
) -> Course:
    """Everybody plays every game; then the sums decide, and those who are level at the cut play on."""
    staying = [entrant for entrant in entrants if entrant not in gone]
    if len(results) < games and len(staying) > advance:
        return NextGame(_seated(staying, turn))
    totals = sums(entrants, results[:games])
    order = [
        [entrant for entrant in entrants if totals[entrant] == total]
        for total in sorted({*totals.values()}, reverse=True)
    ]
    return _play_on(order, advance, results[games:], gone, turn)


def _play_on(
    order: list[list[int]], advance: int, results: Sequence[Result], gone: frozenset[int], turn: int
) -> Course:
    """One game after another for the places that go on.

    ``order`` holds the entrants in parts, best first. A game splits the part that played it, whoever of that part had
    left by then apart. Who left later counts in the games they played, and is passed over when the places are given.
    """
    entrants = [entrant for part in order for entrant in part]
    drawn: frozenset[int] = frozenset()
    draws, by_seed = 0, False
    for result in results:
        players = frozenset(result)
        at = next((at for at, part in enumerate(order) if players <= frozenset(part) <= players | gone), None)
        if at is None:
            raise ValueError("A game was played by others than those who were to play on.")
        parts = _parts([entrant for entrant in order[at] if entrant in players], result)
        draws = (draws if players <= drawn else 0) + 1 if _drawn(result) else 0
        drawn = frozenset(parts[0])
        if draws > REPLAYS_OF_A_DRAW:
            draws, by_seed = 0, True
            parts[:1] = [parts[0][:1], parts[0][1:]]
        order[at : at + 1] = [*parts, [entrant for entrant in order[at] if entrant not in players]]
    through: list[int] = []
    behind: list[list[int]] = []
    for part in order:
        staying = [entrant for entrant in part if entrant not in gone]
        room = advance - len(through)
        if len(staying) <= room:
            through.extend(staying)
        elif room > 0:
            return NextGame(_seated(staying, turn))
        else:
            behind.append(staying)
    behind.append([entrant for entrant in entrants if entrant in gone])
    knocked_out = [part for part in behind if part]
    places = dict(zip(through, range(1, len(through) + 1), strict=True))
    # A place that goes on is nobody's if all who could have taken it have left.
    return Decided(tuple(through), places | _places(knocked_out, after=advance if knocked_out else 0), by_seed)


def _series(
    entrants: Sequence[int], best_of: int, results: Sequence[Result], gone: frozenset[int], turn: int
) -> Course:
    """Two entrants until one has won more than half of the games."""
    needed = best_of // 2 + 1
    staying = [entrant for entrant in entrants if entrant not in gone]
    wins = dict.fromkeys(entrants, 0)
    draws, by_seed = 0, False
    for result in results:
        if len(staying) < 2 or max(wins.values()) == needed:
            break
        draws = draws + 1 if _drawn(result) else 0
        if draws > REPLAYS_OF_A_DRAW:
            draws, by_seed = 0, True
            wins[entrants[0]] += 1
        elif draws == 0:
            wins[_parts(entrants, result)[0][0]] += 1
    if len(staying) == 2 and max(wins.values()) < needed:
        return NextGame(_seated(entrants, turn))
    order = sorted(entrants, key=lambda entrant: (entrant in gone, -wins[entrant]))
    if not staying:
        return Decided((), dict.fromkeys(entrants, 2))
    return Decided((order[0],), _places([[entrant] for entrant in order]), by_seed)


def _meeting(
    entrants: Sequence[int],
    best_of: int,
    play_all: bool,
    results: Sequence[Result],
    gone: frozenset[int],
    turn: int,
) -> Course:
    """A match from which nobody is knocked out; a draw is a result, and the first game has the seats as given."""
    if len(entrants) < 2:
        raise ValueError("A match has two entrants at least.")
    staying = [entrant for entrant in entrants if entrant not in gone]
    if len(entrants) == 2:
        wins = dict.fromkeys(entrants, 0)
        for result in results[:best_of]:
            if not _drawn(result):
                wins[_parts(entrants, result)[0][0]] += 1
        if len(results) < best_of and (play_all or max(wins.values()) <= best_of // 2):
            if gone:
                return Decided((), {entrant: 2 if entrant in gone else 1 for entrant in entrants})
            return NextGame(_seated(entrants, turn))
        first, second = entrants
        if wins[first] == wins[second]:
            return Decided((), {first: 1, second: 1})
        winner, loser = (first, second) if wins[first] > wins[second] else (second, first)
        return Decided((), {winner: 1, loser: 2})
    if len(results) < best_of and len(staying) > 1:
        return NextGame(_seated(staying, turn))
    if not results:
        return Decided((), {entrant: 2 if entrant in gone else 1 for entrant in entrants})
    played = {entrant for result in results for entrant in result}
    totals = sums(entrants, results[:best_of])
    parts = [
        [entrant for entrant in entrants if entrant in played and totals[entrant] == total]
        for total in sorted({totals[entrant] for entrant in played}, reverse=True)
    ]
    return Decided((), _places([*parts, [entrant for entrant in entrants if entrant not in played]]))


def _drawn(result: Result) -> bool:
    """Return whether a game had more than one winner."""
    return sum(place == 1 for place in result.values()) > 1


def _parts(group: Sequence[int], result: Result) -> list[list[int]]:
    """Return the group split by the places of a game, best first, each part in the order of the group."""
    if not frozenset(group) <= frozenset(result):
        raise ValueError("A game lacks an entrant who was to play it.")
    places = sorted({result[entrant] for entrant in group})
    return [[entrant for entrant in group if result[entrant] == place] for place in places]


def _places(parts: Sequence[Sequence[int]], after: int = 0) -> dict[int, int]:
    """Return competition ranks (1, 2, 2, 4) for parts in order, behind ``after`` others."""
    places: dict[int, int] = {}
    for part in parts:
        places.update(dict.fromkeys(part, after + len(places) + 1))
    return places


def _seated(group: Sequence[int], turn: int) -> tuple[int, ...]:
    """Return the group in the order of its seats in game ``turn`` (from 0) of the Williams order."""
    size = len(group)
    # 0, 1, size - 1, 2, size - 2, ...: the differences of neighbours are all different.
    zigzag = [0, *((place + 1) // 2 if place % 2 else size - place // 2 for place in range(1, size))]
    place_of = {number: place for place, number in enumerate(zigzag)}
    seats = tuple(group[place_of[(number + turn) % size]] for number in zigzag)
    mirrored = size % 2 == 1 and turn // size % 2 == 1
    return seats[::-1] if mirrored else seats
