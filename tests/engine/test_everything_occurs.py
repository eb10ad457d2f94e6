"""Random games over random decks until everything that the rules know has occurred; what never does is named.

Each position is also asked for what it must refuse, so that every code and every kind of refusal comes from real games.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from games.engine.bots.playout import quick_action
from games.engine.frame import BadFormat, BadPosition, Event, IllegalAction
from games.engine.hold_my_bear import Position
from games.engine.hold_my_bear.cards import ANIMAL, ANIMALS, BEAR, EXPANSION_ANIMALS, NUMBER, has
from games.engine.hold_my_bear.sets import worth
from tests.engine.builders import GAME, random_action

MOST_GAMES = 600
"""Some 190 do."""
LISTED = 200

EVENTS = {
    "play", "give", "steal", "force-bear", "take-back", "count", "ask: yes", "ask: no", "badger", "must-give",
    "hand-over: turtle", "hand-over: bison", "pass", "resign", "forfeit: time", "forfeit: left", "forfeit: arbiter",
    "void", "win", "draw",
}  # fmt: skip
EFFECTS = {
    *(f"{animal} played" for animal in EXPANSION_ANIMALS),
    *(f"{animal} given" for animal in EXPANSION_ANIMALS),
    "ape beside bears only", "walruses alone", "bat in one sport", "squid in two sports",
    "sheep wins a tie", "fish count as another card", "fish alone as printed",
    "aardvark takes itself back", "rabbit keeps must play on", "rabbit taken back",
    "badger of nobody", "badger of an owner who is out", "badger takes a card", "kangaroo gets a bear",
    "giraffe counts bears", "beaver makes give", "turtle: choice", "turtle: by itself", "turtle: nothing",
    "bison: choice", "bison: by itself", "bison: nothing", "two due", "due lapses",
    "bears named", "forced bear named", "must play without a move", "bear-number rule", "turn of a seat out passed",
    "owner leaves",
}  # fmt: skip
REFUSALS = {
    "illegal-action", "not-your-turn", "game-over", "bad-position", "bad-format",
    "ape", "walrus", "bat", "squid", "same sport", "other sport", "bear number", "not held", "must play", "beaver",
    "steal first", "give back first", "choose the bear", "needs a choice",
}  # fmt: skip
SENTENCES = {
    "A set with an ape": "ape",
    "A set with a walrus": "walrus",
    "A set with a bat": "bat",
    "A set with a squid": "squid",
    "Same sport": "same sport",
    "Other sport": "other sport",
    "cannot be played: you hold a bear": "bear number",
    "You do not hold": "not held",
    "You must play": "must play",
    "You were given a beaver": "beaver",
    "Your hand is empty": "steal first",
    "You must give a card back": "give back first",
    "choose the bear that replaces it": "choose the bear",
    "This play needs a choice": "needs a choice",
}


def test_everything_occurs() -> None:
    wanted = EVENTS | EFFECTS | REFUSALS
    for seed in range(MOST_GAMES):
        wanted.difference_update(game_of(seed))
        if not wanted:
            return
    raise AssertionError(f"never in {MOST_GAMES} games: {', '.join(sorted(wanted))}")


def game_of(seed: int) -> Iterator[str]:
    """Play one random game and yield what occurs in it."""
    rng = Random(seed)
    seats = rng.randint(2, 8)
    animals = sorted({BEAR, *rng.sample(ANIMALS, rng.choice([3, 4, 6, 9]))})
    rules = GAME.rules({"animals": animals, "bears_alone": rng.choice(["named", "own-sport"])}, seats)
    deck = list(GAME.deck(rules))
    rng.shuffle(deck)
    here = GAME.start(rules, seats, deck, rng.randbytes(32), 0)
    leaving = rng.choice([0.0, 0.02, 0.15])
    while GAME.to_act(here):
        (seat,) = GAME.to_act(here)
        yield from refused(here, seat, rng)
        sender, action = chosen(here, seat, leaving, rng)
        step = GAME.apply(here, sender, action)
        for event in step.events:
            yield named(event)
        yield from effects(here, seat, action, step.position, {event.type for event in step.events})
        here = step.position
    try:
        GAME.apply(here, 0, {"type": "resign"})
    except IllegalAction as error:
        yield error.code


def chosen(here: Position, seat: int, leaving: float, rng: Random) -> tuple[int | None, dict[str, Any]]:
    if rng.random() < leaving:
        who = rng.choice([other for other in range(here.seats) if other not in here.out])
        if rng.random() < 0.05:
            return None, {"type": "void", "reason": "the lights went out"}
        if rng.random() < 0.3:
            return who, {"type": "resign"}
        return None, {"type": "forfeit", "seat": who, "reason": rng.choice(["time", "left", "arbiter"])}
    if rng.random() < 0.4:
        return seat, quick_action(here, seat)
    return seat, random_action(here, seat, rng, LISTED)


def named(event: Event) -> str:
    public = event.public
    match event.type:
        case "ask":
            return f"ask: {'yes' if public['given'] else 'no'}"
        case "hand-over":
            return f"hand-over: {public['animal']}"
        case "forfeit":
            return f"forfeit: {public['reason']}"
        case kind:
            return kind


def effects(before: Position, seat: int, action: dict[str, Any], after: Position, events: set[str]) -> Iterator[str]:
    """Yield the effects that show in one step."""
    match action["type"]:
        case "play":
            yield from effects_of_play(before, seat, action, after, events)
        case "give":
            yield from effects_of_gifts(before, action, after, events)
            if seat in before.must_give:
                yield "beaver makes give"
            if before.must_play:
                yield "must play without a move"
        case "force-bear":
            if "as" in action:
                yield "forced bear named"
        case "resign" | "forfeit":
            if before.waiting is not None and after.waiting is None:
                yield "due lapses"
            if before.owner is not None and after.owner is None:
                yield "owner leaves"
    if before.out and (before.turn + 1) % before.seats in before.out and after.turn != before.turn:
        yield "turn of a seat out passed"


def effects_of_play(
    before: Position, seat: int, action: dict[str, Any], after: Position, events: set[str]
) -> Iterator[str]:
    cards, do = tuple(action["cards"]), action.get("do", {})
    animals = {ANIMAL[card] for card in cards}
    yield from (f"{animal} played" for animal in animals)
    figures, table = worth(cards, action.get("as")), worth(before.table, before.table_as)
    if animals == {"ape", BEAR}:
        yield "ape beside bears only"
    if animals == {"walrus"}:
        yield "walruses alone"
    if "bat" in animals and len(figures.sports) == 1:
        yield "bat in one sport"
    if "squid" in animals and len(figures.sports) == 2:
        yield "squid in two sports"
    shares = bool(figures.sports & table.sports)
    better = figures.sum > table.sum if shares else figures.count > table.count
    if not better and figures.bears <= table.bears:
        yield "sheep wins a tie"
    if "fish" in animals:
        printed = sum(NUMBER[card] for card in cards)
        yield "fish alone as printed" if animals <= {"fish"} and figures.sum == printed else ""
        yield "fish count as another card" if figures.sum != printed else ""
    if "as" in action:
        yield "bears named"
    if has(before.hands[seat], BEAR) and animals != {BEAR}:
        yield "bear-number rule"
    taken_back = do.get("aardvark", {}).get("card", "")
    if taken_back.startswith("aardvark"):
        yield "aardvark takes itself back"
    if "rabbit" in animals and after.outcome is None:
        if has(after.table, "rabbit") and after.must_play:
            yield "rabbit keeps must play on"
        elif taken_back.startswith("rabbit") and not after.must_play:
            yield "rabbit taken back"
    if "badger" in animals:
        if "badger" in events:
            yield "badger takes a card"
        elif before.owner is None:
            yield "badger of an owner who is out" if before.out else "badger of nobody"
    if do.get("giraffe", {}).get("animal") == BEAR:
        yield "giraffe counts bears"
    asked = do.get("kangaroo", {})
    if asked and asked["card"].startswith(BEAR) and asked["card"] in before.hands[asked["seat"]]:
        yield "kangaroo gets a bear"


def effects_of_gifts(before: Position, action: dict[str, Any], after: Position, events: set[str]) -> Iterator[str]:
    animals = {ANIMAL[gift["card"]] for gift in action["gifts"]}
    yield from (f"{animal} given" for animal in animals)
    if after.pending:
        yield "two due"
    for animal in animals & {"turtle", "bison"}:
        if after.waiting is not None and after.waiting.animal == animal:
            yield f"{animal}: choice"
        elif after.waiting is None and animals.isdisjoint({"turtle", "bison"} - {animal}):
            yield f"{animal}: {'by itself' if 'hand-over' in events else 'nothing'}"


def refused(here: Position, seat: int, rng: Random) -> Iterator[str]:
    """Try what is likely wrong in ``here`` and yield the codes and kinds of the refusals."""
    hand = here.hands[seat]
    picked = sorted(rng.sample(hand, min(len(hand), rng.randint(1, 3))))
    other = (seat + 1) % here.seats
    gifts = [{"card": card, "to": other} for card in picked[:2]]
    tries: list[tuple[int | None, dict[str, Any]]] = [
        (seat, {"type": "play", "cards": picked}),
        (seat, {"type": "play", "cards": [f"{rng.choice(here.rules.animals)}-5"]}),
        (seat, {"type": "give", "gifts": gifts}),
        (other, {"type": "play", "cards": picked}),
    ]
    for sender, action in tries:
        try:
            GAME.apply(here, sender, action)
        except IllegalAction as error:
            yield error.code
            yield from (kind for sentence, kind in SENTENCES.items() if sentence in str(error))
    for broken in ({**GAME.to_json(here), "turn": here.seats}, {**GAME.to_json(here), "turn": "0"}):
        try:
            GAME.from_json(broken, here.rules.to_json())
        except (BadPosition, BadFormat) as error:
            yield error.code
