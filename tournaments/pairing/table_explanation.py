"""Why a round at tables is as it is: what an organizer is warned of, and notes for every entrant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from tournaments.pairing.explanation import points_words
from tournaments.pairing.field import Bye, Kind, Note, Person, Table
from tournaments.pairing.seated_field import SeatedField
from tournaments.pairing.table_sizes import TableSizes


def warnings(
    field: SeatedField, tables: Sequence[Table], waiting: Sequence[Person], sizes: TableSizes, proven: Sequence[str]
) -> tuple[Note, ...]:
    """Return what had to be given up in the whole round."""
    people = {person.id: person for person in field.standing}
    notes = []
    for person in waiting:
        if person.had(Kind.ALLOCATED):
            text = "{0} has the bye once more: all others have had one, or points without play, as often."
            notes.append(Note("second_bye", text, (person.id,)))
    if waiting and not tables:
        number = len(waiting)
        text = f"Nobody can play: {number} {'is' if number == 1 else 'are'} too few for a table of {sizes.smallest}."
        notes.append(Note("too_few", text))
    for table in tables:
        for one, other in combinations(sorted(table.seats, key=lambda entrant: people[entrant].seed), 2):
            times = field.meetings[one].get(other, 0)
            if times:
                proof = (
                    "no round with fewer or older ones is left" if "repeat" in proven else "no better round was found"
                )
                text = f"{{0}} and {{1}} meet again at table {table.number}, after {_times(times)}: {proof}."
                notes.append(Note("repeat", text, (one, other)))
            if people[one].apart & people[other].apart:
                proof = "no round without more repeats is left" if "apart" in proven else "no better round was found"
                text = f"{{0}} and {{1}}, who were to be kept apart, meet at table {table.number}: {proof}."
                notes.append(Note("apart", text, (one, other)))
    return tuple(notes)


def explained(
    field: SeatedField, tables: Sequence[Table], byes: Iterable[Bye], sizes: TableSizes, proven: Sequence[str]
) -> dict[int, tuple[Note, ...]]:
    """Return the notes of everybody who has a table or a bye, by id."""
    notes: dict[int, tuple[Note, ...]] = {bye.entrant: (_bye(bye),) for bye in byes}
    due = _tables_by_points(field)
    for table in tables:
        for seat, entrant in enumerate(table.seats):
            notes[entrant] = tuple(_seated(field, table, seat, due[entrant], sizes, proven))
    return notes


def _tables_by_points(field: SeatedField) -> dict[int, tuple[int, ...]]:
    """Return with whom each would sit if points alone counted: the standing, cut into tables from the top."""
    due: dict[int, tuple[int, ...]] = {}
    start = 0
    for kind in field.question.tables:
        table = tuple(person.id for person in field.standing[start : start + kind.size])
        due.update(dict.fromkeys(table, table))
        start += kind.size
    return due


def _seated(
    field: SeatedField, table: Table, seat: int, due: tuple[int, ...], sizes: TableSizes, proven: Sequence[str]
) -> Iterator[Note]:
    """Why this table: the points there, who of those next in points sits elsewhere and why, and the seat."""
    people = {person.id: person for person in field.standing}
    me = people[table.seats[seat]]
    held = sorted(people[entrant].points for entrant in table.seats)
    among = points_words(held[0]) if held[0] == held[-1] else f"{points_words(held[0])} to {points_words(held[-1])}"
    yield Note("points", f"Table {table.number} has entrants with {among} points; {{0}} has {_own(me)}.", (me.id,))
    met = tuple(other for other in due if other not in table.seats and field.meetings[me.id].get(other))
    if met:
        named = _list(len(met))
        yield Note("have_met", f"By points alone the table would be shared with {named}, but they have met.", met)
    apart = tuple(
        other for other in due if other not in table.seats and other not in met and people[other].apart & me.apart
    )
    if apart:
        yield Note("kept_apart", f"Next in points, but kept apart: {_list(len(apart))}.", apart)
    if held[0] != held[-1] and not met and not apart and not set(table.seats) <= set(due):
        text = "Nothing stood against the neighbours in points; the round as a whole is better so"
        text += "." if "spread" in proven else ", as far as was looked."
        yield Note("for_others", text)
    for other in table.seats:
        if times := field.meetings[me.id].get(other, 0):
            yield Note(
                "repeat", f"Meets {{0}} again, after {_times(times)}: a round without it was not to be had.", (other,)
            )
        if other != me.id and people[other].apart & me.apart:
            yield Note("apart", "Meets {0} although the two are kept apart: more repeats would be the price.", (other,))
    if len(table.seats) < sizes.preferred:
        before = field.short_before[me.id]
        had = f"had one {_times(before)} before" if before else "had none before"
        text = f"A table of {len(table.seats)}, as the field does not fill tables of {sizes.preferred}; {had}."
        yield Note("short_table", text)
    times = me.seats_played().count(seat)
    yield Note("seat", f"Seat {seat + 1}, {f'had {_times(times)} before' if times else 'not had before'}.")


def _own(person: Person) -> str:
    return points_words(person.points)


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _list(number: int) -> str:
    """Return ``{0}, {1} and {2}`` for so many names."""
    names = [f"{{{at}}}" for at in range(number)]
    return names[0] if number == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _bye(bye: Bye) -> Note:
    if bye.kind is not Kind.ALLOCATED:
        return Note("requested_bye", f"Asked for a {bye.kind}.")
    return Note(
        "bye",
        "Has the bye: fewest byes and other points without play; of those the fewest points; of those the last seed.",
    )
