"""What every page may use from the tournaments: the game that waits for whoever looks."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from tournaments.pages.access import viewer
from tournaments.waiting import WaitingGame, waiting_game


def my_game(request: HttpRequest) -> dict[str, Any]:
    """Give templates ``my_game``, a :class:`WaitingGame` or None, looked up only by a page that shows it.

    ``page_path`` is the path of the page in the browser, also when a part of it is fetched.
    """

    def look_up() -> WaitingGame | None:
        player = viewer(request)
        return waiting_game(player) if player is not None else None

    htmx = getattr(request, "htmx", None)
    return {
        "my_game": SimpleLazyObject(look_up),
        "page_path": (htmx and htmx.current_url_abs_path) or request.path,
    }
