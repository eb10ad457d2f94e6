"""Servers of our own for one benchmark, in a new folder: PostgreSQL (fsync on), Valkey, and web processes."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from config.stack import commands
from config.stack.postgres import Postgres
from config.stack.valkey import Valkey

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
NO_LIMITS = {
    "BEARENA_SOCKET_MESSAGES": "1000000",
    "BEARENA_SOCKETS_A_PERSON": "1000000",
    "BEARENA_SOCKETS_AN_ADDRESS": "1000000",
}
"""All load comes from one address, and faster than people are."""


@dataclass
class Site:
    """What runs, and where it is reached."""

    folder: Path
    postgres: Postgres
    valkey: Valkey
    web: list[subprocess.Popen[bytes]] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    """``address:port`` of each web process."""

    @property
    def watched(self) -> dict[str, list[int]]:
        """The processes whose use is measured, by name."""
        assert self.postgres.pid is not None
        return {"web": [process.pid for process in self.web], "postgres": [self.postgres.pid]}

    def start_web(self, application: str = "config.asgi:application", extra: Mapping[str, str] | None = None) -> None:
        """Start one more web process with ``application`` and wait until it answers."""
        port = free_port()
        command = [
            application if part == "config.asgi:application" else part for part in commands.web("127.0.0.1", port)
        ]
        with (self.folder / f"web-{port}.log").open("wb") as log:
            process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **(extra or {})}, stdout=log, stderr=log)
        self.web.append(process)
        self.hosts.append(f"127.0.0.1:{port}")
        wait_for(f"http://127.0.0.1:{port}/healthz", process)

    def stop_web(self) -> None:
        """Stop every web process, and print what they had to say."""
        for process in self.web:
            process.terminate()
        for process, host in zip(self.web, self.hosts, strict=True):
            process.wait(20)
            said = (self.folder / f"web-{host.partition(':')[2]}.log").read_text(errors="replace")
            if said:
                print(f"a web process said:\n{said[-3000:]}")
        self.web, self.hosts = [], []


@contextlib.contextmanager
def site() -> Iterator[Site]:
    """Run PostgreSQL and Valkey of our own with Django set up on them; what is started on top is stopped with them."""
    folder = Path(tempfile.mkdtemp(prefix="bearena-bench-", dir="/tmp"))
    running = Site(
        folder=folder,
        postgres=Postgres(data=folder / "postgres", sockets=folder, log=folder / "postgres.log", tied=True),
        valkey=Valkey(data=folder / "valkey", sockets=folder, log=folder / "valkey.log", tied=True),
    )
    try:
        running.postgres.start()
        running.valkey.start()
        (folder / "static").mkdir()  # where pages' files would have been collected; none is asked for
        for name in [name for name in os.environ if name.startswith("BEARENA_")]:
            del os.environ[name]
        os.environ |= {
            "DATABASE_URL": running.postgres.url,
            "REDIS_URL": running.valkey.url,
            "BEARENA_SECRET_KEY": secrets.token_hex(32),
            "BEARENA_VAR": str(folder),
            "BEARENA_LOG_LEVEL": "WARNING",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            **NO_LIMITS,
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield running
    finally:
        running.stop_web()
        running.valkey.stop()
        running.postgres.stop()
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """Return a loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until ``url`` answers. Raises SystemExit if ``process`` ends, or does not answer in time."""
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
            if isinstance(error, urllib.error.HTTPError) and error.code < 500:
                return
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"{url} does not answer: {error}") from None
            time.sleep(0.1)
