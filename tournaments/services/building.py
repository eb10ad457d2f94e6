"""The beginning of a stage: the rounds, matches and slots that are known by then."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence

from players.errors import Invalid
from tournaments.models import (
    Entrant,
    Format,
    Match,
    Round,
    Slot,
    Stage,
    StageEntrant,
    StageEntrantStatus,
    StageStatus,
)
from tournaments.pairing.bracket import Bracket
from tournaments.pairing.double_elimination import double_elimination
from tournaments.pairing.round_robin import Meeting, round_robin, serpentine
from tournaments.pairing.single_elimination import single_elimination
from tournaments.pairing.table_elimination import table_elimination
from tournaments.services.wanting import draws_rounds


def stage_begin(*, stage: Stage) -> None:
    """Begin a waiting stage of a tournament that the caller has locked, with the entrants that are stored as in it.

    Builds what is known by now; a format that draws its rounds is given the number that all its lots follow.
    ``advance_locked`` does the rest. Raises Invalid for too few entrants.
    """
    inside = stage.stage_entrants.filter(status=StageEntrantStatus.IN).select_related("entrant__player")
    members = list(inside.order_by("seed"))
    entrants = [each.entrant for each in members]
    if len(entrants) < 2:
        raise Invalid("A stage needs at least two players.", code="too-few")
    stage.status = StageStatus.RUNNING
    if not stage.draw_seed:
        stage.draw_seed = str(secrets.randbits(48))
    stage.save(update_fields=["status", "draw_seed"])
    if stage.format == Format.ROUND_ROBIN:
        _build_round_robin(stage, [entrants])
    elif stage.format == Format.GROUPS:
        _build_round_robin(stage, _divide(stage, members))
    elif stage.format == Format.SINGLE_ELIMINATION:
        _build_bracket(stage, single_elimination(len(entrants), third_place=stage.third_place), entrants)
    elif stage.format == Format.DOUBLE_ELIMINATION:
        _build_bracket(stage, double_elimination(len(entrants)), entrants)
    elif stage.format == Format.TABLE_ELIMINATION:
        _build_bracket(stage, table_elimination(len(entrants), stage.table_size, stage.advance), entrants)
    else:
        assert draws_rounds(stage), f"nobody builds the rounds of {stage.format}"


def _build_bracket(stage: Stage, bracket: Bracket, entrants: list[Entrant]) -> None:
    """Store a bracket: its rounds, matches, and slots with the entrant or the place that they wait for."""
    rounds = _build_rounds(stage, bracket.names())
    matches = Match.objects.bulk_create(
        Match(
            round=rounds[plan.round - 1],
            table=plan.table,
            part=plan.part,
            advance=plan.advance,
            best_of=stage.best_of,
            play_all=stage.play_all,
        )
        for plan in bracket.matches
    )
    slots = []
    for match, plan in zip(matches, bracket.matches, strict=True):
        for number, feed in enumerate(plan.feeds):
            if isinstance(feed, int):
                slots.append(Slot(match=match, number=number, entrant=entrants[feed - 1]))
            else:
                slots.append(Slot(match=match, number=number, source=matches[feed.match], source_place=feed.place))
    Slot.objects.bulk_create(slots)


def _divide(stage: Stage, members: Sequence[StageEntrant]) -> list[list[Entrant]]:
    """Deal the members out to groups by their seeds, and note each one's group."""
    try:
        groups = serpentine(len(members), stage.group_count or 1)
    except ValueError as error:
        raise Invalid(
            f"{stage.group_count} groups need at least {2 * (stage.group_count or 1)} players.", code="too-few"
        ) from error
    divided = [[members[seed - 1] for seed in group] for group in groups]
    for number, group in enumerate(divided, start=1):
        for each in group:
            each.group = number
    StageEntrant.objects.bulk_update(members, ["group"])
    return [[each.entrant for each in group] for group in divided]


def _build_round_robin(stage: Stage, groups: Sequence[Sequence[Entrant]]) -> None:
    """Store every meeting within each group; slot 0 has the first seat. Tables count on from group to group."""
    plans = [round_robin(len(group), double=stage.twice) for group in groups]
    longest = max(len(plan) for plan in plans)
    rounds = _build_rounds(stage, [f"Round {number}" for number in range(1, longest + 1)])
    matches, slots = [], []
    for number, round_ in enumerate(rounds):
        pairs: list[tuple[Sequence[Entrant], Meeting]] = [
            (group, pair)
            for group, plan in zip(groups, plans, strict=True)
            if number < len(plan)
            for pair in plan[number]
        ]
        for table, (group, pair) in enumerate(pairs, start=1):
            match = Match(round=round_, table=table, advance=0, best_of=stage.best_of, play_all=stage.play_all)
            matches.append(match)
            slots += [Slot(match=match, number=at, entrant=group[seed - 1]) for at, seed in enumerate(pair)]
    Match.objects.bulk_create(matches)
    Slot.objects.bulk_create(slots)


def _build_rounds(stage: Stage, names: Iterable[str]) -> list[Round]:
    return Round.objects.bulk_create(
        Round(stage=stage, number=number, name=name) for number, name in enumerate(names, start=1)
    )
