"""What the pages of a game accept."""

from __future__ import annotations

from django import forms

from players.models import HOUSE_BOTS, Bot


class SeatForm(forms.Form):
    """A seat of a game."""

    number = forms.IntegerField(min_value=0, max_value=7)


class BotForm(SeatForm):
    """A seat, and the bot that shall sit there."""

    level = forms.ChoiceField(choices=[(level.value, level.label) for level in HOUSE_BOTS], initial=Bot.GREEDY)


class ClientSeedForm(forms.Form):
    """The letters that a player adds to the deal; the service knows what they may be."""

    client_seed = forms.CharField(required=False, strip=False, max_length=64)
