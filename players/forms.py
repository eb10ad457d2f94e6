"""Forms of accounts."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest

from players.models import User


class SignupNameForm(forms.Form):
    """What sign-up asks besides e-mail and password."""

    def signup(self, request: HttpRequest, user: User) -> None:
        """Called after the user was made."""
