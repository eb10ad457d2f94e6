"""``manage.py load_demo``: the demo club, made or completed."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from players.models import Club
from tournaments.demo import events
from tournaments.demo.people import CLUB_SLUG, load_people


class Command(BaseCommand):
    """Loads the demo club; what is there stays, what is used up is made anew."""

    help = "Load the demo club: people with accounts, a season, and events that are over, under way and open."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load everything; safe to run at every start."""
        logins = settings.VAR_DIR / "demo.json"
        players = load_people(logins)
        club = Club.objects.get(slug=CLUB_SLUG)
        now = timezone.now()
        events.load_season(players, now)
        events.load_finished(players, club, now)
        events.load_running(players[0], club)
        events.load_open(players, club)
        events.load_lobby(players)
        if options["verbosity"] > 0:
            self.stdout.write(f"The demo club is loaded; its logins are in {logins}.")
