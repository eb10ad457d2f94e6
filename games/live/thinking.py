"""Lets a process of its own think for the bots that search, one move at a time, so that the event loop never waits."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Mapping
from typing import Any

from django.conf import settings

MILLISECONDS = 200
"""How long a move is thought about while no other waits."""
LEAST_MILLISECONDS = 40
"""However many wait: below this the bot would play clearly worse."""
PATIENCE_SECONDS = 20.0
LONGEST_LINE = 1 << 20


class Thinker:
    """One searcher process, begun when it is first needed. Made and used in one event loop."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._asked = 0

    async def action(self, game: str, view: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the bot does that sees ``view``.

        Raises ChildProcessError where the searcher ended or took too long; the next call begins another.
        """
        self._asked += 1
        try:
            async with self._turn:
                milliseconds = max(LEAST_MILLISECONDS, MILLISECONDS // self._asked)
                line = json.dumps({"game": game, "view": view, "milliseconds": milliseconds})
                try:
                    async with asyncio.timeout(PATIENCE_SECONDS):
                        answer = await self._answer(line)
                except (TimeoutError, ConnectionError):
                    answer = b""
                except asyncio.CancelledError:
                    # Its answer would be taken for that to the next question.
                    await self._end()
                    raise
                if not answer.endswith(b"\n"):
                    await self._end()
                    raise ChildProcessError("The searcher gave no answer.")
                action: dict[str, Any] = json.loads(answer)["action"]
                return action
        finally:
            self._asked -= 1

    async def _answer(self, line: str) -> bytes:
        if self._process is None:
            # A session of its own: Ctrl-C is for the server, which ends this by closing its input.
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "games.live.searcher",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                cwd=settings.BASE_DIR,
                env={},
                start_new_session=True,
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line.encode() + b"\n")
        await process.stdin.drain()
        return await process.stdout.readline()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def stop(self) -> None:
        """End the searcher, if there is one."""
        await self._end()
