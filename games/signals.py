"""The project's one signal: a game has ended."""

from __future__ import annotations

from django.dispatch import Signal

game_finished = Signal()
"""Sent after the commit that ended a game (finished, drawn or void), with ``game_id`` (a UUID) alone.

It may be lost or sent twice; receivers queue a task that is safe to repeat, and a periodic sweep finds what was missed.
"""
