"""Reads Bearena's configuration from environment variables, in one place and with clear errors."""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off", ""}


def text(name: str, default: str | None = None) -> str:
    """Return the variable ``name``, or what the file named by ``name_FILE`` holds, or ``default``.

    Raises ImproperlyConfigured when there is neither and no default.
    """
    if name in os.environ:
        return os.environ[name]
    if f"{name}_FILE" in os.environ:
        return Path(os.environ[f"{name}_FILE"]).read_text(encoding="utf-8").strip()
    if default is None:
        raise ImproperlyConfigured(f"Set the environment variable {name} (or {name}_FILE).")
    return default


def flag(name: str, *, default: bool) -> bool:
    """Return the variable ``name`` as a yes or no. Raises ImproperlyConfigured for any other word."""
    word = os.environ.get(name, "1" if default else "0").strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {word!r}.")


def number(name: str, default: int, *, least: int = 0) -> int:
    """Return the variable ``name`` as a whole number. Raises ImproperlyConfigured if it is none or below ``least``."""
    word = os.environ.get(name, str(default))
    try:
        value = int(word)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {word!r}.") from None
    if value < least:
        raise ImproperlyConfigured(f"{name} must be {least} or more, not {value}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    """Return the comma-separated variable ``name`` as a list without empty entries."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]
