"""``manage.py rebuild_ratings``: works out ratings from the games and writes what differs."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.models import RatingPool
from ratings.services import pool_rebuild


class Command(BaseCommand):
    """Rebuilds one pool, or all."""

    help = "Work out the ratings of a pool (or of all) from its games, and write what differs."
    write = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the pools by their slugs."""
        parser.add_argument("pools", nargs="*", help="slugs of pools; all of them if none is given")

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild, and say for each pool what differed."""
        pools = RatingPool.objects.all()
        if options["pools"]:
            pools = pools.filter(slug__in=options["pools"])
            unknown = set(options["pools"]) - set(pools.values_list("slug", flat=True))
            if unknown:
                raise CommandError(f"There is no pool {', '.join(sorted(unknown))}.")
        wrong = []
        for pool in pools:
            found = pool_rebuild(pool=pool, write=self.write)
            if found:
                wrong.append(pool.slug)
                verb = "written" if self.write else "differ"
                self.stdout.write(f"{pool.slug}: {found.entries} ledger entries and {found.ratings} ratings {verb}")
            else:
                self.stdout.write(f"{pool.slug}: right to the last digit, nothing written")
        self.report(wrong)

    def report(self, wrong: list[str]) -> None:
        """Do nothing more: what was wrong has been written."""
