"""What lives as long as a web process."""

from __future__ import annotations


async def startup() -> None:
    """Start it."""


async def shutdown() -> None:
    """Stop it."""
