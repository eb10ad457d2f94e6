"""How the local stack refuses."""

from __future__ import annotations


class StackError(Exception):
    """The stack cannot go on; the text is one sentence that says what to do."""


class FolderTaken(StackError):
    """Another runner works in the folder."""
