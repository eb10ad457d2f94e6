"""What migrations make of rows that were there before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def before_stages_had_entrants() -> Iterator[Any]:
    """The models as they were before 0005; afterwards everything is as it is now."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    executor.migrate([("tournaments", "0004_brackets_and_tie_breaks")])
    yield executor.loader.project_state([("tournaments", "0004_brackets_and_tie_breaks")]).apps
    MigrationExecutor(connection).migrate(newest)


def test_stages_know_their_entrants_after_the_migration(before_stages_had_entrants: Any) -> None:
    def old(app: str, model: str) -> Any:
        return before_stages_had_entrants.get_model(app, model).objects

    player = old("players", "Player").create(name="P", slug="p")
    other = old("players", "Player").create(name="Q", slug="q")
    now = "2026-01-01T00:00Z"
    stages = {}
    for status in ("open", "running", "finished"):
        begun = {} if status == "open" else {"started_at": now, "finished_at": now}
        tournament = old("tournaments", "Tournament").create(
            name=status, slug=status, organizer=player, status=status, **begun
        )
        stages[status] = old("tournaments", "Stage").create(tournament=tournament, format="round-robin")
        seeds = {} if status == "open" else {"seed": 1}
        place = {"place": 1} if status == "finished" else {}
        old("tournaments", "Entrant").create(tournament=tournament, player=player, status="playing", **seeds, **place)
        if status != "open":
            old("tournaments", "Entrant").create(tournament=tournament, player=other, status="withdrawn", seed=2)
            old("tournaments", "Round").create(stage=stages[status], number=1, name="Round 1")
    executor = MigrationExecutor(connection)
    executor.migrate([("tournaments", "0006_round_pairings")])
    new = executor.loader.project_state([("tournaments", "0006_round_pairings")]).apps
    rows = new.get_model("tournaments", "StageEntrant").objects.order_by("stage", "seed")
    assert list(rows.values_list("stage", "seed", "status", "place")) == [
        (stages["running"].pk, 1, "in", None),
        (stages["running"].pk, 2, "withdrawn", None),
        (stages["finished"].pk, 1, "in", 1),
        (stages["finished"].pk, 2, "withdrawn", None),
    ]
    status = dict(new.get_model("tournaments", "Stage").objects.values_list("pk", "status"))
    assert {name: status[stage.pk] for name, stage in stages.items()} == {
        "open": "waiting",
        "running": "running",
        "finished": "finished",
    }
    assert set(new.get_model("tournaments", "Round").objects.values_list("status", flat=True)) == {"published"}
