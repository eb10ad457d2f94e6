"""Random events of every format, played through the services to their end, and what must hold in each.

``SIMULATED_EVENTS`` says how many are played (a few dozen if it says nothing); the first one is number 0.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tournaments import drawing
from tournaments.models import (
    POINTS_KINDS,
    SWISS_KINDS,
    Bye,
    ByeKind,
    EntrantStatus,
    Format,
    Match,
    MatchStatus,
    Round,
    Slot,
    Stage,
    StageEntrantStatus,
    StageStatus,
    Tournament,
    TournamentStatus,
)
from tournaments.ranking import group_rankings, stage_ranking
from tournaments.results import points_rule, stage_outcomes
from tournaments.services import pairings
from tournaments.services.pairings import drawn_all
from tournaments.services.rebuilding import places_rebuild
from tournaments.services.settings import places_taken
from tournaments.simulation.events import Plan, Simulation
from tournaments.simulation.results import places_by_strength
from tournaments.standings.results import POINT, Kind

pytestmark = pytest.mark.django_db

EVENTS = int(os.environ.get("SIMULATED_EVENTS", "36"))
BYE_POINTS = {ByeKind.ALLOCATED: POINT, ByeKind.FULL: POINT, ByeKind.HALF: POINT // 2, ByeKind.ZERO: 0}


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw in this process, which is quicker."""
    monkeypatch.setattr(pairings, "drawn_apart", lambda question, *, seconds: drawing.draw(question))


