"""``manage.py check_ratings``: says whether the ratings are what the games make them, and writes nothing."""

from __future__ import annotations

from django.core.management.base import CommandError

from ratings.management.commands import rebuild_ratings


class Command(rebuild_ratings.Command):
    """Compares one pool, or all, with a rebuild; fails if they differ."""

    help = "Compare the ratings of a pool (or of all) with a rebuild; write nothing, exit with 1 if they differ."
    write = False

    def report(self, wrong: list[str]) -> None:
        """Fail if a pool differs."""
        if wrong:
            raise CommandError("Not as the games make them; rebuild_ratings writes what differs.", returncode=1)
