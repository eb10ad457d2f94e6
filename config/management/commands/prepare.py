"""``manage.py prepare``: bring a deployment up to date, all in one process."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    """Migrates the database, collects the static files, and on request loads the demo club."""

    help = "Migrate the database, collect static files and, with --demo, load the demo club."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--demo", action="store_true", help="load the demo club as well")

    def handle(self, *args: Any, demo: bool, verbosity: int, **options: Any) -> None:
        """Do it."""
        call_command("migrate", interactive=False, verbosity=verbosity)
        # Hashing and compressing takes seconds; nothing to do if no file has changed since.
        note = Path(settings.STATIC_ROOT) / "collected"
        state = static_state()
        if not note.exists() or note.read_text(encoding="ascii") != state:
            call_command("collectstatic", interactive=False, clear=True, verbosity=verbosity)
            note.write_text(state, encoding="ascii")
        if demo:
            call_command("load_demo", verbosity=verbosity)


def static_state() -> str:
    """Return a digest of the names, sizes and times of every static file of the project and its libraries."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            found = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{found.st_size}\0{found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
