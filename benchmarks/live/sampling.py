"""The application with a sampler beside it, which says where the web process spends its CPU time.

``uvicorn benchmarks.live.sampling:application``: every two milliseconds of CPU time, or as seldom as the kernel's
clock ticks, the process looks at what it is doing. SIGUSR1 forgets the counts, SIGUSR2 writes them to the file that
``BENCH_SAMPLES`` names. It costs a percent.
"""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from pathlib import Path
from types import FrameType

from config.asgi import application as real_application

SECONDS = 0.002
PARTS = (
    ("/games/live/showing.py", "views"),
    ("/games/live/log.py", "commit"),
    ("/site-packages/psycopg", "commit"),
    ("/games/engine/", "engine"),
    ("/games/course.py", "engine"),
    ("/games/clock.py", "engine"),
    ("/games/live/", "table"),
    ("/site-packages/uvicorn/", "socket"),
    ("/site-packages/websockets/", "socket"),
    ("/site-packages/channels/", "socket"),
    ("/config/", "socket"),
    ("/site-packages/redis/", "bus"),
)
"""Which part a file belongs to; of the frames of a moment the innermost that has a part decides."""
VIEWS = "/games/live/showing.py"
SOCKET_FILES = ("/games/live/connection.py", "/games/live/sockets.py", "/games/live/messages.py")

counts: Counter[str] = Counter()
places: Counter[str] = Counter()
_known: dict[str, str | None] = {}


def part_of(name: str) -> str | None:
    """Return the part that a file belongs to."""
    if name not in _known:
        own = "socket" if name.endswith(SOCKET_FILES) else None
        _known[name] = own or next((part for mark, part in PARTS if mark in name), None)
    return _known[name]


def sample(_number: int, frame: FrameType | None) -> None:
    """Count what the process does now."""
    part, inner = None, frame
    while frame is not None:
        here = part_of(frame.f_code.co_filename)
        if part is None and here is not None:
            # The event loop's own work, its reading and writing of sockets, has no frame but uvicorn's outermost.
            part, inner = here, frame
            if part != "engine":
                break
        if frame.f_code.co_filename.endswith(VIEWS):
            part = "views"
            break
        frame = frame.f_back
    counts[part or "other"] += 1
    if inner is not None:
        places[f"{inner.f_code.co_filename.rpartition('/')[2]}:{inner.f_code.co_qualname}"] += 1


def write(*_: object) -> None:
    """Write the counts so far."""
    report = {"parts": dict(counts), "places": dict(places.most_common(25))}
    Path(os.environ["BENCH_SAMPLES"]).write_text(json.dumps(report))


def forget(*_: object) -> None:
    """Begin anew."""
    counts.clear()
    places.clear()


async def application(scope, receive, send):  # type: ignore[no-untyped-def]
    """Serve as the real application does; sampling lasts from start to end of the process's life."""
    if scope["type"] == "lifespan":
        signal.signal(signal.SIGUSR1, forget)
        signal.signal(signal.SIGUSR2, write)
        signal.signal(signal.SIGPROF, sample)
        signal.setitimer(signal.ITIMER_PROF, SECONDS, SECONDS)
    await real_application(scope, receive, send)
