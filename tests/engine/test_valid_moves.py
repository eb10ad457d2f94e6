"""Valid moves against a slow second reading of the rules, over random hands and tables."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.hold_my_bear.cards import ANIMALS, BASE_ANIMALS, deck_of
from games.engine.hold_my_bear.plays import can_play, play_fault, plays_of
from games.engine.hold_my_bear.rules import Rules
from games.engine.hold_my_bear.sets import worth
from tests.engine import oracle


def situation(seed: int, pool: tuple[str, ...], largest_hand: int):
    rng = Random(seed)
    others = sorted(rng.sample([animal for animal in pool if animal != "bear"], rng.randint(2, 4)))
    rules = Rules(tuple(sorted(["bear", *others])), rng.choice(["named", "own-sport"]))
    deck = list(deck_of(rules.animals))
    rng.shuffle(deck)
    table = tuple(sorted(deck[: rng.randint(1, 5)]))
    hand = tuple(sorted(deck[5 : 5 + rng.randint(1, largest_hand)]))
    named = rng.choice((None, *rules.nameable)) if oracle.bears(table) == len(table) else None
    return hand, table, named, rules


@pytest.mark.parametrize("pool", [BASE_ANIMALS, ANIMALS], ids=["base", "expansion"])
@settings(deadline=None, max_examples=250)
@given(seed=st.integers(0, 2**32))
def test_the_list_of_plays_is_that_of_the_oracle(pool: tuple[str, ...], seed: int) -> None:
    hand, table, named, rules = situation(seed, pool, 9)
    listed = list(plays_of(hand, table, named, rules))
    expected = oracle.all_valid(hand, table, named, rules.nameable)
    assert Counter(listed) == Counter(expected)
    assert can_play(hand, table, named, rules.nameable) == bool(expected)


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 2**32))
def test_one_play_is_judged_as_the_oracle_judges_it(seed: int) -> None:
    hand, table, named, rules = situation(seed, ANIMALS, 9)
    rng = Random(seed)
    cards = tuple(sorted(rng.sample(hand, rng.randint(1, min(5, len(hand))))))
    fault = play_fault(hand, cards, None, worth(table, named), rules)
    assert (fault is None) == oracle.valid(cards, None, table, named, hand)
    assert fault is None or (fault.endswith(".") and "\n" not in fault)


def test_nineteen_cards_are_listed_without_a_double() -> None:
    rules = Rules()
    hand = deck_of(rules.animals)[8:27]
    listed = list(plays_of(hand, ("vole-1",), None, rules))
    assert len(listed) == len(set(listed)) > 300


def test_the_largest_hand_of_the_largest_deck_is_quick_to_ask() -> None:
    rules = Rules(ANIMALS)
    hand = tuple(card for card in deck_of(ANIMALS) if not card.startswith(("bear", "tiger")))[::2]
    strong = ("bear-4", "bear-5", "tiger-3", "tiger-4", "tiger-5")
    assert not can_play(hand, strong, None, rules.nameable)
    assert next(plays_of(hand, strong, None, rules), None) is None
