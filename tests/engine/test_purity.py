"""The engine stands alone: no Django, nothing that is not in the standard library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = f"""
import sys
sys.path[:] = [path for path in sys.path if "site-packages" not in path] + [{str(ROOT)!r}]
import games.engine, games.engine.__main__
allowed = set(sys.stdlib_module_names) | {{"games", "__main__"}}
foreign = sorted(name for name in sys.modules if name.partition(".")[0] not in allowed)
own = sorted(name for name in sys.modules if name.startswith("games.") and not name.startswith("games.engine"))
print(foreign + own)
"""


def test_importing_the_engine_imports_only_the_standard_library() -> None:
    done = subprocess.run([sys.executable, "-I", "-S", "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_package_above_stays_empty() -> None:
    assert (ROOT / "games" / "__init__.py").read_text() == ""
