"""House bots: players whom the engine plays, with names of their own."""

from __future__ import annotations

from collections.abc import Collection

from django.db import IntegrityError, transaction

from players.errors import Invalid
from players.models import Bot, Player

NAMES = {
    Bot.RANDOM: ["Cub Nanuk", "Cub Tumble", "Cub Pebble", "Cub Snowdrop", "Cub Flurry", "Cub Biscuit", "Cub Fidget"],
    Bot.GREEDY: ["Grizzly Bruno", "Grizzly Ursula", "Grizzly Boris", "Grizzly Ada", "Grizzly Otso", "Grizzly Maja"],
    Bot.SEARCH: ["Kodiak Olga", "Kodiak Ivan", "Kodiak Nadia", "Kodiak Magnus", "Kodiak Freya", "Kodiak Sven"],
}
"""Names for each level, taken in this order; when they are used up, numbers follow ("Cub Nanuk 2")."""


def bot_player(*, level: str, exclude: Collection[int] = ()) -> Player:
    """Return a house bot of ``level`` whose id is not in ``exclude``, made if there is none.

    The levels are those of :class:`.models.Bot`: "random", "greedy" and "search". Raises Invalid for an unknown level.
    """
    if level not in NAMES:
        raise Invalid(f"There is no bot of the level {level}; choose one of {', '.join(NAMES)}.", code="unknown-bot")
    names = NAMES[Bot(level)]
    number = 0
    while True:
        turn, place = divmod(number, len(names))
        name = names[place] if turn == 0 else f"{names[place]} {turn + 1}"
        player = _bot_named(name, level)
        if player is not None and player.pk not in exclude:
            return player
        number += 1


def _bot_named(name: str, level: str) -> Player | None:
    """Return the bot of this name, made if needed; None if a person has its address."""
    slug = f"bot-{name.lower().replace(' ', '-')}"
    try:
        with transaction.atomic():
            player, _ = Player.objects.get_or_create(slug=slug, defaults={"name": name, "bot": level})
    except IntegrityError:  # made by somebody else since
        player = Player.objects.get(slug=slug)
    return player if player.bot == level else None
