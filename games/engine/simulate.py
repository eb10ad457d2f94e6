"""Games between bots, fully determined by their arguments: the same bytes on every machine and Python version."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import UUID

from .bots import CONSIDERED, check_bot, choose
from .canonical import canonical
from .deal import commitment_of
from .endings import FORFEIT_REASONS
from .frame import Action, BadFormat, Game, Seat
from .real_time import RealTimeTable, Sent
from .registry import game as game_called
from .replay import Refereed
from .transcript import Header, Record, Transcript

SLOWEST_MOVE = 4000
"""Bots take up to this many milliseconds, by the clock that the simulation makes up."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What to play: ``games`` games of ``game`` at ``seats`` seats from ``seed``.

    ``bots`` sit down in order, again from the first when there are more seats. Before each action a seat leaves with
    probability ``quit_chance``. Raises BadFormat (BadRules) for what cannot be played.
    """

    game: str
    seats: int
    games: int
    seed: str
    bots: Sequence[str] = ("random",)
    quit_chance: float = 0.0
    rules: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        game = game_called(self.game)
        if not game.min_seats <= self.seats <= game.max_seats:
            raise BadFormat(f"{game.title} has {game.min_seats} to {game.max_seats} seats, not {self.seats}.")
        if self.games < 0:
            raise BadFormat("The number of games cannot be negative.")
        if not 0 <= self.quit_chance <= 1:
            raise BadFormat("The probability to quit is from 0 to 1.")
        if not 1 <= len(self.bots) <= self.seats:
            raise BadFormat(f"Name 1 to {self.seats} bots, not {len(self.bots)}.")
        for name in self.bots:
            check_bot(name, game)
        canonical(self.seed)
        game.rules(self.rules or {}, self.seats)

    def run(self) -> Iterator[Transcript]:
        """Yield the transcripts, one game after the other."""
        for index in range(self.games):
            yield self._play(index)

    def _secret(self, index: int, what: str) -> bytes:
        """Return 32 bytes that belong to ``what`` in game ``index`` and depend on all that was asked for."""
        asked = {
            "bots": list(self.bots),
            "game": self.game,
            "index": index,
            "rules": game_called(self.game).rules(self.rules or {}, self.seats),
            "seats": self.seats,
            "seed": self.seed,
            "what": what,
        }
        return hashlib.sha256(b"bearena.simulate/1" + canonical(asked)).digest()

    def _play(self, index: int) -> Transcript:
        game = game_called(self.game)
        server_seed = self._secret(index, "server seed")
        sitting = [self.bots[seat % len(self.bots)] for seat in range(self.seats)]
        header = Header(
            game=self.game,
            rules=game.rules(self.rules or {}, self.seats),
            game_id=str(UUID(bytes=self._secret(index, "game id")[:16])),
            seats=self.seats,
            commitment=commitment_of(server_seed),
            client_seeds=tuple(
                self._secret(index, f"client seed {seat}").hex()[:16] if seat % 2 else "" for seat in range(self.seats)
            ),
        )
        rng = Random(int.from_bytes(self._secret(index, "choices")))
        refereed = Refereed(header, server_seed)
        records: list[Record] = []
        table = RealTimeTable(sitting, rng) if game.real_time else _TurnTable(sitting, rng)
        while not refereed.outcome.is_over:
            if self.quit_chance and rng.random() < self.quit_chance:
                sender, action = _quit(game, refereed.position, rng)
                at = table.moment(refereed)
            else:
                at, sender, action = table.next(refereed)
            proposal = refereed.propose(at, sender, action)
            refereed.push(proposal)
            records.append(proposal.record)
        names = tuple(f"{name} {seat + 1}" for seat, name in enumerate(sitting))
        return Transcript(header, names, server_seed.hex(), tuple(records), refereed.outcome)


class _TurnTable:
    """A table of a game with turns: whose turn it is thinks for a while."""

    def __init__(self, sitting: Sequence[str], rng: Random) -> None:
        self._sitting = sitting
        self._rng = rng

    def next(self, refereed: Refereed) -> Sent:
        game, position = refereed.game, refereed.position
        seat = game.to_act(position)[0]
        legal, _ = game.legal(position, seat, CONSIDERED)
        action = choose(self._sitting[seat], game, game.view(position, seat), legal, self._rng)
        return Sent(self.moment(refereed), seat, action)

    def moment(self, refereed: Refereed) -> int:
        return refereed.at + int(self._rng.random() * SLOWEST_MOVE)


def _quit(game: Game[Any], position: Any, rng: Random) -> tuple[Seat, Action]:
    out = game.view(position, None)["out"]
    staying = [seat for seat in range(game.seats(position)) if seat not in out]
    seat = staying[int(rng.random() * len(staying))]
    if rng.random() < 0.5:
        return seat, {"type": "resign"}
    reason = FORFEIT_REASONS[int(rng.random() * len(FORFEIT_REASONS))]
    return None, {"type": "forfeit", "seat": seat, "reason": reason}
