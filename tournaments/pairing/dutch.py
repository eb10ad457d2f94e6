"""``fide-dutch``: one round by the FIDE Dutch rules of February 2026 (Handbook C.04.3), worked out by gacrux.

gacrux reads a tournament report file (TRF). Colours are seats: white has the first one. The time grows
faster than the field: a tenth of a second for 60 entrants, some ten seconds for 1,000, which is the limit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gacrux.gacruxexeptions import GacruxInputError, GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch
from gacrux.trf2json import trf2json

from tournaments.pairing.explanation import table_notes
from tournaments.pairing.field import POINT, BadField, Bye, Kind, Note, Pairing, Person, Table, check_field
from tournaments.pairing.priorities import PRIORITIES, Ranking
from tournaments.pairing.swiss import first_seats_to_odd_seeds, swiss

MOST_ENTRANTS = 1000

_CODES = {
    Kind.WALKOVER_WON: ("+", POINT),
    Kind.WALKOVER_LOST: ("-", 0),
    Kind.VOID: ("Z", 0),
    Kind.ALLOCATED: ("U", POINT),
    Kind.FULL: ("F", POINT),
    Kind.HALF: ("H", POINT // 2),
    Kind.ZERO: ("Z", 0),
}
"""What stands in a report file for a round that was not played, and what FIDE gives for it."""
_PLAYED = {POINT: "1", POINT // 2: "=", 0: "0"}


class NoDutchPairing(ValueError):
    """The Dutch rules allow no pairing of this round; they leave to the arbiter what to do. Owner: the organizer."""

    code = "no_dutch_pairing"


def dutch(people: Sequence[Person], *, number: int, rounds: int, seed: int) -> Pairing:
    """Return the pairing of round ``number`` of ``rounds`` (the Dutch rules treat the last one differently).

    Kept-apart entrants never meet. If the rules allow no pairing, the one of ``swiss`` is returned with a warning that
    says so. ``seed`` draws whether odd seeds begin with the first seat. Raises BadField for a field that contradicts
    itself, has more than 1,000 entrants to pair, or has points that 1, a half and 0 for a match do not add up to.
    """
    check_field(people)
    everybody = sorted(people, key=lambda person: person.seed)
    present = [person for person in everybody if not person.withdrawn and person.bye is None]
    if len(present) > MOST_ENTRANTS:
        raise BadField(f"The Dutch rules are worked out for {MOST_ENTRANTS} entrants at most.")
    byes = [Bye(person.id, person.bye) for person in everybody if person.bye is not None and not person.withdrawn]
    ranking = Ranking(present, everybody)
    pairs: list[tuple[int, int]] = []
    if len(present) == 1:
        pairs = [(1 + everybody.index(present[0]), 0)]
    elif present:
        try:
            pairs = dutch_pairs(report_file(everybody, number, rounds), number, first_seats_to_odd_seeds(seed))
        except NoDutchPairing:
            instead = swiss(people, seed=seed)
            text = "The FIDE Dutch rules allow no pairing of this round; this is the best that is left without them."
            return replace(instead, warnings=(Note(NoDutchPairing.code, text), *instead.warnings))
    met = [(everybody[white - 1].id, everybody[black - 1].id) for white, black in pairs if black]
    tables = tuple(Table(at, seats) for at, seats in enumerate(met, start=1))
    position = {one.person.id: at for at, one in enumerate(ranking.standings)}
    sides = [sorted((position[one], position[other])) for one, other in met]
    costs = [ranking.cost(upper, lower) for upper, lower in sides]
    notes = table_notes(ranking, [(upper, lower) for upper, lower in sides], tables, byes)
    for white, black in pairs:
        if not black:
            resting = everybody[white - 1]
            byes.append(Bye(resting.id, Kind.ALLOCATED))
            costs.append(ranking.cost(position[resting.id], None))
            notes[resting.id] = (
                Note("bye_dutch", "Gets the bye by the FIDE Dutch rules (C.04.3, articles C.2 to C.9)."),
            )
    cost = dict(zip(PRIORITIES, (sum(column) for column in zip(*costs, strict=True)), strict=False))
    return Pairing(tables=tables, byes=tuple(byes), explanation=notes, cost=cost)


def dutch_pairs(trf: str, number: int, odd_white: bool | None = None) -> list[tuple[int, int]]:
    """Return round ``number`` of a report file: (white, black) start numbers in table order; black 0 is the bye.

    ``odd_white`` is the draw for colours if the file has none (``XXC white1`` or ``black1``). Raises BadField for a
    file that cannot be read or says nothing of the colours, NoDutchPairing if the rules allow no pairing.
    """
    stated = re.search(r"^XXC .*\b(white|black)1\b", trf, re.MULTILINE)
    if stated is not None:
        odd_white = stated[1] == "white"
    reader = trf2json()
    try:
        reader.parse_file(trf, 0)
    except GacruxInputError as error:
        raise BadField(f"The report file cannot be read: {error}") from error
    if reader.chessjson["status"]["code"]:
        raise BadField(f"The report file cannot be read: {reader.chessjson['status']['error']}")
    tournament = reader.get_tournament(1)
    tournament["pairingSystem"] = ["dutch"]
    tournament["maxMeets"] = 1
    if odd_white is not None:
        tournament["topColor"] = "W" if odd_white else "B"
    elif "topColor" not in tournament:
        raise BadField("The report file does not say which colour was drawn.")
    engine = pairing_dutch(tournament, number, {"experimental": [], "verbose": 0})
    try:
        brackets = engine.compute_pairing(False)
    except GacruxNoLegalPairing as error:
        raise NoDutchPairing(str(error)) from error
    found = [pair for bracket in brackets for pair in bracket["pairs"]]
    return [(int(pair["w"]), int(pair["b"])) for pair in sorted(found, key=lambda pair: int(pair["board"]))]


def report_file(everybody: Sequence[Person], number: int, rounds: int) -> str:
    """Return the report file (TRF of 2016) before round ``number``; start numbers follow the order of ``everybody``.

    Raises BadField if points are not what the Dutch rules give.
    """
    start = {person.id: at for at, person in enumerate(everybody, start=1)}
    lines = ["012 Stage", f"XXR {rounds}"]
    for person in everybody:
        absent = Kind.ZERO if person.withdrawn else person.bye
        this, given = ("", 0) if absent is None else _CODES[absent]
        # The points of a report file count what the file gives for the round to be paired.
        points = (person.points + given) / POINT
        line = f"001 {start[person.id]:4}      {'Entrant':<33}{'':33}{points:4.1f} {person.seed:4}"
        results = _results(person, start, number) + ([f"  0000 - {this}"] if this else [])
        lines.append(line + "".join(results))
    groups = sorted({group for person in everybody for group in person.apart})
    for group in groups:
        members = "".join(f" {start[person.id]:4}" for person in everybody if group in person.apart)
        lines.append(f"260 {number:3} {number:3}{members}")
    return "\n".join(lines) + "\n"


def _results(person: Person, start: dict[int, int], number: int) -> list[str]:
    """Return a column for each round before ``number``."""
    columns = ["  0000 - Z"] * (number - 1)
    after = [past.before for past in person.past[1:]] + [person.points] * bool(person.past)
    if person.past[0].before if person.past else person.points:
        raise BadField(f"Entrant {person.id} has points that no round has given.")
    for past, then in zip(person.past, after, strict=True):
        won = then - past.before
        code, worth = (_PLAYED.get(won, ""), won) if past.kind is Kind.PLAYED else _CODES[past.kind]
        if not code or won != worth or past.round >= number:
            raise BadField(f"Round {past.round} of entrant {person.id} gave other points than FIDE's 1, a half and 0.")
        if past.kind.is_bye or past.kind is Kind.VOID:
            columns[past.round - 1] = f"  0000 - {code}"
        else:
            other = next(one for one in past.seats if one != person.id)
            colour = "w" if past.seats[0] == person.id else "b"
            columns[past.round - 1] = f"  {start[other]:4} {colour} {code}"
    return columns
