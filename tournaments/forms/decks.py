"""What is played with, as forms ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from games.engine import EngineError
from games.engine import game as engine_game
from games.engine.hold_my_bear.cards import BASE_ANIMALS, BEAR, EXPANSION_ANIMALS
from tournaments import decks
from tournaments.forms.base import EventForm
from tournaments.wording import GAME_TITLES

HOLD_MY_BEAR = "hold-my-bear"


class DeckForm(EventForm):
    """What is played: the game, and with what. The engine says whether it can be played.

    Hold my Bear has a deck, one with a name or animals chosen one by one; Pick-a-Polar-Bear has variants.
    """

    game = forms.ChoiceField(choices=list(GAME_TITLES.items()), initial=HOLD_MY_BEAR, required=False, label="Game")
    different = forms.BooleanField(
        required=False,
        label="Different cards",
        help_text="Who scored the most cards in a round may take no identical card in the next.",
    )
    bonus = forms.BooleanField(
        required=False,
        label="Bonus cards",
        help_text="Count what the cards in the grid show: two points for the first.",
    )
    deck = forms.ChoiceField(
        choices=[*((deck.key, deck.name) for deck in decks.DECKS), (decks.CHOSEN, "Choose the animals")],
        initial=decks.DECKS[0].key,
        label="Deck",
    )
    animals = forms.MultipleChoiceField(
        choices=[(animal, animal) for animal in (*BASE_ANIMALS, *EXPANSION_ANIMALS) if animal != BEAR],
        required=False,
        initial=list(decks.DECKS[0].animals),
        widget=forms.CheckboxSelectMultiple,
        label="Animals",
        help_text="Two or more; the bear is always in. From aardvark on they have an effect.",
    )
    offered = decks.DECKS

    def clean_game(self) -> str:
        """Take Hold my Bear where nothing was said."""
        return self.cleaned_data["game"] or HOLD_MY_BEAR

    def check_deck(self, data: Mapping[str, Any], seats: int) -> None:
        """Put what the engine says against this game for ``seats`` at the field that is to blame."""
        if "game" not in data or "deck" not in data or "animals" not in data:
            return
        try:
            engine_game(data["game"]).rules(self.deck_rules(data), seats)
        except EngineError as error:
            to_blame = "animals" if data["deck"] == decks.CHOSEN else "deck"
            self.add_error(to_blame if data["game"] == HOLD_MY_BEAR else "game", str(error))

    def deck_rules(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the engine's rules options that the cleaned ``data`` ask for."""
        if data["game"] != HOLD_MY_BEAR:
            return {"different": data["different"], "bonus": data["bonus"]}
        return {"animals": decks.animals_of(data["deck"], data["animals"])}
