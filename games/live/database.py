"""Connections of the live server to PostgreSQL: its own, asynchronous, without the ORM."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import psycopg
from django.db import connections
from psycopg import AsyncConnection, conninfo
from psycopg.rows import DictRow, dict_row

type Parameters = Mapping[str, Any] | Sequence[Any]

CONNECT_SECONDS = 5
ANSWER_SECONDS = 10
"""A statement that takes longer has met a server that is gone without saying so."""


class DatabaseAwayError(Exception):
    """PostgreSQL cannot be reached now."""


def address() -> str:
    """Return Django's default database as a libpq connection string."""
    settings = connections["default"].get_connection_params()
    known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()}
    return conninfo.make_conninfo(
        **{name: value for name, value in settings.items() if name in known},
        keepalives_idle=5,
        keepalives_interval=2,
        keepalives_count=3,
        tcp_user_timeout=10_000,
    )


async def connect(name: str) -> AsyncConnection[DictRow]:
    """Return a new connection in autocommit mode; ``name`` is shown in PostgreSQL's list. Raises DatabaseAwayError."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS + 1):
            return await AsyncConnection.connect(
                address(),
                autocommit=True,
                row_factory=dict_row,
                connect_timeout=CONNECT_SECONDS,
                application_name=f"bearena-{name}",
            )
    except (psycopg.OperationalError, TimeoutError) as error:
        raise DatabaseAwayError(str(error)) from error


class Reader:
    """One connection for reads. It connects when needed, and once more when the old connection turns out dead."""

    def __init__(self) -> None:
        self._connection: AsyncConnection[DictRow] | None = None
        self._turn = asyncio.Lock()

    async def rows(self, query: str, parameters: Parameters = ()) -> list[DictRow]:
        """Return what ``query`` finds. Raises DatabaseAwayError."""
        async with self._turn:
            if self._connection is not None:
                try:
                    return await self._ask(self._connection, query, parameters)
                except DatabaseAwayError:
                    await self._drop()
            self._connection = await connect("read")
            try:
                return await self._ask(self._connection, query, parameters)
            except DatabaseAwayError:
                await self._drop()
                raise

    async def close(self) -> None:
        """Close the connection."""
        async with self._turn:
            await self._drop()

    async def _drop(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    @staticmethod
    async def _ask(connection: AsyncConnection[DictRow], query: str, parameters: Parameters) -> list[DictRow]:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                cursor = await connection.execute(query.encode(), parameters)
                return await cursor.fetchall()
        except (psycopg.OperationalError, TimeoutError) as error:
            raise DatabaseAwayError(str(error)) from error


async def in_thread[T](work: Callable[..., T], *arguments: Any) -> T:
    """Return what ``work``, which uses the ORM, returns; it runs in a thread that keeps no connection afterwards."""

    def run() -> T:
        try:
            return work(*arguments)
        finally:
            connections.close_all()

    return await asyncio.to_thread(run)
