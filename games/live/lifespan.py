"""What lives as long as a web process: its :class:`~games.live.hub.Hub`."""

from __future__ import annotations

import gc

from games.live.hub import Hub

GARBAGE_THRESHOLDS = (10_000, 5, 100)
"""Live copies of games are many objects in no circles: looking through all of them takes tenths of a second in which
nobody can move, and finds next to nothing. So the young are looked at in small portions and all of them very seldom.
That leans on sockets and games being freed without it (:meth:`config.websockets.Protocol.connection_lost`)."""

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
