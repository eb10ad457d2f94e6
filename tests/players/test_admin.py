"""People in the admin site."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from players.models import Club, Membership, Player, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client: Client) -> Client:
    """A client logged in as superuser."""
    client.force_login(User.objects.create_superuser("root@example.org", "spruce-and-honey-41"))
    return client


@pytest.mark.parametrize("model", ["user", "player", "club", "membership"])
def test_lists_and_forms_open(staff: Client, model: str) -> None:
    player = Player.objects.create(name="Ana", slug="ana", user=User.objects.create_user("ana@example.org"))
    club = Club.objects.create(name="Bears", slug="bears")
    membership = Membership.objects.create(club=club, player=player)
    rows = {"user": player.user, "player": player, "club": club, "membership": membership}
    assert staff.get(reverse(f"admin:players_{model}_changelist"), {"q": "a"}).status_code == 200
    assert staff.get(reverse(f"admin:players_{model}_add")).status_code == 200
    assert staff.get(reverse(f"admin:players_{model}_change", args=[rows[model].pk])).status_code == 200


def test_an_account_is_added_by_its_e_mail(staff: Client) -> None:
    form = {
        "email": "bo@example.org",
        "usable_password": "true",
        "password1": "ice-floe-77",
        "password2": "ice-floe-77",
    }
    assert staff.post(reverse("admin:players_user_add"), form).status_code == 302
    assert User.objects.get(email="bo@example.org").check_password("ice-floe-77")


def test_an_e_mail_taken_in_other_case_is_refused_in_words(staff: Client) -> None:
    form = {
        "email": "Root@Example.org",
        "usable_password": "true",
        "password1": "ice-floe-77",
        "password2": "ice-floe-77",
    }
    page = staff.post(reverse("admin:players_user_add"), form)
    assert "This e-mail address has an account." in page.text
    assert User.objects.count() == 1


@pytest.mark.parametrize("model", ["user", "player", "membership"])
def test_the_length_of_a_list_costs_no_queries(
    staff: Client, model: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    club = Club.objects.create(name="Bears", slug="bears")
    for number in range(30):
        user = User.objects.create_user(f"p{number}@example.org")
        player = Player.objects.create(name=f"P{number}", slug=f"p{number}", user=user)
        Membership.objects.create(club=club, player=player)
    with django_assert_max_num_queries(12):
        assert staff.get(reverse(f"admin:players_{model}_changelist")).status_code == 200
