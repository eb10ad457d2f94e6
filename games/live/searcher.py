"""The process that thinks for the bots that search: a line of JSON in for each move, a line out.

``{"game": name, "view": {...}, "milliseconds": m}`` -> ``{"action": {...}}``. It knows the engine and nothing else, and
ends when its input does, so that it never outlives the server that started it.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Mapping
from typing import Any

from games.engine import game as game_called
from games.engine.bots import CONSIDERED, choose
from games.engine.bots.search import Deals

PROBE = 24
"""So many playouts tell how long one takes in this position."""


def searched(game_name: str, view: Mapping[str, Any], milliseconds: float, chance: random.Random) -> dict[str, Any]:
    """Return the action of the bot that searches, found in about ``milliseconds`` of this process's time."""
    game = game_called(game_name)
    began = time.process_time()
    # What a seat may do follows from what it sees: it is the same in every deal that its view allows.
    legal, _ = game.legal(Deals(view).deal(chance), view["seat"], CONSIDERED)
    listed = time.process_time()
    action = choose("search", game, view, legal, chance, PROBE)
    probed = time.process_time()
    left = milliseconds / 1000 - (probed - began)
    playouts = int(left / max(probed - listed, 1e-6) * PROBE)
    return choose("search", game, view, legal, chance, playouts) if playouts > PROBE else action


def main() -> None:
    """Answer until the input ends."""
    chance = random.SystemRandom()
    for line in sys.stdin:
        asked = json.loads(line)
        action = searched(asked["game"], asked["view"], asked["milliseconds"], chance)
        sys.stdout.write(json.dumps({"action": action}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
