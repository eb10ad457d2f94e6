"""How one stage leads on to the next: who comes in, who is substitute, when it begins, and the final places.

A later stage takes its players from an earlier one when that is finished. The list is stored, with substitutes in the
order in which they are asked; until the stage begins, who withdraws is replaced by the first of them. Where a tie on
the last place needs a decision the stage waits, without a list. Everything here is for a tournament that is locked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.models import (
    POINTS_KINDS,
    Entrant,
    EntrantStatus,
    Format,
    LogLine,
    Publishing,
    Stage,
    StageEntrant,
    StageEntrantStatus,
    StageStatus,
    Takes,
    Tournament,
)
from tournaments.ranking import group_rankings, stage_ranking
from tournaments.services.building import stage_begin
from tournaments.services.log import log_write
from tournaments.standings.cut import Cut, LastPlace, Needed, cut
from tournaments.standings.overall import Finished, final_places
from tournaments.standings.ranking import Row

WAITING_FOR = {
    Needed.PLAY_OFF: "a play-off decides",
    Needed.ORGANIZER: "the organizer decides",
}


@dataclass(frozen=True, slots=True)
class Led:
    """What came of looking at the stages that wait: whether anything changed, and whether one has begun."""

    changed: bool
    begun: bool


def lead_on(tournament: Tournament) -> Led:
    """Store the lists of stages whose source is finished, fill them up, and begin those that nothing holds up."""
    changed = begun = False
    waiting = tournament.stages.filter(status=StageStatus.WAITING, source__isnull=False)
    # In order, and each read anew: one that had nobody to play it is finished at once and leads on itself.
    for pk in list(waiting.order_by("number").values_list("pk", flat=True)):
        stage = Stage.objects.select_related("tournament", "source").get(pk=pk)
        if stage.source is None or stage.source.status != StageStatus.FINISHED:
            continue
        if stage.stage_entrants.exists():
            changed |= _fill_up(stage)
        elif not store_list(stage, {}):
            continue
        else:
            changed = True
        if tournament.publish_rounds == Publishing.AUTOMATIC:
            begin_chained(stage)
            changed = begun = True
    return Led(changed, begun)


def cuts_of(stage: Stage, decided: Mapping[frozenset[int], Sequence[int]]) -> list[Cut] | None:
    """Return the cuts that lead into ``stage``, one for each group of its source or one for all.

    None while a stage with better places has no list yet. ``decided`` holds, by those who are level, the order in which
    they were put; one that fits no tie changes nothing here.
    """
    source = stage.source
    assert source is not None, "only later stages have a cut"
    beside = list(source.leads_to.filter(number__lt=stage.number))
    members = StageEntrant.objects.filter(stage__in=beside)
    if set(members.values_list("stage_id", flat=True)) != {each.pk for each in beside}:
        return None
    unavailable = set(members.filter(status=StageEntrantStatus.IN).values_list("entrant_id", flat=True)) | _gone(stage)
    groups = _rows(source)
    if stage.takes == Takes.REST:
        return [Cut(tuple(row.entrant for row in rows if row.entrant not in unavailable), ()) for rows in groups]
    assert stage.takes_first is not None and stage.takes_last is not None, "the database holds both"  # noqa: PT018
    places = stage.takes_last - stage.takes_first + 1
    rule = LastPlace(stage.tie_rule)
    found = []
    for rows in groups:
        first = cut(rows, places, rule, unavailable=unavailable)
        order = decided.get(frozenset(first.level))
        if first.needed is not None and order is not None:
            first = cut(rows, places, rule, decided=order, unavailable=unavailable)
        found.append(first)
    return found


def store_list(stage: Stage, decided: Mapping[frozenset[int], Sequence[int]]) -> bool:
    """Store who comes into ``stage``, and its substitutes; return whether that could be done (see :func:`cuts_of`).

    Where something has to be decided first, the log says so, once.
    """
    cuts = cuts_of(stage, decided)
    if cuts is None:
        return False
    if any(each.needed is not None for each in cuts):
        _say_what_is_needed(stage, cuts)
        return False
    through = _interleaved([each.through for each in cuts])
    substitutes = _interleaved([each.substitutes for each in cuts])
    status = dict.fromkeys(through, StageEntrantStatus.IN) | dict.fromkeys(substitutes, StageEntrantStatus.SUBSTITUTE)
    StageEntrant.objects.bulk_create(
        StageEntrant(stage=stage, entrant_id=entrant, seed=seed, status=status[entrant])
        for seed, entrant in enumerate((*through, *substitutes), start=1)
    )
    log_write(
        tournament=stage.tournament,
        action="stage.list",
        text=f"{len(through)} players are through to stage {stage.number}.",
        data={"stage": stage.number, "through": through, "substitutes": substitutes},
    )
    return True


def begin_chained(stage: Stage) -> None:
    """Begin a later stage with the list that is stored. With one player it is over at once, as it is with none."""
    members = stage.stage_entrants.filter(status=StageEntrantStatus.IN)
    stage.stage_entrants.exclude(status=StageEntrantStatus.IN).update(status=StageEntrantStatus.CUT)
    inside = list(members.values_list("entrant_id", flat=True))
    Entrant.objects.filter(pk__in=inside, status=EntrantStatus.OUT).update(status=EntrantStatus.PLAYING)
    if len(inside) < 2:
        members.update(place=1)
        stage.status = StageStatus.FINISHED
        stage.save(update_fields=["status"])
        text = f"Stage {stage.number} is not played: {'one player is' if inside else 'no players are'} left for it."
    else:
        if stage.format == Format.GROUPS and 2 * (stage.group_count or 1) > len(inside):
            stage.group_count = len(inside) // 2
            stage.save(update_fields=["group_count"])
        stage_begin(stage=stage)
        groups = f" in {stage.group_count} groups" if stage.format == Format.GROUPS else ""
        text = f"Stage {stage.number} began with {len(inside)} players{groups}."
    log_write(tournament=stage.tournament, action="stage.started", text=text, data={"stage": stage.number})
    source = stage.source
    if source is not None and not source.leads_to.filter(status=StageStatus.WAITING).exists():
        went_on = StageEntrant.objects.filter(stage__source=source, status=StageEntrantStatus.IN)
        stayed = source.stage_entrants.exclude(entrant__in=went_on.values("entrant")).values("entrant")
        Entrant.objects.filter(pk__in=stayed, status=EntrantStatus.PLAYING).update(status=EntrantStatus.OUT)


def has_led_on(stage: Stage) -> bool:
    """Return whether a later stage has begun with the results of ``stage``."""
    return stage.leads_to.exclude(status=StageStatus.WAITING).exists()


def forget_lists(stage: Stage) -> None:
    """Take back the lists that were made of the results of ``stage``, which runs again."""
    StageEntrant.objects.filter(stage__source=stage, stage__status=StageStatus.WAITING).delete()


def overall_places(stages: Sequence[Stage], places: Mapping[int, Mapping[int, int | None]]) -> dict[int, int]:
    """Return the final place of every entrant over ``stages``; ``places`` are those in each stage, by its id."""

    def finished(stage: Stage) -> Finished:
        following = sorted(
            (each for each in stages if each.source_id == stage.pk),
            key=lambda each: (each.takes == Takes.REST, each.takes_first or 0),
        )
        return Finished(places.get(stage.pk, {}), [finished(each) for each in following])

    [first] = (each for each in stages if each.source_id is None)
    return final_places(finished(first))


def stage_places(stage: Stage) -> dict[int, int | None]:
    """Return the place of each entrant (by id) in a finished stage, worked out from the results."""
    if not stage.rounds.exists():  # one for which too few were left
        inside = stage.stage_entrants.filter(status=StageEntrantStatus.IN)
        return dict.fromkeys(inside.values_list("entrant_id", flat=True), 1)
    return {row.entrant: row.place for row in stage_ranking(stage)}


def _interleaved(groups: Sequence[Sequence[int]]) -> list[int]:
    """Return the first of each group, then the second of each, and so on.

    The groups come forwards every time where they are even in number, and forwards and backwards in turn where they are
    odd: so that in a bracket two of one group do not meet at once.
    """
    order = []
    for at in range(max((len(group) for group in groups), default=0)):
        level = [group[at] for group in groups if at < len(group)]
        order += level[::-1] if at % 2 and len(groups) % 2 else level
    return order


def _fill_up(stage: Stage) -> bool:
    """Let substitutes move up into the places of those who withdrew; return whether anybody did."""
    rows = list(stage.stage_entrants.select_related("entrant__player").order_by("seed"))
    vacant = _vacant(stage, rows)
    if not vacant:
        return False
    beside = StageEntrant.objects.filter(stage__source=stage.source, status=StageEntrantStatus.IN).exclude(stage=stage)
    # A stage with worse places that has not begun gives its players up.
    bound = beside.exclude(stage__status=StageStatus.WAITING, stage__number__gt=stage.number)
    elsewhere = set(bound.values_list("entrant_id", flat=True))
    free = [row for row in rows if row.status == StageEntrantStatus.SUBSTITUTE and row.entrant_id not in elsewhere]
    group_of = _groups(stage.source)
    moved: list[StageEntrant] = []
    for group in vacant:
        candidates = [row for row in free if row not in moved]
        own = [row for row in candidates if group_of.get(row.entrant_id) == group]
        if candidates:
            moved.append((own or candidates)[0])
    if not moved:
        return False
    for row in moved:
        row.status = StageEntrantStatus.IN
        text = f"{row.entrant} moves up into stage {stage.number} as substitute."
        log_write(
            tournament=stage.tournament, action="stage.substitute", text=text, data={"player": row.entrant.player_id}
        )
    promoted = [row.entrant_id for row in moved]
    StageEntrant.objects.filter(
        stage__source=stage.source, stage__status=StageStatus.WAITING, entrant__in=promoted
    ).exclude(stage=stage).delete()
    behind = [row for row in rows if row.status != StageEntrantStatus.IN]
    inside = [row for row in rows if row.status == StageEntrantStatus.IN and row not in moved]
    for seed, row in enumerate((*inside, *moved, *behind), start=1):
        row.seed = seed
    StageEntrant.objects.bulk_update(rows, ["seed", "status"])
    return True


def _vacant(stage: Stage, rows: Sequence[StageEntrant]) -> list[int | None]:
    """Return the group of each place that nobody has (None where there are no groups)."""
    if stage.takes_first is None or stage.takes_last is None:
        return []
    group_of = _groups(stage.source)
    groups: Collection[int | None] = sorted(set(group_of.values()), key=lambda group: group or 0)
    taken = [group_of.get(row.entrant_id) for row in rows if row.status == StageEntrantStatus.IN]
    each = stage.takes_last - stage.takes_first + 1
    vacant = [group for group in groups for _ in range(each - taken.count(group))]
    # Where a group has run out, another one has filled its place.
    return vacant[: max(0, each * len(groups) - len(taken))]


def _groups(source: Stage | None) -> dict[int, int | None]:
    """Return the group of each entrant (by id) of a stage; None where there are no groups."""
    return dict(StageEntrant.objects.filter(stage=source).values_list("entrant_id", "group"))


def _gone(stage: Stage) -> set[int]:
    withdrawn = stage.tournament.entrants.filter(status=EntrantStatus.WITHDRAWN)
    return set(withdrawn.values_list("pk", flat=True))


def _rows(source: Stage) -> list[Sequence[Row]]:
    """Return the standings of a finished stage, those of each group for themselves."""
    if source.format in POINTS_KINDS and source.rounds.exists():
        return list(group_rankings(source).values())
    places = {entrant: place for entrant, place in stage_places(source).items() if place is not None}
    return [[Row(place, entrant, 0, (Fraction(-place),), None) for entrant, place in places.items()]]


def _say_what_is_needed(stage: Stage, cuts: Sequence[Cut]) -> None:
    """Write into the log, once for each state of things, between whom a decision is needed."""
    names = {each.pk: str(each) for each in stage.tournament.entrants.select_related("player")}
    ties = []
    for each in cuts:
        if each.needed is not None:
            level = " and ".join(names[entrant] for entrant in each.level)
            places = "1 place" if each.open == 1 else f"{each.open} places"
            ties.append(f"between {level} for {places} {WAITING_FOR[each.needed]}")
    data = {"stage": stage.number, "level": [list(each.level) for each in cuts if each.needed is not None]}
    last = LogLine.objects.filter(
        tournament=stage.tournament, action="stage.undecided", data__stage=stage.number
    ).order_by("-pk")[:1]
    if not any(line.data == data for line in last):
        text = f"Stage {stage.number} waits: {'; '.join(ties)}."
        log_write(tournament=stage.tournament, action="stage.undecided", text=text, data=data)
