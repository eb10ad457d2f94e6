"""What holds in every position of every game."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.canonical import canonical, canonical_text
from games.engine.frame import IllegalAction
from games.engine.hold_my_bear import Position
from games.engine.hold_my_bear.cards import without
from tests.engine.builders import EFFECTS, GAME, MORE_EFFECTS, random_action, walk

GAMES = st.tuples(
    st.integers(0, 2**32),
    st.integers(3, 6),
    st.sampled_from([None, {"bears_alone": "own-sport"}, EFFECTS, MORE_EFFECTS]),
    st.sampled_from([0.0, 0.05]),
)
FEW = settings(deadline=None, max_examples=12)


@FEW
@given(GAMES)
def test_no_card_is_made_or_lost(game) -> None:
    for here in walk(*game):
        everywhere = Counter(chain(here.table, here.gone, *here.hands))
        assert everywhere == Counter(GAME.deck(here.rules.to_json()))
        GAME.check_cards(here)


@FEW
@given(GAMES)
def test_what_everybody_knows_is_true(game) -> None:
    for here in walk(*game):
        for known, hand in zip(here.known, here.hands, strict=True):
            assert not Counter(known) - Counter(hand)
            assert list(known) == sorted(known)
        view = GAME.view(here, None)
        for animal, bounds in view["counted"].items():
            for (low, high), hand in zip(bounds, here.hands, strict=True):
                assert low <= sum(card.startswith(f"{animal}-") for card in hand) <= high <= len(hand)
        for denied, hand in zip(view["denied"], here.hands, strict=True):
            assert not set(denied) & set(hand)


@FEW
@given(GAMES)
def test_every_game_ends(game) -> None:
    positions = walk(*game)
    last = positions[-1]
    outcome = GAME.outcome(last)
    assert outcome.is_over
    assert GAME.to_act(last) == ()
    assert all(GAME.legal(last, seat) == ([], False) for seat in range(last.seats))
    for seat in (*range(last.seats), None):
        for action in ({"type": "resign"}, {"type": "void", "reason": "late"}, {"type": "play", "cards": []}):
            with pytest.raises(IllegalAction) as caught:
                GAME.apply(last, seat, action)
            assert caught.value.code == "game-over"
    # a lap after the first play removes a card at least, so no game is longer than its cards in laps
    assert len(positions) <= (len(last.gone) + 3) * (last.seats + 2)


@FEW
@given(GAMES)
def test_json_reads_back_as_the_same_position(game) -> None:
    for here in walk(*game):
        again = GAME.from_json(GAME.to_json(here), here.rules.to_json())
        assert again._replace(known=here.known, counted=here.counted, denied=here.denied) == here
        assert GAME.to_json(again) == GAME.to_json(here)


@FEW
@given(GAMES)
def test_a_swap_of_hidden_cards_between_others_leaves_a_view_unchanged(game) -> None:
    rng = Random(game[0])
    for here in walk(*game):
        for viewer in (*range(here.seats), None):
            others = [seat for seat in range(here.seats) if seat != viewer]
            if len(others) < 2:
                continue
            one, two = rng.sample(others, 2)
            swapped = swap(here, one, two, rng)
            if swapped is not None:
                assert GAME.view(swapped, viewer) == GAME.view(here, viewer)


def swap(here: Position, one: int, two: int, rng: Random) -> Position | None:
    mine = sorted((Counter(here.hands[one]) - Counter(here.known[one])).elements())
    theirs = sorted((Counter(here.hands[two]) - Counter(here.known[two])).elements())
    if not mine or not theirs:
        return None
    a, b = rng.choice(mine), rng.choice(theirs)
    hands = list(here.hands)
    hands[one] = tuple(sorted((*without(hands[one], a), b)))
    hands[two] = tuple(sorted((*without(hands[two], b), a)))
    return here._replace(hands=tuple(hands))


@FEW
@given(GAMES)
def test_what_is_listed_is_accepted_sorted_and_listed_once(game) -> None:
    rng = Random(game[0])
    positions = walk(*game)
    for here in rng.sample(positions, min(4, len(positions))):
        for seat in range(here.seats):
            listed, cut = GAME.legal(here, seat)
            texts = [canonical(action) for action in listed]
            assert texts == sorted(set(texts))
            assert not cut
            assert (seat in GAME.to_act(here)) == bool(listed)
            for action in rng.sample(listed, min(20, len(listed))):
                if "needs" in action:
                    do = rng.choice(GAME.choices(here, seat, action))
                    action = {key: value for key, value in action.items() if key != "needs"} | {"do": do}
                assert GAME.apply(here, seat, action).action == action


@FEW
@given(GAMES)
def test_what_is_not_listed_is_refused_and_changes_nothing(game) -> None:
    rng = Random(game[0])
    positions = walk(*game)
    kinds = sorted(set(GAME.deck(positions[0].rules.to_json())))
    for here in rng.sample(positions, min(4, len(positions))):
        before = canonical(GAME.to_json(here))
        listed = {
            seat: {
                canonical_text({k: v for k, v in action.items() if k != "needs"})
                for action in GAME.legal(here, seat)[0]
            }
            for seat in range(here.seats)
        }
        for _ in range(60):
            seat = rng.randrange(here.seats)
            action = random_attempt(here, kinds, rng)
            if canonical_text(action) in listed[seat] and "do" not in action:
                continue
            with pytest.raises(IllegalAction):
                GAME.apply(here, seat, action)
        assert canonical(GAME.to_json(here)) == before


def random_attempt(here: Position, kinds: list[str], rng: Random) -> dict:
    pool = rng.choice([list(hand) for hand in here.hands if hand] or [kinds])
    picked = sorted(rng.sample(pool, min(len(pool), rng.randint(1, 6))))
    match rng.randrange(6):
        case 0:
            return {"type": "play", "cards": picked}
        case 1:
            return {"type": "play", "cards": picked, "as": rng.choice(here.rules.animals)}
        case 2:
            to = rng.randrange(here.seats)
            return {"type": "give", "gifts": [{"card": card, "to": to} for card in picked[: rng.randint(1, 3)]]}
        case 3:
            return {"type": "steal", "from": sorted(rng.choices(range(here.seats), k=rng.randint(1, 5)))}
        case 4:
            return {"type": "force-bear", "card": rng.choice(kinds)}
        case _:
            return {"type": "respond", "card": rng.choice(kinds)}


@FEW
@given(GAMES, st.integers(0, 40))
def test_a_limit_cuts_the_same_list(game, limit) -> None:
    here = walk(*game)[0]
    (seat,) = GAME.to_act(here)
    whole, _ = GAME.legal(here, seat)
    assert GAME.legal(here, seat, limit) == (whole[:limit], len(whole) > limit)


@FEW
@given(GAMES)
def test_every_record_has_events_and_every_event_a_sentence(game) -> None:
    rng = Random(game[0])
    here = walk(*game)[0]
    names = [f"Player {seat}" for seat in range(here.seats)]
    while GAME.to_act(here):
        seat = GAME.to_act(here)[0]
        step = GAME.apply(here, seat, random_action(here, seat, rng))
        assert step.events
        for event in step.events:
            for viewer in (*range(here.seats), None):
                sentence = GAME.wording(event.seen_by(viewer), names)
                assert sentence
                assert "\n" not in sentence
            GAME.wording(event.whole(), names)
            canonical(event.whole())
        here = step.position


@FEW
@given(GAMES)
def test_options_offer_what_is_legal(game) -> None:
    rng = Random(game[0])
    positions = walk(*game)
    for here in rng.sample(positions, min(4, len(positions))):
        for seat in range(here.seats):
            options = GAME.options(here, seat, plays=True)
            legal = {canonical(action) for action in GAME.legal(here, seat)[0]}
            assert bool(options) == bool(legal)
            if not options:
                continue
            kinds = {action["type"] for action in GAME.legal(here, seat)[0]}
            assert {canonical(action) for action in options["plays"]} <= legal
            assert options["play"] == ("play" in kinds)
            assert GAME.options(here, seat) == {**options, "plays": None, "plays_truncated": False}
            assert (options["give"] is not None) == ("give" in kinds)
            assert (options["steal"] is not None) == ("steal" in kinds)
            assert (options["force_bear"] is not None) == ("force-bear" in kinds)
            assert (options["respond"] is not None) == ("respond" in kinds)
            assert len(options["plays"]) <= 60
            plays = sum(action["type"] == "play" for action in GAME.legal(here, seat)[0])
            assert options["plays_truncated"] == (plays > 60)
