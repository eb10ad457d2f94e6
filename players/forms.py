"""Forms of accounts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest

from players.models import Player, User
from players.services import player_create_for_user, tidy_name


class PlayerNameField(forms.CharField):
    """The name under which somebody plays: any characters, tidied, never empty."""

    def __init__(self) -> None:
        length = Player._meta.get_field("name").max_length
        super().__init__(
            label="Player name",
            max_length=length,
            help_text=f"Shown at tables and in rankings. Any script, emoji too; at most {length} characters.",
            widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
        )

    def clean(self, value: object) -> str:
        """Return the tidy name. Raises ValidationError if nothing that can be seen remains of it."""
        name = tidy_name(super().clean(value))
        if not name:
            raise forms.ValidationError("Choose a name that can be seen.", code="required")
        self.run_validators(name)  # composing characters can make a name longer
        return name


class SignupNameForm(forms.Form):
    """What sign-up asks besides e-mail and password."""

    name = PlayerNameField()

    def signup(self, request: HttpRequest, user: User) -> None:
        """Make the player of the account that was just made (called by django-allauth)."""
        player_create_for_user(user=user, name=self.cleaned_data["name"])


class NameForm(forms.Form):
    """A new player name."""

    name = PlayerNameField()


class BotForm(NameForm):
    """The name of a new bot account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.fields["name"].label = "Name of the bot"


class KeyForm(forms.Form):
    """A new key of a bot account."""

    LIFETIMES = [(90, "90 days"), (365, "a year"), (0, "until I revoke it")]

    name = forms.CharField(max_length=40)
    days = forms.TypedChoiceField(choices=LIFETIMES, coerce=int)
