"""Examples of the pages that explain the games; a test asks the engine whether each of them is true."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A set on the table, a set played on it (cards by name, with spaces), the verdict, and why in one sentence."""

    table: str
    play: str
    beats: bool
    why: str
    named: str | None = None


EXAMPLES = (
    Example("tiger-3", "tiger-4", True, "Same animal: 4 is more than 3."),
    Example("tiger-3", "tiger-1 tiger-2", False, "Same animal: 1 + 2 is no more than 3. Two tigers do not help."),
    Example("tiger-5", "vole-1 vole-1", True, "Another animal: two voles are more than one tiger."),
    Example("tiger-2 tiger-2", "vole-5 vole-4", False, "Another animal: two voles are no more than two tigers."),
    Example("tiger-2 tiger-2", "bear-1", True, "More bears: one against none. Nothing else matters."),
    Example("tiger-2 bear-1", "vole-3 vole-4 vole-5", True, "The bear counts as a second tiger: three voles beat two."),
    Example("tiger-3 vole-2", "tiger-3 tiger-1", False, "A tie of tiger and vole is both: tigers need more than 5."),
    Example("tiger-3 vole-2", "hamster-1 hamster-1", True, "Hamsters are another animal: two beat one."),
    Example("tiger-1 bear-1", "bear-5", True, "Named tiger: as many bears, but 5 is more than 1 + 1.", named="tiger"),
    Example(
        "tiger-1 tiger-1 tiger-1 bear-2 bear-3",
        "hamster-2 hamster-3 hamster-4 hamster-5 bear-1",
        False,
        "Five hamsters are no more than five tigers, and one bear is no more than two.",
    ),
)


@dataclass(frozen=True)
class Fit:
    """Pick-a-Polar-Bear: a top card, a card of the grid, whether it fits, and why in one sentence."""

    top: str
    card: str
    fits: bool
    why: str


FITS = (
    Fit("L-W--", "LAW--", True, "Only the raised arm is different."),
    Fit("L-W--", "L-W--", True, "Nothing is different."),
    Fit("SAOGF", "SAWGF", True, "Only the background is different: autumn and winter."),
    Fit("L-W--", "S-WG-", False, "Two things are different: the size and the goggles."),
)


@dataclass(frozen=True)
class Stack:
    """Pick-a-Polar-Bear: a stack from its start card up, what it scores at the check, and why."""

    cards: str
    score: int
    why: str


STACKS = (
    Stack("L-W-- LAW-- LAWG- LAWGF", 4, "Each card differs from the one below it in one thing: all count."),
    Stack("L-W-- LAWG- LAWGF", 0, "The second card has raised its arm and put on goggles: the whole stack is lost."),
    Stack("S-O-F", 1, "Nothing taken: the start card counts."),
)
