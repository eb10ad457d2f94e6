"""The log writer against the real database: what it stores, what it refuses, what it survives."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction

from games.live import log as log_module
from games.live.log import Ending, Entry, LogWriter, Verdict
from games.live.sessions import Entitlement
from games.models import Game, Record
from tests.games.conftest import Person

pytestmark = pytest.mark.django_db(transaction=True)

type People = Callable[[str], Person]
type Deal = Callable[..., Game]
type Offer = Callable[..., Awaitable[Verdict]]


def write(work: Callable[[LogWriter, Offer], Awaitable[Any]]) -> Any:
    """Run ``work`` with a writer of its own and a function that offers one record and returns the verdict."""

    async def run() -> Any:
        writer = LogWriter(settings.LOG_BACKLOG)
        writer.start()

        async def offer(game: Game, number: int, **more: Any) -> Verdict:
            verdict: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
            fields: dict[str, Any] = {
                "at": number,
                "seat": 0,
                "action": b'{"type":"x"}',
                "clock": 0,
                "hash": bytes(32),
                "message_id": None,
                "entitlement": None,
                "deadline": None,
                "ending": None,
            }
            refused = writer.put(Entry(game_id=game.pk, number=number, done=verdict.set_result, **{**fields, **more}))
            return refused or await asyncio.wait_for(verdict, 10)

        try:
            return await work(writer, offer)
        finally:
            await writer.stop()

    return asyncio.run(run())


def numbers(game: Game) -> list[int]:
    return list(Record.objects.filter(game=game).order_by("number").values_list("number", flat=True))


def test_what_waits_together_is_one_commit(person: People, deal: Deal) -> None:
    ana, bo = person("Ana"), person("Bo")
    games = [deal(ana, bo) for _ in range(12)]

    async def work(writer: LogWriter, offer: Offer) -> tuple[list[Verdict], int]:
        verdicts = await asyncio.gather(*(offer(game, 1) for game in games))
        return verdicts, writer.commits

    verdicts, commits = write(work)
    assert set(verdicts) == {Verdict.STORED}
    assert commits == 1
    assert all(numbers(game) == [1] for game in games)
    assert set(Game.objects.values_list("record_count", flat=True)) == {1}


def test_only_the_next_record_of_a_running_game_fits(person: People, deal: Deal) -> None:
    game, other = (deal(person(f"Ana{n}"), person(f"Bo{n}")) for n in range(2))

    async def work(writer: LogWriter, offer: Offer) -> list[Verdict]:
        first = await asyncio.gather(offer(game, 2), offer(other, 1), offer(Game(pk=uuid.uuid4()), 1))
        ending = Ending("finished", (1, 2), None)
        return [
            *first,
            await offer(game, 1),
            await offer(game, 1),
            await offer(game, 2, ending=ending),
            await offer(game, 3),
        ]

    verdicts = write(work)
    assert [verdict.name for verdict in verdicts] == ["STALE", "STORED", "STALE", "STORED", "STALE", "STORED", "STALE"]
    assert (numbers(game), numbers(other)) == ([1, 2], [1])
    game.refresh_from_db()
    assert (game.status, game.places, game.record_count, game.points) == ("finished", [1, 2], 2, None)
    assert game.finished_at is not None


def test_a_message_that_is_stored_is_not_stored_again(person: People, deal: Deal) -> None:
    game, other = (deal(person(f"Ana{n}"), person(f"Bo{n}")) for n in range(2))

    async def work(writer: LogWriter, offer: Offer) -> list[Verdict]:
        first = await offer(game, 1, message_id="m")
        return [first, *await asyncio.gather(offer(game, 2, message_id="m"), offer(other, 1, message_id="m"))]

    verdicts = write(work)
    assert verdicts == [Verdict.STORED, Verdict.STALE, Verdict.STORED], "one refusal does not touch the others"
    assert (numbers(game), numbers(other)) == ([1], [1])


def test_only_a_living_session_of_the_account_may_write(person: People, deal: Deal) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo)
    with connection.cursor() as cursor:
        cursor.execute("SELECT sha256(convert_to(password, 'UTF8')) FROM players_user WHERE id = %s", [ana.user.pk])
        mark = bytes(cursor.fetchone()[0])
    key = ana.cookie.split("=")[1]
    right = Entitlement(key, ana.user.pk, mark)
    wrong = [
        Entitlement("nothing", ana.user.pk, mark),
        Entitlement(key, bo.user.pk, mark),
        Entitlement(key, ana.user.pk, bytes(32)),
    ]

    async def work(writer: LogWriter, offer: Offer) -> list[Verdict]:
        refused = [await offer(game, 1, entitlement=each) for each in wrong]
        return [*refused, await offer(game, 1, entitlement=right)]

    verdicts = write(work)
    assert verdicts == [Verdict.SESSION_ENDED] * 3 + [Verdict.STORED]


def test_a_game_that_is_locked_holds_up_no_other(person: People, deal: Deal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "LOCKED_LIMIT_SECONDS", 0.5)
    held, free = (deal(person(f"Ana{n}"), person(f"Bo{n}")) for n in range(2))
    order: list[str] = []

    async def work(writer: LogWriter, offer: Offer) -> list[Verdict]:
        async def noted(name: str, verdict: Awaitable[Verdict]) -> Verdict:
            result = await verdict
            order.append(name)
            return result

        return await asyncio.gather(noted("held", offer(held, 1)), noted("free", offer(free, 1)))

    with transaction.atomic():
        Game.objects.select_for_update().get(pk=held.pk)
        box: list[Any] = []
        thread = threading.Thread(target=lambda: box.append(write(work)))
        thread.start()
        thread.join(10)
    assert box == [[Verdict.BUSY, Verdict.STORED]]
    assert order == ["free", "held"]
    assert numbers(held) == []
    assert write(lambda writer, offer: offer(held, 1)) == Verdict.STORED


def test_a_full_queue_says_busy(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"))

    async def work(writer: LogWriter, offer: Offer) -> list[Verdict]:
        writer._limit = 3
        verdicts = await asyncio.gather(*(offer(game, number) for number in range(1, 6)))
        return [verdict for verdict in verdicts if verdict is Verdict.BUSY]

    assert write(work) == [Verdict.BUSY] * 2


def test_a_broken_connection_is_replaced_and_what_it_took_is_unsure(person: People, deal: Deal) -> None:
    game = deal(person("Ana"), person("Bo"))

    def hang_up() -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bearena-log'"
            )
        connection.close()

    async def work(writer: LogWriter, offer: Offer) -> list[Verdict]:
        verdicts = [await offer(game, 1)]
        await asyncio.to_thread(hang_up)
        verdicts.append(await offer(game, 2))
        for _ in range(50):
            verdict = await offer(game, 2)
            if verdict is not Verdict.UNAVAILABLE:
                break
            await asyncio.sleep(0.05)
        return [*verdicts, verdict]

    assert write(work) == [Verdict.STORED, Verdict.UNSURE, Verdict.STORED]
    assert numbers(game) == [1, 2]
