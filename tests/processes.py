"""Bearena's real processes for tests: a web server and a Celery worker that can be killed and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings

from config.stack import commands
from tests.settings import POSTGRES, TEST_FOLDER, VALKEY

PATIENCE_MS = 20_000
"""How long a page may take on a busy machine; nothing is judged by speed here."""
PATIENCE_SECONDS = 60.0
"""The same for a process that starts or says something."""
STOP_SECONDS = 30.0
"""And for one that ends."""


def free_port() -> int:
    """Return a loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def child_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a process that works on this run's test database."""
    url = urlsplit(POSTGRES.url)._replace(path=f"/{settings.DATABASES['default']['NAME']}")
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": urlunsplit(url),
        "REDIS_URL": VALKEY.url,
        "BEARENA_DEBUG": "1",
        "BEARENA_BOT_DELAY_MS": "0",
        **(extra or {}),
    }


class Process:
    """A child process with a log; ``kill`` is SIGKILL, ``stop`` is a clean end."""

    def __init__(self, name: str, command: list[str], extra: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.command = command
        self.extra = extra
        self.log = TEST_FOLDER / f"{name}-{free_port()}.log"
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process; its environment is made now."""
        assert self.child is None
        with self.log.open("ab") as output:
            self.child = subprocess.Popen(
                self.command,
                cwd=Path(settings.BASE_DIR),
                env=child_environment(self.extra),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def kill(self) -> None:
        """End the process, and those it started, at once by SIGKILL."""
        assert self.child is not None
        os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()
        self.child = None

    def stop(self) -> None:
        """End the process as an operator would, by SIGTERM; by SIGKILL, and a failure, if that takes too long."""
        if self.child is None:
            return
        self.child.terminate()
        try:
            self.child.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"{self.name} did not stop within {STOP_SECONDS} s: {self.tail()}") from None
        self.child = None

    def tail(self) -> str:
        """Return the end of the log."""
        return self.log.read_text(errors="replace")[-4000:]

    def wait_for(self, text: str, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until the log holds ``text``."""
        end = time.monotonic() + seconds
        while text not in self.log.read_text(errors="replace"):
            assert self.child is not None
            assert self.child.poll() is None, f"{self.name} ended: {self.tail()}"
            assert time.monotonic() < end, f"{self.name} did not say {text!r}: {self.tail()}"
            time.sleep(0.05)


class WebServer(Process):
    """A real uvicorn process on a free loopback port."""

    def __init__(self, extra: Mapping[str, str] | None = None) -> None:
        self.port = free_port()
        super().__init__("web", commands.web("127.0.0.1", self.port), extra)

    @property
    def url(self) -> str:
        """The address of the site, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self) -> str:
        """The address of the site for WebSockets."""
        return f"ws://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the process and wait until it answers."""
        super().start()
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            assert self.child is not None
            assert self.child.poll() is None, f"web ended: {self.tail()}"
            assert time.monotonic() < end, f"web does not answer: {self.tail()}"
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=2):
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)


class Worker(Process):
    """A real Celery worker."""

    def __init__(self, extra: Mapping[str, str] | None = None) -> None:
        super().__init__("worker", commands.worker(), extra)

    def start(self) -> None:
        """Start the process and wait until it takes tasks."""
        seen = self.log.read_text(errors="replace").count(" ready.") if self.log.exists() else 0
        super().start()
        end = time.monotonic() + PATIENCE_SECONDS
        while self.log.read_text(errors="replace").count(" ready.") <= seen:
            assert self.child is not None
            assert self.child.poll() is None, f"worker ended: {self.tail()}"
            assert time.monotonic() < end, f"worker does not take tasks: {self.tail()}"
            time.sleep(0.05)


class Beat(Process):
    """Celery's clock, which starts the periodic sweeps."""

    def __init__(self, extra: Mapping[str, str] | None = None) -> None:
        super().__init__("beat", commands.beat(), extra)
