"""The settings of a test run: its own servers in its own folder, whatever DATABASE_URL says.

Importing this starts nothing; ``tests/conftest.py`` starts the servers when the first test needs them.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from config.stack.postgres import Postgres
from config.stack.valkey import Valkey

# Only named here, for type checkers import this too; tests/conftest.py makes and removes it. Short, for its sockets.
# Processes that share a run (pytest -n) have a folder each within it, hence servers of their own.
TEST_FOLDER = Path(
    os.environ.get("BEARENA_TEST_FOLDER") or f"/tmp/bearena-test-{secrets.token_hex(6)}",
    os.environ.get("PYTEST_XDIST_WORKER", ""),
)
POSTGRES = Postgres(
    data=TEST_FOLDER / "postgres", sockets=TEST_FOLDER, log=TEST_FOLDER / "postgres.log", throwaway=True, tied=True
)
VALKEY = Valkey(
    data=TEST_FOLDER / "valkey", sockets=TEST_FOLDER, log=TEST_FOLDER / "valkey.log", throwaway=True, tied=True
)

for name in [name for name in os.environ if name.startswith(("BEARENA_", "DATABASE_URL", "REDIS_URL"))]:
    del os.environ[name]
os.environ |= {
    "BEARENA_TEST_FOLDER": str(TEST_FOLDER),
    "BEARENA_VAR": str(TEST_FOLDER),
    "BEARENA_SECRET_KEY": "a key for tests that protects nothing, long enough for every check",
    "DATABASE_URL": POSTGRES.url,
    "REDIS_URL": VALKEY.url,
    "BEARENA_LOG_LEVEL": "WARNING",
}

from config.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
