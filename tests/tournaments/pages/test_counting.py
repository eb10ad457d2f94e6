"""Counts beside tournaments are right, and do not multiply entrants by matches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db.models import QuerySet

from tests.tournaments.pages.conftest import MakeTournament, end_open_games
from tournaments.dashboard import with_progress
from tournaments.models import EntrantStatus, Tournament
from tournaments.pages.home import with_counts


def rows_of(plan: dict[str, Any]) -> Iterator[float]:
    """Yield how many rows each step of a query plan made altogether."""
    yield plan["Actual Rows"] * plan["Actual Loops"]
    for step in plan.get("Plans", ()):
        yield from rows_of(step)


@pytest.mark.parametrize("counted", [with_counts, with_progress])
def test_no_step_of_the_query_makes_more_rows_than_there_are(counted: Any, tournament: MakeTournament) -> None:
    tournament(24, format="round-robin", start=True)
    query: QuerySet[Tournament] = counted(Tournament.objects.all())
    [plan] = json.loads(query.explain(format="json", analyze=True))
    assert max(rows_of(plan["Plan"])) <= 24 * 23  # each of 276 matches has at most two rows anywhere


def test_the_counts(tournament: MakeTournament) -> None:
    empty = tournament(0, name="Empty")
    cup = tournament(5, name="Cup", start=True)
    cup.entrants.filter(seed=5).update(status=EntrantStatus.WITHDRAWN)
    end_open_games(cup)
    listed = {each.pk: each for each in with_counts(Tournament.objects.all())}
    shown: dict[int, Any] = {each.pk: each for each in with_progress(Tournament.objects.all())}
    assert (listed[empty.pk].entrant_count, listed[empty.pk].playing_count) == (0, 0)  # type: ignore[attr-defined]
    assert listed[cup.pk].entrant_count == 4  # type: ignore[attr-defined]
    counts = shown[cup.pk]
    decided = [
        match.status == "decided" for stage in cup.stages.all() for r in stage.rounds.all() for match in r.matches.all()
    ]
    assert (counts.entrant_count, counts.match_count, counts.decided_count) == (5, 4, sum(decided))
    assert counts.decided_count >= 1
