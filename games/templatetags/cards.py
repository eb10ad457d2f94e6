"""Cards drawn in templates as the table draws them."""

from __future__ import annotations

from django import template

register = template.Library()


@register.inclusion_tag("games/parts/cards.html")
def cards(names: str, blocked: str = "") -> dict[str, list[dict[str, str | bool]]]:
    """Draw the cards named in ``names``, such as "bear-1 tiger-3"; those in ``blocked`` too are striped."""
    striped = blocked.split()
    drawn: list[dict[str, str | bool]] = []
    for name in names.split():
        animal, number = name.rsplit("-", 1)
        drawn.append({"animal": animal, "number": number, "blocked": name in striped})
    return {"cards": drawn}


SMALL = "translate(14 36) scale(0.6)"
"""How a small animal is made of the drawing of the large one; as in ``polar/cards.js``."""


@register.inclusion_tag("games/parts/polar_cards.html")
def polar_cards(names: str) -> dict[str, list[dict[str, object]]]:
    """Draw cards of Pick-a-Polar-Bear in the engine's notation, such as "LAW-F SAO--"."""
    return {"cards": [{"words": spoken(card), "layers": layers(card)} for card in names.split()]}


def spoken(card: str) -> str:
    """Return what a card of Pick-a-Polar-Bear shows: "large bear, arm raised, winter, fish can"."""
    size, arm, background, goggles, fish = list(card[:5])
    words = [f"{'large' if size == 'L' else 'small'} {'seal' if card[5:] == 'S' else 'bear'}"]
    words += ["arm raised"] * (arm == "A")
    words += ["winter" if background == "W" else "autumn"]
    words += ["goggles"] * (goggles == "G") + ["fish can"] * (fish == "F")
    return ", ".join(words)


def layers(card: str) -> list[tuple[str, str]]:
    """Return the drawings that make a card of Pick-a-Polar-Bear, each with its transformation ("" for none)."""
    size, arm, background, goggles, fish = list(card[:5])
    animal = "seal" if card[5:] == "S" else "bear"
    scale = SMALL if size == "S" else ""
    drawn = [("winter" if background == "W" else "autumn", ""), (animal, scale)]
    drawn.append((f"{animal}-{'up' if arm == 'A' else 'down'}", scale))
    return drawn + [("goggles", scale)] * (goggles == "G") + [("fish", "")] * (fish == "F")
