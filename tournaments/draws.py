"""What was drawn for a round, in words: a draft for its organizers, and why a public one is as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.cards import Card
from tournaments.fields import BYE_KINDS
from tournaments.models import Bye, Entrant, Round, RoundStatus, Tournament
from tournaments.pairing.field import Note, Pairing
from tournaments.services.pairings import drawn

MEASURES = {"repeat": "repeated meetings"}
"""What a pairing costs, as far as people are told of it."""
WARNINGS_SHOWN = 20
BYES_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Draft:
    """A round that is not public. ``tables`` (number and names in seat order) and the rest are empty until drawn."""

    round: Round
    is_drawn: bool = False
    tables: tuple[tuple[int, tuple[str, ...]], ...] = ()
    byes: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """Why a public round is as it is: who has no table, what was given up, how good it is.

    ``reasons`` say, by match, what led those who sit there to their table: their names with sentences. ``more_byes``
    and ``more_warnings`` count what is not listed.
    """

    byes: tuple[tuple[str, str], ...]
    more_byes: int
    warnings: tuple[str, ...]
    more_warnings: int
    reached: tuple[str, ...]
    reasons: Mapping[int, tuple[tuple[str, tuple[str, ...]], ...]]
    lot: int


def drafts_of(tournament: Tournament, *, manages: bool) -> list[Draft]:
    """Return the rounds of ``tournament`` that are not public, in order.

    Only who manages the tournament sees what was drawn; everybody else, that there is a draw.
    """
    rounds = list(
        Round.objects.filter(stage__tournament=tournament, status=RoundStatus.DRAFT)
        .select_related("stage", "pairing")
        .order_by("stage__number", "number")
    )
    if not rounds or not manages:
        return [Draft(each) for each in rounds[:1]]
    names = names_of(tournament)
    return [_draft(each, drawn(each), names) for each in rounds]


def names_of(tournament: Tournament) -> dict[int, str]:
    """Return the names of everybody in ``tournament``, by entrant."""
    entrants = Entrant.objects.filter(tournament=tournament)
    return dict(entrants.values_list("pk", "player__name"))


def _draft(each: Round, pairing: Pairing | None, names: Mapping[int, str]) -> Draft:
    if pairing is None:
        return Draft(each)
    return Draft(
        each,
        is_drawn=True,
        tables=tuple((table.number, tuple(names[one] for one in table.seats)) for table in pairing.tables),
        byes=tuple((names[bye.entrant], str(BYE_KINDS[bye.kind].label)) for bye in pairing.byes),
        warnings=tuple(note.sentence(names) for note in pairing.warnings),
    )


def draw_of(shown: Round, cards: Sequence[Card]) -> Draw:
    """Return why a public round is as it is, with the reasons for the tables of ``cards``."""
    byes = list(Bye.objects.filter(round=shown).select_related("entrant__player").order_by("entrant__seed"))
    pairing = drawn(shown)
    warnings: tuple[Note, ...] = () if pairing is None else pairing.warnings
    explained = {} if pairing is None or pairing.explanation is None else pairing.explanation
    seated = {
        each.match.pk: [chair.entrant_id for chair in each.chairs if chair.entrant_id is not None] for each in cards
    }
    notes = [
        *warnings[:WARNINGS_SHOWN],
        *(note for ids in seated.values() for one in ids for note in explained.get(one, ())),
    ]
    named = {one for note in notes for one in note.entrants} | {one for ids in seated.values() for one in ids}
    names = dict(Entrant.objects.filter(pk__in=named).values_list("pk", "player__name"))
    reached: tuple[str, ...] = ()
    if pairing is not None:
        reached = tuple(
            f"{words.capitalize()}: {pairing.cost[key]}; no draw can have fewer than {pairing.bound[key]}."
            for key, words in MEASURES.items()
            if key in pairing.cost and key in pairing.bound
        )
    return Draw(
        byes=tuple((bye.entrant.player.name, bye.get_kind_display()) for bye in byes[:BYES_SHOWN]),
        more_byes=max(0, len(byes) - BYES_SHOWN),
        warnings=tuple(note.sentence(names) for note in warnings[:WARNINGS_SHOWN]),
        more_warnings=max(0, len(warnings) - WARNINGS_SHOWN),
        reached=reached,
        reasons={
            match: tuple(
                (names[one], tuple(note.sentence(names) for note in explained[one]))
                for one in ids
                if explained.get(one)
            )
            for match, ids in seated.items()
        },
        lot=shown.lot,
    )
