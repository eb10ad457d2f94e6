"""Make the pools of online play, so that their lists are there before the first game."""

from __future__ import annotations

from typing import Any

from django.db import migrations

POOLS = {"hold-my-bear": "Hold my Bear", "pick-a-polar-bear": "Pick-a-Polar-Bear"}


def make_pools(apps: Any, schema_editor: Any) -> None:
    pools = apps.get_model("ratings", "RatingPool")
    for game, name in POOLS.items():
        pools.objects.get_or_create(game=game, kind="online", defaults={"slug": game, "name": name})


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]

    operations = [migrations.RunPython(make_pools, migrations.RunPython.noop)]
