"""The pages of ratings: leaderboards and profiles. Open to everybody."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from players.context import current_player
from players.models import Player
from ratings import profiles
from ratings.causes import time_of
from ratings.chart import Point, draw
from ratings.forms import LeaderboardForm
from ratings.leaderboards import Choice, leaderboard, page_of
from ratings.models import Rating, RatingPool, Who


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Lead to the pool in which most has happened."""
    pool = RatingPool.objects.order_by("-version", "name").first()
    if pool is None:
        return render(request, "ratings/no_pools.html")
    return redirect("ratings:leaderboard", pool.slug)


@require_safe
@vary_on_headers("HX-Request")
def leaderboard_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a pool's list; for htmx only the part that changes."""
    pool = get_object_or_404(RatingPool, slug=slug)
    form = LeaderboardForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {"q": "", "who": Who.ALL}
    found = leaderboard(Choice(pool, asked["who"], asked["q"]), page=request.GET.get("page", 1))
    query = {name: value for name, value in (("q", asked["q"]), ("who", asked["who"])) if value not in ("", Who.ALL)}
    me = current_player(request)["current_player"]
    my_page = page_of(pool, me, who=asked["who"]) if me else None
    context: dict[str, Any] = {
        "pool": pool,
        "pools": RatingPool.objects.all(),
        "form": form,
        "board": found,
        "page": found.page,
        "pages": found.page.paginator.get_elided_page_range(found.page.number, on_each_side=1, on_ends=1),
        "query": urlencode(query),
        "asked": asked,
        "here": f"{request.path}?{urlencode(query | {'page': found.page.number})}",
        "me": me,
        "my_page": my_page if my_page != found.page.number or asked["q"] else None,
        "provisional_games": pool.system.provisional_games,
    }
    return render(request, "ratings/leaderboard.html#board" if _part(request) else "ratings/leaderboard.html", context)


@require_safe
@vary_on_headers("HX-Request")
def profile(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a player's rating in the pool asked for, or where they played most; for htmx only the part that changes."""
    player = get_object_or_404(Player, slug=slug)
    ratings = profiles.ratings_of(player)
    context: dict[str, Any] = {"player": player, "ratings": ratings}
    if ratings:
        asked = request.GET.get("pool")
        shown = max(ratings, key=lambda rating: rating.games)
        if asked is not None:
            named = [rating for rating in ratings if rating.pool.slug == asked]
            if not named:
                raise Http404
            shown = named[0]
        context |= _profile_of(shown)
        context["topics"] = f"pool.{shown.pool.slug}"
    else:
        context["topics"] = " ".join(f"pool.{pool.slug}" for pool in RatingPool.objects.all())
    return render(request, "ratings/profile.html#ratings" if _part(request) else "ratings/profile.html", context)


def _profile_of(rating: Rating) -> dict[str, Any]:
    pool, player = rating.pool, rating.player
    entries = list(profiles.history(pool, player)[: profiles.COURSE])
    is_provisional = pool.system.is_provisional
    course = [
        Point(time_of(entry.order_key), entry.after, is_provisional(entry.games_before)) for entry in reversed(entries)
    ]
    if entries:
        first = entries[-1]
        course.insert(0, Point(time_of(first.order_key), first.before, is_provisional(first.games_before)))
    listed = Rating.objects.listed(pool)
    return {
        "rating": rating,
        "pool": pool,
        "rank": listed.ranks([rating.value])[rating.value],
        "of": listed.count(),
        "chart": draw(course),
        "cut": len(entries) == profiles.COURSE and rating.games > profiles.COURSE,
        "recent": profiles.recent_games(entries[: profiles.RECENT]),
        "records": profiles.records(pool, player),
        "games_left": max(pool.system.provisional_games - rating.games, 0),
        "highest": max((entry.after for entry in entries), default=rating.value),
    }


def _part(request: HttpRequest) -> bool:
    """Say whether htmx asks for the part that changes (and not for a whole page)."""
    htmx: Any = getattr(request, "htmx", None)
    return bool(htmx) and not htmx.boosted and not htmx.history_restore_request
