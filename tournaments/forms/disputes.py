"""Forms of disputes."""

from __future__ import annotations

from typing import Any

from django import forms

from tournaments.forms.base import EventForm


class DisputeForm(EventForm):
    """A player's claim about one record of a game."""

    record_number = forms.TypedChoiceField(
        coerce=int, label="Which record", help_text="The record of the game at which it went wrong.", empty_value=None
    )
    text = forms.CharField(
        max_length=2000,
        label="What is wrong",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="In your own words; the organizer and everybody else can read it.",
    )

    def __init__(self, *args: Any, records: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["record_number"].choices = [  # type: ignore[attr-defined]
            ("", "choose a record"),
            *((number, f"{number}. {text}") for number, text in records),
        ]


class RulingForm(EventForm):
    """An organizer's ruling about a dispute."""

    ruling = forms.ChoiceField(
        choices=[("stand", "The result stands"), ("replay", "Void the game and replay")],
        widget=forms.RadioSelect,
        label="Ruling",
    )
    note = forms.CharField(
        max_length=2000,
        required=False,
        label="Reason",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Shown to everybody.",
    )
