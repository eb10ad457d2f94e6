"""A second referee of Pick-a-Polar-Bear, as naive and as close to the words of the rules page as possible.

It shares no code with the engine. Its whole state is one JSON position, as the command line writes it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

PAIRS = (
    "arm+goggles",
    "arm+fish",
    "goggles+fish",
    "large+arm",
    "small+goggles",
    "winter+fish",
    "autumn+arm",
    "winter+goggles",
)


def full_deck(decks: int, bonus: bool) -> list[str]:
    cards = []
    for animal in ["P", "S"] if decks == 2 else [""]:
        for size in "LS":
            for arm in "-A":
                for background in "WO":
                    for goggles in "-G":
                        for fish in "-F":
                            cards += [size + arm + background + goggles + fish + animal] * 3
    return cards + [f"bonus:{pair}" for pair in PAIRS if bonus]


def diff(a: str, b: str) -> int:
    return sum(1 for i in range(len(a)) if a[i] != b[i])


def shows(card: str, element: str) -> bool:
    return {
        "large": card[0] == "L",
        "small": card[0] == "S",
        "arm": card[1] == "A",
        "winter": card[2] == "W",
        "autumn": card[2] == "O",
        "goggles": card[3] == "G",
        "fish": card[4] == "F",
    }[element]


class SecondReferee:
    """Plays by the rules page. ``act`` says whether an action is accepted; ``here`` is the position's JSON."""

    def __init__(self, rules: dict[str, Any], seats: int, deck: list[str]) -> None:
        self.different, self.bonus = rules["different"], rules["bonus"]
        self.seats = seats
        self.outcome: dict[str, Any] = {"status": "running", "places": None, "points": None}
        self.here: dict[str, Any] = {
            "grid": [None] * (49 if rules["decks"] == 2 else 30),
            "stacks": [[] for _ in range(seats)],
            "pile": list(deck),
            "points": [0] * seats,
            "phase": "ready",
            "question": None,
            "answered": [],
            "restricted": None,
            "round": 0,
            "out": [],
        }
        self.begin_round()

    def act(self, seat: int | None, action: dict[str, Any]) -> bool:
        here, kind, phase = self.here, action["type"], self.here["phase"]
        if self.outcome["status"] != "running":
            return False
        if kind == "void":
            self.outcome = {"status": "void", "places": [1] * self.seats, "points": None}
            here["outcome"] = self.outcome
            return True
        if kind in ("resign", "forfeit"):
            return self.leave(seat if kind == "resign" else action["seat"])
        if seat is not None and seat in here["out"]:
            return False
        if kind == "go" and seat is None and phase == "ready":
            here["phase"] = "grab"
            return True
        if kind == "idle" and seat is None and phase == "grab" and self.seats > 1:
            self.check(None)
            return True
        if kind == "close" and seat is None and phase == "bonus":
            self.close_question()
            return True
        if kind == "grab" and seat is not None and phase == "grab":
            if not 0 <= action["place"] < len(here["grid"]) or here["grid"][action["place"]] is None:
                return False
            here["stacks"][seat].append(here["grid"][action["place"]])
            here["grid"][action["place"]] = None
            return True
        if kind == "stop" and seat is not None and phase == "grab":
            self.check(seat)
            return True
        if kind == "answer" and seat is not None and phase == "bonus" and seat not in here["answered"]:
            return self.answer(seat, action["count"])
        return False

    def staying(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.here["out"]]

    def pictures_left(self) -> int:
        return len([card for card in self.here["pile"] if not card.startswith("bonus:")])

    # The end of a round

    def fits(self, seat: int, card: str) -> bool:
        top = self.here["stacks"][seat][-1]
        if self.here["restricted"] == seat and card == top:
            return False
        return diff(card, top) <= 1

    def sound(self, seat: int) -> bool:
        stack = self.here["stacks"][seat]
        for lower, upper in pairwise(stack):
            if diff(lower, upper) > 1:
                return False
            if self.here["restricted"] == seat and lower == upper:
                return False
        return True

    def check(self, stopper: int | None) -> None:
        here = self.here
        claim_is_right = stopper is not None and not any(card and self.fits(stopper, card) for card in here["grid"])
        won = {}
        for seat in self.staying():
            won[seat] = len(here["stacks"][seat]) if self.sound(seat) else 0
            if seat == stopper:
                if not claim_is_right:
                    won[seat] = 0
                elif won[seat] > 0 and self.take_extra_card():
                    won[seat] += 1
            here["points"][seat] += won[seat]
        here["stacks"] = [[] for _ in range(self.seats)]
        here["restricted"] = None
        if self.different and self.seats > 1:
            most = max(won.values())
            if most > 0 and list(won.values()).count(most) == 1:
                here["restricted"] = [seat for seat in won if won[seat] == most][0]  # noqa: RUF015
        self.begin_round()

    def take_extra_card(self) -> bool:
        while self.here["pile"]:
            if not self.here["pile"].pop(0).startswith("bonus:"):
                return True
        for place, card in enumerate(self.here["grid"]):
            if card:
                self.here["grid"][place] = None
                return True
        return False

    # The beginning of a round

    def begin_round(self) -> None:
        here = self.here
        here["phase"] = "ready"
        if self.pictures_left() < len(self.staying()):
            self.end()
            return
        here["round"] += 1
        for seat in self.staying():
            while here["pile"][0].startswith("bonus:"):
                here["pile"].pop(0)
            here["stacks"][seat] = [here["pile"].pop(0)]
        self.fill()

    def fill(self) -> None:
        here = self.here
        here["phase"] = "ready"
        while None in here["grid"] and here["pile"]:
            card = here["pile"].pop(0)
            if not card.startswith("bonus:"):
                here["grid"][here["grid"].index(None)] = card
            elif len([lying for lying in here["grid"] if lying]) >= 10:
                here["phase"], here["question"] = "bonus", card
                return

    def answer(self, seat: int, count: int) -> bool:
        here = self.here
        lying = [card for card in here["grid"] if card]
        if not 0 <= count <= len(lying):
            return False
        one, two = here["question"].removeprefix("bonus:").split("+")
        if count == len([card for card in lying if shows(card, one) and shows(card, two)]):
            here["points"][seat] += 2
            self.close_question()
        else:
            here["points"][seat] -= 2
            here["answered"].append(seat)
            self.close_if_all_answered()
        return True

    def close_if_all_answered(self) -> None:
        if self.here["question"] and all(seat in self.here["answered"] for seat in self.staying()):
            self.close_question()

    def close_question(self) -> None:
        self.here["question"], self.here["answered"] = None, []
        self.fill()

    # Leaving and the end

    def leave(self, seat: int | None) -> bool:
        here = self.here
        if seat is None or seat in here["out"]:
            return False
        here["out"].append(seat)
        here["stacks"][seat] = []
        if here["restricted"] == seat:
            here["restricted"] = None
        if len(self.staying()) == (0 if self.seats == 1 else 1):
            self.end()
        else:
            self.close_if_all_answered()
        return True

    def end(self) -> None:
        points, out = self.here["points"], self.here["out"]

        def is_better(one: int, two: int) -> bool:
            if one in out and two in out:
                return bool(out.index(one) > out.index(two))
            if one in out or two in out:
                return two in out
            return bool(points[one] > points[two])

        places = [
            1 + len([other for other in range(self.seats) if is_better(other, seat)]) for seat in range(self.seats)
        ]
        self.outcome = {"status": "finished", "places": places, "points": list(points)}
