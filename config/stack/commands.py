"""The command lines of Bearena's own processes; the runner, the tests and the compose file start the same ones."""

from __future__ import annotations

import sys
from pathlib import Path

BIN = Path(sys.executable).parent


def web(host: str, port: int) -> list[str]:
    """Return the web server: pages, API and sockets in one process."""
    return [
        *(str(BIN / "uvicorn"), "config.asgi:application", "--host", host, "--port", str(port)),
        *("--ws", "config.websockets:Protocol", "--ws-per-message-deflate", "false", "--ws-max-size", "65536"),
        *("--lifespan", "on", "--timeout-graceful-shutdown", "5"),
        *("--no-access-log", "--no-server-header", "--no-proxy-headers"),
        *("--log-config", "config/uvicorn.json"),
    ]


def worker(concurrency: int = 2) -> list[str]:
    """Return the Celery worker, which rates games, moves tournaments and replays disputes."""
    return [
        *(str(BIN / "celery"), "--app", "config", "worker", "--pool", "prefork", "--concurrency", str(concurrency)),
        *("--loglevel", "INFO", "--without-gossip", "--without-mingle"),
    ]


def beat() -> list[str]:
    """Return Celery's clock, which starts the periodic sweeps; exactly one runs."""
    return [str(BIN / "celery"), "--app", "config", "beat", "--loglevel", "INFO", "--pidfile="]
