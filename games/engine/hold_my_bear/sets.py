"""What a set of cards is worth and when it beats another (rules page, Words, Valid move, Expansion animals)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from .cards import ANIMAL, BEAR, NUMBER

LARGEST_SET = 5


@dataclass(frozen=True, slots=True)
class Worth:
    """The figures of a set: ``bears``, ``sum``, ``sports``, ``count`` as in the rules, and what else decides.

    ``fault`` is a sentence when no player may ever play this set (ape, walrus, bat, squid), else None.
    """

    bears: int
    sum: int
    sports: frozenset[str]
    count: int
    has_sheep: bool
    fault: str | None


@lru_cache(maxsize=1 << 15)
def worth(cards: tuple[str, ...], named: str | None = None) -> Worth:
    """Return the worth of ``cards`` as they lie; ``named`` is the animal that a set of only bears was named.

    Every fish counts as the highest card of the set that is not a fish; only fish: as printed.
    """
    bears = total = fish = fish_printed = highest = 0
    counts: dict[str, int] = {}
    for card in cards:
        animal, number = ANIMAL[card], NUMBER[card]
        if animal == BEAR:
            bears += 1
        else:
            counts[animal] = counts.get(animal, 0) + 1
        if animal == "fish":
            fish += 1
            fish_printed += number
        else:
            total += number
            if number > highest:
                highest = number
    total += fish * highest if highest else fish_printed
    if not counts:
        return Worth(bears, total, frozenset((named or BEAR,)), bears, False, None)
    most = max(counts.values())
    sports = frozenset([animal for animal, count in counts.items() if count == most])
    return Worth(bears, total, sports, most + bears, "sheep" in counts, _fault(bears, counts, sports))


def _fault(bears: int, counts: dict[str, int], sports: frozenset[str]) -> str | None:
    """Return why the effects that always hold forbid a set, or None."""
    if "ape" in counts and len(counts) == 1 and not bears:
        return "A set with an ape needs another animal too."
    if "walrus" in counts and (len(counts) > 1 or bears):
        return "A set with a walrus holds walruses only."
    if "bat" in counts and len(sports) != 1:
        return f"A set with a bat must have exactly one sport, this one has {len(sports)}."
    if "squid" in counts and len(sports) < 2:
        return "A set with a squid must have two or more sports, this one has 1."
    return None


def beats(new: Worth, table: Worth) -> bool:
    """Return whether ``new`` is a valid move on ``table``, whoever holds what.

    With a sheep on either side ties suffice; nought to nought is no tie of bears.
    """
    if new.fault is not None:
        return False
    if new.bears > table.bears:
        return True
    if new.sports.isdisjoint(table.sports):
        mine, theirs = new.count, table.count
    else:
        mine, theirs = new.sum, table.sum
    if mine > theirs:
        return True
    if new.has_sheep or table.has_sheep:
        return mine == theirs or 0 < new.bears == table.bears
    return False


def why_not(new: Worth, table: Worth) -> str:
    """Return one line that tells a player why ``new`` does not beat ``table``."""
    if new.fault is not None:
        return new.fault
    need = "at least" if new.has_sheep or table.has_sheep else "more than"
    shared = new.sports & table.sports
    if shared:
        reason = f"Same sport ({_names(shared)}): your cards sum to {new.sum}, you need {need} {table.sum}."
    else:
        reason = (
            f"Other sport ({_names(new.sports)} on {_names(table.sports)}): "
            f"you count {new.count}, you need {need} {table.count}."
        )
    if new.bears or table.bears:
        reason += f" Bears: you play {new.bears}, the table has {table.bears}."
    return reason


def _names(sports: Iterable[str]) -> str:
    return " and ".join(sorted(sports))
