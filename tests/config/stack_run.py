"""The stack's command line as a process of its own, in a folder of its own, for tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import psutil

PROJECT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 90


def environment(folder: Path, port: int | str) -> dict[str, str]:
    """Return an environment that names no server and one folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BEARENA_", "DJANGO_"))}
    for name in ("DATABASE_URL", "REDIS_URL", "PORT"):
        kept.pop(name, None)
    return {**kept, "BEARENA_VAR": str(folder), "BEARENA_PORT": str(port), "PYTHONUNBUFFERED": "1"}


def stack(folder: Path, port: int | str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the stack's command line to its end."""
    return subprocess.run(
        [sys.executable, "-m", "config.stack", *arguments],
        cwd=PROJECT,
        env=environment(folder, port) | more,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )


def processes_in(folder: Path) -> dict[int, str]:
    """Return the processes that work in ``folder``, by their environment or command line."""
    found = {}
    for process in psutil.process_iter():
        try:
            works = process.environ().get("BEARENA_VAR") == str(folder) or str(folder) in " ".join(process.cmdline())
            if works and process.status() != psutil.STATUS_ZOMBIE and process.pid != os.getpid():
                found[process.pid] = " ".join(process.cmdline())
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


class Runner:
    """``python -m config.stack run`` in the background."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self.output = folder.parent / f"{folder.name}.out"
        with self.output.open("wb") as output:
            self.child = subprocess.Popen(
                [sys.executable, "-m", "config.stack", "run", "--no-demo"],
                cwd=PROJECT,
                env=environment(folder, port),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def said(self) -> str:
        """Return what the runner has printed."""
        return self.output.read_text()

    def wait_for(self, text: str, seconds: float = START_SECONDS) -> None:
        """Wait until the runner has printed ``text``."""
        end = time.monotonic() + seconds
        while text not in self.said():
            assert self.child.poll() is None, self.said()
            assert time.monotonic() < end, self.said()
            time.sleep(0.1)

    def get(self, path: str) -> tuple[int, str]:
        """Return status and body of a page; status 0 if nobody answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return 0, ""

    def wait_for_status(self, path: str, status: int, seconds: float = 40) -> str:
        """Wait until a page answers with ``status`` and return its body."""
        end = time.monotonic() + seconds
        while (answer := self.get(path))[0] != status:
            assert time.monotonic() < end, (answer, self.said())
            time.sleep(0.1)
        return answer[1]

    def pid_of(self, part: str) -> int:
        """Return the lowest process number in the folder whose command line holds ``part``."""
        return min(pid for pid, command in processes_in(self.folder).items() if part in command)

    def end(self, kind: signal.Signals) -> int:
        """Send a signal to the runner alone and return its exit code."""
        self.child.send_signal(kind)
        return self.child.wait(60)
