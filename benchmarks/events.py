"""Prints what a large event takes: a Swiss of 2,000 over 8 rounds, then a top 32, all of it through the services.

    python -m benchmarks.events [--entrants 2000] [--rounds 8] [--top 32] [--small 100]

Results follow strengths; no cards are played. *Draw*: the process that draws and what it is asked; *store*: everything
else until the round is public, its matches and games made. *Results*: places written into the games, as play would have
done game by game. *Advance*: all results of the round taken in at once, each match decided and logged. Then the pages,
for who is not logged in: median of five, with the number of queries, beside an event of the same kind with fewer
entrants, which must take as many.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from benchmarks.live.site import site

if TYPE_CHECKING:
    from tournaments.models import Tournament

LOOKS = 5

type Look = tuple[float, int, int]
"""A page: milliseconds, queries, bytes."""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.events", description=__doc__)
    parser.add_argument("--entrants", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--top", type=int, default=32)
    parser.add_argument("--small", type=int, default=100, help="entrants of the event beside it")
    return parser.parse_args()


def event(entrants: int, options: argparse.Namespace, *, aloud: bool) -> list[tuple[str, dict[str, Look]]]:
    """Play an event; return what its pages take in the midst of the Swiss, at its end, in the top, and at the end."""
    from tournaments.simulation.events import Plan, Simulation

    plan = Plan(
        format="swiss",
        entrants=entrants,
        seed=1,
        settings={"round_count": options.rounds},
        chain=[{"format": "single-elimination", "source": 1, "takes_first": 1, "takes_last": options.top}],
    )
    began = time.perf_counter()
    simulation = Simulation(plan)
    if aloud:
        print(f"registered and started in {time.perf_counter() - began:.1f} s")
        print(f"{'':28}tables  repeats  byes    draw   store  results  advance  queries")
    looks = []
    with timed_draws() as drawn:
        for number, lap in enumerate(simulation.laps(), start=1):
            draw = sum(drawn)
            drawn.clear()
            if aloud:
                print(
                    f"{f'stage {lap.stage}, {lap.name}':28}{lap.tables:6}{lap.repeats:9}{lap.byes:6}"
                    f"{draw:8.2f}{lap.draw_seconds - draw:8.2f}{lap.results_seconds:9.2f}{lap.advance_seconds:9.2f}"
                    f"{lap.draw_queries:5} +{lap.advance_queries:6}"
                )
            when = {options.rounds // 2: f"after round {number}", options.rounds: "after the Swiss"}.get(number)
            when = "in the top" if number == options.rounds + 1 else when
            if when:
                looks.append((when, pages(simulation.tournament)))
    looks.append(("at the end", pages(simulation.tournament)))
    return looks


@contextmanager
def timed_draws() -> Iterator[list[float]]:
    """Note how long each drawing process took."""
    from tournaments.services import pairings

    found: list[float] = []
    inner = pairings.drawn_apart

    def timed(question: Any, *, seconds: float) -> Any:
        began = time.perf_counter()
        try:
            return inner(question, seconds=seconds)
        finally:
            found.append(time.perf_counter() - began)

    pairings.drawn_apart = timed
    try:
        yield found
    finally:
        pairings.drawn_apart = inner


def pages(tournament: Tournament) -> dict[str, Look]:
    """Return what the pages of ``tournament`` take."""
    from django.urls import reverse

    from tournaments.models import Match

    match = Match.objects.filter(round__stage__tournament=tournament).order_by("-pk")[0]
    paths = {
        "event": reverse("tournaments:detail", args=[tournament.slug]),
        "match": reverse("tournaments:match", args=[tournament.slug, match.pk]),
        "list": reverse("tournaments:list"),
    }
    return {name: look(path) for name, path in paths.items()}


def look(path: str) -> Look:
    """Return the median time of a page, its queries, and its size."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client()
    client.get(path)
    taken: list[float] = []
    for _ in range(LOOKS):
        began = time.perf_counter()
        response = client.get(path)
        taken.append((time.perf_counter() - began) * 1000)
        assert response.status_code == 200, f"{path}: {response.status_code}"
    with CaptureQueriesContext(connection) as captured:
        response = client.get(path)
    return statistics.median(taken), len(captured), len(response.content)


def compare(large: Sequence[tuple[str, dict[str, Look]]], small: Sequence[tuple[str, dict[str, Look]]]) -> None:
    """Print the pages of two events."""
    print(f"\n{'page':24}{'ms':>8}{'queries':>9}{'kB':>7}   small: ms  queries")
    for (when, one), (_, other) in zip(large, small, strict=True):
        for name, (milliseconds, queries, size) in one.items():
            line = f"{f'{name}, {when}':24}{milliseconds:8.0f}{queries:9}{size // 1000:7}"
            print(f"{line}{other[name][0]:12.0f}{other[name][1]:9}")


def main() -> None:
    """Play both events and print."""
    options = arguments()
    with site():
        from django.test.utils import override_settings

        # As in production: no log of queries, no search for changed templates.
        plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
        files = {"BACKEND": "django.core.files.storage.FileSystemStorage"}
        with override_settings(
            DEBUG=False, ALLOWED_HOSTS=["testserver"], STORAGES={"default": files, "staticfiles": plain}
        ):
            large = event(options.entrants, options, aloud=True)
            small = event(options.small, options, aloud=False)
            compare(large, small)


if __name__ == "__main__":
    main()
