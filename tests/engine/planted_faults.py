"""Plants faults in the rules and shows that a test finds each: ``python tests/engine/planted_faults.py [WORD]``.

There is one for each clause of a valid move, for each row of the expansion table and for the course of a turn; with a
word only those whose name has it. It works on a copy in a temporary folder, takes some minutes and ends with exit
code 1 if a fault went unnoticed. It is run by hand, after a change of the rules or of their tests.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = Path("games/engine/hold_my_bear")
TESTS = (
    "test_worked_examples.py",
    "test_valid_moves.py",
    "test_expansion.py",
    "test_turns.py",
    "test_perft.py",
    "test_bots.py::test_a_playout_acts_legally_and_ends",
    "test_properties.py::test_what_everybody_knows_is_true",
    "test_everything_occurs.py",
)
"""Quick tests first: the first that fails is enough."""


@dataclass(frozen=True, slots=True)
class Fault:
    """``old`` in ``file`` becomes ``new``. ``name`` says what the rules are like then."""

    name: str
    file: str
    old: str
    new: str


FAULTS = [
    # Words
    Fault("bears do not count for a sport", "sets.py", "most + bears, ", "most, "),
    Fault("bears are no part of the sum", "sets.py", "        else:\n            total += number", "        elif animal != BEAR:\n            total += number"),
    Fault("only one of tied animals is a sport", "sets.py", "frozenset([animal for animal, count in counts.items() if count == most])", "frozenset([max(counts, key=counts.__getitem__)])"),
    Fault("every animal is a sport", "sets.py", "if count == most])", "])"),
    Fault("bears alone count as nothing", "sets.py", "frozenset((named or BEAR,)), bears, False", "frozenset((named or BEAR,)), 0, False"),
    Fault("a name is forgotten", "sets.py", "frozenset((named or BEAR,))", "frozenset((BEAR,))"),
    Fault("bears can always be named", "rules.py", ' if self.bears_alone == "named" else ()', ""),
    Fault("bears cannot be named", "rules.py", ' if self.bears_alone == "named" else ()', ' if not self.bears_alone else ()'),
    Fault("sets with others can be named", "plays.py", "if ANIMAL[cards[-1]] != BEAR or ANIMAL[cards[0]] != BEAR:", "if ANIMAL[cards[-1]] != BEAR and ANIMAL[cards[0]] != BEAR:"),
    # A valid move
    Fault("an empty set can be played", "plays.py", "    if not cards:\n        return", "    if cards is None:\n        return"),
    Fault("six cards can be played", "plays.py", "if len(cards) > LARGEST_SET:", "if len(cards) > LARGEST_SET + 1:"),
    Fault("four cards are the most", "sets.py", "LARGEST_SET = 5", "LARGEST_SET = 4"),
    Fault("cards not held can be played", "plays.py", "if held < cards.count(card):", "if held + 1 < cards.count(card):"),
    Fault("a card can be played twice", "plays.py", "if held < cards.count(card):", "if not held:"),
    Fault("more bears do not win", "sets.py", "if new.bears > table.bears:", "if False:"),
    Fault("as many bears win", "sets.py", "if new.bears > table.bears:", "if 0 < new.bears >= table.bears:"),
    Fault("same sport: an equal sum wins", "sets.py", "    if mine > theirs:", "    if mine > theirs or (mine == theirs == new.sum):"),
    Fault("same sport: the count decides", "sets.py", "        mine, theirs = new.sum, table.sum", "        mine, theirs = new.count, table.count"),
    Fault("other sport: an equal count wins", "sets.py", "    if mine > theirs:", "    if mine > theirs or (mine == theirs and new.sports.isdisjoint(table.sports)):"),
    Fault("other sport: the sum decides", "sets.py", "        mine, theirs = new.count, table.count", "        mine, theirs = new.sum, table.sum"),
    Fault("all sports must be shared", "sets.py", "if new.sports.isdisjoint(table.sports):", "if new.sports != table.sports:"),
    Fault("no bear-number rule", "plays.py", "if BLOCKED_BY.get(card) in hand:", "if None in hand:"),
    Fault("the bear-number rule spares played bears", "plays.py", "if BLOCKED_BY.get(card) in hand:", "if hand.count(BLOCKED_BY.get(card, '')) > cards.count(BLOCKED_BY.get(card, '')):"),
    Fault("the bear-number rule is not in the list", "plays.py", " if has(hand, BEAR) else hand", " if not hand else hand"),
    # The list, and whether there is any
    Fault("the search for a move gives up early", "plays.py", "    if len(bears) > table.bears:\n        return True", "    if len(bears) > table.bears:\n        return False"),
    Fault("the list asks for too high a sum", "plays.py", "least_count, least_sum = table.count + (not ties), table.sum + (not ties)", "least_count, least_sum = table.count + (not ties), table.sum + 2"),
    Fault("the list asks for too high a count", "plays.py", "least_count, least_sum = table.count + (not ties), table.sum + (not ties)", "least_count, least_sum = table.count + 2, table.sum + (not ties)"),
    # Expansion: always
    Fault("ape: alone", "sets.py", 'if "ape" in counts and len(counts) == 1 and not bears:', "if False:"),
    Fault("ape: a bear is no other animal", "sets.py", "len(counts) == 1 and not bears:", "len(counts) == 1:"),
    Fault("walrus: with others", "sets.py", 'if "walrus" in counts and (len(counts) > 1 or bears):', 'if "walrus" in counts and bears:'),
    Fault("walrus: with bears", "sets.py", 'if "walrus" in counts and (len(counts) > 1 or bears):', 'if "walrus" in counts and len(counts) > 1:'),
    Fault("bat: in two sports", "sets.py", "len(sports) != 1:", "len(sports) > 2:"),
    Fault("squid: in one sport", "sets.py", "len(sports) < 2:", "len(sports) < 1:"),
    Fault("squid: in three sports only", "sets.py", "len(sports) < 2:", "len(sports) < 3:"),
    Fault("sheep: not on the table", "sets.py", "    if new.has_sheep or table.has_sheep:\n        return mine", "    if new.has_sheep:\n        return mine"),
    Fault("sheep: not in the new set", "sets.py", "    if new.has_sheep or table.has_sheep:\n        return mine", "    if table.has_sheep:\n        return mine"),
    Fault("sheep: no tie of sums and counts", "sets.py", "return mine == theirs or 0 < new.bears == table.bears", "return 0 < new.bears == table.bears"),
    Fault("sheep: no tie of bears", "sets.py", "return mine == theirs or 0 < new.bears == table.bears", "return mine == theirs"),
    Fault("sheep: nought to nought is a tie of bears", "sets.py", "0 < new.bears == table.bears", "new.bears == table.bears"),
    # Expansion: played
    Fault("fish: as printed", "sets.py", "fish * highest if highest else fish_printed", "fish_printed"),
    Fault("fish: only fish count as nothing", "sets.py", "fish * highest if highest else fish_printed", "fish * highest"),
    Fault("fish: as the highest of all cards", "sets.py", "        else:\n            total += number\n            if number > highest:\n                highest = number", "        else:\n            total += number\n        if number > highest:\n            highest = number"),
    Fault("aardvark: takes nothing", "effects.py", "        draft.add(seat, card)\n        draft.tell(\"take-back\"", "        draft.tell(\"take-back\""),
    Fault("aardvark: the card lies there as well", "effects.py", "        draft.table = without(draft.table, card)\n        draft.add", "        draft.add"),
    Fault("aardvark: from a set of one", "effects.py", 'has(cards, "aardvark") and len(cards) > 1', 'has(cards, "aardvark")'),
    Fault("aardvark: any card", "effects.py", '    if card not in cards:\n        raise IllegalAction("The aardvark', '    if not card:\n        raise IllegalAction("The aardvark'),
    Fault("giraffe: no bears", "effects.py", '    if animal not in position.rules.animals:\n        raise IllegalAction("The giraffe', '    if animal not in position.rules.nameable:\n        raise IllegalAction("The giraffe'),
    Fault("giraffe: counts before the aardvark", "effects.py", "counts=draft.count(animal))", "counts=[number - (place == seat) * ('aardvark' in do) for place, number in enumerate(draft.count(animal))])"),
    Fault("badger: nobody steals", "effects.py", '    if has(cards, "badger"):\n        _badger', '    if has(cards, "ape"):\n        _badger'),
    Fault("badger: the one who played it steals", "effects.py", "taken = draft.draw(thief, [seat])", "taken = draft.draw(seat, [thief])"),
    Fault("badger: from an empty hand", "effects.py", " or not draft.hands[seat]:", ":"),
    Fault("badger: before the kangaroo", "effects.py", '    if "kangaroo" in do:\n        other', '    if has(cards, "badger") and "kangaroo" in do:\n        _badger(draft, seat, beaten)\n    if "kangaroo" in do:\n        other'),
    Fault("kangaroo: asks a seat that is out", "effects.py", "other not in position.others_in(seat):", "other not in range(position.seats) or other == seat:"),
    Fault("kangaroo: asks itself", "effects.py", "other not in position.others_in(seat):", "other in position.out:"),
    Fault("kangaroo: gets nothing", "effects.py", "            draft.hand_over(other, seat, card)\n        else:", "            pass\n        else:"),
    Fault("kangaroo: a denial is forgotten", "effects.py", "            draft.deny(other, card)", "            pass"),
    Fault("giraffe: a count does not follow a theft", "draft.py", "        self._doubt(thief, victims)\n", ""),
    Fault("kangaroo: asks for cards that the deck lacks", "effects.py", "ANIMAL.get(card) not in position.rules.animals:", "card not in ANIMAL:"),
    Fault("rabbit: must play stays off", "turn.py", "draft.must_play = draft.rabbit_lies()", "draft.must_play = False"),
    Fault("rabbit: also where it was taken back", "turn.py", "draft.must_play = draft.rabbit_lies()", 'draft.must_play = any(ANIMAL[card] == "rabbit" for card in cards)'),
    Fault("rabbit: must play never ends", "turn.py", "draft.must_play = draft.rabbit_lies()", "draft.must_play = draft.must_play or draft.rabbit_lies()"),
    # Expansion: given
    Fault("turtle: may come back itself", "effects.py", 'return sorted(set(hand) - {f"turtle-{due.number}"})', "return sorted(set(hand))"),
    Fault("turtle: no turtle comes back", "effects.py", 'return sorted(set(hand) - {f"turtle-{due.number}"})', 'return sorted(card for card in set(hand) if ANIMAL[card] != "turtle")'),
    Fault("turtle: nothing comes back", "effects.py", '        elif animal == "turtle":', '        elif animal == "never":'),
    Fault("beaver: nothing", "effects.py", "draft.must_give = tuple(sorted({*draft.must_give, receiver}))", "draft.must_give = draft.must_give"),
    Fault("beaver: for ever", "turn.py", "draft.must_give = tuple([other for other in draft.must_give if other != seat])", "draft.must_give = draft.must_give"),
    Fault("beaver: must play beats it", "turn.py", "if seat not in position.must_give and must_play_now(position, seat):", "if must_play_now(position, seat):"),
    Fault("beaver: a play will do", "turn.py", '        return ("give",)', '        return ("play", "give")'),
    Fault("beaver: before the steal", "turn.py", "    if not position.hands[position.turn]:\n        return (\"steal\",)\n", ""),
    Fault("bison: takes any card", "effects.py", "return sorted(set(bears_in(hand)))", "return sorted(set(hand))"),
    Fault("bison: nothing comes back", "effects.py", '        elif animal == "bison":', '        elif animal == "never":'),
    Fault("given: both of two alike act", "effects.py", "        if animal in done:\n            continue\n", ""),
    Fault("given: the second does not act", "effects.py", "tuple(due[place + 1 :])", "()"),
    Fault("given: cards handed over act again", "effects.py", "    draft.hand_over(due.seat, due.to, card)\n", "    draft.hand_over(due.seat, due.to, card)\n    if ANIMAL[card] == \"beaver\":\n        draft.must_give = (due.to,)\n"),
    Fault("given: a response goes on with the giver", "turn.py", "    collect(draft, list(position.pending))\n    if draft.waiting is None:\n        draft.end_turn()", "    collect(draft, list(position.pending))"),
    Fault("leaving: what is owed stays due", "draft.py", "return seat in (due.seat, due.to)", "return False"),
    Fault("leaving: all that is due lapses", "draft.py", "return seat in (due.seat, due.to)", "return True"),
    # A turn
    Fault("win: with a bear in hand", "draft.py", "if not has(self.hands[seat], BEAR):", "if True:"),
    Fault("steal: five cards", "position.py", "LARGEST_STEAL = 4", "LARGEST_STEAL = 5"),
    Fault("steal: more than there is", "turn.py", "        if victims.count(victim) > held:", "        if not held:"),
    Fault("give: one card", "position.py", "LARGEST_GIFT = 2", "LARGEST_GIFT = 1"),
    Fault("give: to who is out", "turn.py", "(seat, *position.out)", "(seat,)"),
    Fault("give: to oneself", "turn.py", "(seat, *position.out)", "position.out"),
    Fault("must play: never", "turn.py", "    return position.must_play and can_play(", "    return False and can_play("),
    Fault("must play: also without a move", "turn.py", "    return position.must_play and can_play(", "    return position.must_play or can_play("),
    Fault("must play: off after a forced bear", "turn.py", "    draft.must_play = True\n", ""),
    Fault("must play: off when the owner leaves", "draft.py", "            self.must_play = True\n", ""),
    Fault("draw: never", "draft.py", "if self.owner is None and self.unowned_turns >= len(self.hands):", "if False:"),
    Fault("draw: a turn too soon", "draft.py", "self.unowned_turns >= len(self.hands)", "self.unowned_turns >= len(self.hands) - 1"),
    Fault("leaving: the set keeps its owner", "draft.py", "        if self.owner == seat:\n            self.owner = None", "        if self.owner == seat:\n            pass"),
    Fault("leaving: the last one does not win", "draft.py", "        if len(left) == 1:\n            self.win(left[0])", "        if len(left) == 0:\n            self.win(left[0])"),
    Fault("draws: what everybody knew stays certain", "draft.py", " - doubt]", "]"),
]  # fmt: skip


def main() -> int:
    """Plant the faults and return the exit code."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    faults = [fault for fault in FAULTS if word in fault.name]
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        copy = Path(folder)
        copied(copy)
        if not faults or not passes(copy, tell=True):
            print("nothing to plant, or the tests fail without a fault")
            return 1
        unnoticed = [fault.name for fault in faults if not noticed(copy, fault)]
    print(f"{len(faults) - len(unnoticed)} of {len(faults)} faults noticed")
    return 1 if unnoticed else 0


