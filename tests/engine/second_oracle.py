"""A second referee for Hold my Bear's base game and its transcripts, written apart from the engine.

It follows the rules page and the transcript specification literally, by brute force over plain lists, shares no code
with ``games.engine`` and is slow on purpose. Where the two disagree, one of them misreads the page.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
from collections import Counter
from typing import Any

NUMBERS = [1, 1, 1, 2, 2, 3, 4, 5]
Doc = dict[str, Any]


class Disagrees(AssertionError):
    """The transcript breaks a rule as this referee reads it."""


def animal(card: str) -> str:
    return card.rsplit("-", 1)[0]


def number(card: str) -> int:
    return int(card.rsplit("-", 1)[1])


def canonical(value: Any) -> bytes:
    """Canonical JSON; enough for transcripts of this game, whose keys are ASCII and whose numbers are whole."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class Stream:
    """The random stream of a deal, word by word."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.used = 0

    def word(self) -> int:
        block, at = divmod(self.used, 8)
        self.used += 1
        digest = hmac.digest(self.seed, block.to_bytes(8, "big"), "sha256")
        return int.from_bytes(digest[4 * at : 4 * at + 4], "big")

    def below(self, n: int) -> int:
        while True:
            x = self.word()
            if x < 2**32 - 2**32 % n:
                return x % n


def sports_and_count(cards: list[str], named: str | None) -> tuple[set[str], int]:
    bears = sum(animal(card) == "bear" for card in cards)
    present = {animal(card) for card in cards} - {"bear"}
    if not present:
        return ({named} if named else {"bear"}), bears
    counts = {a: bears + sum(animal(card) == a for card in cards) for a in present}
    best = max(counts.values())
    return {a for a, count in counts.items() if count == best}, best


def beats(new: list[str], named: str | None, table: list[str], table_as: str | None) -> bool:
    new_bears = sum(animal(card) == "bear" for card in new)
    table_bears = sum(animal(card) == "bear" for card in table)
    new_sports, new_count = sports_and_count(new, named)
    table_sports, table_count = sports_and_count(table, table_as)
    if new_bears > table_bears:
        return True
    if new_sports & table_sports:
        return sum(map(number, new)) > sum(map(number, table))
    return new_count > table_count


class Referee:
    """One game in play."""

    def __init__(self, doc: Doc) -> None:
        self.n = doc["seats"]
        self.animals = doc["rules"]["animals"]
        self.may_name = doc["rules"]["bears_alone"] == "named"
        deck = [f"{a}-{k}" for a in sorted(self.animals) for k in NUMBERS]
        fairness = doc["fairness"]
        if fairness is None:
            if sorted(doc["deal"]["deck"]) != sorted(deck):
                raise Disagrees("deck")
            deck = list(doc["deal"]["deck"])
            self.stream = Stream(bytes(32))
        else:
            parts = ["deal", doc["game_id"], *fairness["client_seeds"]]
            key = bytes.fromhex(fairness["server_seed"])
            if hashlib.sha256(key).hexdigest() != fairness["commitment"]:
                raise Disagrees("commitment")
            self.stream = Stream(hmac.digest(key, b"\0".join(p.encode() for p in parts), "sha256"))
            for i in range(len(deck) - 1, 0, -1):
                j = self.stream.below(i + 1)
                deck[i], deck[j] = deck[j], deck[i]
        self.table = [deck[0]]
        self.table_as: str | None = None
        self.owner: int | None = None
        self.hands = [sorted(deck[1 + s :: self.n]) for s in range(self.n)]
        self.must_play = True
        self.unowned = 0
        self.out: list[int] = []
        self.ended: tuple[str, list[int]] | None = None
        highest = max(card for hand in self.hands for card in hand if animal(card) == "bear")
        self.turn = next(s for s in range(self.n) if highest in self.hands[s])
        self.begin_turn()

    def places(self, first: list[int]) -> list[int]:
        inside = [s for s in range(self.n) if s not in self.out]
        result = [0] * self.n
        for s in inside:
            result[s] = 1 if s in first else 1 + len(first)
        for rank, s in enumerate(reversed(self.out)):
            result[s] = len(inside) + 1 + rank
        return result

    def has_bear(self, s: int) -> bool:
        return any(animal(card) == "bear" for card in self.hands[s])

    def begin_turn(self) -> None:
        while self.ended is None:
            s = self.turn
            if s not in self.out:
                if self.owner == s and not self.has_bear(s):
                    self.ended = ("finished", self.places([s]))
                    return
                others = sum(len(hand) for i, hand in enumerate(self.hands) if i != s)
                if self.owner == s or self.hands[s] or others:
                    return
            self.pass_turn()

    def pass_turn(self) -> None:
        if self.owner is None:
            self.unowned += 1
            if self.unowned >= self.n:
                self.ended = ("drawn", self.places([s for s in range(self.n) if s not in self.out]))
        self.turn = (self.turn + 1) % self.n

    def playable(self, s: int, cards: list[str], named: str | None) -> bool:
        if not 1 <= len(cards) <= 5 or Counter(cards) - Counter(self.hands[s]):
            return False
        blocked = {number(card) for card in self.hands[s] if animal(card) == "bear"}
        if any(animal(card) != "bear" and number(card) in blocked for card in cards):
            return False
        if named is not None:
            only_bears = all(animal(card) == "bear" for card in cards)
            if not (only_bears and self.may_name and named in self.animals and named != "bear"):
                return False
        return beats(cards, named, self.table, self.table_as)

    def plays(self, s: int) -> list[Doc]:
        found = []
        for size in range(1, min(5, len(self.hands[s])) + 1):
            for cards in sorted(set(itertools.combinations(sorted(self.hands[s]), size))):
                for named in [None, *self.animals]:
                    if self.playable(s, list(cards), named):
                        play: Doc = {"type": "play", "cards": list(cards)}
                        found.append(play | ({"as": named} if named else {}))
        return found

    def legal(self, s: int) -> list[Doc]:
        """Every legal action of seat ``s`` in normal form, resigning excepted."""
        if self.ended or s in self.out or s != self.turn:
            return []
        hand = sorted(self.hands[s])
        names = [None, *(a for a in self.animals if a != "bear")] if self.may_name else [None]
        if self.owner == s:
            bears = sorted({card for card in hand if animal(card) == "bear"})
            return [{"type": "force-bear", "card": card} | ({"as": a} if a else {}) for card in bears for a in names]
        if not hand:
            pool = [(i, k) for i in range(self.n) if i != s for k in range(len(self.hands[i]))]
            take = min(4, len(pool))
            ways = {tuple(i for i, _ in pick) for pick in itertools.combinations(pool, take)}
            return [{"type": "steal", "from": list(way)} for way in sorted(ways)]
        plays = self.plays(s)
        if self.must_play and plays:
            return plays
        to = [i for i in range(self.n) if i != s and i not in self.out]
        gifts = set()
        for cards in itertools.combinations(hand, min(2, len(hand))):
            for receivers in itertools.product(to, repeat=len(cards)):
                gifts.add(tuple(zip(cards, receivers, strict=True)))
        gives = [{"type": "give", "gifts": [{"card": c, "to": i} for c, i in gift]} for gift in sorted(gifts)]
        return plays + gives

    def leave(self, s: int) -> None:
        if self.ended or s in self.out:
            raise Disagrees("leaves twice or after the end")
        self.out.append(s)
        inside = [i for i in range(self.n) if i not in self.out]
        if len(inside) == 1:
            self.ended = ("finished", self.places(inside))
            return
        if self.owner == s:
            self.owner, self.must_play, self.unowned = None, True, 0
        if self.turn == s:
            self.pass_turn()
            self.begin_turn()

    def act(self, s: int | None, action: Doc) -> None:
        kind = action["type"]
        if kind == "void" and s is None:
            self.ended = ("void", [1] * self.n)
            return
        if kind == "forfeit" and s is None:
            self.leave(action["seat"])
            return
        if s is None:
            raise Disagrees("the table cannot do this")
        if kind == "resign":
            self.leave(s)
            return
        if action not in self.legal(s):
            raise Disagrees(f"{action} of seat {s} is not legal")
        hand = self.hands[s]
        if kind == "steal":
            for i in action["from"]:
                victim = sorted(self.hands[i])
                card = victim[self.stream.below(len(victim))]
                self.hands[i].remove(card)
                hand.append(card)
            return
        if kind == "give":
            for gift in action["gifts"]:
                hand.remove(gift["card"])
                self.hands[gift["to"]].append(gift["card"])
        else:
            cards = action["cards"] if kind == "play" else [action["card"]]
            for card in cards:
                hand.remove(card)
            self.table, self.table_as, self.owner = list(cards), action.get("as"), s
            self.unowned = 0
            self.must_play = kind == "force-bear"
        self.pass_turn()
        self.begin_turn()


def agree(doc: Doc, *, listings: Any = None) -> int:
    """Replay ``doc``; raise Disagrees at the first difference; return the number of records.

    ``listings(referee, seat)``, if given, is called before each action of a seat.
    """
    fairness = doc["fairness"]
    header = {key: doc[key] for key in ("format", "game", "rules", "game_id", "seats", "deal")}
    header["commitment"] = fairness and fairness["commitment"]
    header["client_seeds"] = fairness and fairness["client_seeds"]
    chain = hashlib.sha256(canonical(header)).digest()
    referee = Referee(doc)
    last = 0
    for index, record in enumerate(doc["records"], 1):
        body = {key: record[key] for key in ("n", "at", "seat", "action")}
        chain = hashlib.sha256(chain + canonical(body)).digest()
        if record["n"] != index or record["hash"] != chain.hex() or record["at"] < last:
            raise Disagrees(f"record {index}: number, hash or time")
        last = record["at"]
        if listings is not None and record["seat"] is not None:
            listings(referee, record["seat"])
        referee.act(record["seat"], record["action"])
    status, places = referee.ended or ("running", None)
    if doc["outcome"] != {"status": status, "places": places, "points": None}:
        raise Disagrees(f"outcome: {doc['outcome']} is not {status} {places}")
    return len(doc["records"])


def position(referee: Referee) -> Doc:
    """The referee's position in the form of the command line."""
    return {
        "hands": [sorted(hand) for hand in referee.hands],
        "table": sorted(referee.table),
        "table_as": referee.table_as,
        "owner": referee.owner,
        "turn": referee.turn,
        "must_play": referee.must_play,
        "out": referee.out,
        "unowned_turns": referee.unowned,
    }
