"""The fixtures that drive real processes."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis
from django.conf import settings

from config.celery import app
from tests.processes import WebServer, Worker
from tests.settings import POSTGRES, TEST_FOLDER, VALKEY

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PROJECT = Path(__file__).resolve().parent.parent.parent
OF_THIS_RUN = ("BEARENA_", "DJANGO_", "PYTEST_")


def test_settings_name_the_servers_of_this_run_alone() -> None:
    assert settings.DATABASES["default"]["HOST"] == str(TEST_FOLDER)
    assert str(TEST_FOLDER) in settings.REDIS_URL
    assert app.conf.broker_url == f"redis+socket://{VALKEY.socket}"


def test_a_run_ignores_servers_that_the_environment_names() -> None:
    named = {"DATABASE_URL": "postgresql://club@db.example/club", "REDIS_URL": "redis://cache.example/0"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OF_THIS_RUN)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/config/test_fixtures.py", "-k", "servers_of_this_run_alone"],
        cwd=PROJECT,
        env=kept | named | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_pure_tests_start_no_server() -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OF_THIS_RUN)}
    script = (
        "import pytest, sys, tests.settings as s;"
        "code = pytest.main(['tests/config/test_env.py']);"
        "sys.exit(code or (s.TEST_FOLDER / 'postgres').exists() or s.POSTGRES.pid or s.VALKEY.pid or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=PROJECT, env=kept, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


@pytest.mark.fault
def test_web_servers_can_be_killed_and_started_again(start_web_server: Callable[..., WebServer]) -> None:
    one, two = start_web_server(), start_web_server()
    for server in (one, two):
        with urllib.request.urlopen(f"{server.url}/readyz", timeout=10) as response:
            assert response.status == 200
    one.kill()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"{one.url}/healthz", timeout=2)
    one.start()
    with urllib.request.urlopen(f"{one.url}/healthz", timeout=10) as response:
        assert response.status == 200


@pytest.mark.fault
def test_the_worker_takes_tasks_from_this_run_s_queue(celery_worker: Worker, valkey: redis.Redis) -> None:
    app.send_task("games.tasks.sweep_games")
    celery_worker.wait_for("Task games.tasks.sweep_games")
    celery_worker.kill()
    celery_worker.start()


@pytest.mark.browser
def test_chromium_shows_a_page(chromium: Browser, web_server: WebServer) -> None:
    page = chromium.new_page()
    page.goto(web_server.url)
    assert page.locator("h1").count() == 1
    page.close()


def test_servers_are_private(servers: None) -> None:
    assert TEST_FOLDER.stat().st_mode & 0o077 == 0
    assert POSTGRES.answers()
    assert VALKEY.answers()
