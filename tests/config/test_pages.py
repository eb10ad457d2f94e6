"""Health, error pages and the one error shape."""

from __future__ import annotations

import pytest
from django.test import Client


def test_healthz_needs_no_server(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {"status": "up"}


@pytest.mark.django_db
def test_readyz_asks_both_servers(client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {"status": "ready", "database": True, "valkey": True}


@pytest.mark.django_db
def test_unknown_page_is_a_page_and_unknown_api_is_json(client: Client) -> None:
    page = client.get("/no/such/page/")
    assert page.status_code == 404
    assert b"There is nothing at this address." in page.content
    api = client.get("/api/v1/no-such-thing/")
    assert api.status_code == 404
    assert api.json() == {"error": {"code": "not-found", "message": "There is nothing at this address."}}
