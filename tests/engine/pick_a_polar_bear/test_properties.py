"""What holds in every position of every game."""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.canonical import canonical
from games.engine.frame import IllegalAction
from games.engine.pick_a_polar_bear import Position
from tests.engine.pick_a_polar_bear.builders import (
    CLOSE,
    GAME,
    GO,
    IDLE,
    RESIGN,
    STOP,
    VARIANTS,
    answer,
    grab,
    random_move,
    walk,
)

GAMES = st.tuples(
    st.integers(0, 2**32),
    st.integers(1, 8),
    st.sampled_from(VARIANTS),
    st.sampled_from([0.0, 0.03]),
)
FEW = settings(deadline=None, max_examples=12)


@FEW
@given(GAMES)
def test_no_card_is_made_or_lost(game: Any) -> None:
    positions = walk(*game)
    deck = Counter(GAME.deck(positions[0].setting.rules.to_json()))
    assert deck.total() in (96, 104, 192, 200)
    for here in positions:
        setting = here.setting
        lying = Counter(chain(here.grid, *here.stacks, setting.pile, setting.gone, (setting.question,)))
        del lying[None]
        assert lying == deck


@FEW
@given(GAMES)
def test_every_game_ends_and_nothing_follows(game: Any) -> None:
    positions = walk(*game)
    last = positions[-1]
    outcome = GAME.outcome(last)
    assert outcome.status == "finished"
    assert outcome.points == last.setting.points
    assert GAME.to_act(last) == ()
    # A round takes a start card a seat at least; each place can be grabbed once a round, each question answered once.
    assert last.setting.round <= 192
    for seat in (*range(last.seats), None):
        for action in (RESIGN, STOP, grab(0), GO, IDLE, CLOSE, {"type": "void", "reason": "late"}):
            with pytest.raises(IllegalAction) as caught:
                GAME.apply(last, seat, action)
            assert caught.value.code == "game-over"


@FEW
@given(GAMES)
def test_points_are_cards_won_and_questions(game: Any) -> None:
    """Nobody's points change but by a check or an answer, and a check gives what its report says."""
    positions = walk(*game)
    for before, here in pairwise(positions):
        gained = [now - then for now, then in zip(here.setting.points, before.setting.points, strict=True)]
        if here.setting.check is not before.setting.check:
            check = here.setting.check
            assert check is not None
            scores = dict.fromkeys(range(here.seats), 0) | {score.seat: score.score for score in check.scores}
            assert gained == list(scores.values())
        elif before.setting.phase == "bonus":
            assert sorted(map(abs, gained))[-2:] in ([0, 2], [2], [0, 0], [0])
        else:
            assert not any(gained)


@FEW
@given(GAMES)
def test_a_shuffle_of_what_is_hidden_leaves_every_view_unchanged(game: Any) -> None:
    rng = Random(game[0])
    for here in walk(*game):
        hidden = shuffled(here, rng)
        for viewer in (*range(here.seats), None):
            assert GAME.view(hidden, viewer) == GAME.view(here, viewer)
            if viewer is not None:
                assert GAME.options(hidden, viewer) == GAME.options(here, viewer)


def shuffled(here: Position, rng: Random) -> Position:
    """Return ``here`` with the pile in another order and the start cards, while face down, dealt anew from it."""
    pile = list(here.setting.pile)
    rng.shuffle(pile)
    stacks = list(here.stacks)
    if here.setting.phase != "grab":
        for seat, stack in enumerate(stacks):
            pictures = [place for place, card in enumerate(pile) if not card.startswith("bonus")]
            if stack and pictures:
                place = rng.choice(pictures)
                stacks[seat], pile[place] = (pile[place],), stack[0]
    return here._replace(stacks=tuple(stacks), setting=here.setting._replace(pile=tuple(pile)))


@FEW
@given(GAMES)
def test_a_wrong_answer_shows_only_to_its_seat_while_the_question_is_open(game: Any) -> None:
    for here in walk(*game):
        if here.setting.question is None or here.setting.outcome is not None:
            continue
        for seat in GAME.to_act(here):
            wrong = [each for each in GAME.legal(here, seat)[0] if not told_right(here, seat, each)][:2]
            steps = [GAME.apply(here, seat, each) for each in wrong]
            if len(wrong) < 2 or steps[0].position.setting.question != here.setting.question:
                continue
            one, two = steps
            for viewer in (None, *range(here.seats)):
                same = viewer != seat
                assert (GAME.view(one.position, viewer) == GAME.view(two.position, viewer)) == same
                seen = [[event.seen_by(viewer) for event in step.events] for step in steps]
                assert (seen[0] == seen[1]) == same
            assert GAME.view(one.position, seat)["answer"] == wrong[0]["count"]


def told_right(here: Position, seat: int, action: dict[str, Any]) -> bool:
    return bool(GAME.apply(here, seat, action).events[0].public["right"])


@FEW
@given(GAMES)
def test_what_is_listed_is_accepted_and_all_else_refused(game: Any) -> None:
    rng = Random(game[0])
    positions = walk(*game)
    for here in rng.sample(positions, min(6, len(positions))):
        before = canonical(GAME.to_json(here))
        everything = [STOP, *map(grab, range(50)), *map(answer, range(50))]
        for seat in range(here.seats):
            listed, cut = GAME.legal(here, seat)
            texts = [canonical(action) for action in listed]
            assert texts == sorted(set(texts))
            assert not cut
            assert (seat in GAME.to_act(here)) == bool(listed) == bool(GAME.options(here, seat))
            for action in everything:
                if action in listed:
                    assert GAME.apply(here, seat, action).action == action
                else:
                    with pytest.raises(IllegalAction):
                        GAME.apply(here, seat, action)
            assert GAME.legal(here, seat, 3) == (listed[:3], len(listed) > 3)
        assert canonical(GAME.to_json(here)) == before


@FEW
@given(GAMES)
def test_options_offer_what_is_legal(game: Any) -> None:
    for here in walk(*game)[::7]:
        for seat in GAME.to_act(here):
            options, (listed, _) = GAME.options(here, seat), GAME.legal(here, seat)
            assert sorted(options["grab"]) == sorted(each["place"] for each in listed if each["type"] == "grab")
            assert options["stop"] == (STOP in listed)
            counts = [each["count"] for each in listed if each["type"] == "answer"]
            assert (options["answer"] is not None) == bool(counts)
            if counts:
                assert options["answer"]["most"] == max(counts)
                assert options["answer"]["card"] == here.setting.question


@FEW
@given(GAMES)
def test_every_record_has_events_and_every_event_a_sentence(game: Any) -> None:
    rng = Random(game[0])
    here = walk(*game)[0]
    names = [f"Player {seat}" for seat in range(here.seats)]
    while not GAME.outcome(here).is_over:
        step = GAME.apply(here, *random_move(here, rng))
        assert step.events
        for event in step.events:
            for viewer in (*range(here.seats), None):
                sentence = GAME.wording(event.seen_by(viewer), names)
                assert sentence[-1] in ".?"
                assert "\n" not in sentence
            GAME.wording(event.whole(), names)
            canonical(event.whole())
        canonical(GAME.view(step.position, None))
        here = step.position


def test_an_event_that_does_not_exist_has_no_sentence() -> None:
    with pytest.raises(ValueError, match="fly"):
        GAME.wording({"type": "fly", "seat": 0}, ["Ana"])


def test_positions_of_one_game_compare_and_hash_by_value() -> None:
    one, two = walk(5, 3, {"bonus": True}), walk(5, 3, {"bonus": True})
    assert one == two
    assert len({*one, *two}) == len(one)
