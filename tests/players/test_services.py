"""Names, addresses, and who may have which."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from players.errors import Conflict, Invalid
from players.models import Player, User
from players.services import player_create_for_user, player_rename, tidy_name

pytestmark = pytest.mark.django_db


def user(number: int = 1) -> User:
    return User.objects.create_user(f"someone{number}@example.org", "a long enough one")


@pytest.mark.parametrize(
    ("given", "tidy"),
    [
        ("  Ana   Björk ", "Ana Björk"),
        ("Bjo\u0308rk", "Björk"),
        ("evil\u202egnp.exe", "evilgnp.exe"),
        ("zero\u200bwidth", "zerowidth"),
        ("two\nlines\tand a tab", "two lines and a tab"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("<b>Bo</b>", "<b>Bo</b>"),
        ("nul\x00l", "null"),
        ("\u200d\u200d", ""),
        (" \u3000 ", ""),
    ],
)
def test_a_name_keeps_what_can_be_seen(given: str, tidy: str) -> None:
    assert tidy_name(given) == tidy


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Ana Björk", "ana-bjork"), ("Bot Ross", "player-bot-ross"), ("BOT", "player-bot"), ("a" * 40, "a" * 40)],
)
def test_the_address_comes_from_the_name(name: str, slug: str) -> None:
    assert player_create_for_user(user=user(), name=name).slug == slug


@pytest.mark.parametrize("name", ["🐻🐻", "Бобр", "熊", "—"])
def test_a_name_without_latin_letters_gets_an_address_too(name: str) -> None:
    player = player_create_for_user(user=user(), name=name)
    assert player.name == name
    assert player.slug.startswith("player-")
    assert len(player.slug) == len("player-") + 6


def test_equal_names_get_numbered_addresses() -> None:
    slugs = [player_create_for_user(user=user(number), name="Bo").slug for number in (1, 2, 3)]
    assert slugs == ["bo", "bo-2", "bo-3"]


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "x" * 41])
def test_an_unusable_name_is_refused_and_nothing_made(name: str) -> None:
    with pytest.raises(Invalid) as refusal:
        player_create_for_user(user=user(), name=name)
    assert refusal.value.code == "bad-name"
    assert not Player.objects.exists()


def test_one_player_an_account() -> None:
    account = user()
    player_create_for_user(user=account, name="Ana")
    with pytest.raises(Conflict) as refusal:
        player_create_for_user(user=account, name="Bo")
    assert refusal.value.code == "has-player"
    assert Player.objects.get().name == "Ana"


@pytest.mark.django_db(transaction=True)
def test_two_people_of_one_name_at_once_both_get_an_address() -> None:
    accounts = [user(number) for number in range(4)]

    def join(account: User) -> str:
        try:
            return player_create_for_user(user=account, name="Bo").slug
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        slugs = sorted(pool.map(join, accounts))
    assert slugs == ["bo", "bo-2", "bo-3", "bo-4"]


def test_a_rename_keeps_the_address() -> None:
    player = player_create_for_user(user=user(), name="Ana")
    assert player_rename(player=player, name=" Anna  B ").name == "Anna B"
    player.refresh_from_db()
    assert (player.name, player.slug) == ("Anna B", "ana")


def test_a_house_bot_keeps_its_name() -> None:
    bot = Player.objects.create(name="Cub", slug="bot-cub", bot="random")
    with pytest.raises(Conflict):
        player_rename(player=bot, name="Ana")
    bot.refresh_from_db()
    assert bot.name == "Cub"
