"""What every form of an event is."""

from __future__ import annotations

from typing import Any

from django import forms


class EventForm(forms.Form):
    """A form whose labels end without a colon."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
