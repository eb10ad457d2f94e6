"""What organizers say about an event under way."""

from __future__ import annotations

from django import forms

from tournaments.forms.base import EventForm


class CancelForm(EventForm):
    """Why a tournament is called off."""

    reason = forms.CharField(max_length=200, required=False, label="Reason")


class ScopeForm(EventForm):
    """A table, a round, or with neither the whole tournament."""

    round = forms.IntegerField(required=False, min_value=1, max_value=2**31, label="Round")
    match = forms.IntegerField(required=False, min_value=1, max_value=2**31, label="Table")


class PauseForm(ScopeForm):
    """Why play stops, and when it goes on by itself."""

    reason = forms.CharField(max_length=200, required=False, label="Reason")
    until = forms.DateTimeField(required=False, label="Time of the adjournment")


class SearchForm(EventForm):
    """A part of the name of somebody who is looked for."""

    q = forms.CharField(required=False, label="Name")
