"""The environment reader: clear errors, no guesses."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env
from config.settings import database


def test_text_from_variable_file_or_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert env.text("BEARENA_X", "default") == "default"
    (tmp_path / "secret").write_text("from a file\n")
    monkeypatch.setenv("BEARENA_X_FILE", str(tmp_path / "secret"))
    assert env.text("BEARENA_X") == "from a file"
    monkeypatch.setenv("BEARENA_X", "from the variable")
    assert env.text("BEARENA_X") == "from the variable"


def test_missing_text_says_what_to_set() -> None:
    with pytest.raises(ImproperlyConfigured, match=r"Set the environment variable BEARENA_X \(or BEARENA_X_FILE\)"):
        env.text("BEARENA_X")


@pytest.mark.parametrize(("word", "value"), [("1", True), ("YES", True), ("off", False), ("", False)])
def test_flag(monkeypatch: pytest.MonkeyPatch, word: str, value: bool) -> None:
    monkeypatch.setenv("BEARENA_X", word)
    assert env.flag("BEARENA_X", default=not value) is value


def test_nonsense_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEARENA_X", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="BEARENA_X must be 1 or 0, not 'perhaps'"):
        env.flag("BEARENA_X", default=True)
    with pytest.raises(ImproperlyConfigured, match="BEARENA_X must be a whole number, not 'perhaps'"):
        env.number("BEARENA_X", 1)
    monkeypatch.setenv("BEARENA_X", "0")
    assert env.number("BEARENA_X", 1) == 0
    with pytest.raises(ImproperlyConfigured, match="BEARENA_X must be 1 or more, not 0"):
        env.number("BEARENA_X", 1, least=1)


def test_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEARENA_X", "a.example, ,b.example,")
    assert env.words("BEARENA_X") == ["a.example", "b.example"]


def test_database_address() -> None:
    found = database("postgresql://bear%40den:p%2Fw@db.example:5433/arena?sslmode=require")
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "bear@den",
        "p/w",
        "db.example",
        "5433",
        "arena",
    )
    assert found["OPTIONS"]["sslmode"] == "require"
    assert database("postgresql://bearena@/arena?host=%2Frun%2Fsockets")["HOST"] == "/run/sockets"
    with pytest.raises(ValueError, match="must begin with postgresql://"):
        database("mysql://db/arena")
