"""What the machine can do at most in the same minutes: rows that one connection makes durable."""

from __future__ import annotations

import os
import time

import psycopg

SECONDS = 2.0
BATCH = 64
GAME = "00000000-0000-4000-8000-000000000000"
ACTION = '{"cards": ["bear-1", "tiger-4"], "type": "play"}'


def limits() -> str:
    """Return how many rows a second one connection inserts: with a commit each, and 64 to a commit."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as session:
        session.execute("DROP TABLE IF EXISTS bench")
        session.execute("CREATE TABLE bench (game uuid, n int, action jsonb, hash bytea, PRIMARY KEY (game, n))")
        begun, rows = time.perf_counter(), 0
        while time.perf_counter() - begun < SECONDS:
            session.execute("INSERT INTO bench VALUES (%s, %s, %s, %s)", (GAME, rows, ACTION, bytes(32)), prepare=True)
            rows += 1
        single = rows / (time.perf_counter() - begun)
        begun, first = time.perf_counter(), rows
        while time.perf_counter() - begun < SECONDS:
            session.execute(
                "INSERT INTO bench SELECT %s, n, %s, %s FROM unnest(%s::int[]) n",
                (GAME, ACTION, bytes(32), list(range(rows, rows + BATCH))),
                prepare=True,
            )
            rows += BATCH
        batched = (rows - first) / (time.perf_counter() - begun)
        session.execute("DROP TABLE bench")
    return f"limit: {single:.0f} rows a second with a commit each, {batched:.0f} with {BATCH} to a commit"
