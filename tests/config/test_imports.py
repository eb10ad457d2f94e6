"""The import rules, in fresh interpreters: the pure packages load no framework."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
FRAMEWORKS = ("django", "rest_framework", "channels", "celery", "psycopg", "redis", "msgspec", "structlog", "asyncio")
SCRIPT = """
import importlib, pkgutil, sys
package = importlib.import_module({package!r})
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(",".join(sorted(name for name in {frameworks!r} if name in sys.modules)))
"""


@pytest.mark.parametrize("package", ["games.engine", "ratings.systems", "tournaments.pairing", "tournaments.standings"])
def test_pure_package_loads_no_framework(package: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(package=package, frameworks=FRAMEWORKS)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


def test_the_packages_that_hold_pure_ones_stay_empty() -> None:
    for app in ("games", "ratings", "tournaments"):
        assert (PROJECT / app / "__init__.py").read_text() == ""
