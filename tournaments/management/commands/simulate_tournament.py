"""``manage.py simulate_tournament``: a whole event in a moment."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from players.errors import ServiceError
from tournaments.models import Format, Tournament, TournamentStatus
from tournaments.simulation.events import Lap, Plan, Simulation, Stuck

RATES = {
    "byes": "that an entrant asks for a bye, each round",
    "withdrawals": "that an entrant withdraws, before each round",
    "walkovers": "that an entrant leaves when the table is set, each round",
    "late": "that somebody comes late, before each round",
    "corrections": "that a game is void and played again later",
}


class Command(BaseCommand):
    """Simulates an event through the services; the same seed gives the same draws and standings."""

    help = "Simulate a tournament of any format, and print what each round took. Nothing stays, unless --keep says so."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take format, size, settings, later stages, seed and rates."""
        parser.add_argument("format", choices=Format.values)
        parser.add_argument("entrants", type=int, help="how many play: 3 to 4000")
        parser.add_argument(
            "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the first stage"
        )
        parser.add_argument(
            "--then",
            action="append",
            default=[],
            metavar="FORMAT:PLACES[:NAME=VALUE...]",
            help="a later stage, for instance single-elimination:1-32 or round-robin:rest:source=1; it follows on the "
            "one before it if no other source is named",
        )
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--bots", action="store_true", help="bots play every game; else results follow strengths")
        parser.add_argument("--keep", action="store_true", help="leave the event to look at")
        for name, meaning in RATES.items():
            parser.add_argument(f"--{name}", type=float, default=0.0, metavar="RATE", help=f"chance {meaning}")

    def handle(self, *args: Any, **options: Any) -> None:
        """Simulate and report. Raises CommandError for what cannot be simulated, and for an event that does not end."""
        if not 3 <= options["entrants"] <= 4000:
            raise CommandError("3 to 4000 can play.")
        for name in RATES:
            if not 0 <= options[name] <= 1:
                raise CommandError(f"--{name} is a chance from 0 to 1.")
        try:
            # One transaction, so that nobody meets a half-played event, and nothing is left of one not kept.
            with transaction.atomic():
                plan = Plan(
                    format=options["format"],
                    entrants=options["entrants"],
                    seed=options["seed"],
                    settings=_settings(options["set"]),
                    chain=_chain(options["format"], options["then"]),
                    bots=options["bots"],
                    **{name: options[name] for name in RATES},
                )
                simulation = Simulation(plan)
                for lap in simulation.laps():
                    self.stdout.write(_line(lap))
                self._tell(simulation.tournament, keep=options["keep"])
                transaction.set_rollback(not options["keep"])
        except (ServiceError, Stuck) as error:
            raise CommandError(str(error)) from error

    def _tell(self, tournament: Tournament, *, keep: bool) -> None:
        tournament.refresh_from_db()
        assert tournament.status == TournamentStatus.FINISHED, "the last lap ends the event"
        winners = tournament.entrants.filter(place=1).select_related("player").order_by("seed")
        self.stdout.write(f"First: {', '.join(f'{each} (seed {each.seed})' for each in winners) or 'nobody'}.")
        if keep:
            self.stdout.write(f"The event is kept: /tournaments/{tournament.slug}/")


def _line(lap: Lap) -> str:
    found = f"Stage {lap.stage}, {lap.name}: {lap.tables} tables, {lap.repeats} repeats, {lap.byes} byes"
    if lap.corrections:
        found += f", {lap.corrections} games corrected before"
    draw = f"drawn in {lap.draw_seconds:.2f} s ({lap.draw_queries} queries)"
    return (
        f"{found}; {draw}, results stored in {lap.results_seconds:.2f} s, "
        f"advanced in {lap.advance_seconds:.2f} s ({lap.advance_queries} queries)"
    )


def _settings(given: list[str]) -> dict[str, Any]:
    """Return ``name=value`` pairs with numbers and yes/no as such."""
    settings: dict[str, Any] = {}
    for each in given:
        name, mark, value = each.partition("=")
        if not mark:
            raise CommandError(f"A setting is NAME=VALUE, not {each}.")
        words = {"yes": True, "no": False}
        settings[name] = int(value) if value.isdecimal() else words.get(value, value)
    return settings


def _chain(first: str, given: list[str]) -> list[dict[str, Any]]:
    """Return the settings of the later stages."""
    stages: list[dict[str, Any]] = []
    formats = [first]
    for each in given:
        format_, *rest = each.split(":")
        if format_ not in Format.values or not rest:
            raise CommandError(f"A later stage is FORMAT:PLACES, for instance single-elimination:1-8, not {each}.")
        stage = {"format": format_, **_settings(rest[1:])}
        source = stage.get("source", len(formats))
        if source not in range(1, len(formats) + 1):
            raise CommandError(f"There is no earlier stage {source}.")
        if rest[0] == "rest":
            stage["takes"] = "rest"
        else:
            low, mark, high = rest[0].partition("-")
            if not (mark and low.isdecimal() and high.isdecimal()):
                raise CommandError(f"Places are for instance 1-8, or rest; not {rest[0]}.")
            stage["takes"] = "group-places" if formats[source - 1] == Format.GROUPS else "places"
            stage["takes_first"], stage["takes_last"] = int(low), int(high)
        stages.append(stage)
        formats.append(format_)
    return stages