def copied(to: Path) -> None:
    for part in ("games/engine", "tests/engine", "tests/data/engine"):
        shutil.copytree(ROOT / part, to / part, ignore=shutil.ignore_patterns("__pycache__"))
    for package in ("games", "tests"):
        (to / package / "__init__.py").touch()


def noticed(copy: Path, fault: Fault) -> bool:
    """Return whether a test fails with ``fault``."""
    file = copy / RULES / fault.file
    good = file.read_text()
    if good.count(fault.old) != 1:
        print(f"STALE      {fault.name}: {fault.file} has it {good.count(fault.old)} times")
        return False
    file.write_text(good.replace(fault.old, fault.new))
    began = time.monotonic()
    try:
        found = not passes(copy)
    finally:
        file.write_text(good)
    print(f"{'noticed' if found else 'UNNOTICED'}  {fault.name} ({time.monotonic() - began:.0f} s)", flush=True)
    return found


def passes(copy: Path, *, tell: bool = False) -> bool:
    """Return whether the tests pass; ``tell`` prints why not."""
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:django"]
    command += ["-c", "/dev/null", "--rootdir", str(copy), "--import-mode=importlib"]
    command += [str(copy / "tests/engine" / test) for test in TESTS]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False, timeout=300)
    if tell and done.returncode:
        print(done.stdout[-3000:])
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
