"""A whole tournament from its registration to its end, with everything that happens to real ones on the way."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import combinations
from random import Random
from typing import Any

from django.db import connection
from django.db.models import Prefetch
from django.utils import timezone

from games.models import Game, GameStatus, Seat
from players.models import Player, User
from tournaments.models import (
    SWISS_KINDS,
    TABLE_KINDS,
    Bye,
    ByeKind,
    Entrant,
    EntrantStatus,
    Format,
    Match,
    MatchGame,
    MatchStatus,
    Round,
    Stage,
    StageEntrantStatus,
    StageStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.services.chaining import stage_add, stage_decide
from tournaments.services.disputes import dispute_check, dispute_raise, dispute_rule
from tournaments.services.entrants import entrant_enter_late, entrant_withdraw
from tournaments.services.events import tournament_create
from tournaments.services.pairings import round_pair
from tournaments.services.rounds import stage_advance
from tournaments.services.settings import LARGEST, LONGEST_READY_SECONDS, MOST_ENTRANTS
from tournaments.services.stages import cuts_of, has_led_on
from tournaments.services.starting import tournament_start
from tournaments.services.wishes import bye_request
from tournaments.simulation.play_out import game_play_out
from tournaments.simulation.results import SPREAD, games_end

LATE_AT_MOST = 50
"""So many can come late to an event."""
MOST_LAPS = 500


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated. Rates are chances from 0 to 1, for each entrant or game and each round.

    ``settings`` are those of ``tournament_create`` (what is left out is usual for the format), ``chain`` those of
    ``stage_add`` for each later stage. ``bots`` lets the engine's bots play every game; else places follow from
    strengths, but for the games that will be disputed: a dispute points at a record.
    """

    format: str
    entrants: int
    seed: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    chain: Sequence[Mapping[str, Any]] = ()
    bots: bool = False
    byes: float = 0.0
    """Requested byes, where the format has them."""
    withdrawals: float = 0.0
    """Of an entrant between two rounds."""
    walkovers: float = 0.0
    """Of an entrant who leaves when the table is set."""
    late: float = 0.0
    """That somebody comes late before a round, where that can be."""
    corrections: float = 0.0
    """Of a game that is void and played again, a round later."""


@dataclass(slots=True)
class Lap:
    """What happened between one set of games and the next: in a Swiss a round, elsewhere what could be played at once.

    Times in seconds; ``queries`` those of drawing, of the results, and of what followed from them.
    """

    stage: int
    name: str
    tables: int = 0
    repeats: int = 0
    byes: int = 0
    corrections: int = 0
    draw_seconds: float = 0.0
    draw_queries: int = 0
    results_seconds: float = 0.0
    advance_seconds: float = 0.0
    advance_queries: int = 0


class Stuck(Exception):
    """The event waits for something that never comes; the message says for what."""


