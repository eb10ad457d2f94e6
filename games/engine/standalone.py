"""One file that verifies transcripts and needs nothing but Python: ``python bearena-verify.pyz transcript.json``.

``python -m games.engine.standalone FILE`` writes it. The same sources give the same bytes, so that a host can publish
the file's hash and anybody can build it again.
"""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

NAME = "bearena-verify.pyz"
_SHEBANG = b"#!/usr/bin/env python3\n"
_START = """\
import sys

if sys.version_info < (3, 12):
    sys.exit("bearena-verify needs Python 3.12 or later.")
from games.engine.__main__ import main

sys.exit(main(["verify", *sys.argv[1:]]))
"""
_THEN = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive can hold; a real one would change the bytes."""


def build() -> bytes:
    """Return the file: this package's sources, and a start that runs ``verify`` on the arguments."""
    package = Path(__file__).parent
    sources = {"__main__.py": _START, "games/__init__.py": ""}
    for path in sorted(package.rglob("*.py")):
        sources[f"games/engine/{path.relative_to(package).as_posix()}"] = path.read_text(encoding="utf-8")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as writer:
        for name, source in sources.items():
            writer.writestr(zipfile.ZipInfo(name, _THEN), source)
    return _SHEBANG + archive.getvalue()


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else NAME)
    target.write_bytes(build())
    target.chmod(0o755)
