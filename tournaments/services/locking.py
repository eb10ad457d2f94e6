"""The one place where a tournament's row is locked, and where its version moves.

Whoever writes anything below a tournament holds this lock first; games and rating pools are locked after it, never
before.
"""

from __future__ import annotations

from django.db.models import F

from games.announcing import announce
from players.errors import Conflict, NotFound
from tournaments.models import Tournament, TournamentStatus


def lock_tournament(tournament_id: int) -> Tournament:
    """Return the tournament with its row locked until the transaction ends. Raises NotFound."""
    tournament = (
        Tournament.objects.select_for_update(of=("self",))
        .select_related("club", "organizer__user")
        .filter(pk=tournament_id)
        .first()
    )
    if tournament is None:
        raise NotFound("There is no such tournament.")
    return tournament


def must_have_seen(tournament: Tournament, seen_version: int) -> None:
    """Raise Conflict unless ``seen_version`` is the version of the locked ``tournament``."""
    if tournament.version != seen_version:
        raise Conflict("The tournament has changed since you loaded this page. Look at it again, then repeat.")


def must_be_open(tournament: Tournament) -> None:
    """Raise Conflict unless the locked ``tournament`` is open for registration."""
    if tournament.status != TournamentStatus.OPEN:
        raise Conflict(f"This needs a tournament that is open; this one is {tournament.get_status_display()}.")


def touch(tournament: Tournament) -> None:
    """Count one more version of the locked ``tournament`` and tell those who watch it, after the commit."""
    Tournament.objects.filter(pk=tournament.pk).update(version=F("version") + 1)
    tournament.version += 1
    announce(f"tournament.{tournament.pk}")
