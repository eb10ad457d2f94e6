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