def random_plan(number: int) -> Plan:
    """Return the plan of a small event; every format has its turn, and half of them lead on to other stages."""
    chance = Random(f"event {number}")
    format_ = Format.values[number % len(Format.values)]
    least = {Format.GROUPS: 4, Format.TABLE_SWISS: 6, Format.TABLE_SCHEDULE: 6}.get(Format(format_), 3)
    entrants = chance.randint(least, 12 if format_ == Format.ROUND_ROBIN else 24)
    settings: dict[str, Any] = {}
    if format_ in (Format.ROUND_ROBIN, Format.GROUPS):
        settings["twice"] = chance.random() < 0.3
    if format_ == Format.GROUPS:
        settings["group_count"] = chance.randint(1, entrants // 2)
    if format_ in SWISS_KINDS:
        # Now and then more rounds than opponents.
        settings["round_count"] = chance.randint(1, 7)
    if format_ == Format.SINGLE_ELIMINATION:
        settings["third_place"] = chance.random() < 0.5

    def rate(most: float) -> float:
        return chance.choice((0.0, chance.random() * most))

    return Plan(
        format=format_,
        entrants=entrants,
        seed=number,
        settings=settings,
        chain=random_chain(format_, entrants, settings, chance) if chance.random() < 0.5 else (),
        byes=rate(0.15),
        withdrawals=rate(0.05),
        walkovers=rate(0.05),
        late=rate(0.5),
        corrections=rate(0.04),
    )


def random_chain(format_: str, entrants: int, settings: dict[str, Any], chance: Random) -> list[dict[str, Any]]:
    """Return one stage for the best, and now and then one for the others."""
    knock_outs = (Format.SINGLE_ELIMINATION, Format.DOUBLE_ELIMINATION, Format.SWISS, Format.ROUND_ROBIN)
    tie_rule = chance.choice(("tie-breaks", "play-off", "organizer"))
    top: dict[str, Any] = {"format": chance.choice(knock_outs), "source": 1, "takes_first": 1, "tie_rule": tie_rule}
    if format_ == Format.GROUPS:
        least = 1 if settings["group_count"] > 1 else 2
        top |= {"takes": "group-places", "takes_last": chance.randint(least, 2)}
    else:
        top |= {"takes": "places", "takes_last": chance.randint(2, min(9, entrants))}
    others = {"format": chance.choice(knock_outs[:3]), "source": 1, "takes": "rest"}
    return [top, others] if chance.random() < 0.4 else [top]


def play(plan: Plan) -> Tournament:
    """Simulate ``plan`` to its end."""
    simulation = Simulation(plan)
    for _ in simulation.laps():
        pass
    tournament = simulation.tournament
    tournament.refresh_from_db()
    assert tournament.status == TournamentStatus.FINISHED
    return tournament


def story(tournament: Tournament) -> list[Any]:
    """Return everything that was drawn and how it ended, by the seeds of the entrants."""
    seeds = dict(tournament.entrants.values_list("pk", "seed"))
    slots = Slot.objects.filter(match__round__stage__tournament=tournament).order_by(
        "match__round__stage__number", "match__round__number", "match__table", "number"
    )
    byes = Bye.objects.filter(round__stage__tournament=tournament)
    return [
        [
            (
                slot.match.round.stage.number,
                slot.match.round.number,
                slot.match.table,
                seeds.get(slot.entrant_id),
                slot.place,
            )
            for slot in slots.select_related("match__round__stage")
        ],
        sorted(
            (bye.round.stage.number, bye.round.number, seeds[bye.entrant_id], bye.kind)
            for bye in byes.select_related("round__stage")
        ),
        sorted(tournament.entrants.values_list("seed", "place")),
    ]


# --- what must hold


@pytest.mark.parametrize("number", range(EVENTS))
def test_a_random_event(number: int) -> None:
    tournament = play(random_plan(number))
    for stage in tournament.stages.order_by("number"):
        assert stage.status == StageStatus.FINISHED
        nobody_sits_twice(stage)
        nobody_is_one_too_many(stage)
        if stage.format in SWISS_KINDS:
            second_byes_are_proven(stage)
        if stage.format in (Format.SWISS, Format.FIDE_DUTCH):
            no_rematch_is_spared(stage)
        if stage.format in POINTS_KINDS:
            rank_follows_points(stage)
            points_are_conserved(stage)
        if stage.format == Format.DOUBLE_ELIMINATION:
            all_but_one_lost_twice(stage)
    places_are_whole(tournament)
    assert places_rebuild(tournament_id=tournament.pk) == []


def nobody_sits_twice(stage: Stage) -> None:
    """Whoever is in a round is there once; every match is decided, with two at least unless nobody could come."""
    for each in stage.rounds.all():
        present = list(
            Slot.objects.filter(match__round=each, entrant__isnull=False).values_list("entrant_id", flat=True)
        )
        present += each.byes.values_list("entrant_id", flat=True)
        assert max(Counter(present).values(), default=1) == 1, each
        assert not each.matches.exclude(status=MatchStatus.DECIDED).exists()
    assert set(Bye.objects.filter(round__stage=stage).values_list("kind", flat=True)) <= set(ByeKind.values)


def nobody_is_one_too_many(stage: Stage) -> None:
    places = places_taken(stage)
    if places is not None:
        came = stage.stage_entrants.filter(status__in=[StageEntrantStatus.IN, StageEntrantStatus.WITHDRAWN])
        assert came.count() <= places


def second_byes_are_proven(stage: Stage) -> None:
    """Nobody has a second allocated bye, but where the stored pairing warns of it and has proven that it had to be."""
    pairings_of = drawn_all(list(stage.rounds.all()))
    had: set[int] = set()
    for each in stage.rounds.order_by("number"):
        given = list(each.byes.filter(kind=ByeKind.ALLOCATED).values_list("entrant_id", flat=True))
        if stage.format != Format.TABLE_SWISS:
            assert len(given) <= 1
        for entrant in given:
            pairing = pairings_of[each.pk]
            if entrant in had:
                warned = [note for note in pairing.warnings if note.code == "second_bye" and entrant in note.entrants]
                assert warned, f"{each}: a second bye without a word"
                assert stage.format != Format.SWISS or "second bye" in pairing.proven
        had.update(given)


def no_rematch_is_spared(stage: Stage) -> None:
    """Two meet again only where every round without a rematch is impossible; all are tried."""
    sat: set[frozenset[int]] = set()
    met: set[frozenset[int]] = set()
    for each in stage.rounds.order_by("number"):
        pairs, played = [], []
        for match in each.matches.prefetch_related("slots"):
            pair = frozenset(slot.entrant_id or 0 for slot in match.slots.all())
            pairs.append(pair)
            if not any(slot.walkover for slot in match.slots.all()):
                played.append(pair)
        resting = list(each.byes.filter(kind=ByeKind.ALLOCATED).values_list("entrant_id", flat=True))
        present = sorted([one for pair in pairs for one in pair] + resting)
        if met.intersection(pairs):
            # Those who sat together and did not play might meet, so that this looks at too few rounds, never too many.
            assert not can_be_paired(present, sat, bye=bool(resting)), f"{each} of {stage} has a rematch to spare"
        sat.update(pairs)
        met.update(played)


def can_be_paired(present: list[int], apart: set[frozenset[int]], *, bye: bool) -> bool:
    """Return whether everybody can meet somebody new, one of them resting if there is a ``bye``."""
    if not present:
        return not bye
    first, *others = present
    if bye and can_be_paired(others, apart, bye=False):
        return True
    return any(
        frozenset((first, other)) not in apart
        and can_be_paired([one for one in others if one != other], apart, bye=bye)
        for other in others
    )


def rank_follows_points(stage: Stage) -> None:
    for rows in group_rankings(stage).values():
        assert [row.place for row in rows] == sorted(row.place for row in rows)
        for upper, lower in pairwise(rows):
            assert upper.points >= lower.points
            assert upper.place < lower.place or upper.values == lower.values


def points_are_conserved(stage: Stage) -> None:
    """What everybody has is what matches and byes have given, and a match gives what its table has to give."""
    rule = points_rule(stage)
    matches = Match.objects.filter(round__stage=stage).select_related("round")
    matches = matches.prefetch_related("slots__entrant", "match_games__game__seat_set")
    byes = list(Bye.objects.filter(round__stage=stage).select_related("round"))
    given = 0
    for outcome in stage_outcomes(stage, matches, byes):
        points = sum(share.points for share in outcome.shares)
        given += points
        if outcome.kind != Kind.PLAYED or not all(share.came for share in outcome.shares):
            continue
        if stage.place_points:
            assert points == sum(stage.place_points[str(len(outcome.shares))]) * POINT
        else:
            assert points == POINT
    rows = stage_ranking(stage)
    assert sum(row.points for row in rows) == given  # type: ignore[union-attr]
    if not stage.place_points:
        by_byes = sum(BYE_POINTS[ByeKind(bye.kind)] for bye in byes)
        assert given <= by_byes + matches.count() * rule.win


def all_but_one_lost_twice(stage: Stage) -> None:
    losses = Counter(
        Slot.objects.filter(match__round__stage=stage, entrant__isnull=False)
        .exclude(place=1)
        .values_list("entrant_id", flat=True)
    )
    inside = stage.stage_entrants.filter(status=StageEntrantStatus.IN).exclude(entrant__status=EntrantStatus.WITHDRAWN)
    counts = {entrant: losses[entrant] for entrant in inside.values_list("entrant_id", flat=True)}
    if stage.rounds.exists():
        assert sorted(counts.values())[1:] == [2] * (len(counts) - 1), counts
        assert all(count <= 2 for count in counts.values())


def places_are_whole(tournament: Tournament) -> None:
    """Everybody has a final place, those who share one count, and only the first can be nobody's."""
    places = sorted(tournament.entrants.values_list("place", flat=True), key=lambda place: place or 0)
    assert None not in places
    empty = 0 if places[0] == 1 else 1
    for place in set(places):
        assert place is not None
        assert place == 1 + empty + sum(other is not None and other < place for other in places)
    for stage in tournament.stages.exclude(source=None):
        came = list(stage.stage_entrants.filter(status=StageEntrantStatus.IN).values_list("entrant__place", flat=True))
        later = tournament.stages.filter(source=stage.source, number__gt=stage.number)
        took_part = tournament.entrants.filter(
            stage_entrants__stage__in=[stage, *later], stage_entrants__status__in=["in", "withdrawn"]
        )
        others = tournament.entrants.filter(stage_entrants__stage=stage.source).exclude(pk__in=took_part.values("pk"))
        earlier = tournament.stages.filter(source=stage.source, number__lt=stage.number)
        others = others.exclude(
            stage_entrants__in=[row.pk for each in earlier for row in each.stage_entrants.exclude(status="cut")]
        )
        behind = list(others.values_list("place", flat=True))
        assert max(came, default=0) < min(behind, default=10_000)


# --- faults that are planted are noticed


def planted(format_: str = "swiss", **settings: Any) -> Stage:
    return play(Plan(format=format_, entrants=9, seed=2, settings=settings)).stages.get()


def test_a_rematch_that_could_be_spared_is_noticed() -> None:
    stage = planted(round_count=3)
    no_rematch_is_spared(stage)
    last = {slot.entrant_id: slot for slot in Slot.objects.filter(match__round__stage=stage, match__round__number=3)}
    met = (
        set(match.slots.values_list("entrant_id", flat=True))
        for match in Match.objects.filter(round__stage=stage, round__number=1)
    )
    one, other = next(sorted(pair) for pair in met if pair <= set(last))
    # In the last round the one's opponent and the other one change places.
    against = last[one].match.slots.exclude(pk=last[one].pk).get()
    stranger, against.entrant_id = against.entrant_id, other
    against.save()
    last[other].entrant_id = stranger
    last[other].save()
    nobody_sits_twice(stage)
    with pytest.raises(AssertionError, match="rematch to spare"):
        no_rematch_is_spared(stage)


def test_a_second_bye_and_somebody_who_sits_twice_are_noticed() -> None:
    stage = planted(round_count=3)
    second_byes_are_proven(stage)
    first = Bye.objects.get(round__stage=stage, round__number=1)
    Bye.objects.filter(round__stage=stage, round__number=2).update(entrant=first.entrant)
    with pytest.raises(AssertionError, match="second bye without a word"):
        second_byes_are_proven(stage)
    with pytest.raises(AssertionError):
        nobody_sits_twice(stage)


def test_points_out_of_nothing_and_an_early_end_are_noticed() -> None:
    stage = planted("double-elimination")
    all_but_one_lost_twice(stage)
    last = Match.objects.filter(round__stage=stage).order_by("-round__number")[0]
    Slot.objects.filter(match=last).update(place=1)
    with pytest.raises(AssertionError):
        all_but_one_lost_twice(stage)
    everybody_met = planted("round-robin")
    points_are_conserved(everybody_met)
    match = Match.objects.filter(round__stage=everybody_met)[0]
    match.slots.update(place=1)
    points_are_conserved(everybody_met)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"{__name__}.POINT", POINT - 1)
        with pytest.raises(AssertionError):
            points_are_conserved(everybody_met)


