"""Fixtures for every test: private PostgreSQL and Valkey servers, started when the first test needs them, and
Bearena's own processes on top of them. Pure tests start nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest
import redis
from django.core.management import call_command
from django.db import connection
from django.db.backends.postgresql.operations import DatabaseOperations
from pytest_django import DjangoDbBlocker

from config.celery import app as celery_app
from tests.processes import PATIENCE_MS, Beat, WebServer, Worker
from tests.settings import POSTGRES, TEST_FOLDER, VALKEY

if TYPE_CHECKING:
    from playwright.sync_api import Browser

THE_SAME_FOR_ALL = {"django_content_type", "auth_permission"}
"""Tables that only migrations write."""
_at_first: list[str] = []
"""Tables with rows that migrations wrote."""
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


# The same examples in every run, and a slow machine is no fault. To look for more: --hypothesis-profile=default.
hypothesis.settings.register_profile(
    "suite", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("suite")


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
def django_db_setup(servers: None, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Make pytest-django's test database on this run's server, and keep what its migrations wrote."""
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA at_first")
        for table in connection.introspection.django_table_names(only_existing=True, include_views=False):
            cursor.execute(f'SELECT EXISTS (TABLE "{table}")')
            if table not in THE_SAME_FOR_ALL and cursor.fetchone() == (True,):
                cursor.execute(f'CREATE TABLE at_first."{table}" AS TABLE "{table}"')
                _at_first.append(table)
    DatabaseOperations.sql_flush = _sql_flush


def _sql_flush(self: DatabaseOperations, style: object, tables: Sequence[str], **options: bool) -> list[str]:
    """Return what makes ``tables`` as they were at first after a test that commits, forty times quicker than TRUNCATE.

    That makes the files of every table and index anew, and a test leaves few rows. The locks keep out what a web server
    is still writing, as those of TRUNCATE do; as a replica there are no triggers and no foreign keys to heed. What
    migrations wrote comes back, so that a test finds the same database whatever ran before it.
    """
    assert not options["reset_sequences"]
    names = [self.quote_name(table) for table in tables if table not in THE_SAME_FOR_ALL]
    locks = f"LOCK TABLE {', '.join(names)} IN EXCLUSIVE MODE"
    deletes = "; ".join(f"DELETE FROM {name}" for name in names)
    inserts = "; ".join(f'INSERT INTO "{table}" TABLE at_first."{table}"' for table in _at_first)
    return [f"{locks}; SET LOCAL session_replication_role = replica; {deletes}; {inserts}"]


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


@pytest.fixture(scope="module")
def module_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The test database for servers of a module; what they write after its last test is gone before the next."""
    yield
    with django_db_blocker.unblock():
        call_command("flush", verbosity=0, interactive=False, reset_sequences=False)


@pytest.fixture(scope="module")
def module_server(module_database: None) -> Iterator[WebServer]:
    """The web server of a module's tests: starting one takes seconds."""
    server = WebServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def web_server(transactional_db: None, valkey: redis.Redis, module_server: WebServer) -> WebServer:
    """A real web server on the test database: ``url``, ``socket_url``, ``kill()``, ``start()``, ``stop()``.

    The same for all tests of a module; what needs a fresh one, or other settings, calls ``start_web_server``.
    """
    if module_server.child is None:  # killed by a test that failed before it started it again
        module_server.start()
    return module_server


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
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    if not CHROMIUM.exists():
        pytest.fail("The browser tests need Debian's chromium: apt-get install chromium", pytrace=False)
    with pytest.MonkeyPatch.context() as patch:
        # Playwright's own event loop runs in this thread; the test's database access beside it is synchronous.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_ARGUMENTS)
            yield browser
            browser.close()
