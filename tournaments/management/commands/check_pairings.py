"""``manage.py check_pairings``: draw finished rounds again and say what differs."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.checking import stage_differences
from tournaments.draws import names_of
from tournaments.models import SWISS_KINDS, Match, MatchStatus, Tournament


class Command(BaseCommand):
    """Draws every round of a Swiss tournament again; one that nobody touched gives the same tables and byes."""

    help = "Draw the rounds of a Swiss tournament again, and list every table and bye that differs."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the address of a tournament."""
        parser.add_argument("slug", help="the last part of the tournament's address")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check and report. Raises CommandError if there is nothing to check."""
        tournament = Tournament.objects.filter(slug=options["slug"]).first()
        if tournament is None:
            raise CommandError(f"There is no tournament {options['slug']}.")
        stages = list(tournament.stages.filter(format__in=SWISS_KINDS))
        if not stages:
            raise CommandError("No stage of this tournament draws round by round.")
        if Match.objects.filter(round__stage__in=stages).exclude(status=MatchStatus.DECIDED).exists():
            raise CommandError("A round is still being played: check it when its matches are decided.")
        names, total = names_of(tournament), 0
        for stage in stages:
            for each in stage_differences(stage):
                ids = each.made or each.drawn or ()
                what = "was made and would not be drawn" if each.made is not None else "would be drawn and was not made"
                who = " – ".join(names[one] for one in ids)
                self.stdout.write(f"Round {each.round}: {who if len(ids) > 1 else f'the bye of {who}'} {what}")
                total += 1
        self.stdout.write(f"{total} difference{'' if total == 1 else 's'}.")