# --- the same again


@pytest.mark.parametrize("number", [1, 4, 5, 6, 8, 13])
def test_the_same_seed_gives_the_same_event(number: int) -> None:
    plan = random_plan(number)
    assert story(play(plan)) == story(play(plan))


def test_another_seed_gives_another_event() -> None:
    one, other = (Plan(format="swiss", entrants=12, seed=seed) for seed in (1, 2))
    assert story(play(one)) != story(play(other))


def test_bots_can_play() -> None:
    tournament = play(Plan(format="single-elimination", entrants=3, seed=1, bots=True))
    games = [
        each.game
        for match in Match.objects.filter(round__stage__tournament=tournament)
        for each in match.match_games.all()
    ]
    assert len(games) >= 2
    assert all(game.records.exists() for game in games)


def test_everything_that_can_happen_does() -> None:
    plan = Plan(
        "swiss", 24, 3, {"round_count": 6}, byes=0.1, withdrawals=0.03, walkovers=0.03, late=1, corrections=0.05
    )
    tournament = play(plan)
    done = set(tournament.log_lines.values_list("action", flat=True))
    assert {"bye.requested", "entrant.withdrawn", "entrant.late", "dispute.replayed"} <= done
    assert Slot.objects.filter(match__round__stage__tournament=tournament, walkover=True).exists()


