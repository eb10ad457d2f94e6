"""Verifies what anybody sends: in a process of its own, so that neither its work nor its failure touches live play."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

from django.conf import settings

from players.errors import Invalid, ServiceError

LARGEST_TRANSCRIPT = 1 << 20
"""Bytes. A long game of eight has some 30 KiB; so much is verified in about half a second."""
AT_ONCE = 2
"""Verifications of one web process that run at the same time; others wait for their turn."""

_turns = threading.BoundedSemaphore(AT_ONCE)


class TooBusy(ServiceError):
    """Too many want the same at this moment."""

    code = "busy"
    status = 503


def report_of(transcript: bytes) -> dict[str, Any]:
    """Return the report on ``transcript`` (transcript specification, Verification), as the command line gives it.

    Raises Invalid (``too-large``, ``too-slow``) and TooBusy.
    """
    if len(transcript) > LARGEST_TRANSCRIPT:
        raise Invalid(f"A transcript has at most {LARGEST_TRANSCRIPT // 1024} KiB.", code="too-large")
    seconds = settings.VERIFY_SECONDS
    if not _turns.acquire(timeout=seconds):
        raise TooBusy("Many transcripts are being verified just now; try again in a moment.")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "games.engine", "verify", "--json", "--whole", "-"],
            input=transcript,
            stdout=subprocess.PIPE,
            timeout=seconds,
            cwd=settings.BASE_DIR,
            env={},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Invalid(
            f"This transcript takes longer than {seconds} seconds to verify; the engine's command line has no limit.",
            code="too-slow",
        ) from None
    finally:
        _turns.release()
    report: dict[str, Any] = json.loads(done.stdout)
    return report
