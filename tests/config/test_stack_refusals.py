"""What ``make run`` says, in one sentence, when it cannot start."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from config.stack.errors import StackError
from config.stack.folder import Folder, rotate
from config.stack.postgres import Postgres
from config.stack.processes import end_left_overs
from config.stack.secrets import kept_secret
from config.stack.valkey import Valkey
from tests.config.stack_run import PROJECT, environment, processes_in, stack
from tests.processes import free_port


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """Return the one sentence of a start that was refused."""
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr.strip()


def test_taken_port(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        sentence = refused(stack(tmp_path, port, "run"))
    assert sentence == (
        f"Cannot listen on 127.0.0.1 port {port} (Address already in use): stop what uses it, "
        "or choose another, for instance BEARENA_PORT=8001 make run."
    )
    assert processes_in(tmp_path) == {}


def test_port_that_is_none(tmp_path: Path) -> None:
    assert refused(stack(tmp_path, "eighty", "run")).startswith("The port must be a number from 1 to 65535")


def test_data_folder_that_is_not_of_postgres(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "holiday.jpg").write_bytes(b"bear")
    sentence = refused(stack(tmp_path, free_port(), "run"))
    assert sentence.startswith(f"{tmp_path / 'postgres'} is no PostgreSQL data folder: move it away")
    assert (tmp_path / "postgres" / "holiday.jpg").read_bytes() == b"bear"


def test_data_of_another_postgres(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "PG_VERSION").write_text("16\n")
    assert "holds data of PostgreSQL 16, this is PostgreSQL 18" in refused(stack(tmp_path, free_port(), "run"))


def test_data_folder_that_is_broken(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir(mode=0o700)
    (tmp_path / "postgres" / "PG_VERSION").write_text("18\n")
    sentence = refused(stack(tmp_path, free_port(), "run"))
    assert sentence.startswith("PostgreSQL does not start (")
    assert f"move {tmp_path / 'postgres'} away to begin anew" in sentence


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    sentence = refused(stack(tmp_path / "file" / "var", free_port(), "run"))
    assert sentence.startswith(f"Cannot write to {tmp_path / 'file' / 'var'}")


def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StackError, match=r"No space left on device.*free some space"):
        Folder(tmp_path).make()


def test_missing_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(StackError, match="PostgreSQL 18 is missing from the environment"):
        Postgres(tmp_path / "data", tmp_path, tmp_path / "log").start()


def test_lock_file_of_a_dead_server_whose_number_lives_on(tmp_path: Path) -> None:
    server = Postgres(tmp_path / "data", tmp_path, tmp_path / "log", throwaway=True)
    server.start()
    server.stop()
    other = os.getpid()
    (tmp_path / "data" / "postmaster.pid").write_text(f"{other}\n{tmp_path / 'data'}\n0\n5432\n{tmp_path}\n\n")
    (tmp_path / ".s.PGSQL.5432.lock").write_text(f"{other}\n{tmp_path / 'data'}\n")
    assert not server.start()
    server.stop()


def test_postgres_is_found_again_after_sigkill_of_its_processes(tmp_path: Path) -> None:
    server = Postgres(tmp_path / "data", tmp_path, tmp_path / "log", throwaway=True)
    server.start()
    assert server.child is not None
    server.child.send_signal(signal.SIGKILL)
    server.child.wait()
    assert not server.start()
    assert server.answers()
    server.stop()
    assert processes_in(tmp_path) == {}


def test_valkey_keeps_what_was_queued(tmp_path: Path) -> None:
    import redis

    server = Valkey(tmp_path / "data", tmp_path, tmp_path / "log")
    server.start()
    client = redis.Redis.from_url(server.url)
    client.rpush("queue", "task")
    assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    assert client.config_get("port") == {"port": "0"}
    client.close()
    server.stop()
    server.start()
    client = redis.Redis.from_url(server.url)
    assert client.lrange("queue", 0, -1) == [b"task"]
    client.close()
    server.stop()


def test_long_path_gets_short_sockets_elsewhere(tmp_path: Path) -> None:
    root = tmp_path / ("long" * 30)
    folder = Folder(root)
    folder.make()
    sockets = folder.sockets()
    assert len(str(sockets)) < 60
    assert sockets == folder.sockets()
    assert sockets.stat().st_mode & 0o777 == 0o700
    sockets.rmdir()


def test_secret_is_kept(tmp_path: Path) -> None:
    first = kept_secret(tmp_path / "key")
    assert len(first) >= 50
    assert kept_secret(tmp_path / "key") == first
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("broken", ["folder", "bytes"])
def test_secret_that_cannot_be_read(tmp_path: Path, broken: str) -> None:
    key = tmp_path / "secret-key"
    if broken == "folder":
        key.mkdir()
    else:
        key.write_bytes(b"\xff\xfe")
    with pytest.raises(StackError, match=r"secret-key is no file that holds a secret: move it away"):
        kept_secret(key)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "7", "null"])
def test_note_of_processes_that_is_broken(tmp_path: Path, text: str) -> None:
    (tmp_path / "processes.json").write_text(text)
    end_left_overs(Folder(tmp_path), pytest.fail)


def test_ctrl_c_before_anything_runs_says_nothing(tmp_path: Path) -> None:
    """The moment is when the command line's own imports begin; ``-X importtime`` tells it."""
    child = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "config.stack", "run"],
        cwd=PROJECT,
        env=environment(tmp_path, free_port()),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stderr is not None
    for line in child.stderr:
        if line.rstrip().endswith("config.stack.errors"):
            child.send_signal(signal.SIGINT)
            break
    rest = child.stderr.read()
    child.stderr.close()
    assert "Traceback" not in rest
    assert child.wait() == -signal.SIGINT
    assert processes_in(tmp_path) == {}


def test_logs_are_rotated(tmp_path: Path) -> None:
    for text in "abcdef":
        rotate(tmp_path / "web.log").write_text(text)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "web.log": "f",
        "web.log.1": "e",
        "web.log.2": "d",
        "web.log.3": "c",
    }
