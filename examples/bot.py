"""A whole bot for Bearena: opens a table of either game against house bots, and plays it to the end.

    pip install websockets
    BEARENA_KEY=bearena_... python bot.py https://play.example.org hold-my-bear

The protocol is docs/protocol.md. It plays what comes first to hand, with the default cards, and survives lost lines.
"""

import itertools
import json
import os
import sys
import time
import urllib.error
import urllib.request

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

SITE, GAME = sys.argv[1].rstrip("/"), sys.argv[2]
SIGNS = {"large": "L", "small": "S", "arm": "A", "winter": "W", "autumn": "O", "goggles": "G", "fish": "F"}
IDS = (f"{os.getpid()}-{number}" for number in itertools.count())


def ask(method, path, body=None):
    headers = {"Authorization": f"Bearer {os.environ['BEARENA_KEY']}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{SITE}/api/v1/{path}", json.dumps(body or {}).encode(), headers, method=method)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def hold_my_bear(view, options):
    if options["plays"]:
        return max(options["plays"], key=lambda play: len(play["cards"]))
    if give := options["give"]:
        gifts = [{"card": card, "to": give["to"][0]} for card in view["hand"][: give["cards"]]]
        return {"type": "give", "gifts": gifts}
    if steal := options["steal"]:
        cards = [int(seat) for seat, held in steal["from"].items() for _ in range(held)]
        return {"type": "steal", "from": cards[: steal["take"]]}
    return {"type": "force-bear", "card": options["force_bear"][0]}


def pick_a_polar_bear(view, options):
    if answer := options["answer"]:
        signs = [SIGNS[element] for element in answer["elements"]]
        return {"type": "answer", "count": sum(all(sign in card for sign in signs) for card in view["grid"] if card)}
    top, least = view["stacks"][view["seat"]][-1], int(view["restricted"] == view["seat"])
    for place in options["grab"]:
        if least <= sum(mine != other for mine, other in zip(top, view["grid"][place], strict=True)) <= 1:
            return {"type": "grab", "place": place}
    return {"type": "stop"}


def play(table, state):
    """Play on one connection until it breaks or the game is over; ``state`` is what has been shown so far."""
    choose = hold_my_bear if GAME == "hold-my-bear" else pick_a_polar_bear
    with connect(f"ws{SITE[4:]}{ask('POST', f'games/{table}/ticket/')['address']}") as socket:
        socket.send(json.dumps({"type": "hello", "seen": state.get("n"), "plays": True}))
        waits = False  # for the answer to an action
        for text in socket:
            message = json.loads(text)
            if message["type"] == "probe":
                socket.send(text)
            elif message["type"] in {"state", "update"}:
                state |= message
            elif message["type"] in {"ack", "refused"}:
                waits = False
                if message.get("code") == "illegal-action":
                    sys.exit(message["message"])
            if state.get("status") not in {None, "seating", "running"}:
                return
            if state.get("options") and not waits and message.get("n") == state["n"]:
                action = choose(state["view"], state["options"])
                socket.send(json.dumps({"type": "act", "id": next(IDS), "seen": state["n"], "action": action}))
                waits = True


if __name__ == "__main__":
    table = ask("POST", "games/", {"game": GAME, "seats": 3, "bots": ["greedy", "random"]})["id"]
    ask("POST", f"games/{table}/ready/")
    known = {"status": "seating"}
    while known["status"] in {"seating", "running"}:
        try:
            play(table, known)
        except urllib.error.HTTPError as refusal:
            if refusal.code < 500:
                raise
        except (OSError, ConnectionClosed):
            time.sleep(1)
    print(known["status"], known["view"]["outcome"]["places"], "my seat is", known["seat"], f"{SITE}/games/{table}/")
