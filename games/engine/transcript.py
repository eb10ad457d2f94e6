"""Transcripts: the values, their JSON form, and the chain of hashes (transcript specification)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from .canonical import canonical
from .deal import check_client_seed, check_seed_text, explicit_deal
from .frame import BadFormat, Outcome, Seat
from .registry import game as game_called
from .shape import as_any_object, as_hash, as_integer, as_list, as_object, as_text

FORMAT = "bearena.transcript/1"
STATUSES = ("running", "finished", "drawn", "void")


@dataclass(frozen=True, slots=True)
class Header:
    """What was fixed before the first record; all of it is hashed.

    ``commitment`` (hex) and ``client_seeds`` are None for an explicit deal; ``deal`` (the deck, top first) is None for
    any other.
    """

    game: str
    rules: Mapping[str, Any]
    game_id: str
    seats: int
    commitment: str | None = None
    client_seeds: tuple[str, ...] | None = None
    deal: tuple[str, ...] | None = None
    deal_group: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object whose hash begins the chain."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game,
            "rules": dict(self.rules),
            "game_id": self.game_id,
            "seats": self.seats,
            "commitment": self.commitment,
            "client_seeds": None if self.client_seeds is None else list(self.client_seeds),
            "deal": None if self.deal is None else {"deck": list(self.deal)},
        }
        if self.deal_group is not None:
            data["deal_group"] = self.deal_group
        return data


class Record(NamedTuple):
    """One accepted action: number ``n`` from 1, ``at`` in milliseconds, who sent it, and the chain's ``hash`` (hex)."""

    n: int
    at: int
    seat: Seat
    action: Mapping[str, Any]
    hash: str

    def to_json(self) -> dict[str, Any]:
        """Return the record as in a transcript."""
        return {"n": self.n, "at": self.at, "seat": self.seat, "action": dict(self.action), "hash": self.hash}


@dataclass(frozen=True, slots=True)
class Transcript:
    """One whole game. ``server_seed`` (hex) is None while it runs, and for an explicit deal."""

    header: Header
    names: tuple[str, ...]
    server_seed: str | None
    records: tuple[Record, ...]
    outcome: Outcome

    def to_json(self) -> dict[str, Any]:
        """Return the document."""
        header = self.header
        hashed = header.to_json()
        commitment, client_seeds = hashed.pop("commitment"), hashed.pop("client_seeds")
        fairness = None
        if header.deal is None:
            fairness = {"commitment": commitment, "server_seed": self.server_seed, "client_seeds": client_seeds}
        return {
            **hashed,
            "names": list(self.names),
            "fairness": fairness,
            "records": [record.to_json() for record in self.records],
            "outcome": self.outcome.to_json(),
        }


def first_hash(header: Header) -> bytes:
    """Return h[0], the hash of ``header``."""
    return hashlib.sha256(canonical(header.to_json())).digest()


def next_hash(previous: bytes, n: int, at: int, seat: Seat, action: Mapping[str, Any]) -> bytes:
    """Return h[n] after h[n-1] = ``previous``. Raises BadFormat for an action that JSON cannot carry."""
    return next_hash_of(previous, n, at, seat, canonical(action))


def next_hash_of(previous: bytes, n: int, at: int, seat: Seat, action: bytes) -> bytes:
    """Return h[n] after h[n-1] = ``previous`` for an action that is canonical JSON already."""
    # The keys of a record in their canonical order.
    record = b'{"action":%b,"at":%b,"n":%b,"seat":%b}' % (action, canonical(at), canonical(n), canonical(seat))
    return hashlib.sha256(previous + record).digest()


_RECORD_KEYS = ("n", "at", "seat", "action", "hash")
_KEYS = ("format", "game", "rules", "game_id", "seats", "names", "fairness", "deal", "records", "outcome")


def parse(document: Any) -> Transcript:
    """Return the transcript that ``document`` (JSON data) holds. Raises BadFormat; hashes are not checked here."""
    fields = as_object(document, "The transcript", _KEYS, ("deal_group",))
    if fields["format"] != FORMAT:
        raise BadFormat(f"The format must be {FORMAT!r}.")
    header, server_seed = _parse_header(fields)
    seats = header.seats
    names = tuple(as_text(name, "A name") for name in as_list(fields["names"], "names", seats))
    records = tuple(
        _parse_record(record, place, seats)
        for place, record in enumerate(as_list(fields["records"], "records"), start=1)
    )
    return Transcript(header, names, server_seed, records, _parse_outcome(fields["outcome"], seats))


def _parse_header(fields: dict[str, Any]) -> tuple[Header, str | None]:
    game = game_called(fields["game"])
    seats = as_integer(fields["seats"], "seats", game.min_seats, game.max_seats)
    rules = as_any_object(fields["rules"], "rules")
    if canonical(game.rules(rules, seats)) != canonical(rules):
        raise BadFormat("The rules must give every option with its value, in normal form.")
    game_id = check_seed_text(as_text(fields["game_id"], "game_id"), "game_id")
    group = fields.get("deal_group")
    if "deal_group" in fields:
        group = check_seed_text(as_text(group, "deal_group"), "deal_group")
    deal, fairness = fields["deal"], fields["fairness"]
    if (deal is None) == (fairness is None):
        raise BadFormat("Either fairness is given or an explicit deal, and the other is null.")
    if fairness is None:
        if group is not None:
            raise BadFormat("An explicit deal has no deal_group.")
        deck = as_list(as_object(deal, "deal", ("deck",))["deck"], "The deck")
        dealt = explicit_deal(game, rules, [as_text(card, "A card of the deck") for card in deck])
        return Header(game.name, rules, game_id, seats, deal=dealt.deck), None
    fairness = as_object(fairness, "fairness", ("commitment", "server_seed", "client_seeds"))
    client_seeds = tuple(
        check_client_seed(as_text(seed, "A client seed"))
        for seed in as_list(fairness["client_seeds"], "client_seeds", seats)
    )
    if group is not None and any(client_seeds):
        raise BadFormat("The tables of a deal_group have no client seeds.")
    server_seed = fairness["server_seed"]
    if server_seed is not None:
        as_hash(server_seed, "server_seed")
    commitment = as_hash(fairness["commitment"], "commitment")
    return Header(game.name, rules, game_id, seats, commitment, client_seeds, None, group), server_seed


def _parse_record(value: Any, place: int, seats: int) -> Record:
    try:
        fields = as_object(value, "the record", _RECORD_KEYS)
        seat = fields["seat"]
        return Record(
            as_integer(fields["n"], "n", least=1),
            as_integer(fields["at"], "at"),
            None if seat is None else as_integer(seat, "seat", most=seats - 1),
            as_any_object(fields["action"], "action"),
            as_hash(fields["hash"], "hash"),
        )
    except BadFormat as error:
        raise BadFormat(f"Record {place}: {error}") from None


def _parse_outcome(value: Any, seats: int) -> Outcome:
    fields = as_object(value, "The outcome", ("status", "places", "points"))
    if fields["status"] not in STATUSES:
        raise BadFormat(f"The outcome's status must be one of {', '.join(STATUSES)}.")
    places, points = fields["places"], fields["points"]
    return Outcome(
        fields["status"],
        None if places is None else _integers(places, "places", seats),
        None if points is None else _integers(points, "points", seats),
    )


def _integers(value: Any, what: str, seats: int) -> tuple[int, ...]:
    return tuple(as_integer(item, f"An item of {what}", least=-(2**53)) for item in as_list(value, what, seats))
