"""A link as a picture for the camera of the phone beside."""

from __future__ import annotations

import qrcode
from django import template
from django.utils.safestring import SafeString, mark_safe
from qrcode.image.svg import SvgPathImage

BORDER = 2
"""Light modules around the code, which cameras need to find it."""

register = template.Library()


@register.simple_tag
def invitation_picture(address: str) -> SafeString:
    """Return the QR code of ``address`` as an SVG element; the page that it stands in gives it its size."""
    picture = qrcode.make(address, image_factory=SvgPathImage, border=BORDER).to_string(encoding="unicode")
    named = picture.replace("<svg ", '<svg class="invite__code" role="img" aria-label="The link as a QR code" ', 1)
    return mark_safe(named)  # noqa: S308 (drawn from squares; nothing of the address is in it as text)
