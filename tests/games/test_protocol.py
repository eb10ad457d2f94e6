"""docs/asyncapi.yaml says what a real server sends and accepts: no key more, none fewer, both ways."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from jsonschema import Draft7Validator

from games.live import messages
from games.models import Game
from games.services import game_create, game_void, seat_ready, seat_take
from players.errors import Invalid
from tests.games.conftest import Line, Person, any_action
from tests.processes import WebServer

type People = Callable[[str], Person]
type Deal = Callable[..., Game]
type Open = Callable[..., Line]

DOCS = Path(settings.BASE_DIR) / "docs"
DOCUMENT: dict[str, Any] = yaml.safe_load((DOCS / "asyncapi.yaml").read_text())
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
FROM_CLIENT = {"hello", "act", "check", "ping", "probe"}
FROM_SERVER = {"state", "update", "ack", "refused", "verdict", "presence", "pong", "probe", "clock"}


def closed(schema: Any) -> Any:
    """Return ``schema`` with every object that lists its keys closed against others."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    shut = {key: closed(part) for key, part in schema.items()}
    is_schema = isinstance(schema.get("properties"), dict) and "type" in schema
    return {"additionalProperties": False, **shut} if is_schema else shut


CLOSED = closed(SCHEMAS)


def validator(name: str) -> Draft7Validator:
    """Return what checks a message of type ``name``, keys that are not in the document included."""
    return Draft7Validator(
        {"allOf": [DOCUMENT["components"]["messages"][name]["payload"]], "components": {"schemas": CLOSED}},
        format_checker=Draft7Validator.FORMAT_CHECKER,
    )


VALIDATORS = {name: validator(name) for name in FROM_CLIENT | FROM_SERVER | {"changed"}}


def must_fit(message: dict[str, Any], kinds: set[str]) -> None:
    """Fail unless ``message`` is one of ``kinds`` and as the document says."""
    assert message["type"] in kinds, message
    faults = list(VALIDATORS[message["type"]].iter_errors(message))
    assert not faults, "\n".join(f"{list(fault.path)}: {describe(fault)}" for fault in faults) + f"\n{message}"


def describe(fault: Any) -> str:
    """Return the sentence of a fault, and those inside it."""
    inner = "; ".join(f"{list(each.path)} {each.message[:200]}" for each in fault.context or ())
    return f"{fault.message[:200]} ({inner})"


def heard_fits(*lines: Line) -> set[str]:
    """Check everything that ``lines`` have heard, and return the types of messages among it."""
    heard = [message for line in lines for message in line.heard]
    for message in heard:
        must_fit(message, FROM_SERVER)
    return {message["type"] for message in heard}


# The document itself


def test_every_message_is_in_a_channel_and_an_operation() -> None:
    named = set(DOCUMENT["components"]["messages"])
    assert named == FROM_CLIENT | FROM_SERVER | {"changed"}
    in_channels = {name for channel in DOCUMENT["channels"].values() for name in channel["messages"]}
    in_operations = {
        reference["$ref"].rpartition("/")[2]
        for operation in DOCUMENT["operations"].values()
        for reference in operation["messages"]
    }
    assert in_channels == in_operations == named


def test_every_reference_leads_somewhere_and_every_schema_is_used() -> None:
    references = set(re.findall(r"#/[\w/]+", json.dumps(DOCUMENT)))
    for reference in references:
        found: Any = DOCUMENT
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
    used = {reference.rpartition("/")[2] for reference in references if "/schemas/" in reference}
    assert used == set(SCHEMAS)
    Draft7Validator.check_schema({"definitions": SCHEMAS})


def test_the_words_of_the_text_and_of_the_document_agree() -> None:
    text = (DOCS / "protocol.md").read_text()
    for code in SCHEMAS["code"]["enum"]:
        assert f"`{code}`" in text, code
    for name in FROM_CLIENT | FROM_SERVER:
        assert re.search(rf'`{name}`|"type": "{name}"', text), name
    for variable in re.findall(r"BEARENA_\w+", text):
        assert f"| `{variable}` |" in (DOCS / "hosts.md").read_text(), variable


