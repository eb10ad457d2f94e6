"""What the animals with an effect do, in words for players; every page that explains one takes them from here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of ``animal``: ``when`` it comes (always, played or given), and ``text`` in whole sentences."""

    animal: str
    when: str
    text: str


EFFECTS = (
    Effect("ape", "always", "Another animal must lie with it; a bear will do."),
    Effect("walrus", "always", "Only walruses may lie with it, no bear either."),
    Effect("bat", "always", "Its set must be of exactly one animal: no tie for the most."),
    Effect("squid", "always", "Its set must be of two or more animals: a tie for the most."),
    Effect(
        "sheep",
        "always",
        "On the table or in the new set: a tie is enough to beat (as many bears, but not none; the same sum; the same "
        "count).",
    ),
    Effect("fish", "played", "Each fish counts as the highest other number of its set. Only fish: as printed."),
    Effect(
        "aardvark",
        "played",
        "Once the set has beaten the table, take one of its cards back into your hand. Alone, it takes nothing back.",
    ),
    Effect("giraffe", "played", "Name an animal: everybody learns how many of it each player holds."),
    Effect(
        "kangaroo",
        "played",
        "Ask one player for one card, such as the bear 3: they give it to you if they hold it. Everybody hears the "
        "answer.",
    ),
    Effect("badger", "played", "The player whose set you beat steals a random card from your hand."),
    Effect("rabbit", "played", "While it lies on the table, whoever can beat the table must play."),
    Effect("turtle", "given", "Who gets it gives you back a card of their choice, but not the same turtle."),
    Effect("beaver", "given", "Who gets it must give cards away, not play, the next time they act."),
    Effect("bison", "given", "Who gets it and then holds a bear gives you a bear of their choice."),
)
"""In the order of the rules: what always holds, what happens when played, and when given."""
