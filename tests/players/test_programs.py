"""Bot accounts of people, and their keys."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.errors import Conflict, Invalid, NotAllowed
from players.models import ApiKey, Player, User
from players.programs import KEYS_A_BOT, api_key_create, api_key_revoke, api_key_use, bot_account_create
from players.services import player_create_for_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    """A person with a player."""
    user = User.objects.create_user("ana@example.org", "a long enough one")
    player_create_for_user(user=user, name="Ana")
    return user


def test_a_bot_account_is_a_bot_and_has_an_owner(ana: User) -> None:
    bot = bot_account_create(owner=ana, name=" Ana's  robot ")
    assert (bot.name, bot.owner, bot.user) == ("Ana's robot", ana, None)
    assert bot.is_bot
    assert bot.is_bot_account
    assert not bot.is_house_bot
    assert list(Player.objects.not_of_the_house().values_list("name", flat=True)) == ["Ana", "Ana's robot"]


def test_so_many_bot_accounts_and_no_more(ana: User, settings: object) -> None:
    settings.BOT_ACCOUNTS_A_PERSON = 2  # type: ignore[attr-defined]
    bots = [bot_account_create(owner=ana, name="Robot") for _ in range(2)]
    assert [bot.slug for bot in bots] == ["robot", "robot-2"]
    with pytest.raises(Conflict) as refused:
        bot_account_create(owner=ana, name="Robot")
    assert refused.value.code == "too-many-bots"
    assert Player.objects.filter(owner=ana).count() == 2


def test_an_account_without_a_player_owns_no_bot() -> None:
    user = User.objects.create_user("x@example.org", "a long enough one")
    with pytest.raises(NotAllowed):
        bot_account_create(owner=user, name="Robot")
    assert not Player.objects.exists()


def test_a_key_opens_until_it_is_revoked_and_is_kept_nowhere(ana: User) -> None:
    bot = bot_account_create(owner=ana, name="Robot")
    key, text = api_key_create(player=bot, by=ana, name="laptop")
    assert text not in str(list(ApiKey.objects.values()))
    found = api_key_use(text=text)
    assert found == key
    key.refresh_from_db()
    first_use = key.last_used_at
    assert first_use is not None
    api_key_use(text=text)
    key.refresh_from_db()
    assert key.last_used_at == first_use
    assert api_key_use(text=text + "x") is None
    assert api_key_use(text="") is None
    revoked_at = api_key_revoke(key=key, by=ana).revoked_at
    assert api_key_revoke(key=key, by=ana).revoked_at == revoked_at
    assert api_key_use(text=text) is None


def test_a_key_ends_with_its_time_and_with_its_makers_account(ana: User) -> None:
    bot = bot_account_create(owner=ana, name="Robot")
    key, text = api_key_create(player=bot, by=ana, name="laptop", expires_at=timezone.now() + timedelta(hours=1))
    assert api_key_use(text=text) == key
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert api_key_use(text=text) is None
    User.objects.filter(pk=ana.pk).update(is_active=True)
    ApiKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert api_key_use(text=text) is None


def test_keys_that_cannot_be(ana: User) -> None:
    other = User.objects.create_user("bo@example.org", "a long enough one")
    own = player_create_for_user(user=other, name="Bo")
    bot = bot_account_create(owner=ana, name="Robot")
    for player, by in ((bot, other), (own, other)):
        with pytest.raises(NotAllowed):
            api_key_create(player=player, by=by, name="laptop")
    with pytest.raises(Invalid):
        api_key_create(player=bot, by=ana, name="\u200b")
    with pytest.raises(Invalid):
        api_key_create(player=bot, by=ana, name="laptop", expires_at=timezone.now())
    assert not ApiKey.objects.exists()
    keys = [api_key_create(player=bot, by=ana, name="laptop")[0] for _ in range(KEYS_A_BOT)]
    with pytest.raises(Conflict):
        api_key_create(player=bot, by=ana, name="laptop")
    with pytest.raises(NotAllowed):
        api_key_revoke(key=keys[0], by=other)
    api_key_revoke(key=keys[0], by=ana)
    api_key_create(player=bot, by=ana, name="laptop")


def test_the_page_shows_a_new_key_once(ana: User, client: Client) -> None:
    client.force_login(ana)
    assert client.post(reverse("players:bot_create"), {"name": "Robot <b>"}).status_code == 302
    bot = Player.objects.get(owner=ana)
    answer = client.post(reverse("players:key_create", args=[bot.pk]), {"name": "laptop", "days": "90"})
    text = answer.context["new_key_text"]
    key = ApiKey.objects.get()
    assert api_key_use(text=text) == key
    assert text in answer.text
    assert "no-store" in answer["Cache-Control"]
    assert key.expires_at is not None
    page = client.get(reverse("players:programs"))
    assert text not in page.text
    assert "Robot &lt;b&gt;" in page.text
    assert f"…{key.hint}" in page.text
    client.post(reverse("players:key_revoke", args=[key.pk]))
    assert f"…{key.hint}" not in client.get(reverse("players:programs")).text
    assert api_key_use(text=text) is None


@pytest.mark.parametrize(
    ("address", "form", "status", "sentence"),
    [
        ("bot_create", {"name": "\u200b"}, 400, "Choose a name that can be seen."),
        ("key_create", {"name": "", "days": "90"}, 400, "Say what the key is for"),
        ("key_create", {"name": "laptop", "days": "9999"}, 400, "how long it shall be good"),
    ],
)
def test_the_page_refuses_in_words(
    ana: User, client: Client, address: str, form: dict[str, str], status: int, sentence: str
) -> None:
    client.force_login(ana)
    bot = bot_account_create(owner=ana, name="Robot")
    where = reverse(f"players:{address}", args=[bot.pk] if address == "key_create" else [])
    answer = client.post(where, form)
    assert answer.status_code == status
    assert sentence in answer.text
    assert not ApiKey.objects.exists()
    assert Player.objects.filter(owner=ana).count() == 1


def test_nobody_touches_the_bots_of_another(ana: User, client: Client) -> None:
    bot = bot_account_create(owner=ana, name="Robot")
    key, _ = api_key_create(player=bot, by=ana, name="laptop")
    client.force_login(User.objects.create_user("bo@example.org", "a long enough one"))
    form = {"name": "mine", "days": "90"}
    assert client.post(reverse("players:key_create", args=[bot.pk]), form).status_code == 404
    assert client.post(reverse("players:key_revoke", args=[key.pk])).status_code == 404
    key.refresh_from_db()
    assert key.revoked_at is None
