"""The valid moves of Hold my Bear once more, as slowly and as close to the words of the rules as possible."""

from __future__ import annotations

from itertools import combinations

type Cards = tuple[str, ...]


def animal(card: str) -> str:
    return card.split("-")[0]


def number(card: str) -> int:
    return int(card.split("-")[1])


def bears(s: Cards) -> int:
    return len([card for card in s if animal(card) == "bear"])


def total(s: Cards) -> int:
    others = [number(card) for card in s if animal(card) != "fish"]
    if not others:
        return sum(number(card) for card in s)
    return sum(others) + max(others) * (len(s) - len(others))


def sports(s: Cards, named: str | None) -> set[str]:
    if bears(s) == len(s):
        return {named or "bear"}
    present = {animal(card) for card in s} - {"bear"}
    highest = max(count_of(s, a) for a in present)
    return {a for a in present if count_of(s, a) == highest}


def count_of(s: Cards, a: str) -> int:
    return len([card for card in s if animal(card) == a]) + bears(s)


def count(s: Cards, named: str | None) -> int:
    if bears(s) == len(s):
        return bears(s)
    return max(count_of(s, a) for a in sports(s, named))


def valid(n: Cards, named: str | None, t: Cards, t_named: str | None, hand: Cards) -> bool:
    held = [number(card) for card in hand if animal(card) == "bear"]
    if any(animal(card) != "bear" and number(card) in held for card in n):
        return False
    present = {animal(card) for card in n}
    if "ape" in present and present == {"ape"}:
        return False
    if "walrus" in present and present != {"walrus"}:
        return False
    if "bat" in present and len(sports(n, named)) != 1:
        return False
    if "squid" in present and len(sports(n, named)) < 2:
        return False
    share = bool(sports(n, named) & sports(t, t_named))
    if any(animal(card) == "sheep" for card in n + t):
        return (
            (bears(n) >= 1 and bears(n) >= bears(t))
            or (share and total(n) >= total(t))
            or (not share and count(n, named) >= count(t, t_named))
        )
    return bears(n) > bears(t) or (share and total(n) > total(t)) or (not share and count(n, named) > count(t, t_named))


def all_valid(hand: Cards, t: Cards, t_named: str | None, names: tuple[str, ...]) -> set[tuple[Cards, str | None]]:
    found = set()
    for size in range(1, 6):
        for n in set(combinations(sorted(hand), size)):
            for named in (None, *names) if bears(n) == size else (None,):
                if valid(n, named, t, t_named, hand):
                    found.add((n, named))
    return found
