"""How a deal is fixed before the players sit down (transcript specification, Deal)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import Any

from .frame import BadFormat, Game

SEED_BYTES = 32
CLIENT_SEED_BYTES = 64
EXPLICIT_DEAL_SEED = bytes(SEED_BYTES)
"""The ``deal_seed`` of a deal given card by card (Deal, 8)."""

_WORDS_PER_BLOCK = 8
_WORD_RANGE = 2**32
_words_of = Struct(f">{_WORDS_PER_BLOCK}I").unpack


@dataclass(frozen=True, slots=True)
class Deal:
    """A shuffled deck (top first), the seed of later draws, and how many words of its stream the shuffle used."""

    deck: tuple[str, ...]
    seed: bytes
    drawn: int


@lru_cache(maxsize=1024)
def _block(seed: bytes, index: int) -> tuple[int, ...]:
    """Return the words of one block; draws in play come back to the same few."""
    return _words_of(hmac.digest(seed, index.to_bytes(8, "big"), "sha256"))


class Stream:
    """The random stream of a ``deal_seed`` (Deal, 4 and 5). Its whole state is the seed and the words used."""

    __slots__ = ("seed", "used")

    def __init__(self, seed: bytes, used: int = 0) -> None:
        self.seed = seed
        self.used = used

    def word(self) -> int:
        """Return the next word, from 0 to 2**32 - 1."""
        index, place = divmod(self.used, _WORDS_PER_BLOCK)
        self.used += 1
        return _block(self.seed, index)[place]

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit`` - 1, each equally likely. Takes at least one word."""
        usable = _WORD_RANGE - _WORD_RANGE % limit
        while (word := self.word()) >= usable:
            pass
        return word % limit


def commitment_of(server_seed: bytes) -> str:
    """Return what the server publishes before it accepts a client seed (Deal, 1), as hex."""
    return hashlib.sha256(server_seed).hexdigest()


def check_seed_text(text: str, what: str) -> str:
    """Return ``text`` if it may stand in the deal's message: UTF-8 without a zero byte. Raises BadFormat."""
    if "\0" in text:
        raise BadFormat(f"{what} must not hold a zero byte.")
    return text


def check_client_seed(text: str) -> str:
    """Return ``text`` if a player may send it as client seed (Deal, 2). Raises BadFormat."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise BadFormat("A client seed must be valid UTF-8.") from None
    if size > CLIENT_SEED_BYTES:
        raise BadFormat(f"A client seed has at most {CLIENT_SEED_BYTES} bytes, this one has {size}.")
    return check_seed_text(text, "A client seed")


def deal_seed(server_seed: bytes, game_id: str, client_seeds: Iterable[str], deal_group: str | None = None) -> bytes:
    """Return the seed of the deal (Deal, 3). With a ``deal_group`` that stands in place of ``game_id``."""
    parts = ["deal", game_id if deal_group is None else deal_group, *client_seeds]
    return hmac.digest(server_seed, b"\0".join([part.encode() for part in parts]), "sha256")


def shuffled(deck: Sequence[str], seed: bytes) -> Deal:
    """Return ``deck`` (in canonical order) shuffled by the stream of ``seed`` (Deal, 6)."""
    cards = list(deck)
    stream = Stream(seed)
    for last in range(len(cards) - 1, 0, -1):
        other = stream.below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return Deal(tuple(cards), seed, stream.used)


def explicit_deal(game: Game[Any], rules: Mapping[str, Any], deck: Sequence[str]) -> Deal:
    """Return the deal of a ``deck`` given card by card. Raises BadFormat unless it permutes the full deck."""
    if sorted(deck) != sorted(game.deck(rules)):
        raise BadFormat("The deal's deck must hold every card of the full deck exactly as often as that.")
    return Deal(tuple(deck), EXPLICIT_DEAL_SEED, 0)
