"""The start of a tournament: seeds, and its first stage."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from players.errors import Conflict, Invalid
from players.models import User
from tournaments.models import Entrant, EntrantStatus, StageEntrant, Tournament, TournamentStatus
from tournaments.services.building import stage_begin
from tournaments.services.locking import lock_tournament, must_be_open, must_have_seen, touch
from tournaments.services.log import log_write
from tournaments.services.permissions import acting_player, must_manage
from tournaments.services.rounds import advance_locked
from tournaments.services.seeds import ratings_now


@transaction.atomic
def tournament_start(*, tournament_id: int, seen_version: int, by: User | None) -> Tournament:
    """Seed by rating, build every round that is known, and begin the first games. A second start raises Conflict.

    Raises Conflict (code ``started-already``, or ``conflict`` when it changed since ``seen_version``), Invalid (fewer
    than two entrants), NotAllowed, NotFound.
    """
    tournament = lock_tournament(tournament_id)
    must_manage(by, tournament)
    if tournament.status == TournamentStatus.RUNNING:
        raise Conflict("The tournament has been started already.", code="started-already")
    must_be_open(tournament)
    must_have_seen(tournament, seen_version)
    entrants = _seed(tournament)
    if len(entrants) < 2:
        raise Invalid("A tournament needs at least two players.", code="too-few")
    tournament.status = TournamentStatus.RUNNING
    tournament.started_at = timezone.now()
    tournament.save(update_fields=["status", "started_at"])
    stage = tournament.stages.get(number=1)
    StageEntrant.objects.bulk_create(
        StageEntrant(stage=stage, entrant=entrant, seed=entrant.seed or 0) for entrant in entrants
    )
    stage_begin(stage=stage)
    actor = acting_player(by)
    log_write(
        tournament=tournament,
        action="tournament.started",
        text=f"The tournament began with {len(entrants)} players, seeded by rating.",
        actor=actor,
        data={"seeds": [entrant.player_id for entrant in entrants]},
    )
    advance_locked(tournament)
    touch(tournament)
    return tournament


def _seed(tournament: Tournament) -> list[Entrant]:
    """Give every entrant rating and seed: the better rating first, then who registered first; return them so."""
    entrants = list(tournament.entrants.select_related("player").order_by("registered_at", "pk"))
    ratings = ratings_now(tournament, [entrant.player_id for entrant in entrants])
    for entrant in entrants:
        entrant.rating = ratings[entrant.player_id]
        entrant.status = EntrantStatus.PLAYING
    entrants.sort(key=lambda entrant: -(entrant.rating or 0))
    for seed, entrant in enumerate(entrants, start=1):
        entrant.seed = seed
    Entrant.objects.bulk_update(entrants, ["seed", "rating", "status"])
    return entrants
