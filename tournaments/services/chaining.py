"""Stages that follow on others, as an organizer plans them, decides who comes in, and begins them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max

from players.errors import Conflict, Invalid, NotFound
from players.models import User
from tournaments.models import Stage, StageStatus, Takes, TieRule, Tournament, TournamentStatus
from tournaments.services.events import later_stages
from tournaments.services.locking import lock_tournament, must_be_open, must_have_seen, touch
from tournaments.services.log import log_write
from tournaments.services.permissions import acting_player, must_manage
from tournaments.services.rounds import advance_locked
from tournaments.services.settings import MOST_STAGES, STAGE_FIELDS, settle
from tournaments.services.stages import begin_chained, cuts_of, store_list


@transaction.atomic
def stage_add(
    *,
    tournament_id: int,
    seen_version: int,
    by: User | None,
    source: int,
    takes: str = Takes.PLACES,
    takes_first: int | None = None,
    takes_last: int | None = None,
    tie_rule: str = TieRule.TIE_BREAKS,
    **settings: Any,
) -> Stage:
    """Let a stage follow on the one with the number ``source``; ``settings`` are those of a stage of a tournament.

    It takes places ``takes_first`` to ``takes_last`` (of each group where there are groups), which follow on those that
    lead into other stages already, or ``rest``: everybody who goes nowhere else. Raises Conflict (not open, or changed
    since ``seen_version``), Invalid (``bad-source``; too many stages; settings that cannot be), NotAllowed, NotFound.
    """
    tournament = _planned(tournament_id, seen_version, by)
    unknown = set(settings) - set(STAGE_FIELDS)
    if unknown:
        raise Invalid(f"A stage has no {', '.join(sorted(unknown))}.")
    first = tournament.stages.get(number=1)
    later = later_stages(tournament, first)
    if len(later) + 1 >= MOST_STAGES:
        raise Invalid(f"A tournament has at most {MOST_STAGES} stages.", code="too-many-stages")
    last = tournament.stages.aggregate(last=Max("number"))["last"]
    stage = Stage(
        tournament=tournament,
        number=last + 1,
        source=next((each for each in (first, *later) if each.number == source), None),
        takes=takes,
        takes_first=takes_first,
        takes_last=takes_last,
        tie_rule=tie_rule,
        **settings,
    )
    settle(tournament, first, (*later, stage))
    stage.save()
    tournament.save(update_fields=["rules"])
    log_write(
        tournament=tournament,
        action="stage.added",
        text=f"Stage {stage.number} was added.",
        actor=acting_player(by),
        data={"stage": stage.number},
    )
    touch(tournament)
    return stage


@transaction.atomic
def stage_remove(*, tournament_id: int, seen_version: int, by: User | None) -> None:
    """Take the last of several stages away again.

    Raises Conflict (not open, or changed since ``seen_version``), Invalid (there is one only), NotAllowed, NotFound.
    """
    tournament = _planned(tournament_id, seen_version, by)
    stage = tournament.stages.order_by("-number")[0]
    if stage.number == 1:
        raise Invalid("A tournament has one stage at least.", code="last-stage")
    stage.delete()
    text = f"Stage {stage.number} was taken away."
    log_write(tournament=tournament, action="stage.removed", text=text, actor=acting_player(by))
    touch(tournament)


@transaction.atomic
def stage_decide(*, stage_id: int, seen_version: int, by: User | None, orders: Sequence[Sequence[int]]) -> Stage:
    """Settle the ties on the last place that lead into a waiting stage, by a play-off or as the organizer decides.

    ``orders`` has for each tie exactly those who are level (entrants' ids), the best first. Raises Conflict (nothing to
    decide, code ``decided-already``; or changed since ``seen_version``), Invalid (``bad-order``), NotAllowed, NotFound.
    """
    tournament, stage = _waiting(stage_id, seen_version, by)
    if stage.stage_entrants.exists():
        raise Conflict("Who comes into this stage is decided already.", code="decided-already")
    cuts = (cuts_of(stage, {}) if stage.source and stage.source.status == StageStatus.FINISHED else None) or []
    ties = [frozenset(each.level) for each in cuts if each.needed is not None]
    if not ties:
        raise Conflict("There is nothing to decide about this stage.", code="decided-already")
    decided = {frozenset(order): tuple(order) for order in orders}
    if set(decided) != set(ties) or any(len(set(order)) != len(order) for order in orders):
        raise Invalid("Name exactly those who are level, each once, the best first.", code="bad-order")
    names = {each.pk: str(each) for each in tournament.entrants.select_related("player")}
    log_write(
        tournament=tournament,
        action="stage.decided",
        text=f"Stage {stage.number}: "
        + "; ".join(f"the order is {', '.join(names[entrant] for entrant in order)}" for order in orders)
        + ".",
        actor=acting_player(by),
        data={"stage": stage.number, "orders": [list(order) for order in orders]},
    )
    store_list(stage, decided)
    advance_locked(tournament)
    touch(tournament)
    stage.refresh_from_db()
    return stage


@transaction.atomic
def stage_start(*, stage_id: int, seen_version: int, by: User | None) -> Stage:
    """Begin a stage whose list is stored, in a tournament that publishes by hand.

    Raises Conflict (it has begun, code ``started-already``; no list yet, code ``undecided``; or changed since
    ``seen_version``), NotAllowed, NotFound.
    """
    tournament, stage = _waiting(stage_id, seen_version, by)
    if not stage.stage_entrants.exists():
        raise Conflict("It is not decided yet who comes into this stage.", code="undecided")
    begin_chained(stage)
    advance_locked(tournament)
    touch(tournament)
    stage.refresh_from_db()
    return stage


def _planned(tournament_id: int, seen_version: int, by: User | None) -> Tournament:
    tournament = lock_tournament(tournament_id)
    must_manage(by, tournament)
    must_be_open(tournament)
    must_have_seen(tournament, seen_version)
    return tournament


def _waiting(stage_id: int, seen_version: int, by: User | None) -> tuple[Tournament, Stage]:
    """Return the locked tournament, and a stage of it that has not begun."""
    tournament_id = Stage.objects.filter(pk=stage_id).values_list("tournament_id", flat=True).first()
    if tournament_id is None:
        raise NotFound("There is no such stage.")
    tournament = lock_tournament(tournament_id)
    must_manage(by, tournament)
    stage = Stage.objects.select_related("tournament", "source").get(pk=stage_id)
    if tournament.status != TournamentStatus.RUNNING or stage.status != StageStatus.WAITING:
        raise Conflict("This stage has begun already, or its tournament is not under way.", code="started-already")
    must_have_seen(tournament, seen_version)
    return tournament, stage
