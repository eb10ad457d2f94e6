"""The file that verifies transcripts by itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from games.engine import standalone
from games.engine.simulate import Simulation


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the file and a transcript, and nothing of the project."""
    made = tmp_path_factory.mktemp("elsewhere")
    (made / standalone.NAME).write_bytes(standalone.build())
    simulation = Simulation(game="hold-my-bear", seats=3, games=1, seed="standalone", bots=("random",))
    [transcript] = simulation.run()
    (made / "transcript.json").write_text(json.dumps(transcript.to_json()))
    return made


def verify(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", standalone.NAME, name]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_it_verifies_where_nothing_else_is(folder: Path) -> None:
    good = verify(folder, "transcript.json")
    assert (good.returncode, good.stderr) == (0, "")
    assert "Verified." in good.stdout


def test_it_finds_a_changed_record(folder: Path) -> None:
    document = json.loads((folder / "transcript.json").read_text())
    document["records"][2]["at"] += 1
    (folder / "changed.json").write_text(json.dumps(document))
    bad = verify(folder, "changed.json")
    assert bad.returncode == 1
    assert "chain-broken at record 3" in bad.stdout


def test_the_same_sources_give_the_same_bytes() -> None:
    assert standalone.build() == standalone.build()
