"""Bearena's own processes: started in order, started again when they die, stopped together."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from config.stack.errors import StackError
from config.stack.folder import Folder
from config.stack.servers import is_alive, launcher, spawn, wait_until

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 15.0
STEADY_SECONDS = 30.0
"""A process that ran this long is started again after the first pause, not after a growing one."""
STOP_SECONDS = 20.0


@dataclass(slots=True)
class Child:
    """One process that has to run as long as the stack does; it ends with the runner, however that ends."""

    name: str
    command: Sequence[str]
    folder: Path
    environment: dict[str, str]
    log: Path
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    started_at: float = 0.0
    pause: float = FIRST_PAUSE
    start_at: float | None = None

    def start(self) -> None:
        """Start the process now."""
        tied = launcher(unprivileged=False, tied=signal.SIGTERM)
        self.process = spawn([*tied, *self.command], log=self.log, environment=self.environment, folder=self.folder)
        self.started_at = time.monotonic()
        self.start_at = None

    def look_after(self, say: Callable[[str], None]) -> bool:
        """Start the process again if it has died, after a longer pause each time that it dies young.

        Returns True when it was started.
        """
        now = time.monotonic()
        if self.start_at is not None:
            if now < self.start_at:
                return False
            self.start()
            return True
        if self.process is None or self.process.poll() is None:
            return False
        if now - self.started_at > STEADY_SECONDS:
            self.pause = FIRST_PAUSE
        self.end_group()
        say(f"{self.name} {ending(self.process.returncode)}: starting it again in {self.pause:g} s (see {self.log}).")
        self.start_at = now + self.pause
        self.pause = min(self.pause * 2, LONGEST_PAUSE)
        return False

    def end_group(self) -> None:
        """End what a dead process left behind (a worker's children)."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                return


def ending(code: int) -> str:
    """Return in words how a process ended."""
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"


def stop_all(children: Sequence[Child]) -> None:
    """Ask every process to end, all at once, and end by force those that do not. Returns when none is left."""
    running = [child.process for child in children if child.process is not None and child.process.poll() is None]
    for process in running:
        process.terminate()
    wait_until(lambda: all(process.poll() is not None for process in running), seconds=STOP_SECONDS)
    for child in children:
        child.end_group()
        if child.process is not None:
            child.process.wait()
        child.process = None


def note(folder: Folder, children: Sequence[Child]) -> None:
    """Write down which processes run, so that a later runner can wait for those of one that was killed."""
    file = folder.root / "processes.json"
    running = {child.name: child.process.pid for child in children if child.process is not None}
    if running:
        file.write_text(json.dumps(running), encoding="utf-8")
    else:
        file.unlink(missing_ok=True)


def end_left_overs(folder: Folder, say: Callable[[str], None]) -> None:
    """End the processes of a runner that was killed, if some still run; only what works in this folder is touched."""
    try:
        noted: Mapping[str, int] = json.loads((folder.root / "processes.json").read_text(encoding="utf-8"))
        processes = noted.items()
    except (OSError, ValueError, AttributeError):  # none, or not written to its end
        return
    for name, pid in processes:
        if not works_in(folder, pid):
            continue
        say(f"Ending {name} of an earlier run (process {pid}).")
        for kind in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(pid, kind)
            except ProcessLookupError:
                break
            if wait_until(lambda pid=pid: not is_alive(pid), seconds=STOP_SECONDS):  # type: ignore[misc]
                break
    note(folder, [])


def works_in(folder: Folder, pid: int) -> bool:
    """Return whether the process is one of Bearena's in that folder; its number may be somebody else's by now."""
    try:
        return psutil.Process(pid).environ().get("BEARENA_VAR") == str(folder.root)
    except psutil.Error:
        return False


def run_once(command: Sequence[str], *, folder: Path, environment: dict[str, str], log: Path, what: str) -> None:
    """Run a command in ``folder`` to its end, with its output in ``log``. Raises StackError if it fails."""
    with log.open("ab") as output:
        done = subprocess.run(  # noqa: S603
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment, check=False
        )
    if done.returncode != 0:
        raise StackError(f"{what} failed ({ending(done.returncode)}): the end of {log} says why.")
