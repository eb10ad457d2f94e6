"""Secrets of the local stack: made at random once, kept in the stack's folder, readable by its owner alone."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from config.stack.errors import StackError


def kept_secret(path: Path) -> str:
    """Return the secret in the file ``path``; it is made if there is none. Raises StackError if that is impossible."""
    try:
        return _kept_secret(path)
    except (OSError, UnicodeError):
        raise StackError(f"{path} is no file that holds a secret: move it away, and a new one is made.") from None


def _kept_secret(path: Path) -> str:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        path.chmod(0o600)
        kept = path.read_text(encoding="ascii").strip()
        if kept:
            return kept
        handle = os.open(path, os.O_WRONLY | os.O_TRUNC)
    made = secrets.token_urlsafe(48)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{made}\n")
    return made
