"""The pure engine: rules, deals, transcripts, verification. Standard library only, no input or output of its own.

Start at :mod:`.frame` for what a game offers, at :mod:`.replay` for keeping one running game.
"""

from .canonical import canonical, read_json
from .deal import check_client_seed, commitment_of
from .frame import (
    Action,
    BadFormat,
    BadPosition,
    BadRules,
    EngineError,
    Event,
    Game,
    GameOver,
    IllegalAction,
    NotYourTurn,
    Outcome,
    Seat,
    Step,
)
from .hold_my_bear import HoldMyBear
from .pick_a_polar_bear import PickAPolarBear
from .registry import GAMES, game
from .replay import ClockBackwards, Proposal, Refereed, opening
from .transcript import Header, Record, Transcript, first_hash, next_hash
from .verify import Report, verify

__all__ = [
    "GAMES",
    "Action",
    "BadFormat",
    "BadPosition",
    "BadRules",
    "ClockBackwards",
    "EngineError",
    "Event",
    "Game",
    "GameOver",
    "Header",
    "HoldMyBear",
    "IllegalAction",
    "NotYourTurn",
    "Outcome",
    "PickAPolarBear",
    "Proposal",
    "Record",
    "Refereed",
    "Report",
    "Seat",
    "Step",
    "Transcript",
    "canonical",
    "check_client_seed",
    "commitment_of",
    "first_hash",
    "game",
    "next_hash",
    "opening",
    "read_json",
    "verify",
]
