"""What PostgreSQL and Valkey have in common: a process that is started, found again, and really stopped."""

from __future__ import annotations

import os
import pwd
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

from config.stack import launch
from config.stack.errors import StackError

TELLING = re.compile(r"FATAL|PANIC|\berror\b|[Bb]ad file|No space left")
POLL_SECONDS = 0.05
LAUNCHER = Path(launch.__file__)


def launcher(*, unprivileged: bool, tied: signal.Signals | None) -> list[str]:
    """Return the beginning of a command line that starts a program through ``launch``.

    ``unprivileged`` hides that we are root. ``tied`` is the signal that the program gets when this process dies.
    """
    command = [sys.executable, "-I", "-S", str(LAUNCHER)]
    if unprivileged and os.geteuid() == 0:
        account = ordinary_account()
        command += ["--as", str(account.pw_uid), str(account.pw_gid)]
    if tied is not None:
        command += ["--tied", str(int(tied))]
    return command if len(command) > 4 else []


def ordinary_account() -> pwd.struct_passwd:
    """Return an account that is not root, whose number a program may see as its own. Raises StackError."""
    try:
        return pwd.getpwnam("nobody")
    except KeyError:
        for account in pwd.getpwall():
            if account.pw_uid != 0:
                return account
    raise StackError("PostgreSQL refuses to run as root: run as an ordinary user, or set DATABASE_URL.")


def spawn(
    command: Sequence[str], *, log: Path, environment: dict[str, str], folder: Path | None = None
) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own, so that Ctrl-C reaches the runner alone. Raises StackError."""
    with log.open("ab") as output:
        try:
            return subprocess.Popen(  # noqa: S603
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise StackError(f"Cannot start {command[0]} ({error.strerror}): install the environment again.") from None


def wait_until(condition: Callable[[], bool], *, seconds: float) -> bool:
    """Return True as soon as ``condition`` holds, False if it does not within ``seconds``."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(POLL_SECONDS)
    return True


def is_alive(pid: int) -> bool:
    """Return whether a process of that number runs (one that ended but was not waited for does not count)."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def command_of(pid: int) -> list[str]:
    """Return the command line of a process, empty if there is no such process or it is another person's."""
    try:
        return psutil.Process(pid).cmdline()
    except psutil.Error:
        return []


def stop(pid: int, child: subprocess.Popen[bytes] | None, *, signals: Sequence[tuple[signal.Signals, float]]) -> None:
    """Send the signals in turn, each with the seconds it is given, until the process has ended. Raises StackError."""

    def ended() -> bool:
        return child.poll() is not None if child is not None else not is_alive(pid)

    for kind, seconds in signals:
        if ended():
            return
        try:
            os.kill(pid, kind)
        except ProcessLookupError:
            return
        if wait_until(ended, seconds=seconds):
            return
    raise StackError(f"Process {pid} does not end: look at its log, then end it by hand.")


def reason(log: Path) -> str:
    """Return the line of a log that says best what went wrong: the last one that speaks of an error."""
    try:
        lines = [
            line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()
        ]
    except OSError:
        return "no log"
    telling = [line for line in lines if TELLING.search(line)] or lines
    return telling[-1][-240:] if telling else "no output"
