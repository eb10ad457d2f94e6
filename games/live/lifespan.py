"""What lives as long as a web process: its :class:`~games.live.hub.Hub`."""

from __future__ import annotations

import gc

from games.live.hub import Hub

GARBAGE_THRESHOLDS = (5_000, 10, 10)
"""Live copies of games are many objects and few cycles, so that looking less often saves CPU; every socket that goes
leaves cycles, so that with the last figure at 50 a busy process kept hundreds of megabytes of them."""

_hubs: list[Hub] = []


async def startup() -> None:
    """Start the live server of this process."""
    hub_of_process = Hub()
    hub_of_process.start()
    gc.collect()
    gc.freeze()  # what is loaded by now stays as long as the process
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    _hubs.append(hub_of_process)


async def shutdown() -> None:
    """Stop it; whatever waits to be stored is stored first."""
    while _hubs:
        await _hubs.pop().stop()


def hub() -> Hub:
    """Return the live server of this process. Raises RuntimeError if the ASGI server sent no lifespan events."""
    if not _hubs:
        raise RuntimeError("The live server has not been started: run the ASGI server with lifespan on.")
    return _hubs[-1]
