"""What a reader may ask of a leaderboard."""

from __future__ import annotations

from django import forms

from ratings.models import Who


class LeaderboardForm(forms.Form):
    """Part of a name, and whom to list."""

    q = forms.CharField(
        label="Name",
        required=False,
        max_length=40,
        widget=forms.TextInput({"type": "search", "placeholder": "Part of a name"}),
    )
    who = forms.ChoiceField(label="List", required=False, choices=Who, initial=Who.ALL)

    def clean_who(self) -> str:
        """List everybody unless something else is asked for."""
        return self.cleaned_data["who"] or Who.ALL
