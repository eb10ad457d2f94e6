"""The compose file and the image start what the local stack starts, with settings that exist, without secrets."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.stack import commands

PROJECT = Path(__file__).resolve().parent.parent.parent
COMPOSE: dict[str, Any] = yaml.safe_load((PROJECT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]


def as_in_container(command: list[str]) -> list[str]:
    """Return a command of the local stack with its program found by name."""
    return [Path(command[0]).name, *command[1:]]


def known_variables() -> set[str]:
    """Return every variable that the settings read."""
    return set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', (PROJECT / "config" / "settings.py").read_text()))


def test_services() -> None:
    assert set(SERVICES) == {"postgres", "valkey", "migrate", "web", "worker", "beat"}
    assert SERVICES["postgres"]["image"] == "postgres:18"
    assert SERVICES["valkey"]["image"] == "valkey/valkey:9"


@pytest.mark.parametrize(
    ("name", "command"),
    [("web", commands.web("0.0.0.0", 8000)), ("worker", commands.worker()), ("beat", commands.beat())],
)
def test_commands_are_those_of_the_local_stack(name: str, command: list[str]) -> None:
    assert SERVICES[name]["command"] == as_in_container(command)


def test_image_starts_the_web_server() -> None:
    line = next(line for line in (PROJECT / "Dockerfile").read_text().splitlines() if line.startswith("CMD "))
    assert json.loads(line.removeprefix("CMD ")) == as_in_container(commands.web("0.0.0.0", 8000))


@pytest.mark.parametrize("name", ["migrate", "web", "worker", "beat"])
def test_variables_exist_in_the_settings(name: str) -> None:
    assert set(SERVICES[name]["environment"]) <= known_variables()


def test_every_variable_is_documented() -> None:
    documented = set(re.findall(r"`([A-Z_]{4,})`", (PROJECT / "docs" / "hosts.md").read_text()))
    assert known_variables() <= documented


def test_no_secret_has_a_default() -> None:
    text = (PROJECT / "docker-compose.yml").read_text()
    for name in ("POSTGRES_PASSWORD", "BEARENA_SECRET_KEY"):
        uses = re.findall(rf"\$\{{{name}[^}}]*\}}", text)
        assert uses
        assert all(use.startswith(f"${{{name}:?") for use in uses)


def test_servers_are_waited_for_and_not_open_to_the_world() -> None:
    for name in ("postgres", "valkey"):
        assert "healthcheck" in SERVICES[name]
        assert "ports" not in SERVICES[name]
    for name in ("web", "worker", "beat"):
        assert SERVICES[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    assert SERVICES["web"]["ports"] == ["127.0.0.1:8000:8000"]
