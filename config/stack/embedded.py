"""PostgreSQL and Valkey of one folder, as far as the environment names no others."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from config.stack import secrets
from config.stack.errors import StackError
from config.stack.folder import Folder
from config.stack.postgres import Postgres
from config.stack.servers import is_alive
from config.stack.valkey import Valkey

RETRY_SECONDS = 5.0


class Embedded:
    """The servers that the stack runs itself: those for which DATABASE_URL or REDIS_URL is not set."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.try_at = 0.0
        sockets = folder.sockets()
        self.servers: dict[str, Postgres | Valkey] = {}
        if not os.environ.get("DATABASE_URL"):
            self.servers["DATABASE_URL"] = Postgres(folder.root / "postgres", sockets, folder.logs / "postgres.log")
        if not os.environ.get("REDIS_URL"):
            self.servers["REDIS_URL"] = Valkey(folder.root / "valkey", sockets, folder.logs / "valkey.log")

    @property
    def has_database(self) -> bool:
        """True if the database is the stack's own."""
        return "DATABASE_URL" in self.servers

    def start(self, say: Callable[[str], None]) -> None:
        """Start the servers, or adopt those that still run. Raises StackError."""
        for server in self.servers.values():
            if server.start():
                say(f"{type(server).__name__} still ran and is used again (process {server.pid}).")

    def look_after(self, say: Callable[[str], None]) -> None:
        """Start a server again that has died. One that cannot be started is said so and tried again next time."""
        if time.monotonic() < self.try_at:
            return
        for server in self.servers.values():
            ended = server.child.poll() is not None if server.child else server.pid and not is_alive(server.pid)
            if not ended:
                continue
            name = type(server).__name__
            say(f"{name} has ended: starting it again.")
            try:
                server.start()
            except StackError as error:
                say(f"{error} Trying again in {RETRY_SECONDS:g} s.")
                self.try_at = time.monotonic() + RETRY_SECONDS

    def stop(self) -> None:
        """Stop the servers and wait until they have ended."""
        for server in reversed(self.servers.values()):
            server.stop()

    def environment(self) -> dict[str, str]:
        """Return the environment in which Bearena's processes work on these servers."""
        found = {**os.environ, "BEARENA_VAR": str(self.folder.root), "DJANGO_SETTINGS_MODULE": "config.settings"}
        if not (os.environ.get("BEARENA_SECRET_KEY") or os.environ.get("BEARENA_SECRET_KEY_FILE")):
            found["BEARENA_SECRET_KEY"] = secrets.kept_secret(self.folder.root / "secret-key")
        found |= {name: server.url for name, server in self.servers.items()}
        return found
