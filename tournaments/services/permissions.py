"""Who may do what with a tournament."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from players.errors import NotAllowed
from players.models import Club, Membership, Player, User
from tournaments.models import Dispute, Tournament


def is_house(user: User | AnonymousUser) -> bool:
    """Return whether ``user`` runs the site (staff or superuser)."""
    return bool(user.is_active and (user.is_staff or user.is_superuser))


def may_organize_for(user: User | AnonymousUser, club: Club) -> bool:
    """Return whether ``user`` may run events of ``club``: its organizers, and who runs the site."""
    if not user.is_authenticated:
        return False
    if is_house(user):
        return True
    return Membership.objects.filter(club=club, player__user=user, role=Membership.Role.ORGANIZER).exists()


def may_manage(user: User | AnonymousUser, tournament: Tournament) -> bool:
    """Return whether ``user`` may run ``tournament``: its organizer, the club's organizers, and who runs the site."""
    if not user.is_authenticated:
        return False
    if is_house(user) or tournament.organizer.user_id == user.pk:
        return True
    return tournament.club is not None and may_organize_for(user, tournament.club)


def must_manage(user: User | AnonymousUser | None, tournament: Tournament) -> None:
    """Raise NotAllowed unless ``user`` may run ``tournament``; None is the house itself (tasks, commands)."""
    if user is not None and not may_manage(user, tournament):
        raise NotAllowed("Only the organizer of this tournament may do this.")


def may_rule(user: User | AnonymousUser, dispute: Dispute) -> bool:
    """Return whether ``user`` may rule on ``dispute``: who may run the tournament, unless they played that game.

    Who runs the site always may, so that a club with one organizer is not stuck; the log names whoever ruled.
    """
    if not may_manage(user, dispute.match_game.match.round.stage.tournament):
        return False
    return is_house(user) or not dispute.match_game.game.seat_set.filter(player__user=user.pk).exists()


def must_rule(user: User | AnonymousUser | None, dispute: Dispute) -> None:
    """Raise NotAllowed unless ``user`` may rule on ``dispute``; None is the house itself."""
    if user is None or may_rule(user, dispute):
        return
    must_manage(user, dispute.match_game.match.round.stage.tournament)
    raise NotAllowed("You played this game: somebody else has to rule on it.", code="own-game")


def acting_player(user: User | AnonymousUser | None) -> Player | None:
    """Return the player to name in the log as the one who acted; None for the house."""
    if user is None or not user.is_authenticated:
        return None
    return Player.objects.filter(user=user).first()
