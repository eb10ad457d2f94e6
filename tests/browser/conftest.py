"""Browsers for the tests that drive the site as people do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from players.models import Player
from tests.processes import PATIENCE_MS, WebServer

type Open = Callable[..., Page]


@pytest.fixture
def open_page(web_server: WebServer, chromium: Browser) -> Iterator[Open]:
    """A function that gives a page of a new browser, logged in as a player; errors on any page fail the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_page(player: Player | None = None, width: int = 1280) -> Page:
        context = chromium.new_context(base_url=web_server.url, viewport={"width": width, "height": 860})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        if player is not None:
            client = Client()
            assert player.user is not None
            client.force_login(player.user)
            context.add_cookies(
                [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": web_server.url}]
            )
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