@pytest.mark.parametrize("block", re.findall(r"```\n(\{.*?)\n```", (DOCS / "protocol.md").read_text(), re.DOTALL))
def test_the_examples_of_the_text_are_in_the_document(block: str) -> None:
    examples = [json.loads(line.replace("...", "")) for line in re.split(r"\n(?=\{)", block) if "{...}" not in line]
    assert len(examples) >= 4
    for example in examples:
        fault = next(
            VALIDATORS[example["type"]].iter_errors({**example, **({"hash": "0" * 64} if "hash" in example else {})}),
            None,
        )
        assert fault is None, fault


# What the server accepts


def texts() -> list[tuple[str, bool]]:
    """Return messages of a client and whether they can be read."""
    resign = {"type": "resign"}
    good: list[dict[str, Any]] = [
        {"type": "hello"},
        {"type": "hello", "seen": None, "plays": True},
        {"type": "hello", "seen": 7},
        {"type": "act", "id": "a", "seen": 0, "action": resign},
        {"type": "act", "id": "~" * 40, "seen": 3, "action": {"type": "play", "cards": ["bear"], "as": "cat"}},
        {"type": "act", "id": "a", "seen": 3, "action": {"type": "give", "gifts": [{"card": "vole-1", "to": 2}]}},
        {"type": "act", "id": "a", "seen": 3, "action": {"type": "steal", "from": [1, 1]}},
        {"type": "act", "id": "a", "seen": 3, "action": {"type": "force-bear", "card": "bear"}},
        {"type": "act", "id": "a", "seen": 3, "action": {"type": "respond", "card": "cat-2"}},
        {"type": "act", "id": "a", "seen": 3, "action": {"type": "grab", "place": 4}},
        {"type": "act", "id": "a", "seen": 3, "action": {"type": "stop"}},
        {"type": "act", "id": "a", "seen": 3, "action": {"type": "answer", "count": 4}},
        {
            "type": "act",
            "id": "a",
            "seen": 3,
            "action": {"type": "play", "cards": ["giraffe-2"], "do": {"giraffe": {"animal": "cat"}}},
        },
        {"type": "check", "id": "a", "action": resign},
        {"type": "ping", "id": "a"},
        {"type": "probe", "id": "a"},
    ]
    bad: list[dict[str, Any]] = [
        {"type": "hello", "seen": -1},
        {"type": "hello", "seen": "7"},
        {"type": "hello", "sen": 7},
        {"type": "act", "id": "a", "seen": None, "action": resign},
        {"type": "act", "id": "a", "action": resign},
        {"type": "act", "id": "", "seen": 1, "action": resign},
        {"type": "act", "id": "a b", "seen": 1, "action": resign},
        {"type": "act", "id": "x" * 41, "seen": 1, "action": resign},
        {"type": "act", "id": "a", "seen": 1, "action": "resign"},
        {"type": "check", "id": "a", "seen": 1, "action": resign},
        {"type": "ping"},
        {"type": "ping", "id": 7},
        {"type": "probe", "id": "a", "at": 1234},
        {"type": "pong", "id": "a"},
        {"id": "a"},
    ]
    return [(json.dumps(each), True) for each in good] + [(json.dumps(each), False) for each in bad]


@pytest.mark.parametrize(("text", "is_good"), texts())
def test_the_document_and_the_server_read_the_same_messages(text: str, is_good: bool) -> None:
    message = json.loads(text)
    kind = message.get("type")
    fits = kind in FROM_CLIENT and VALIDATORS[kind].is_valid(message)
    assert fits == is_good
    if is_good:
        messages.read(text)
    else:
        with pytest.raises(Invalid):
            messages.read(text)


# What the server sends


