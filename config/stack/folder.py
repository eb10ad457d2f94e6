"""The folder that holds everything the local stack keeps: data, sockets, secrets and logs."""

from __future__ import annotations

import fcntl
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from config.stack.errors import FolderTaken, StackError

SOCKET_PATH_LIMIT = 103
"""Bytes that every system allows in the path of a unix socket (macOS 104 and Linux 108, with a closing zero)."""
LONGEST_SOCKET_NAME = ".s.PGSQL.5432.lock"
LOGS_KEPT = 3


@dataclass(frozen=True, slots=True)
class Folder:
    """Paths below ``root``, which is ``var/`` unless BEARENA_VAR names another."""

    root: Path

    @property
    def logs(self) -> Path:
        """Where every process writes its log."""
        return self.root / "log"

    def make(self) -> None:
        """Make the folder, private to its owner. Raises StackError when that is impossible."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.logs.mkdir(mode=0o700, exist_ok=True)
            probe = self.root / ".probe"
            probe.write_bytes(bytes(4096))
            probe.unlink()
        except OSError as error:
            raise StackError(
                f"Cannot write to {self.root} ({error.strerror}): free some space or permit it, "
                "or name another folder in BEARENA_VAR."
            ) from None

    def lock(self) -> int:
        """Take the folder for this process until it ends and return the lock. Raises FolderTaken."""
        handle = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(handle, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(handle)
            raise FolderTaken(
                f"Bearena already runs in {self.root} (process {holder}): stop that one first, "
                "or name another folder in BEARENA_VAR."
            ) from None
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        return handle

    def sockets(self) -> Path:
        """Return the private folder for unix sockets; elsewhere, and recorded, when the path here is too long."""
        here = self.root / "sockets"
        if len(os.fsencode(here / LONGEST_SOCKET_NAME)) <= SOCKET_PATH_LIMIT:
            here.mkdir(mode=0o700, exist_ok=True)
            return private(here)
        note = self.root / "sockets-folder"
        if note.exists():
            elsewhere = Path(note.read_text(encoding="utf-8").strip())
            if elsewhere.is_dir() and elsewhere.stat().st_uid == os.geteuid():
                return private(elsewhere)
        elsewhere = Path(tempfile.mkdtemp(prefix="bearena-", dir="/tmp"))
        note.write_text(f"{elsewhere}\n", encoding="utf-8")
        return elsewhere


def rotate(log: Path) -> Path:
    """Move an old log out of the way, keeping the last few beside it, and return its path."""
    for age in range(LOGS_KEPT, 0, -1):
        younger = log.with_name(f"{log.name}.{age - 1}") if age > 1 else log
        if younger.exists():
            younger.replace(log.with_name(f"{log.name}.{age}"))
    return log


def private(path: Path) -> Path:
    """Return ``path`` after taking every permission of others away."""
    path.chmod(0o700)
    return path
