"""``make run`` for real: what dies comes back, a killed runner's servers are adopted, Ctrl-C stops everything."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Iterator

import pytest

from tests.config.stack_run import Runner, processes_in, stack
from tests.processes import free_port

pytestmark = pytest.mark.fault
UP = "Bearena is at http://127.0.0.1:"


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """One stack for all tests here, in a new folder as for a new user; a start takes seconds."""
    folder = tmp_path_factory.mktemp("stack") / "var"
    running = Runner(folder, free_port())
    try:
        running.wait_for(UP)
        yield running
    finally:
        for pid in processes_in(folder):
            os.kill(pid, signal.SIGKILL)
        running.child.wait()


def test_secrets_and_sockets_are_private(runner: Runner) -> None:
    folder = runner.folder
    assert stat.S_IMODE((folder / "secret-key").stat().st_mode) == 0o600
    for private in (folder, folder / "sockets", folder / "postgres", folder / "valkey", folder / "log"):
        assert stat.S_IMODE(private.stat().st_mode) == 0o700, private


def test_second_runner_gets_a_sentence(runner: Runner) -> None:
    second = stack(runner.folder, free_port(), "run", "--no-demo")
    assert second.returncode == 1
    assert second.stderr.startswith(f"Bearena already runs in {runner.folder} (process {runner.child.pid}): stop")
    assert second.stderr.count("\n") == 1
    assert runner.get("/healthz")[0] == 200


def test_management_commands_use_the_running_servers(runner: Runner) -> None:
    done = stack(runner.folder, runner.port, "manage", "migrate", "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert runner.get("/readyz")[0] == 200


def test_killed_processes_come_back(runner: Runner) -> None:
    for name, part in (("web", "uvicorn"), ("worker", "worker --pool"), ("beat", " beat ")):
        killed = runner.pid_of(part)
        os.kill(killed, signal.SIGKILL)
        runner.wait_for(f"{name} was ended by SIGKILL: starting it again")
        runner.wait_for_status("/healthz", 200)
    log = runner.folder / "log" / "worker.log"
    assert log.read_text().count(" ready.") >= 1


def test_servers_that_die_come_back(runner: Runner) -> None:
    os.kill(runner.pid_of("bin/postgres"), signal.SIGKILL)
    os.kill(runner.pid_of("valkey-server"), signal.SIGKILL)
    runner.wait_for("Postgres has ended: starting it again.")
    runner.wait_for("Valkey has ended: starting it again.")
    runner.wait_for_status("/readyz", 200)


def test_pages_say_so_while_the_database_is_away(runner: Runner) -> None:
    postgres = runner.pid_of("bin/postgres")
    os.kill(postgres, signal.SIGSTOP)
    os.kill(runner.child.pid, signal.SIGSTOP)  # so that it does not start the server again at once
    os.kill(postgres, signal.SIGKILL)
    body = runner.wait_for_status("/leaderboards/", 503)
    assert "cannot reach its database" in body
    assert 'http-equiv="refresh"' in body
    api = runner.wait_for_status("/api/v1/ratings/", 503)
    assert api.startswith('{"error": {"code": "unavailable"')
    assert runner.get("/healthz")[0] == 200
    assert runner.get("/readyz")[0] == 503
    os.kill(runner.child.pid, signal.SIGCONT)
    runner.wait_for_status("/readyz", 200)
    runner.wait_for_status("/leaderboards/", 200)


def test_servers_of_a_killed_runner_are_adopted_and_ctrl_c_stops_everything(runner: Runner) -> None:
    postgres, valkey = runner.pid_of("bin/postgres"), runner.pid_of("valkey-server")
    runner.end(signal.SIGKILL)
    again = Runner(runner.folder, runner.port)
    again.wait_for(UP)
    assert f"Postgres still ran and is used again (process {postgres})." in again.said()
    assert f"Valkey still ran and is used again (process {valkey})." in again.said()
    assert again.get("/readyz")[0] == 200
    for part in ("bin/postgres", "valkey-server", "uvicorn", "worker --pool", " beat "):
        assert again.pid_of(part)
    assert again.end(signal.SIGINT) == 0
    assert processes_in(runner.folder) == {}
    assert "Traceback" not in again.said()
