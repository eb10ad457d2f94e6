"""What was drawn for a round, in words: a draft for its organizers, and why a public one is as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.fields import BYE_KINDS
from tournaments.models import Bye, Entrant, Round, RoundStatus, Tournament
from tournaments.pairing.field import Pairing
from tournaments.services.pairings import drawn

MEASURES = {"repeat": "repeated meetings"}
"""What a pairing costs, as far as people are told of it."""


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
    """Why a public round is as it is: who has no table, what was given up, and per entrant what led to its table."""

    byes: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    reached: tuple[str, ...]
    reasons: tuple[tuple[str, tuple[str, ...]], ...]
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


def draw_of(shown: Round, names: Mapping[int, str]) -> Draw:
    """Return why a public round is as it is; ``names`` are those of the entrants."""
    byes = Bye.objects.filter(round=shown).order_by("entrant__seed")
    pairing = drawn(shown)
    warnings: tuple[str, ...] = ()
    reached: tuple[str, ...] = ()
    reasons: tuple[tuple[str, tuple[str, ...]], ...] = ()
    if pairing is not None:
        warnings = tuple(note.sentence(names) for note in pairing.warnings)
        reached = tuple(
            f"{words.capitalize()}: {pairing.cost[key]}; no draw can have fewer than {pairing.bound[key]}."
            for key, words in MEASURES.items()
            if key in pairing.cost and key in pairing.bound
        )
        explained = (pairing.explanation or {}).items()
        reasons = tuple((names[who], tuple(note.sentence(names) for note in notes)) for who, notes in explained)
    return Draw(
        byes=tuple((names[bye.entrant_id], bye.get_kind_display()) for bye in byes),
        warnings=warnings,
        reached=reached,
        reasons=tuple(sorted(reasons, key=lambda reason: reason[0].casefold())),
        lot=shown.lot,
    )
