"""Sign-up, log-in, one's own account, and the frame around every page."""

from __future__ import annotations

import pytest
from django.contrib.staticfiles import finders
from django.core import mail
from django.test import Client
from django.urls import reverse

from players.models import Player, User
from players.services import player_create_for_user

pytestmark = pytest.mark.django_db
PASSWORD = "spruce-and-honey-41"


def sign_up(client: Client, **changes: str):
    form = {"email": "ana@example.org", "password1": PASSWORD, "name": "Ana <b>🐻", **changes}
    return client.post(reverse("account_signup"), form)


@pytest.fixture
def ana(client: Client) -> Player:
    """A player with an account who is logged in."""
    user = User.objects.create_user("ana@example.org", PASSWORD)
    client.force_login(user)
    return player_create_for_user(user=user, name="Ana")


def test_sign_up_makes_account_and_player_and_logs_in(client: Client) -> None:
    assert sign_up(client).status_code == 302
    player = Player.objects.get()
    assert (player.name, player.slug) == ("Ana <b>🐻", "ana-b")
    assert player.user == User.objects.get(email="ana@example.org")
    page = client.get(reverse("players:account"))
    assert page.status_code == 200
    assert page.context["current_player"] == player
    assert "Ana &lt;b&gt;🐻" in page.text
    assert "Ana <b>" not in page.text


@pytest.mark.parametrize("name", ["", "\u200b\u200b", "x" * 41])
def test_sign_up_with_an_unusable_name_makes_nothing(client: Client, name: str) -> None:
    page = sign_up(client, name=name)
    assert page.status_code == 200
    assert page.context["form"].errors["name"]
    assert not User.objects.exists()
    assert not Player.objects.exists()


def test_log_in_by_e_mail_in_any_case(client: Client) -> None:
    User.objects.create_user("ana@example.org", PASSWORD)
    answer = client.post(reverse("account_login"), {"login": "Ana@Example.org", "password": PASSWORD})
    assert answer.status_code == 302
    assert "_auth_user_id" in client.session


def test_a_wrong_password_is_told_in_words(client: Client) -> None:
    User.objects.create_user("ana@example.org", PASSWORD)
    page = client.post(reverse("account_login"), {"login": "ana@example.org", "password": "wrong"})
    assert page.status_code == 200
    assert 'class="errorlist nonfield"' in page.text
    assert "_auth_user_id" not in client.session


def test_a_forgotten_password_is_mailed(client: Client) -> None:
    User.objects.create_user("ana@example.org", PASSWORD)
    assert client.post(reverse("account_reset_password"), {"email": "ana@example.org"}).status_code == 302
    assert [message.to for message in mail.outbox] == [["ana@example.org"]]
    assert "/accounts/password/reset/key/" in mail.outbox[0].body


def test_the_account_page_needs_a_login(client: Client) -> None:
    answer = client.get(reverse("players:account"))
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_login"))


def test_change_of_name(client: Client, ana: Player) -> None:
    assert client.post(reverse("players:account"), {"name": "Anna  Björk"}).status_code == 302
    ana.refresh_from_db()
    assert (ana.name, ana.slug) == ("Anna Björk", "ana")


def test_a_bad_new_name_changes_nothing(client: Client, ana: Player) -> None:
    page = client.post(reverse("players:account"), {"name": "\u202e"})
    assert page.status_code == 200
    assert "Choose a name that can be seen." in page.text
    ana.refresh_from_db()
    assert ana.name == "Ana"


def test_an_account_without_player_gets_one(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root@example.org", PASSWORD))
    assert "This account has no player yet." in client.get(reverse("players:account")).text
    client.post(reverse("players:account"), {"name": "Root"})
    assert Player.objects.get().slug == "root"


@pytest.mark.parametrize(
    "name",
    ["players:account", "account_email", "account_change_password", "mfa_index", "account_logout"],
)
def test_account_pages_stand_in_the_frame(client: Client, ana: Player, name: str) -> None:
    page = client.get(reverse(name), follow=True)
    assert page.status_code == 200
    assert '<main id="main"' in page.text


@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password"])
def test_pages_ask_nothing_of_other_sites_and_hold_no_inline_script(client: Client, name: str) -> None:
    text = client.get(reverse(name)).text
    assert 'class="entrance"' in text
    assert 'src="http' not in text
    assert "<script>" not in text
    assert "onclick=" not in text
    assert '<a class="skip-link" href="#main">' in text


def test_the_menu_shows_administration_to_staff_alone(client: Client, ana: Player) -> None:
    address = reverse("admin:index")
    assert address not in client.get(reverse("players:account")).text
    client.force_login(User.objects.create_superuser("root@example.org", PASSWORD))
    assert address in client.get(reverse("players:account")).text


def test_the_frame_leads_everywhere(client: Client, ana: Player) -> None:
    text = client.get(reverse("players:account")).text
    names = ["tournaments:home", "tournaments:lobby", "tournaments:list", "ratings:leaderboards", "players:account"]
    for address in [*map(reverse, names), reverse("ratings:profile", args=[ana.slug])]:
        assert f'href="{address}"' in text
    assert 'href=""' not in text


def test_log_out_ends_the_session(client: Client, ana: Player) -> None:
    assert client.post(reverse("account_logout")).status_code == 302
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("path", ["htmx-2.0.11.min.js", "idiomorph-ext-0.8.0.min.js"])
def test_vendored_scripts_lie_beside_their_licence(path: str) -> None:
    assert finders.find(f"vendor/{path}")
    assert finders.find(f"vendor/{path.split('-')[0]}-LICENSE.txt")
