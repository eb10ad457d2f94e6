"""A casual table."""

from __future__ import annotations

from typing import Any

from django import forms

from players.models import HOUSE_BOTS, Bot
from tournaments.forms.clocks import TABLE_TIME_CHOICES
from tournaments.forms.decks import HOLD_MY_BEAR, DeckForm

BOT_LEVELS = [(level.value, str(level.label)) for level in HOUSE_BOTS]


class TableForm(DeckForm):
    """A casual table to open in the lobby."""

    seats = forms.TypedChoiceField(
        choices=[(1, "1 seat"), *((n, f"{n} seats") for n in range(2, 9))], coerce=int, initial=4, label="Seats"
    )
    bots = forms.TypedChoiceField(
        choices=[(0, "no bots")] + [(n, f"{n} bot{'s' if n > 1 else ''}") for n in range(1, 8)],
        coerce=int,
        initial=0,
        label="Bots",
    )
    level = forms.ChoiceField(choices=BOT_LEVELS, initial=Bot.GREEDY.value, label="Bots play like")
    time_control = forms.ChoiceField(choices=TABLE_TIME_CHOICES, initial="normal", label="Clock")
    rated = forms.BooleanField(required=False, initial=True, label="Rated", help_text="The game moves ratings.")
    invited = forms.BooleanField(
        required=False, label="By invitation", help_text="Not in the lobby: who has the link can sit down and watch."
    )

    def clean(self) -> dict[str, Any]:
        """Refuse more bots than free seats, and a deck that the engine refuses."""
        data = super().clean() or self.cleaned_data
        if "seats" in data and "bots" in data and data["bots"] >= data["seats"]:
            self.add_error("bots", f"One seat of {data['seats']} is yours: at most {data['seats'] - 1} bots.")
        if data.get("seats") == 1 and data.get("game") == HOLD_MY_BEAR:
            self.add_error("seats", "Alone one plays Pick-a-Polar-Bear; Hold my Bear takes two.")
        elif "seats" in data:
            self.check_deck(data, data["seats"])
        return data

    def rules(self) -> dict[str, Any]:
        """Return the engine's rules options that the form asks for."""
        return self.deck_rules(self.cleaned_data)
