"""Plants one fault after the other in a copy of the engine and shows that a test catches each.

``python tests/engine/pick_a_polar_bear/planted_faults.py``: prints a line a fault, exit code 1 if one survived or
cannot be planted any more. Each fault stands for a clause of the rules page.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
RULES = "games/engine/pick_a_polar_bear"
TESTS = [
    "tests/engine/test_worked_examples.py",
    *(f"tests/engine/pick_a_polar_bear/test_{name}.py" for name in ("rules", "times", "position_json", "properties")),
]

FAULTS = [
    ("cards.py", "card[:place] + sign", "card[:place] + card[place]", "cards differ in one attribute"),
    ("cards.py", '"autumn": (2, "O")', '"autumn": (2, "W")', "elements of bonus cards"),
    ("cards.py", '"PS" for card', '"SP" for card', "canonical order of two decks"),
    ("rules.py", "MOST_SEATS_OF_ONE_DECK = 5", "MOST_SEATS_OF_ONE_DECK = 6", "seats of one deck"),
    ("check.py", "NEAR[top] if restricted else FITTING[top]", "FITTING[top]", "identical cards and the stop"),
    ("check.py", "near = NEAR if restricted else FITTING", "near = FITTING", "identical pairs are unsound"),
    ("check.py", "near = NEAR if restricted else FITTING", "near = NEAR", "identical pairs are sound for others"),
    ("check.py", "        below = card\n", "", "every neighbouring pair is looked at"),
    ("check.py", 'len(cards), "sound"', 'len(cards) - 1, "sound"', "the start card scores"),
    ("draft.py", "if not fits else", "if fits else", "whether the stop was right"),
    ("draft.py", 'if score.reason != "sound":\n            return score', "pass", "no extra card for an unsound stack"),
    ("draft.py", "score=score.score + 1", "score=score.score + 2", "one extra card"),
    ("draft.py", 'self._draw("extra"), None', "None, None", "the extra card is the pile's"),
    ("draft.py", "lying in enumerate(self.grid)", "lying in enumerate(self.grid[5:])", "lowest grid card"),
    ("draft.py", "if len(best) == 1", "if best", "a tie restricts nobody"),
    ("draft.py", "self.rules.different and len(self.stacks) > 1", "self.rules.different", "not used solo"),
    ("draft.py", "self.rules.different and", "", "only in the variant"),
    ("draft.py", "for card in self.pile) < len", "for card in self.pile) <= len", "as many pictures as seats"),
    ("draft.py", "sum(card not in BONUS for card in self.pile)", "len(self.pile)", "only pictures count for the end"),
    ("draft.py", "for card in self.pile) < len(staying)", "for card in self.pile) < len(self.stacks)", "who is out"),
    ("draft.py", "LEAST_FOR_A_QUESTION = 10", "LEAST_FOR_A_QUESTION = 9", "ten cards for a question"),
    ("draft.py", "LEAST_FOR_A_QUESTION = 10", "LEAST_FOR_A_QUESTION = 11", "ten cards for a question"),
    ("draft.py", "BONUS_POINTS = 2", "BONUS_POINTS = 1", "points of a question"),
    ("draft.py", "self.points[seat] -= BONUS_POINTS", "pass", "a wrong answer costs"),
    ("draft.py", "self._no_question()\n            self.fill()", "self._no_question()", "filling goes on"),
    ("draft.py", "{seat: {\"count\": count}}, right=False", "right=False, count=count", "secrecy"),
    ("draft.py", "<= set(self.answered)", "< set(self.answered)", "all wrong"),
    ("draft.py", "self.stacks[seat] = ()\n        if self.restricted", "if self.restricted", "who leaves"),
    ("draft.py", "[-won for won in points]", "list(points)", "most points win"),
    ("draft.py", "out_last(len(points), out,", "out_last(len(points), (),", "who is out stands below"),
    ("position.py", "0 if seats == 1 else 1", "0", "one seat left ends the game"),
    ("position.py", "0 if seats == 1 else 1", "1", "a solo game goes on"),
    ("game.py", "if card is None:\n            raise", "if False:\n            raise", "an empty place"),
    ("game.py", 'setting.phase == "grab" and seat not', "seat not", "grabs before go"),
    ("game.py", "if seat in draft.answered:", "if False:", "one answer each"),
    ("game.py", "if len(draft.stacks) == 1:", "if False:", "solo never ends idle"),
    ("actions.py", "LARGEST_LAG = 100", "LARGEST_LAG = 101", "the greatest lag"),
    ("actions.py", '["lag"] < placed', '["lag"] <= placed', "a grab placed at the same moment"),
    ("view.py", 'face_down = setting.phase != "grab"', "face_down = False", "start cards lie face down"),
]  # fmt: skip


def survives(file: str, old: str, new: str) -> bool | None:
    """Return whether no test fails with the fault; None where ``old`` is not there (any more)."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        shutil.copytree(ROOT / "games/engine", copy / "games/engine", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "tests/engine", copy / "tests/engine", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "tests/data/engine", copy / "tests/data/engine")
        for package in ("games", "tests"):
            (copy / package / "__init__.py").touch()
        changed = copy / RULES / file
        source = changed.read_text()
        if old not in source:
            return None
        changed.write_text(source.replace(old, new))
        (copy / "pytest.ini").write_text(
            "[pytest]\npythonpath = .\naddopts = --import-mode=importlib -p no:cacheprovider\n"
        )
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:django", *TESTS]
        surroundings = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": str(copy / "found"),
        }
        return subprocess.run(command, cwd=copy, env=surroundings, capture_output=True, check=False).returncode == 0


def main() -> int:
    """Plant every fault; return the exit code."""
    if not survives("game.py", "", ""):
        sys.stderr.write("The tests fail without a fault.\n")
        return 2
    escaped = 0
    for file, old, new, clause in FAULTS:
        result = survives(file, old, new)
        escaped += result is not False
        said = {True: "SURVIVED", False: "caught", None: "NOT PLANTED"}[result]
        sys.stdout.write(f"{said}: {clause} ({file}: {old.strip().splitlines()[0]})\n")
        sys.stdout.flush()
    return int(escaped > 0)


if __name__ == "__main__":
    sys.exit(main())
