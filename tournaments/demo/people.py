"""The people of the demo club, and the file with the passwords that were made for them."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from allauth.account.models import EmailAddress
from django.db import transaction

from players.models import Club, Membership, Player, User

CLUB = "Northern Bears"
CLUB_SLUG = "northern-bears"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the demo club. ``skill`` is how often they find the better move, from 0 to 1."""

    name: str
    slug: str
    skill: float
    role: str = "player"

    @property
    def email(self) -> str:
        """The address to log in with; nobody receives mail there."""
        return f"{self.slug}@demo.example"


PEOPLE = (
    Person("Ursula Frost", "ursula", 0.95, "organizer and site admin"),
    Person("Bo", "bo", 0.9),
    Person("Ana Kaya", "ana", 0.85),
    Person("Łukasz", "lukasz", 0.8),
    Person("Dana 🐻", "dana", 0.7),
    Person("Eero Lumi", "eero", 0.65),
    Person("Hanna-Sofía Ångström", "hanna", 0.6),
    Person("Jun", "jun", 0.5),
    Person("Goran", "goran", 0.4),
    Person("Kaisa", "kaisa", 0.3),
    Person("Ivo the Unready", "ivo", 0.15),
    Person("Freya", "freya", 0.0),
)


@transaction.atomic
def load_people(logins: Path) -> list[Player]:
    """Return the players of the demo club in the order of ``PEOPLE``, made where they are missing.

    ``logins`` is the file with their passwords (mode 0600): ``{"logins": [{"name", "email", "password", "role"}]}``.
    Whoever stands there keeps the password; whoever does not gets a new one.
    """
    known = _read(logins)
    club, _ = Club.objects.get_or_create(slug=CLUB_SLUG, defaults={"name": CLUB})
    players = []
    entries = []
    for person in PEOPLE:
        entry = known.get(person.email) or {
            "name": person.name,
            "email": person.email,
            "password": secrets.token_urlsafe(9),
            "role": person.role,
        }
        entries.append(entry)
        player = _player(person, entry["password"], new_password=person.email not in known)
        role = Membership.Role.ORGANIZER if person is PEOPLE[0] else Membership.Role.MEMBER
        Membership.objects.get_or_create(club=club, player=player, defaults={"role": role})
        players.append(player)
    _write(logins, entries)
    return players


def _player(person: Person, password: str, *, new_password: bool) -> Player:
    user = User.objects.filter(email=person.email).first()
    if user is None:
        admin = person is PEOPLE[0]
        user = User.objects.create_user(person.email, password, is_staff=admin, is_superuser=admin)
        EmailAddress.objects.create(user=user, email=person.email, verified=True, primary=True)
    elif new_password:
        user.set_password(password)
        user.save(update_fields=["password"])
    player = Player.objects.filter(user=user).first()
    if player is None:
        taken = Player.objects.filter(slug=person.slug).exists()
        slug = f"{person.slug}-{secrets.token_hex(3)}" if taken else person.slug
        player = Player.objects.create(name=person.name, slug=slug, user=user)
    return player


def _read(logins: Path) -> dict[str, dict[str, str]]:
    if not logins.exists():
        return {}
    return {entry["email"]: entry for entry in json.loads(logins.read_text(encoding="utf-8"))["logins"]}


def _write(logins: Path, entries: list[dict[str, str]]) -> None:
    """Replace the file at once; it is never readable for others, not even for a moment."""
    logins.parent.mkdir(parents=True, exist_ok=True)
    beside = logins.with_suffix(".new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({"logins": entries}, file, ensure_ascii=False, indent=1)
    beside.replace(logins)
