"""Places are derived from results: here they are worked out again."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from tournaments.models import Entrant, StageEntrant, StageStatus, TournamentStatus
from tournaments.services.locking import lock_tournament, touch
from tournaments.services.stages import overall_places, stage_places


@dataclass(frozen=True, slots=True)
class Difference:
    """A place that was stored as ``was`` and is ``now``, in the stage of this number, or at the end (None)."""

    entrant: str
    stage: int | None
    was: int | None
    now: int | None


@transaction.atomic
def places_rebuild(*, tournament_id: int) -> list[Difference]:
    """Write the places in finished stages, and the final ones, again from the results; return what differed.

    Raises NotFound.
    """
    tournament = lock_tournament(tournament_id)
    found = []
    stages = list(tournament.stages.order_by("number"))
    known: dict[int, dict[int, int | None]] = {}
    for stage in stages:
        rows = list(stage.stage_entrants.select_related("entrant__player"))
        finished = stage.status == StageStatus.FINISHED
        known[stage.pk] = places = stage_places(stage) if finished else {}
        wrong = [row for row in rows if row.place != places.get(row.entrant_id)]
        for row in wrong:
            found.append(Difference(str(row.entrant), stage.number, row.place, places.get(row.entrant_id)))
            row.place = places.get(row.entrant_id)
        StageEntrant.objects.bulk_update(wrong, ["place"])
    last = overall_places(stages, known) if tournament.status == TournamentStatus.FINISHED else {}
    misplaced = [one for one in tournament.entrants.select_related("player") if one.place != last.get(one.pk)]
    for entrant in misplaced:
        found.append(Difference(str(entrant), None, entrant.place, last.get(entrant.pk)))
        entrant.place = last.get(entrant.pk)
    Entrant.objects.bulk_update(misplaced, ["place"])
    if found:
        touch(tournament)
    return found
