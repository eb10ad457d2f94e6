"""Why a two-seat round is as it is: what an organizer is warned of, and notes for every entrant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from tournaments.pairing.field import POINT, Bye, Kind, Note, Table
from tournaments.pairing.matching import Round
from tournaments.pairing.priorities import BYE, FLOAT, SECOND_BYE, Ranking, Standing

SEAT_WORDS = ("first", "second")


def warnings(ranking: Ranking, best: Round) -> tuple[Note, ...]:
    """Return what had to be given up in the whole round, and up to where it is not proven to be the best one."""
    notes = []
    proof = "is left" if "rematch" in best.proven else "was found"
    for upper, lower in best.pairs:
        one, other = ranking.standings[upper], ranking.standings[lower]
        pair = (one.person.id, other.person.id)
        times = one.met.get(other.person.id, 0)
        if times:
            often = "once" if times == 1 else f"{times} times"
            text = f"{{0}} and {{1}}, who have met {often}, meet again: no round with fewer rematches {proof}."
            notes.append(Note("rematch", text, pair))
        if one.person.apart & other.person.apart:
            text = f"{{0}} and {{1}}, who were to be kept apart, meet: no other round without more rematches {proof}."
            notes.append(Note("apart", text, pair))
    if best.bye is not None and best.cost[SECOND_BYE]:
        text = f"{{0}} has the bye once more: no round with as few rematches in which another one has it {proof}."
        notes.append(Note("second_bye", text, (ranking.standings[best.bye].person.id,)))
    open_from = len(best.proven)
    if open_from <= FLOAT:
        words = ("rematches", "second byes", "entrants kept apart", "who gets the bye", "score differences", "floats")
        text = (
            f"Not proven to be the best round: {', '.join(words[open_from:])} were compared among likely tables only."
        )
        notes.append(Note("unproven", text))
    return tuple(notes)


def explained(
    ranking: Ranking, best: Round, tables: Sequence[Table], byes: Sequence[Bye]
) -> dict[int, tuple[Note, ...]]:
    """Return the notes of every entrant who has a table or a bye, by id."""
    notes = table_notes(ranking, best.pairs, tables, byes)
    if best.bye is not None:
        one = ranking.standings[best.bye]
        notes[one.person.id] = (_group(ranking, one), *_bye(ranking, best))
    return notes


def table_notes(
    ranking: Ranking, pairs: Iterable[tuple[int, int]], tables: Iterable[Table], byes: Iterable[Bye]
) -> dict[int, tuple[Note, ...]]:
    """Return the notes of those who meet (``pairs`` by position in the ranking) or asked for a bye, by id."""
    seat_of = {entrant: seat for table in tables for seat, entrant in enumerate(table.seats)}
    notes: dict[int, tuple[Note, ...]] = {
        bye.entrant: (Note("requested_bye", f"Asked for a {bye.kind}."),)
        for bye in byes
        if bye.kind is not Kind.ALLOCATED
    }
    for upper, lower in pairs:
        for at, against in ((upper, lower), (lower, upper)):
            one = ranking.standings[at]
            about = [_group(ranking, one), *_opponent(ranking, at, against)]
            about += _seat(one, ranking.standings[against], seat_of[one.person.id])
            notes[one.person.id] = tuple(about)
    return notes


def points_words(points: int) -> str:
    """Return points (in 1/840 point) for people: ``2``, ``2.5``, ``2 1/3``."""
    exact = Fraction(points, POINT)
    if exact.denominator in (1, 2, 4, 5, 8, 10):
        return f"{float(exact):g}"
    whole, part = divmod(exact, 1)
    return f"{whole} {part}" if whole else f"{part}"


def _group(ranking: Ranking, one: Standing) -> Note:
    size = len(ranking.groups[one.group])
    points = points_words(one.person.points)
    return Note("group", f"Points: {points}; number {one.place + 1} of {size} in this score group.")


def _opponent(ranking: Ranking, at: int, against: int) -> Iterator[Note]:
    """Why this opponent: a float, the one due by the order of the group, or what stood against that one."""
    one, other = ranking.standings[at], ranking.standings[against]
    ids = (other.person.id,)
    difference = one.person.points - other.person.points
    if difference:
        down = difference > 0
        words = f"{points_words(abs(difference))} {'fewer' if down else 'more'}"
        size = len(ranking.groups[one.group])
        why = (
            f"an odd number ({size}) has these points" if size % 2 else "of those with these points not all could meet"
        )
        code = "float_down" if down else "float_up"
        yield Note(code, f"Meets {{0}} with {words} points: {why}, or others had to come in.", ids)
        direction = -1 if down else 1
        if direction in one.floats:
            ago = "last round" if one.floats[0] == direction else "two rounds ago"
            yield Note("float_again", f"Floats {'down' if down else 'up'} again, as {ago}: no better round spares it.")
    else:
        yield _in_group(ranking, at, against)


def _in_group(ranking: Ranking, at: int, against: int) -> Note:
    one, other = ranking.standings[at], ranking.standings[against]
    group = ranking.groups[one.group]
    half = len(group) // 2
    natural = at + half if one.place < half else at - half
    if natural in (against, at) or natural not in group:
        return Note("in_order", "{0} is the opponent by the order of the group.", (other.person.id,))
    due = ranking.standings[natural]
    if due.person.id in one.met:
        why = "the two have met"
    elif due.person.apart & one.person.apart:
        why = "the two are kept apart"
    elif one.due.seat is not None and one.due.seat == due.due.seat:
        why = f"both are due the {SEAT_WORDS[one.due.seat]} seat"
    else:
        why = "the round as a whole is better so"
    text = f"{{0}} instead of {{1}}, the opponent by the order of the group: {why}."
    return Note("out_of_order", text, (other.person.id, due.person.id))


def _seat(one: Standing, other: Standing, seat: int) -> Iterator[Note]:
    if one.due.seat is None:
        return
    due = SEAT_WORDS[one.due.seat]
    if seat == one.due.seat:
        yield Note("seat_due", f"Has the {due} seat, which was due.")
    else:
        text = f"Was due the {due} seat, but so was {{0}}, and at least as much."
        yield Note("seat_denied", text, (other.person.id,))


def _bye(ranking: Ranking, best: Round) -> Iterator[Note]:
    assert best.bye is not None
    one = ranking.standings[best.bye]
    rank = ranking.bye_rank(best.bye)
    text = f"Gets the bye: {one.byes} byes so far and {points_words(one.person.points)} points"
    before = [
        ranking.standings[at].person.id
        for at in range(len(ranking))
        if ranking.bye_rank(at) < rank and not ranking.standings[at].unearned
    ]
    if not before:
        yield Note("bye", f"{text}; nobody who can have it has fewer byes, or as few and fewer points.")
        return
    yield Note("bye", f"{text}.")
    why = "rematch, a second bye or a kept-apart pair" if len(best.proven) > BYE else "rematch, as far as was looked,"
    for entrant in before:
        yield Note(
            "bye_passed", f"{{0}} came first for the bye, but the others would have been left with a {why}.", (entrant,)
        )