def test_a_whole_game_with_turns(web_server: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = deal(ana, bo, rules={"animals": ["bear", "cat", "giraffe", "kangaroo", "turtle"]}, bots=1)
    lines = [line(web_server, game, ana), line(web_server, game, bo)]
    watcher = line(web_server, game)
    for one in (*lines, watcher):
        one.hello()
    lines[0].send({"type": "check", "id": "c", "action": {"type": "play", "cards": ["walrus-5"]}})
    lines[0].wait("verdict")
    lines[0].send({"type": "ping", "id": "p"})
    lines[0].wait("pong")
    lines[0].socket.send("{")
    lines[0].wait("refused")
    assert watcher.act({"type": "resign"}, message_id="w")["code"] == "not-seated"
    for turn in range(12):
        if lines[0].state["status"] != "running":
            break
        acting = next((one for one in lines if one.state["options"]), None)
        if acting is None:
            lines[0].next()
            lines[1].until(lines[0].state["n"])
            continue
        action = any_action(acting.state)
        message = {"type": "act", "id": f"m{turn}", "seen": acting.state["n"], "action": action}
        must_fit(message, FROM_CLIENT)
        acting.act(action, message_id=f"m{turn}")
        for one in lines:
            one.until(acting.heard[-1]["n"])
    for one in lines:
        one.act({"type": "resign"}, message_id="r")
    lines[1].close()
    lines[0].hello()
    watcher.hello()
    kinds = heard_fits(*lines, watcher)
    assert kinds >= {"state", "update", "ack", "refused", "verdict", "pong"}


def test_a_game_without_turns(web_server: WebServer, person: People, deal: Deal, line: Open) -> None:
    ana = person("Ana")
    game = deal(ana, game="pick-a-polar-bear", rules={"bonus": True}, bots=2, rated=False)
    mine, watcher = line(web_server, game, ana), line(web_server, game)
    for one in (mine, watcher):
        one.hello()
    probe = mine.wait("probe")
    must_fit(probe, FROM_CLIENT)
    mine.send(probe)
    options = mine.state["options"]  # empty before go, where the deal opens no question
    action: dict[str, Any] = {"type": "stop"}
    if options.get("answer"):
        action = {"type": "answer", "count": 3}
    elif options.get("grab"):
        action = {"type": "grab", "place": options["grab"][0]}
    must_fit({"type": "act", "id": "a", "seen": mine.state["n"], "action": action}, FROM_CLIENT)
    mine.act(action, message_id="a")
    mine.act({"type": "resign"}, message_id="r")
    mine.hello()
    watcher.hello()
    assert heard_fits(mine, watcher) >= {"state", "update", "ack", "probe"}


def test_tables_before_the_deal_and_after_a_void_end(web_server: WebServer, person: People, line: Open) -> None:
    ana, bo = person("Ana"), person("Bo")
    game = game_create(game="hold-my-bear", rules={}, players=[ana.player, None], created_by=ana.player, bank_ms=60_000)
    mine = line(web_server, game, ana)
    mine.hello()
    seat_take(game=game, number=None, player=bo.player)
    mine.wait("state")
    for each in (ana, bo):
        seat_ready(game=game, player=each.player)
    mine.wait("state", status="running")
    line(web_server, game, bo)
    mine.wait("presence", present=[True, True])
    game_void(game=game, reason="a test")
    mine.wait("update", status="void")
    assert mine.act({"type": "resign"}, message_id="late")["code"] == "game-over"
    assert heard_fits(mine) >= {"state", "update", "presence", "refused"}


def test_a_watching_page(web_server: WebServer, person: People, line: Open) -> None:
    ana = person("Ana")
    watching = line(web_server, None, path="/ws/watch/?topic=lobby")
    watching.hears("lobby")
    game_create(game="hold-my-bear", rules={}, players=[ana.player, None], created_by=ana.player)
    must_fit(watching.next(), {"changed"})
