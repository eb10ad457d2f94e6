"""Schedules without a repeat that are known from the theory of designs: how each is made, as data or by a rule.

Players are the numbers 0 to n - 1. Two rules and three stored designs:

- *Lines of a plane.* Where there are q tables, q a power of a prime, of k <= q seats: player (g, x) is number x of
  group g, and table b of round m has the players (g, m * g + b) in the field with q elements. Two lines of different
  slope share one point at most, so q rounds have no repeat, and nobody has met their own group. With k = q the groups
  themselves are one more round (an affine plane: 16 players play 5 rounds); if k divides q they play on by themselves.
- *Shifts of a round.* The players are some copies of the numbers modulo m, and some who stay where they are; adding 1
  to all numbers makes the next round of one. There is no repeat if the differences within its tables are all different.
  The first rounds for 24 and 28 players were found by trying all tables point by point; see the tests for what makes
  them right.
- *32 players, 10 rounds* was open until A. Aguado gave a solution in 2004. The one here is published in the Wolfram
  Demonstrations (“Social Golfer Problem”); it is written with the letters A to P and a to p, and the pairs Aa, Bb, ...
  are those who do not meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

type Rounds = tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Construction:
    """A way to have as many rounds as ``rounds`` without a repeat, all tables of one size, and where it comes from."""

    name: str
    rounds: Rounds


@dataclass(frozen=True, slots=True)
class _Shifts:
    """A first round over ``copies`` of the numbers modulo ``modulus``; higher numbers stay where they are."""

    modulus: int
    copies: int
    first: tuple[tuple[int, ...], ...]

    def rounds(self) -> Rounds:
        moving = self.modulus * self.copies

        def moved(player: int, by: int) -> int:
            if player >= moving:
                return player
            return player // self.modulus * self.modulus + (player % self.modulus + by) % self.modulus

        return tuple(
            tuple(tuple(moved(player, by) for player in table) for table in self.first) for by in range(self.modulus)
        )


TWENTY_FOUR = _Shifts(
    7, 3, ((0, 2, 3, 11), (1, 14, 18, 20), (4, 7, 19, 22), (5, 10, 16, 23), (6, 12, 15, 21), (8, 9, 13, 17))
)
TWENTY_EIGHT = _Shifts(
    9,
    3,
    (
        (5, 9, 20, 27),
        (11, 23, 24, 26),
        (2, 3, 8, 19),
        (0, 17, 18, 22),
        (4, 6, 16, 25),
        (7, 13, 14, 21),
        (1, 10, 12, 15),
    ),
)
THIRTY_TWO = """
ABCD EFGH IJKL MNOP abcd efgh ijkl mnop
AEIm BcgH DFKp dfkP aeiM bCGh jLNo JlnO
Aflo Bhkm DGiN aFLO bHKM CeJP cEjp dgIn
AciL BdjK bDJk FgoP fGOp aCIl EhMn eHmN
AgKN BElP DHIo dhiO beLp Cfjm cFJM aGkn
AhJp BFin cDmO bfIN eGKl CdMo EgkL aHjP
AdeF BGJo aDEf chlN iKmP CHLn bgjO IkMp
AbnP aBNp DglM ceko fHiJ CEKO FhIj dGLm
AGjM BeIO DhLP agJm cfKn CFkN bEio dHlp
AHkO BfLM Dejn bFlm cGIP Cgip dEJN ahKo
"""
FIELDS = {4: (2, 0b111), 8: (2, 0b1011), 16: (2, 0b10011), 32: (2, 0b100101), 9: (3, 10)}
"""Fields that are not the numbers modulo a prime: the prime, and an irreducible polynomial, its digits to that base."""
LENGTH = 6
"""Digits of the longest of these."""


def constructions(tables: int, size: int) -> tuple[Construction, ...]:
    """Return what is known for so many tables of ``size``: the most rounds first."""
    known = []
    players = tables * size
    if size == 4 and players == 24:
        known.append(Construction("shifts modulo 7 of a round of 24", TWENTY_FOUR.rounds()))
    if size == 4 and players == 28:
        known.append(Construction("shifts modulo 9 of a round of 28", TWENTY_EIGHT.rounds()))
    if size == 4 and players == 32:
        known.append(Construction("published design for 32", _letters(THIRTY_TWO)))
    if size <= tables and (tables in FIELDS or _is_prime(tables)):
        known.append(Construction(f"lines of a plane over {tables} elements", _lines(tables, size)))
    return tuple(sorted(known, key=lambda one: -len(one.rounds)))


def _letters(text: str) -> Rounds:
    """Return the rounds that are written in letters, a line each: A, a, B, b, ... are the players 0, 1, 2, 3, ..."""

    def player(letter: str) -> int:
        return 2 * (ord(letter.upper()) - ord("A")) + letter.islower()

    return tuple(
        tuple(tuple(player(letter) for letter in table) for table in line.split()) for line in text.strip().splitlines()
    )


def _lines(order: int, size: int) -> Rounds:
    """Return the lines of each slope at the first ``size`` places of the plane; the groups too, if they fill tables."""
    rounds = [
        tuple(
            tuple(group * order + _plus(order, _times(order, slope, group), start) for group in range(size))
            for start in range(order)
        )
        for slope in range(order)
    ]
    if order == size:
        rounds.append(tuple(tuple(range(group * order, (group + 1) * order)) for group in range(size)))
    elif order % size == 0 and (within := constructions(order // size, size)):
        # Nobody has met their own group: the groups play on among themselves.
        rounds += [
            tuple(tuple(group * order + one for one in table) for group in range(size) for table in tables)
            for tables in within[0].rounds
        ]
    elif order % size == 0:
        tables = range(order // size)
        rounds.append(
            tuple(
                tuple(group * order + table * size + seat for seat in range(size))
                for group in range(size)
                for table in tables
            )
        )
    return tuple(rounds)


def _plus(order: int, one: int, other: int) -> int:
    """Return the sum of two elements of the field."""
    if order not in FIELDS:
        return (one + other) % order
    prime = FIELDS[order][0]
    return _number([sum(pair) % prime for pair in zip(_digits(one, prime), _digits(other, prime), strict=True)], prime)


def _times(order: int, one: int, other: int) -> int:
    """Return the product of two elements of the field."""
    if order not in FIELDS:
        return one * other % order
    prime, modulus = FIELDS[order]
    product = [0] * (2 * LENGTH)
    for at, digit in enumerate(_digits(one, prime)):
        for beside, factor in enumerate(_digits(other, prime)):
            product[at + beside] = (product[at + beside] + digit * factor) % prime
    divisor = _digits(modulus, prime)
    degree = max(at for at, digit in enumerate(divisor) if digit)
    for at in range(len(product) - 1, degree - 1, -1):
        # The polynomials have 1 as their first digit.
        lead = product[at]
        for beside in range(degree + 1):
            product[at - degree + beside] = (product[at - degree + beside] - lead * divisor[beside]) % prime
    return _number(product, prime)


def _digits(number: int, base: int) -> list[int]:
    return [number // base**at % base for at in range(LENGTH)]


def _number(digits: Sequence[int], base: int) -> int:
    return sum(digit * base**at for at, digit in enumerate(digits))


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
