"""Start another program as an ordinary user, or tied to the life of its parent; run as a script.

PostgreSQL refuses to run as root. In a user namespace of its own the program sees an unprivileged id that is root
outside, so no account is made, no owner changes and no permission is loosened. The program gains nothing by it.

Usage: ``python -I launch.py [--as UID GID] [--tied SIGNAL] PROGRAM ARGUMENT...``
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

NO_NAMESPACE = 97
"""Exit code: the kernel allows no user namespace."""
PR_SET_PDEATHSIG = 1


def become(uid: int, gid: int) -> None:
    """Enter a user namespace in which this process has the given ids. Raises OSError when the kernel refuses."""
    outer_uid, outer_gid = os.geteuid(), os.getegid()
    os.unshare(os.CLONE_NEWUSER)
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{uid} {outer_uid} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{gid} {outer_gid} 1", encoding="ascii")


def main(arguments: list[str]) -> int:
    """Replace this process by the program. Returns only if that is impossible."""
    if arguments[0] == "--as":
        try:
            become(int(arguments[1]), int(arguments[2]))
        except (OSError, AttributeError) as error:
            print(f"no user namespace: {error}", file=sys.stderr)  # noqa: T201
            return NO_NAMESPACE
        arguments = arguments[3:]
    if arguments[0] == "--tied":
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(arguments[1]))
        arguments = arguments[2:]
    os.execv(arguments[0], arguments)  # noqa: S606  no shell is meant
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
