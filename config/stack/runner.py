"""Starts the whole stack, looks after it, and stops it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from config.stack import commands
from config.stack.embedded import Embedded
from config.stack.errors import FolderTaken, StackError
from config.stack.folder import Folder, rotate
from config.stack.processes import Child, end_left_overs, note, run_once, stop_all

PROJECT = Path(__file__).resolve().parent.parent.parent
DEFAULT_PORT = 8000
WEB_SECONDS = 60.0
LOOK_SECONDS = 0.2
SERVER_LOOK_SECONDS = 1.0


def say(text: str) -> None:
    """Tell the person at the terminal."""
    print(text, flush=True)  # noqa: T201


class Stopped(BaseException):
    """Ctrl-C or SIGTERM: end in order."""


def run(*, demo: bool | None) -> int:
    """Run everything until Ctrl-C or SIGTERM and return the exit code. Raises StackError when it cannot start.

    ``demo`` None loads the demo club if the database is the stack's own.
    """
    folder = var_folder()
    folder.make()
    lock = folder.lock()
    children: list[Child] = []
    embedded: Embedded | None = None
    try:
        with stopping_in_order():
            host, number = address()
            end_left_overs(folder, say)
            check_port(host, number)
            embedded = Embedded(folder)
            embedded.start(say)
            environment = embedded.environment()
            has_demo = embedded.has_database if demo is None else demo
            prepare(folder, environment, demo=has_demo)
            environment["BEARENA_DEMO"] = "1" if has_demo else "0"
            for name, command in (
                ("web", commands.web(host, number)),
                ("worker", commands.worker()),
                ("beat", commands.beat()),
            ):
                child = Child(name, command, PROJECT, environment, rotate(folder.logs / f"{name}.log"))
                children.append(child)
                child.start()
            note(folder, children)
            wait_for_web(host, number, children[0])
            welcome(folder, host, number)
            look_after(folder, embedded, children)
    except Stopped:
        say("Stopping.")
    finally:
        with no_signals():
            stop_all(children)
            note(folder, [])
            if embedded is not None:
                embedded.stop()
            os.close(lock)
    say(f"Stopped. What was played is kept in {folder.root}.")
    return 0


def manage(arguments: Sequence[str]) -> int:
    """Run a management command on the stack's servers, which are started for it if they do not run.

    Returns the command's exit code. Raises StackError when the servers cannot be reached.
    """
    folder = var_folder()
    folder.make()
    try:
        lock = folder.lock()
    except FolderTaken:
        lock = None
    embedded = Embedded(folder)
    before = [server.running() for server in embedded.servers.values()]
    if lock is None and not all(before):
        raise StackError("Bearena is just starting or stopping in this folder: try again in a moment.")
    try:
        embedded.start(lambda text: None)  # what the command prints stands alone
        with no_signals():
            return subprocess.run(  # noqa: S603
                [sys.executable, "manage.py", *arguments], cwd=PROJECT, env=embedded.environment(), check=False
            ).returncode
    finally:
        for server, ran in zip(embedded.servers.values(), before, strict=True):
            if not ran:
                server.stop()
        if lock is not None:
            os.close(lock)


def var_folder() -> Folder:
    """Return the stack's folder, as BEARENA_VAR says."""
    return Folder(Path(os.environ.get("BEARENA_VAR") or PROJECT / "var").absolute())


def address() -> tuple[str, int]:
    """Return where the web server listens, from BEARENA_ADDRESS and BEARENA_PORT (or PORT). Raises StackError."""
    word = os.environ.get("BEARENA_PORT") or os.environ.get("PORT") or str(DEFAULT_PORT)
    if not word.isdecimal() or not 0 < int(word) < 65536:
        raise StackError(f"The port must be a number from 1 to 65535, not {word!r}: set BEARENA_PORT to another.")
    return os.environ.get("BEARENA_ADDRESS") or "127.0.0.1", int(word)


def check_port(host: str, number: int) -> None:
    """Raise StackError if the web server could not listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, number))
        except OSError as error:
            raise StackError(
                f"Cannot listen on {host} port {number} ({error.strerror}): stop what uses it, "
                "or choose another, for instance BEARENA_PORT=8001 make run."
            ) from None


@contextmanager
def stopping_in_order() -> Iterator[None]:
    """Turn Ctrl-C, SIGTERM and a closed terminal into Stopped."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped

    kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {kind: signal.signal(kind, stop) for kind in kinds}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


@contextmanager
def no_signals() -> Iterator[None]:
    """Let nothing interrupt what is being ended in order."""
    kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {kind: signal.signal(kind, signal.SIG_IGN) for kind in kinds}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def prepare(folder: Folder, environment: dict[str, str], *, demo: bool) -> None:
    """Bring the database and the static files up to date, and load the demo club. Raises StackError."""
    run_once(
        [sys.executable, "manage.py", "prepare", *(["--demo"] if demo else [])],
        folder=PROJECT,
        environment=environment,
        log=rotate(folder.logs / "prepare.log"),
        what="Preparing the database",
    )


def wait_for_web(host: str, number: int, web: Child) -> None:
    """Return when the web server answers. Raises StackError if it does not."""
    target = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  compared, not bound
    end = time.monotonic() + WEB_SECONDS
    while time.monotonic() < end:
        if web.process is not None and web.process.poll() is not None:
            raise StackError(f"The web server does not start: the end of {web.log} says why.")
        connection = http.client.HTTPConnection(target, number, timeout=2)
        try:
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        time.sleep(0.1)
    raise StackError(f"The web server does not answer within {WEB_SECONDS:.0f} s: look at {web.log}.")


def welcome(folder: Folder, host: str, number: int) -> None:
    """Print the address and, if the demo club is loaded, how to log in."""
    shown = f"[{host}]" if ":" in host else host
    say(f"\nBearena is at http://{shown}:{number}/  (Ctrl-C stops it; logs and outgoing mail are in {folder.logs})")
    demo = folder.root / "demo.json"
    if demo.exists():
        logins = json.loads(demo.read_text(encoding="utf-8"))["logins"]
        say("\nLog in as:")
        for login in logins:
            say(f"  {login['email']:<32} {login['password']:<24} {login['name']}, {login['role']}")
    say("")


def look_after(folder: Folder, embedded: Embedded, children: list[Child]) -> None:
    """Start again what dies, until a signal ends it."""
    looked = time.monotonic()
    while True:
        time.sleep(LOOK_SECONDS)
        started = [child for child in children if child.look_after(say)]
        if started:
            note(folder, children)
        if time.monotonic() - looked > SERVER_LOOK_SECONDS:
            embedded.look_after(say)
            looked = time.monotonic()
