"""The deal, against the words of the transcript specification."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from games.engine.deal import Stream, check_client_seed, commitment_of, deal_seed, shuffled
from games.engine.frame import BadFormat
from games.engine.hold_my_bear.cards import deck_of
from tests.engine.builders import GAME

SEED = bytes(range(32))


def words(seed: bytes, count: int) -> list[int]:
    stream = b"".join(hmac.new(seed, i.to_bytes(8, "big"), hashlib.sha256).digest() for i in range(count // 8 + 1))
    return [int.from_bytes(stream[4 * i : 4 * i + 4], "big") for i in range(count)]


def test_the_stream_is_blocks_of_hmac_read_as_words() -> None:
    stream = Stream(SEED)
    assert [stream.word() for _ in range(50)] == words(SEED, 50)
    assert stream.used == 50


def test_a_stream_goes_on_where_it_was() -> None:
    assert [Stream(SEED, used).word() for used in range(20)] == words(SEED, 20)


def test_below_takes_the_next_word_when_one_is_not_fair() -> None:
    limit = 2**31 + 1  # nearly every second word is beyond the largest multiple
    stream = Stream(SEED)
    drawn = [stream.below(limit) for _ in range(20)]
    assert drawn == [word for word in words(SEED, 200) if word < limit][:20]
    assert stream.used > 20


def test_below_one_takes_a_word_too() -> None:
    stream = Stream(SEED)
    assert stream.below(1) == 0
    assert stream.used == 1


def test_the_seed_of_a_deal() -> None:
    message = b"deal\0id\0a1\0\0z\xc3\xbc"
    assert deal_seed(SEED, "id", ["a1", "", "zü"]) == hmac.new(SEED, message, hashlib.sha256).digest()
    assert deal_seed(SEED, "other", ["", ""], "group") == hmac.new(SEED, b"deal\0group\0\0", hashlib.sha256).digest()
    assert commitment_of(SEED) == hashlib.sha256(SEED).hexdigest()


def test_shuffle_swaps_from_the_last_down() -> None:
    deck = list(deck_of(["bear", "cat", "vole"]))
    drawn = words(SEED, len(deck))
    expected = list(deck)
    for step, i in enumerate(range(len(deck) - 1, 0, -1)):
        j = drawn[step] % (i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    deal = shuffled(deck, SEED)
    assert list(deal.deck) == expected
    assert deal.drawn == len(deck) - 1


@pytest.mark.parametrize("seed", ["", "a1", "ü" * 32, "x" * 64])
def test_client_seeds_that_are_fine(seed: str) -> None:
    assert check_client_seed(seed) == seed


@pytest.mark.parametrize("seed", ["x" * 65, "ü" * 33, "a\0b", "\ud800"])
def test_client_seeds_that_are_refused(seed: str) -> None:
    with pytest.raises(BadFormat):
        check_client_seed(seed)


def test_the_canonical_deck() -> None:
    assert GAME.deck({})[:10] == (
        *["bear-1"] * 3,
        *["bear-2"] * 2,
        "bear-3",
        "bear-4",
        "bear-5",
        "ferret-1",
        "ferret-1",
    )
    assert Counter(card.partition("-")[0] for card in GAME.deck({})) == dict.fromkeys(
        ["bear", "ferret", "hamster", "tiger", "vole"], 8
    )


def test_dealing_goes_round_from_seat_0_and_the_highest_bear_starts() -> None:
    deck = ["tiger-3", *(card for card in GAME.deck({}) if card != "tiger-3")]
    start = GAME.start({}, 3, deck, bytes(32), 0)
    assert start.table == ("tiger-3",)
    assert start.owner is None
    assert [len(hand) for hand in start.hands] == [13, 13, 13]
    assert start.hands[1] == tuple(sorted(deck[2::3]))
    assert "bear-5" in start.hands[start.turn]
    assert start.must_play
