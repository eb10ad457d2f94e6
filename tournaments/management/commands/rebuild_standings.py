"""``manage.py rebuild_standings``: write places again from results."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tournaments.models import Tournament
from tournaments.services.rebuilding import places_rebuild


class Command(BaseCommand):
    """Works places in stages and tournaments out again, and says what differed."""

    help = "Write the places of all tournaments, or of those named by their addresses, again from the results."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the addresses of tournaments."""
        parser.add_argument("slug", nargs="*", help="the last part of a tournament's address")

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild and report."""
        tournaments = Tournament.objects.exclude(started_at=None).order_by("pk")
        if options["slug"]:
            tournaments = tournaments.filter(slug__in=options["slug"])
        total = 0
        for tournament in tournaments.iterator():
            for each in places_rebuild(tournament_id=tournament.pk):
                where = "final place" if each.stage is None else f"place in stage {each.stage}"
                self.stdout.write(f"{tournament.slug}: {each.entrant}: {where} was {each.was}, is {each.now}")
                total += 1
        self.stdout.write(f"{total} place{'' if total == 1 else 's'} differed.")
