"""What PostgreSQL and Valkey have in common: a process that is started, found again, and really stopped."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from config.stack import launch
from config.stack.errors import StackError

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


def spawn(command: Sequence[str], *, log: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start a server in a session of its own, so that Ctrl-C reaches the runner alone. Raises StackError."""
    with log.open("ab") as output:
        try:
            return subprocess.Popen(  # noqa: S603
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment, start_new_session=True
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
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except OSError:
        return os.kill(pid, 0) is None if sys.platform != "linux" else False
    return state != "Z"


def command_of(pid: int) -> str:
    """Return the command line of a process, or an empty text if there is no such process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        found = subprocess.run(  # noqa: S603
            ["/bin/ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
        return found.stdout.strip()


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


def last_line(log: Path) -> str:
    """Return the last line of a log, for a sentence that says what went wrong."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return "no log"
    return lines[-1].strip()[:300] if lines else "no output"
