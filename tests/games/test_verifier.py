"""Verification for anybody: the page, the file to download, and the API behind them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import redis
from django.test import Client

from games import verification
from games.engine import standalone
from games.engine.simulate import Simulation
from games.verification import LARGEST_TRANSCRIPT

pytestmark = pytest.mark.django_db


@pytest.fixture
def document() -> dict[str, Any]:
    [transcript] = Simulation(game="hold-my-bear", seats=2, games=1, seed="page", bots=("greedy",)).run()
    return transcript.to_json()


def post(client: Client, body: str | bytes) -> Any:
    return client.post("/api/v1/verify/", body, content_type="application/json")


def test_a_transcript_is_verified_for_anybody(document: dict[str, Any], valkey: redis.Redis) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = post(client, json.dumps(document))
    assert answer.status_code == 200
    report = answer.json()
    assert report["ok"] is True
    assert report["complete"] is True
    assert report["places"] == document["outcome"]["places"]
    document["outcome"]["places"].reverse()
    report = post(client, json.dumps(document)).json()
    assert (report["ok"], report["fault"]) == (False, "outcome-mismatch")


@pytest.mark.parametrize("body", ["", "nonsense", "[]", '{"a": NaN}', '{"a": 1, "a": 2}', b"\xff\xfe", "[" * 100_000])
def test_what_is_no_transcript_gets_a_report_too(body: str | bytes, client: Client, valkey: redis.Redis) -> None:
    answer = post(client, body)
    assert answer.status_code == 200
    assert answer.json()["fault"] == "bad-format"


def test_two_documents_in_a_row_are_none(document: dict[str, Any], client: Client, valkey: redis.Redis) -> None:
    line = json.dumps(document)
    assert post(client, f"{line}\n{line}").json()["fault"] == "bad-format"


def test_what_takes_too_long_is_ended(
    document: dict[str, Any], client: Client, valkey: redis.Redis, settings: Any
) -> None:
    settings.VERIFY_SECONDS = 0.001
    answer = post(client, json.dumps(document))
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "too-slow")
    settings.VERIFY_SECONDS = 10
    assert post(client, json.dumps(document)).json()["ok"] is True, "the turn was given back"


def test_who_finds_all_turns_taken_is_told(
    document: dict[str, Any], client: Client, valkey: redis.Redis, settings: Any
) -> None:
    settings.VERIFY_SECONDS = 0.01
    turns = [verification._turns.acquire() for _ in range(verification.AT_ONCE)]
    try:
        answer = post(client, json.dumps(document))
    finally:
        for _ in turns:
            verification._turns.release()
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")


def test_what_is_too_large_or_too_often_is_refused(
    document: dict[str, Any], client: Client, valkey: redis.Redis
) -> None:
    large = post(client, b" " * (LARGEST_TRANSCRIPT + 1))
    assert (large.status_code, large.json()["error"]["code"]) == (400, "too-large")
    answers = [post(client, "{}").status_code for _ in range(30)]
    assert answers[0] == 200
    assert answers[-1] == 429
    forged = client.post(
        "/api/v1/verify/", "{}", content_type="application/json", headers={"X-Forwarded-For": "203.0.113.9"}
    )
    assert forged.status_code == 429, "a header that anybody can write opens no new account"
    assert set(forged.json()["error"]) >= {"code", "message"}


def test_the_page_and_the_file(client: Client) -> None:
    page = client.get("/verify/")
    assert "Verify a transcript" in page.content.decode()
    file = client.get("/verify/bearena-verify.pyz")
    assert file.content == standalone.build()
    assert standalone.NAME in file["Content-Disposition"]