class Simulation:
    """One event. ``tournament`` is the running one; iterate over :meth:`laps` to play it."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.chance = Random(plan.seed)  # noqa: S311 - play, not secrets
        self.strengths: dict[int, float] = {}
        self._met: dict[int, set[tuple[int, int]]] = {}
        self._seen: set[int] = set()
        self._rounds: set[int] = set()
        self._late = 0
        self._disputed: list[MatchGame] = []
        self._name = f"simulated-{secrets.token_hex(4)}"
        self.tournament = self._begin()

    def laps(self) -> Iterator[Lap]:
        """Play the event to its end, lap by lap. Raises Stuck."""
        for _ in range(MOST_LAPS):
            if self.tournament.status != TournamentStatus.RUNNING and not self._corrections():
                return
            corrections = self._corrections()
            self._between_rounds()
            lap = Lap(stage=0, name="", corrections=corrections)
            with _measured() as drawing:
                self._draw()
            lap.draw_seconds, lap.draw_queries = drawing.seconds, drawing.queries
            self._decide()
            self._walk_away()
            games = self._open_games()
            self._describe(lap, games)
            began = time.perf_counter()
            self._play(games)
            lap.results_seconds = time.perf_counter() - began
            with _measured() as following:
                self.tournament = stage_advance(tournament_id=self.tournament.pk)
            lap.advance_seconds, lap.advance_queries = following.seconds, following.queries
            if games:
                yield lap
            elif self.tournament.status == TournamentStatus.RUNNING and not self._can_go_on():
                raise Stuck(self._why())
        raise Stuck(f"It was not over after {MOST_LAPS} rounds of games.")

    # --- the beginning

    def _begin(self) -> Tournament:
        plan = self.plan
        user = User.objects.create_user(f"{self._name}@simulation.example")
        Player.objects.create(name="Simulation", slug=self._name, user=user)
        late = LATE_AT_MOST if plan.format in SWISS_KINDS else 0
        settings = {
            "name": f"Simulated {plan.format}, {plan.entrants} entrants, seed {plan.seed}",
            "capacity": max(plan.entrants, min(MOST_ENTRANTS.get(Format(plan.format), LARGEST), plan.entrants + late)),
            "rated": False,
            "ready_seconds": LONGEST_READY_SECONDS,
            **usual(plan.format, plan.entrants),
            **plan.settings,
        }
        tournament = tournament_create(by=user, format=plan.format, **settings)
        for stage in plan.chain:
            size = _size(stage, plan)
            stage_add(
                tournament_id=tournament.pk,
                seen_version=tournament.version,
                by=None,
                **{**usual(stage["format"], size), "source": tournament.stages.count(), **stage},
            )
            tournament.refresh_from_db()
        for row in tournament.stages.order_by("number"):
            row.draw_seed = str(self.chance.getrandbits(40))
            row.save(update_fields=["draw_seed"])
        # Who comes first has the better seed, for nobody has a rating yet.
        strengths = sorted((self.chance.gauss(0, SPREAD) for _ in range(plan.entrants)), reverse=True)
        players = Player.objects.bulk_create(
            Player(name=f"Sim {number}", slug=f"{self._name}-{number}") for number in range(1, plan.entrants + 1)
        )
        self.strengths |= {player.pk: strength for player, strength in zip(players, strengths, strict=True)}
        Entrant.objects.bulk_create(Entrant(tournament=tournament, player=player) for player in players)
        return tournament_start(tournament_id=tournament.pk, seen_version=tournament.version, by=None)

    # --- between the rounds

    def _between_rounds(self) -> None:
        """Let people leave, come late and ask for byes."""
        for entrant in self._active():
            if self.chance.random() < self.plan.withdrawals:
                entrant_withdraw(entrant_id=entrant.pk, by=None)
        stage = self._swiss()
        if stage is None:
            return
        published = stage.rounds.published().count()
        if published >= (stage.round_count or 0):
            return
        if (
            published
            and stage.source_id is None
            and self._late < LATE_AT_MOST
            and self.chance.random() < self.plan.late
        ):
            self._come_late()
        inside = stage.stage_entrants.filter(status=StageEntrantStatus.IN).order_by("seed")
        for entrant_id in list(inside.values_list("entrant_id", flat=True)):
            if self.chance.random() < self.plan.byes:
                kind = self.chance.choice((ByeKind.HALF, ByeKind.ZERO, ByeKind.FULL))
                bye_request(entrant_id=entrant_id, round_number=published + 1, kind=kind, by=None)

    def _come_late(self) -> None:
        if self.tournament.entrants.count() >= self.tournament.capacity:
            return
        self._late += 1
        player = Player.objects.create(name=f"Sim late {self._late}", slug=f"{self._name}-late-{self._late}")
        self.strengths[player.pk] = self.chance.gauss(0, SPREAD)
        missed = self.chance.choice((ByeKind.ZERO, ByeKind.HALF))
        entrant_enter_late(tournament_id=self.tournament.pk, player=player, by=None, missed=missed)

    def _swiss(self) -> Stage | None:
        """Return the stage that draws its next round now."""
        stages = self.tournament.stages.filter(status=StageStatus.RUNNING, format__in=SWISS_KINDS)
        stage = stages.order_by("number").first()
        undecided = Match.objects.filter(round__stage=stage).exclude(status=MatchStatus.DECIDED)
        return None if stage is None or undecided.exists() else stage

    def _draw(self) -> None:
        for each in list(Round.objects.wanted().filter(stage__tournament=self.tournament).order_by("stage", "number")):
            round_pair(round_id=each.pk)
        failed = Round.objects.filter(stage__tournament=self.tournament).exclude(pairing_error="").first()
        if failed is not None:
            raise Stuck(f"{failed.name}: {failed.pairing_error}")

    def _decide(self) -> None:
        """Decide as an organizer, by lot, where a stage waits because of a tie."""
        waiting = self.tournament.stages.filter(status=StageStatus.WAITING, source__status=StageStatus.FINISHED)
        for stage in waiting.select_related("tournament", "source").order_by("number"):
            stage.refresh_from_db()
            if stage.status != StageStatus.WAITING or stage.stage_entrants.exists():
                continue
            ties = [sorted(each.level) for each in cuts_of(stage, {}) or () if each.needed is not None]
            if not ties:
                continue
            for level in ties:
                self.chance.shuffle(level)
            self.tournament.refresh_from_db()
            stage_decide(stage_id=stage.pk, seen_version=self.tournament.version, by=None, orders=ties)

    def _walk_away(self) -> None:
        """Let people leave whose table is set."""
        if not self.plan.walkovers:
            return
        sitting = Entrant.objects.filter(
            tournament=self.tournament,
            status=EntrantStatus.PLAYING,
            slots__match__match_games__game__status__in=[GameStatus.SEATING, GameStatus.RUNNING],
        )
        for entrant in list(sitting.distinct().order_by("seed")):
            if self.chance.random() < self.plan.walkovers:
                entrant_withdraw(entrant_id=entrant.pk, by=None)

    # --- games

    def _open_games(self) -> list[MatchGame]:
        return list(open_games(self.tournament))

    def _play(self, match_games: Sequence[MatchGame]) -> None:
        modelled: list[Game] = []
        skills = {player: 1 / (1 + math.exp(-strength / SPREAD)) for player, strength in self.strengths.items()}
        for each in match_games:
            disputed = self.chance.random() < self.plan.corrections
            if not (disputed or self.plan.bots):
                modelled.append(each.game)
                continue
            game_play_out(
                game=each.game, started_at=timezone.now() - timedelta(hours=1), skills=skills, chance=self.chance
            )
            if disputed:
                self._disputed.append(each)
        if modelled:
            games_end(modelled, self.strengths, self.chance)

    def _corrections(self) -> int:
        """Have the disputed games of the last lap voided, where they still count; return how many."""
        disputed, self._disputed = self._disputed, []
        done = 0
        for each in disputed:
            match_game = MatchGame.objects.select_related("game", "match__round__stage").get(pk=each.pk)
            stage = match_game.match.round.stage
            if match_game.game.status not in (GameStatus.FINISHED, GameStatus.DRAWN) or has_led_on(stage):
                continue
            player = match_game.game.seat_set.select_related("player").order_by("number")[0].player
            assert player is not None, "every seat of a tournament has a player"
            dispute = dispute_raise(match_game_id=match_game.pk, player=player, record_number=1, text="Please look.")
            dispute_check(dispute_id=dispute.pk)
            self.tournament.refresh_from_db()
            version = self.tournament.version
            dispute_rule(dispute_id=dispute.pk, by=None, ruling="replay", note="", seen_version=version)
            done += 1
        self.tournament.refresh_from_db()
        return done

    # --- what there is to tell

    def _describe(self, lap: Lap, match_games: Sequence[MatchGame]) -> None:
        """Note what is new: tables, who meets again, byes."""
        fresh = {each.match_id: each.match for each in match_games if each.match_id not in self._seen}
        self._seen.update(fresh)
        for match in fresh.values():
            met = self._met.setdefault(match.round.stage_id, set())
            pairs = set(combinations(sorted(slot.entrant_id or 0 for slot in match.slots.all()), 2))
            lap.repeats += len(met & pairs)
            met |= pairs
        lap.tables = len(match_games)
        if match_games:
            last = match_games[-1].match.round
            lap.stage, lap.name = last.stage.number, last.name
        published = Round.objects.published().filter(stage__tournament=self.tournament, matches__isnull=False)
        begun = set(published.exclude(pk__in=self._rounds).values_list("pk", flat=True))
        lap.byes = Bye.objects.filter(round__in=begun).count()
        self._rounds |= begun

    def _active(self) -> list[Entrant]:
        return list(self.tournament.entrants.filter(status=EntrantStatus.PLAYING).order_by("seed"))

    def _can_go_on(self) -> bool:
        wanted = Round.objects.wanted().filter(stage__tournament=self.tournament).exists()
        return wanted or open_games(self.tournament).exists()

    def _why(self) -> str:
        line = self.tournament.log_lines.order_by("-pk").first()
        return f"Nothing is left to be played. The last line of the log: {line.text if line else 'none'}"


def open_games(tournament: Tournament) -> Any:
    """Return the games that wait for play, with game, seats and match loaded, in order of stage, round and table."""
    return (
        MatchGame.objects.filter(
            match__round__stage__tournament=tournament, game__status__in=[GameStatus.SEATING, GameStatus.RUNNING]
        )
        .select_related("game", "match__round__stage")
        .prefetch_related(Prefetch("game__seat_set", Seat.objects.order_by("number")), "match__slots")
        .order_by("match__round__stage__number", "match__round__number", "match__table", "number")
    )


def usual(format_: str, entrants: int) -> dict[str, Any]:
    """Return the settings that are usual for a format with so many entrants, where it needs any."""
    if format_ in TABLE_KINDS:
        return {"table_size": 4, "round_count": 5}
    if format_ == Format.TABLE_ELIMINATION:
        return {"table_size": 4, "advance": 2}
    if format_ in SWISS_KINDS:
        return {"round_count": max(1, math.ceil(math.log2(max(2, entrants))))}
    if format_ == Format.GROUPS:
        return {"group_count": max(1, entrants // 4)}
    return {}


def _size(stage: Mapping[str, Any], plan: Plan) -> int:
    """Return about how many play in a later stage."""
    first, last = stage.get("takes_first"), stage.get("takes_last")
    return plan.entrants if first is None or last is None else last - first + 1


@dataclass(slots=True)
class _Measure:
    seconds: float = 0.0
    queries: int = 0


@contextmanager
def _measured() -> Iterator[_Measure]:
    """Measure time and count queries of what happens within."""
    measure = _Measure()

    def count(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        measure.queries += 1
        return execute(sql, params, many, context)

    began = time.perf_counter()
    with connection.execute_wrapper(count):
        yield measure
    measure.seconds = time.perf_counter() - began
