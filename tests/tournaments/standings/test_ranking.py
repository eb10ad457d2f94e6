"""Standings, by hand and for random events at tables of 2 to 8."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.history import History, history
from tournaments.standings.points import ByPlace, ByResult, PointsRule, bye_outcome, match_outcome
from tournaments.standings.ranking import Row, standings
from tournaments.standings.results import BYES, POINT, Entrant, Kind, Outcome, Share
from tournaments.standings.tie_break import Given, Rules
from tournaments.standings.tie_breaks import (
    CODES,
    MODIFIERS,
    ROUND_ROBIN,
    SWISS,
    TABLES,
    UnknownTieBreak,
    tie_break,
    tie_breaks,
)

RULE = ByResult()
FOUR = ByPlace({4: (5 * POINT, 3 * POINT, 2 * POINT, POINT), 3: (5 * POINT, 3 * POINT, POINT)}, allocated=3 * POINT)


def entrants_of(count: int) -> list[Entrant]:
    return [Entrant(number, number, 1500 + number) for number in range(1, count + 1)]


def places_of(rows: tuple[Row, ...]) -> list[tuple[int, int]]:
    return [(row.place, row.entrant) for row in rows]


def beats(round_: int, winner: int, loser: int) -> Outcome:
    return match_outcome(RULE, round=round_, places={winner: 1, loser: 2})


def draws(round_: int, first: int, second: int) -> Outcome:
    return match_outcome(RULE, round=round_, places={first: 1, second: 1})


def test_by_hand() -> None:
    outcomes = [beats(1, 1, 2), beats(1, 3, 4), beats(2, 2, 3), beats(2, 1, 4), draws(3, 1, 3), draws(3, 2, 4)]
    rows = standings(history(entrants_of(4), outcomes), tie_breaks(["DE", "SB"], Rules.FIDE_2026)).rows
    assert places_of(rows) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [row.points for row in rows] == [5 * POINT // 2, 3 * POINT // 2, 3 * POINT // 2, POINT // 2]
    # 2 beat 3; the points tell the others apart.
    assert [row.decided_by for row in rows] == [None, "PTS", "DE", "PTS"]
    assert rows[1].values == (Fraction(3, 2), 1, Fraction(3, 2) + Fraction(1, 4))


def test_the_column_that_decides_is_the_first_that_differs_from_the_row_above() -> None:
    first = Given("A", "first", {1: 2, 2: 1, 3: 1})
    second = Given("B", "second", {1: 0, 2: 0, 3: 5})
    rows = standings(history(entrants_of(3), []), (first, second)).rows
    assert [(row.entrant, row.decided_by) for row in rows] == [(1, None), (3, "A"), (2, "B")]


def test_all_equal_share_the_place_by_seed() -> None:
    outcomes = [beats(1, 1, 2), beats(2, 2, 3), beats(3, 3, 1)]
    people = [Entrant(1, 3), Entrant(2, 1), Entrant(3, 2)]
    past = history(people, outcomes, predetermined=True)
    table = standings(past, tie_breaks(ROUND_ROBIN, Rules.FIDE_2026))
    assert places_of(table.rows) == [(1, 2), (1, 3), (1, 1)]
    assert [column.code for column in table.columns] == ["PTS", "DE", "WIN", "SB", "KS"]
    assert {row.decided_by for row in table.rows} == {None}


def test_nobody_and_nothing_yet() -> None:
    assert standings(history([], []), tie_breaks(SWISS, Rules.FIDE_2026)).rows == ()
    rows = standings(history(entrants_of(3), []), tie_breaks(SWISS, Rules.FIDE_2026)).rows
    assert places_of(rows) == [(1, 1), (1, 2), (1, 3)]


def test_a_given_column_can_lead_or_decide() -> None:
    past = history(entrants_of(3), [draws(1, 1, 2)])
    lots = Given("LOT", "Lots", {1: Fraction(2), 2: Fraction(1)}, lower_is_better=True)
    rows = standings(past, [*tie_breaks([], Rules.FIDE_2026), lots]).rows
    assert places_of(rows) == [(1, 2), (2, 1), (3, 3)]
    cards = Given("CMP", "Same cards", {3: Fraction(1, 3), 1: Fraction(1, 4)})
    rows = standings(past, [cards, *tie_breaks([], Rules.FIDE_2026)]).rows
    assert places_of(rows) == [(1, 3), (2, 1), (3, 2)]
    assert rows[2].values[0] is None


def test_tables_by_hand() -> None:
    outcomes = [
        match_outcome(FOUR, round=1, places={1: 1, 2: 2, 3: 3, 4: 4}),
        match_outcome(FOUR, round=1, places={5: 1, 6: 1, 7: 3}),
        match_outcome(FOUR, round=2, places={1: 2, 5: 1, 2: 3, 7: 3}),
        bye_outcome(FOUR, round=2, entrant=6, kind=Kind.BYE_ALLOCATED),
        match_outcome(FOUR, round=2, places={3: 1, 4: 2, 8: 2}, absent=[4, 8]),
    ]
    past = history(entrants_of(8), outcomes, win=FOUR.win, draw=FOUR.draw)
    assert {one: Fraction(points, POINT) for one, points in past.points.items()} == {
        1: 8, 2: Fraction(9, 2), 3: 7, 4: 1, 5: 9, 6: 7, 7: Fraction(5, 2), 8: 0,
    }  # fmt: skip
    columns = {code: tie_break(code, Rules.FIDE_2026).values(past, []) for code in ("PL/1", "PL/2", "OA", "TS", "WIN")}
    assert columns["PL/1"] == {1: 1, 2: 0, 3: 0, 4: 0, 5: 2, 6: 1, 7: 0, 8: 0}
    assert columns["PL/2"] == {1: 1, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 8: 0}
    # A first place that is shared is no win; the one who came alone has won.
    assert columns["WIN"] == {1: 1, 2: 0, 3: 1, 4: 0, 5: 1, 6: 0, 7: 0, 8: 0}
    # 1 met 2, 3, 4 and then 5, 2, 7; a walkover is no meeting.
    assert columns["OA"][1] == (Fraction(9, 2) + 7 + 1 + 9 + Fraction(9, 2) + Fraction(5, 2)) / 6
    assert columns["OA"][3] == (8 + Fraction(9, 2) + 1) / 3
    # When they sat down in round 2, 5 had 4, 2 had 3 and 7 had 1.
    assert columns["TS"] == {1: Fraction(8, 3), 2: Fraction(10, 3), 3: 0, 4: 0, 5: Fraction(9, 3), 6: 0, 7: 4, 8: 0}


def test_head_to_head_at_tables() -> None:
    outcomes = [
        match_outcome(FOUR, round=1, places={1: 2, 2: 1, 3: 3, 4: 4}),
        match_outcome(FOUR, round=2, places={1: 1, 3: 2, 2: 3, 4: 4}),
        match_outcome(FOUR, round=3, places={1: 2, 2: 1, 3: 3, 4: 4}),
        match_outcome(FOUR, round=4, places={1: 1, 2: 3, 3: 2, 4: 4}),
    ]
    past = history(entrants_of(4), outcomes)
    ranks = tie_break("HH", Rules.FIDE_2026).values(past, [[1, 2], [3, 4]])
    # 1 and 2 are level with two each.
    assert ranks == {1: 0, 2: 0, 3: 1, 4: 2}
    past = history(entrants_of(4), outcomes[:3])
    assert tie_break("HH", Rules.FIDE_2026).values(past, [[1, 2], [3], [4]]) == {1: 2, 2: 1, 3: 0, 4: 0}


def test_a_no_show_at_a_table_meets_nobody() -> None:
    past = history(
        entrants_of(4), [match_outcome(FOUR, round=1, places={1: 1, 2: 2, 3: 3, 4: 4}, absent=[4])], win=FOUR.win
    )
    assert {one: points // POINT for one, points in past.points.items()} == {1: 5, 2: 3, 3: 2, 4: 0}
    assert past.turns[1][0].opponents == (2, 3)
    assert past.turns[4][0].chosen
    assert not past.turns[4][0].played


def test_what_is_void_is_as_if_never_played() -> None:
    void = Outcome(1, Kind.VOID, (Share(1, POINT), Share(2, 0)))
    past = history(entrants_of(2), [void])
    assert past.points == {1: 0, 2: 0}
    assert not past.turns[1][0].chosen
    again = [void, beats(1, 2, 1)]
    assert history(entrants_of(2), again) == history(entrants_of(2), again[::-1])
    assert history(entrants_of(2), again).points == {1: 0, 2: POINT}


def test_rounds_without_an_outcome_are_zero_byes() -> None:
    past = history(entrants_of(3), [beats(2, 1, 2)], rounds=3)
    assert [turn.kind for turn in past.turns[3]] == [Kind.BYE_ZERO] * 3
    assert [turn.kind for turn in past.turns[1]] == [Kind.BYE_ZERO, Kind.PLAYED, Kind.BYE_ZERO]


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ([beats(1, 1, 9)], "not in the stage"),
        ([beats(1, 1, 2), beats(1, 3, 1)], "two outcomes"),
        ([beats(2, 1, 2)], "after 1 rounds"),
    ],
)
def test_what_cannot_be_is_refused(outcomes: list[Outcome], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        history(entrants_of(3), outcomes, rounds=1)


@pytest.mark.parametrize(
    ("round_", "kind", "shares", "words"),
    [
        (0, Kind.PLAYED, (Share(1, 0), Share(2, 0)), "count from 1"),
        (1, Kind.PLAYED, (Share(1, 0), Share(1, 0)), "twice"),
        (1, Kind.PLAYED, (Share(1, 0),), "two entrants"),
        (1, Kind.BYE_HALF, (Share(1, 0), Share(2, 0)), "one entrant"),
        (1, Kind.PLAYED, (Share(1, 0), Share(2, 0, came=False)), "1 of 2 came"),
        (1, Kind.WALKOVER, (Share(1, 0), Share(2, 0)), "2 of 2 came"),
        (1, Kind.DOUBLE_WALKOVER, (Share(1, 0), Share(2, 0, came=False)), "1 of 2 came"),
    ],
)
def test_outcomes_fit_their_kind(round_: int, kind: Kind, shares: tuple[Share, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Outcome(round_, kind, shares)


def test_every_code_has_its_column() -> None:
    codes = [*CODES, *(f"{code}/C2" for code in MODIFIERS), "BH/M1", "PL/8"]
    found = [tie_break(code, Rules.FIDE_2024) for code in codes]
    assert [one.code for one in found] == codes
    assert len({one.name for one in found}) == len(codes)


@pytest.mark.parametrize("code", ["", "bh", "BH/", "BH/C0", "BH/C10", "PS/M1", "ARO/M1", "WIN/C1", "PL/9", "PL", "X"])
def test_unknown_codes_are_refused(code: str) -> None:
    with pytest.raises(UnknownTieBreak):
        tie_break(code, Rules.FIDE_2026)


def test_orders_that_make_no_sense_are_refused() -> None:
    with pytest.raises(UnknownTieBreak, match="twice"):
        tie_breaks(["BH", "PTS"], Rules.FIDE_2026)
    tables = history(entrants_of(3), [match_outcome(FOUR, round=1, places={1: 1, 2: 2, 3: 3})])
    with pytest.raises(ValueError, match="BH/C1, DE is for matches of two"):
        standings(tables, tie_breaks(["BH/C1", "OA", "DE"], Rules.FIDE_2026))
    with pytest.raises(ValueError, match="one column"):
        standings(tables, [])


def random_event(seed: int) -> tuple[list[Entrant], list[Outcome], PointsRule, int]:
    """Return entrants, outcomes and the points rule of an event with byes, no-shows, late entries and withdrawals."""
    chance = Random(seed)
    size = chance.choice([2, 2, 3, 4, 6, 8])
    people, rounds = chance.randint(3, 60), chance.randint(1, 9)
    rule: PointsRule = RULE
    if size > 2:
        rule = ByPlace(
            {n: tuple(POINT * (size - place) for place in range(n)) for n in range(2, size + 1)}, allocated=POINT
        )
    outcomes = []
    for number in range(1, rounds + 1):
        waiting = []
        for one in chance.sample(range(1, people + 1), people):
            roll = chance.random()
            if roll < 0.04:
                continue  # not there
            if roll < 0.1:
                kind = chance.choice([Kind.BYE_FULL, Kind.BYE_HALF, Kind.BYE_ZERO])
                outcomes.append(bye_outcome(rule, round=number, entrant=one, kind=kind))
            else:
                waiting.append(one)
        while waiting:
            table, waiting = waiting[:size], waiting[size:]
            if len(table) == 1:
                outcomes.append(bye_outcome(rule, round=number, entrant=table[0], kind=Kind.BYE_ALLOCATED))
                continue
            absent = [one for one in table if chance.random() < 0.04]
            scores = [chance.randint(1, 3) for _ in table]
            places = {one: 1 + sum(b < a for b in scores) for one, a in zip(table, scores, strict=True)}
            outcomes.append(match_outcome(rule, round=number, places=places, absent=absent))
    return entrants_of(people), outcomes, rule, rounds


@given(st.integers(0, 10**9))
def test_random_events(seed: int) -> None:
    people, outcomes, rule, rounds = random_event(seed)

    def past(order: Random | None = None) -> History:
        mixed, others = list(outcomes), list(people)
        if order:
            order.shuffle(mixed)
            order.shuffle(others)
        return history(others, mixed, rounds=rounds, win=rule.win, draw=rule.draw)

    once = past()
    codes = SWISS if once.two_seats else TABLES
    more = ["AOB", "KS", "FB/M1", "TPR", "APPO"] if once.two_seats else ["OMW", "MWP"]
    order = tie_breaks([*codes, *more], Rules.FIDE_2026)
    table = standings(once, order)
    # The order of the input is irrelevant.
    assert standings(past(Random(seed)), order) == table
    # Everybody has one row; rank follows points, then the columns; places are shared where all is equal.
    assert sorted(row.entrant for row in table.rows) == [one.id for one in people]
    keys = [
        tuple(
            (value is not None, (-value if column.lower_is_better else value) if value is not None else 0)
            for column, value in zip(order, row.values, strict=True)
        )
        for row in table.rows
    ]
    assert keys == sorted(keys, reverse=True)
    assert [row.points for row in table.rows] == sorted((row.points for row in table.rows), reverse=True)
    for row, key in zip(table.rows, keys, strict=True):
        assert row.place == 1 + sum(other > key for other in keys)
        assert row.points == once.points[row.entrant]
    # Points are conserved, by kind.
    expected = 0
    for outcome in outcomes:
        came = sum(share.came for share in outcome.shares)
        if outcome.kind in BYES:
            expected += rule.bye(outcome.kind)
        else:
            # Who did not come leaves the last places' points behind.
            expected += sum(rule.award(range(1, len(outcome.shares) + 1))[:came])
    assert sum(once.points.values()) == expected
