"""How ratings are written on pages: whole tenths in, points with one decimal out."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def points(tenths: int | None) -> str:
    """Write a rating in tenths of a point: 15324 becomes 1532.4; None becomes nothing."""
    return "" if tenths is None else f"{tenths / 10:.1f}"


@register.filter
def whole_points(tenths: int) -> str:
    """Write a rating without its decimal: 15000 becomes 1500."""
    return f"{tenths / 10:.0f}"


@register.filter
def signed_points(tenths: int | None) -> str:
    """Write a change in tenths of a point with its sign: -53 becomes −5.3, 0 becomes ±0.0; None becomes nothing."""
    if tenths is None:
        return ""
    sign = "+" if tenths > 0 else "−" if tenths < 0 else "±"
    return f"{sign}{abs(tenths) / 10:.1f}"