def test_strength_decides_as_often_as_elo_says() -> None:
    chance = Random(7)
    games = [places_by_strength([200.0, 0.0], chance) for _ in range(4000)]
    won = sum(places == [1, 2] for places in games) / sum(places != [1, 1] for places in games)
    assert won == pytest.approx(0.76, abs=0.03)
    assert all(min(places_by_strength([0.0] * 5, chance)) == 1 for _ in range(100))


# --- the command


def test_the_command_tells_of_each_round_and_leaves_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("simulate_tournament", "swiss", "9", "--set", "round_count=3", "--then", "single-elimination:1-4")
    out = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in out] == [
        "Stage 1, Round 1",
        "Stage 1, Round 2",
        "Stage 1, Round 3",
        "Stage 2, Semi-finals",
        "Stage 2, Final",
        out[-1].partition(":")[0],
    ] or "Semi-finals" in out[3]
    assert "4 tables, 0 repeats, 1 byes" in out[0]
    assert out[-1].startswith("First: Sim ")
    assert not Tournament.objects.exists()


def test_the_command_keeps_an_event_that_the_checker_finds_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    call_command(
        "simulate_tournament", "swiss", "11", "--seed", "4", "--withdrawals", "0.03", "--byes", "0.1", "--keep"
    )
    tournament = Tournament.objects.get()
    assert f"/tournaments/{tournament.slug}/" in capsys.readouterr().out
    assert tournament.status == TournamentStatus.FINISHED
    call_command("check_pairings", tournament.slug)
    assert capsys.readouterr().out == "0 differences.\n"
    assert Round.objects.filter(stage__tournament=tournament).count() == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["swiss", "2"], "3 to 4000"),
        (["swiss", "9", "--byes", "2"], "chance from 0 to 1"),
        (["swiss", "9", "--set", "round_count"], "NAME=VALUE"),
        (["swiss", "9", "--set", "round_count=0"], "how many rounds"),
        (["round-robin", "41"], "2 to 40 players"),
        (["swiss", "9", "--then", "final:1-2"], "FORMAT:PLACES"),
        (["swiss", "9", "--then", "swiss:best"], "for instance 1-8"),
        (["swiss", "9", "--then", "swiss:2-3"], "begin with place 1"),
        (["swiss", "9", "--then", "swiss:rest:source=2"], "no earlier stage 2"),
    ],
)
def test_the_command_says_what_cannot_be(arguments: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("simulate_tournament", *arguments)
    assert not Tournament.objects.exists()
