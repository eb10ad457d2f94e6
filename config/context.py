"""What every page may use from the configuration."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, str]:
    """Give templates the site's name."""
    return {"site_name": settings.SITE_NAME}
