"""Addresses of the verifier, below ``/verify/``."""

from __future__ import annotations

from django.urls import path

from games import pages

app_name = "verify"
urlpatterns = [
    path("", pages.verifier, name="page"),
    path("bearena-verify.pyz", pages.standalone_verifier, name="standalone"),
]
