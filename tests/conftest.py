"""Fixtures for every test: private PostgreSQL and Valkey servers, started when the first test needs them, and
Bearena's own processes on top of them. Pure tests start nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis

from config.celery import app as celery_app
from tests.processes import Beat, WebServer, Worker
from tests.settings import POSTGRES, TEST_FOLDER, VALKEY

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = Path("/usr/bin/chromium")
CHROMIUM_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_configure() -> None:
    """Make the private folder of this run."""
    TEST_FOLDER.mkdir(mode=0o700)
    (TEST_FOLDER / "static").mkdir()


def pytest_unconfigure() -> None:
    """Remove that folder, after stopping the servers if an interruption kept their fixture from it."""
    VALKEY.stop()
    POSTGRES.stop()
    shutil.rmtree(TEST_FOLDER, ignore_errors=True)


@pytest.fixture(scope="session")
def servers() -> Iterator[None]:
    """PostgreSQL and Valkey of this run alone; stopped at its end, and when it is killed."""
    POSTGRES.start()
    VALKEY.start()
    yield
    VALKEY.stop()
    POSTGRES.stop()


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Leave the database as it is at the end: the whole server goes with it, whoever is still connected."""
    return True


@pytest.fixture(scope="session")
def django_db_setup(servers: None, django_db_setup: None) -> None:
    """Make pytest-django's test database on this run's server."""


@pytest.fixture
def valkey(servers: None) -> Iterator[redis.Redis]:
    """An empty Valkey and a client for it; it belongs to this run, so it may be emptied."""
    client = redis.Redis.from_url(VALKEY.url)
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def eager_tasks() -> Iterator[None]:
    """Celery tasks run at once where they are queued, and their errors come out there."""
    celery_app.conf.update(task_always_eager=True, task_eager_propagates=True)
    yield
    celery_app.conf.update(task_always_eager=False, task_eager_propagates=False)


@pytest.fixture
def start_web_server(transactional_db: None, valkey: redis.Redis) -> Iterator[Callable[..., WebServer]]:
    """A function that starts one more real web server on the test database; ``extra`` adds to its environment."""
    started: list[WebServer] = []

    def start(extra: dict[str, str] | None = None) -> WebServer:
        server = WebServer(extra)
        started.append(server)
        server.start()
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def web_server(start_web_server: Callable[..., WebServer]) -> WebServer:
    """A real web server on the test database: ``url``, ``socket_url``, ``kill()``, ``start()``, ``stop()``."""
    return start_web_server()


@pytest.fixture
def celery_worker(transactional_db: None, valkey: redis.Redis) -> Iterator[Worker]:
    """A real Celery worker on the test database, with an empty queue: ``kill()``, ``start()``, ``stop()``."""
    worker = Worker()
    worker.start()
    yield worker
    worker.stop()


@pytest.fixture
def beat(celery_worker: Worker) -> Iterator[Beat]:
    """Celery's clock beside a worker: the periodic sweeps run."""
    clock = Beat()
    clock.start()
    yield clock
    clock.stop()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's chromium, driven by playwright; make a context or page of your own from it.

    Module scope, because a running playwright holds the thread's event loop and async tests need theirs.
    """
    from playwright.sync_api import sync_playwright

    if not CHROMIUM.exists():
        pytest.fail("The browser tests need Debian's chromium: apt-get install chromium", pytrace=False)
    with pytest.MonkeyPatch.context() as patch:
        # Playwright's own event loop runs in this thread; the test's database access beside it is synchronous.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_ARGUMENTS)
            yield browser
            browser.close()
